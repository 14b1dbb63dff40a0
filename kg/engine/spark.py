"""Extraction on Apache Spark: `mapInArrow` over partitions, with the extractor in each Python worker.

Extraction is a pure function of one paper, so it does not matter which worker gets which. In a build,
papers are staged as Parquet where all workers can read them, slice by slice, and what was found comes
back in order; each slice is kept for good before the next begins. `python -m kg.engine.spark IN OUT`
runs over JSON lines or Parquet on any storage that Spark reads and leaves Parquet there.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from kg.errors import SettingsError, SourceError
from kg.model import Extraction, Link
from kg.settings import Settings

if TYPE_CHECKING:
    import pyarrow as pa

    from kg.engine.local import Item

_SLICE = 50_000  # papers of one Spark job
_PART = 1000  # papers of one staged file: a task of some seconds
_BATCH = 250  # papers that a worker holds at once

_encoder = msgspec.msgpack.Encoder()
_extraction = msgspec.msgpack.Decoder(Extraction)
_links = msgspec.msgpack.Decoder(tuple[Link, ...])


class Spark:
    """The engine: `extract_all` as `kg.engine.local` has it, on a cluster."""

    def __init__(self, master: str | None = None, staging: Path | None = None) -> None:
        """Starts nothing yet.

        Args:
            master: as Spark writes it ("local[2]", "spark://host:7077", "yarn"); None takes what spark-submit or
                spark-defaults.conf say, else all cores of this machine. staging: an existing folder that driver
                and workers share; None is a temporary one of this machine, for local masters.
        """
        self._master, self._staging = master, staging

    def extract_all(
        self, items: Iterable[Item], settings: Settings, *, workers: int | None = None, count: int | None = None
    ) -> Iterator[Extraction]:
        """Extractions of (title, abstract, links) items, in order; see `kg.engine.local.extract_all`.

        Raises:
            SettingsError: pyspark, pyarrow or Java is missing, or Spark does not start.
        """
        if count == 0:
            return
        iterator = iter(items)
        with session(self._master, workers) as spark, self._folder() as folder:
            for number in range(sys.maxsize):
                if not (some := list(islice(iterator, _SLICE))):
                    return
                path = folder / f"slice-{number:05d}"
                _stage(some, path)
                yield from _run(spark, path, len(some), settings)
                shutil.rmtree(path)

    @contextmanager
    def _folder(self) -> Iterator[Path]:
        path = Path(tempfile.mkdtemp(prefix="kg-spark-", dir=self._staging))
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)


@contextmanager
def session(master: str | None, workers: int | None = None) -> Iterator[Any]:
    """A Spark session that ends with the block, unless there was one before.

    Raises:
        SettingsError: pyspark, pyarrow or Java is missing, or Spark does not start.
    """
    pyspark = _needed()
    conf = pyspark.SparkConf()
    if master:
        conf.setMaster(master)
    elif not conf.contains("spark.master"):
        conf.setMaster(f"local[{workers or len(os.sched_getaffinity(0))}]")
    # The workers run this interpreter, unless a cluster has another that was named.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    conf.setAppName("paperkg")
    conf.setIfMissing("spark.log.level", "ERROR")
    conf.setIfMissing("spark.ui.enabled", "false")
    conf.setIfMissing("spark.ui.showConsoleProgress", "false")
    conf.setIfMissing("spark.sql.execution.arrow.maxRecordsPerBatch", str(_BATCH))
    # One file is one task: Spark would else put small files together, and a core would have nothing to do.
    conf.setIfMissing("spark.sql.files.openCostInBytes", str(128 * 2**20))
    if conf.get("spark.master", "").startswith("local"):
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        conf.setIfMissing("spark.driver.bindAddress", "127.0.0.1")
        conf.setIfMissing("spark.driver.host", "127.0.0.1")
    # PySpark warns of pandas 3, which it does not use for Arrow batches.
    warnings.filterwarnings("ignore", category=FutureWarning, module=r"pyspark\.")
    from pyspark.sql import SparkSession

    before = SparkSession.getActiveSession()
    try:
        spark = SparkSession.builder.config(conf=conf).getOrCreate()
    except Exception as error:  # py4j has a class for each way in which the other side can fail
        raise SettingsError(
            f"Spark does not start: {_first_line(error)}",
            place=f"--master {conf.get('spark.master')}",
            hint="check the master's address, and that Java 17 or later is found (JAVA_HOME)",
        ) from None
    try:
        yield spark
    finally:
        if before is None:
            spark.stop()


def _needed() -> Any:
    try:
        import pyarrow  # noqa: F401
        import pyspark
    except ImportError as error:
        raise SettingsError(
            f"the Spark engine needs {error.name}", place="--engine spark", hint="pip install 'paperkg[spark]'"
        ) from None
    java = Path(os.environ["JAVA_HOME"]) / "bin" / "java" if os.environ.get("JAVA_HOME") else shutil.which("java")
    if not java or not Path(java).exists():
        raise SettingsError(
            "the Spark engine needs Java, which is not found",
            place="--engine spark",
            hint="install Java 17 or later (Debian: default-jre-headless), or set JAVA_HOME",
        )
    return pyspark


def _stage(items: list[Item], path: Path) -> None:
    """Writes items as Parquet files of `_PART` rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path.mkdir()
    for start in range(0, len(items), _PART):
        some = items[start : start + _PART]
        columns = {
            "n": pa.array(range(start, start + len(some)), pa.int64()),
            # Texts as bytes: a source may hold half a character, which is no string for Parquet.
            "title": pa.array([t.encode("utf-8", "surrogatepass") for t, _, _ in some], pa.binary()),
            "abstract": pa.array([a.encode("utf-8", "surrogatepass") for _, a, _ in some], pa.binary()),
            "links": pa.array([_encoder.encode(links) for _, _, links in some], pa.binary()),
        }
        pq.write_table(pa.table(columns), path / f"part-{start // _PART:05d}.parquet")


def _run(spark: Any, path: Path, count: int, settings: Settings) -> Iterator[Extraction]:
    frame = spark.read.parquet(str(path)).mapInArrow(_worker(settings), "n long, found binary")
    found: list[bytes] = [b""] * count
    try:
        for row in frame.toLocalIterator(prefetchPartitions=True):
            found[row.n] = bytes(row.found)
    except Exception as error:  # a class of py4j's or pyspark's own
        raise SettingsError(
            f"extraction on Spark failed: {_first_line(error)}",
            hint="its log tells more; what was finished is kept, and the same command goes on from there",
        ) from error
    return map(_extraction.decode, found)


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _worker(settings: Settings) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The function that Spark sends to its workers: it imports the rest there, from the package."""

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from kg.engine.spark import found_in

        yield from found_in(batches, settings)

    return work


def found_in(batches: Iterable[pa.RecordBatch], settings: Settings) -> Iterator[pa.RecordBatch]:
    """Extractions of staged papers, in a worker."""
    import pyarrow as pa

    extractor = extractor_for(settings)
    for batch in batches:
        rows = zip(*(batch.column(name).to_pylist() for name in ("title", "abstract", "links")), strict=True)
        items = (
            (t.decode("utf-8", "surrogatepass"), a.decode("utf-8", "surrogatepass"), _links.decode(links))
            for t, a, links in rows
        )
        found = pa.array([_encoder.encode(e) for e in extractor.pipe(items)], pa.binary())
        yield pa.RecordBatch.from_arrays([batch.column("n"), found], names=["n", "found"])


_extractors: dict[str, Any] = {}


def extractor_for(settings: Settings) -> Any:
    """The extractor of this process, made once: Spark keeps its Python workers for further tasks."""
    from kg.extract import Extractor

    key = settings.digest()
    if key not in _extractors:
        _extractors[key] = Extractor(settings)
    return _extractors[key]


def run(source: str, target: str, master: str | None = None, settings: Settings | None = None) -> int:
    """Extracts from JSON lines (`.jsonl`, `.json`, also `.gz`) or Parquet wherever Spark reads, into Parquet.

    The input has the columns `title` and `abstract`, and may have `id`; the output has `id`, `title` and
    `extraction`, a JSON object. Source and target are paths or addresses (`s3a://…`, `hdfs://…`).

    Returns:
        The number of papers.

    Raises:
        SourceError: the input has no such columns, or cannot be read or written.
    """
    settings = settings or Settings()
    bare = source.removesuffix(".gz").removesuffix("/")
    with session(master) as spark:
        try:
            read = spark.read.json if bare.endswith((".jsonl", ".json", ".ndjson")) else spark.read.parquet
            frame = read(source)
            if missing := sorted({"title", "abstract"} - set(frame.columns)):
                raise SourceError(f"no column {' and '.join(missing)}", place=source, hint="JSON lines or Parquet")
            ident = frame["id"].cast("string") if "id" in frame.columns else _nothing()
            chosen = frame.select(ident.alias("id"), frame["title"].cast("string"), frame["abstract"].cast("string"))
            found = chosen.mapInArrow(_table_worker(settings), "id string, title string, extraction string")
            found.write.mode("errorifexists").parquet(target)
            return spark.read.parquet(target).count()
        except SourceError:
            raise
        except Exception as error:
            raise SourceError(
                _first_line(error), place=source, hint=f"check that it is readable and {target} is new"
            ) from None


def _nothing() -> Any:
    from pyspark.sql import functions

    return functions.lit(None).cast("string")


def _table_worker(settings: Settings) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from kg.engine.spark import read_as_json

        yield from read_as_json(batches, settings)

    return work


def read_as_json(batches: Iterable[pa.RecordBatch], settings: Settings) -> Iterator[pa.RecordBatch]:
    """Extractions of a user's table, in a worker."""
    import pyarrow as pa

    extractor = extractor_for(settings)
    for batch in batches:
        texts = zip(batch.column("title").to_pylist(), batch.column("abstract").to_pylist(), strict=True)
        items = ((title or "", abstract or "", ()) for title, abstract in texts)
        found = pa.array([msgspec.json.encode(e).decode() for e in extractor.pipe(items)], pa.string())
        yield pa.RecordBatch.from_arrays(
            [batch.column("id"), batch.column("title"), found], names=["id", "title", "extraction"]
        )


def main() -> None:
    """`python -m kg.engine.spark IN OUT [--master M]`, also for spark-submit."""
    import argparse

    parser = argparse.ArgumentParser(prog="python -m kg.engine.spark", description=run.__doc__)
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--master")
    given = parser.parse_args()
    try:
        print(f"{run(given.source, given.target, given.master):,} papers -> {given.target}")
    except (SourceError, SettingsError) as error:
        sys.exit(f"kg: {error}")


if __name__ == "__main__":
    main()

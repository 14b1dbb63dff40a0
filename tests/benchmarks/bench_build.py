"""Where a build's time goes, and how quickly new processes answer afterwards.

    python tests/benchmarks/bench_build.py INPUT... [--workers N] [--limit N] [--obvious N]

Prints seconds by step, peak memory of all processes, bytes a paper, seconds of `kg query`, `kg show` and
`kg links` from a cold start, and, with `--obvious N`, how much longer the obvious way takes on N of the
papers (spaCy's `en_core_web_sm` on each abstract, statements added one by one to an rdflib graph) in the
same run.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from kg.api import Graph
from kg.model import Paper
from kg.pipeline.build import build
from kg.sources import read


class PeakMemory(threading.Thread):
    """Largest sum of the resident sizes of this process and its children, sampled four times a second."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak, self._stop_now = 0, threading.Event()

    def run(self) -> None:
        while not self._stop_now.wait(0.25):
            self.peak = max(self.peak, _resident())

    def stop(self) -> int:
        self._stop_now.set()
        self.join()
        return self.peak


def _resident() -> int:
    """Kilobytes resident in this process and all below it."""
    listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid=,rss="], capture_output=True, text=True).stdout
    rows = [tuple(map(int, line.split())) for line in listed.splitlines()]
    import os

    family, grew = {os.getpid()}, True
    while grew:
        more = {pid for pid, parent, _ in rows if parent in family} - family
        family |= more
        grew = bool(more)
    return sum(size for pid, _, size in rows if pid in family)


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

    try:
        nlp = spacy.load("en_core_web_sm")
    except OSError:
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--obvious", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "g"
        memory = PeakMemory()
        memory.start()
        start = time.perf_counter()
        report = build(given.inputs, folder, workers=given.workers, limit=given.limit)
        wall = time.perf_counter() - start
        peak = memory.stop()
        papers = max(report.counts["papers"], 1)
        print("\n".join(report.lines()))
        print(f"\n{'step':<28}{'seconds':>10}{'papers/s':>12}")
        for step, seconds in report.seconds.items():
            print(f"{step:<28}{seconds:>10.2f}{papers / max(seconds, 1e-6):>12.0f}")
        print(f"{'wall':<28}{wall:>10.2f}{papers / wall:>12.0f}")
        print(f"\n{'peak memory, all processes':<28}{peak / 1024:>10.0f} MB")
        graph = Graph(folder)
        for part in ("store", "index.sqlite"):
            path = folder / "graphs" / graph.manifest.graph / part
            size = sum(f.stat().st_size for f in path.rglob("*")) if path.is_dir() else path.stat().st_size
            print(f"{part:<28}{size / papers / 1000:>10.1f} kB a paper")
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
    if given.obvious:
        other = obvious(given.inputs, given.obvious)
        if other is None:
            print("\nthe obvious way was not measured: en_core_web_sm is not installed")
        else:
            print(
                f"\nthe obvious way takes {other * papers / wall:.1f} times longer a paper ({1 / other:.0f} papers/s)"
            )


if __name__ == "__main__":
    main()

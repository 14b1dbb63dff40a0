"""How well and how fast records of one paper are linked: prints three tables.

    python tests/benchmarks/bench_linking.py [SHARED]

1. The seeds beside a list of titles and authors.
2. Hidden fields: 2,000 papers of ICLR 2026 lose their title, their authors, or both, and are joined back to a list
   of all 4,302 titles and authors without abstracts. Precision and recall per kind of evidence.
3. Seconds and peak memory for 10,000, 30,000 and all 102,000 records, and how many records were joined.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console
from rich.table import Table

from kg import sources
from kg.model import Origin, Paper
from kg.records import link
from kg.records.link import pairs

CORPUS = ("corpus/conferences.jsonl.gz", "corpus/iclr2026.jsonl.gz", "corpus/icml2025_titles_authors.json")


def read(data: Path, *names: str) -> list[Paper]:
    return [p for p in sources.read([data / n for n in names]) if isinstance(p, Paper)]


def seeds(data: Path, console: Console) -> None:
    """Titles found for both seeds; those of the search page are compared with the gold."""
    files = sorted((data / "seeds").glob("*.txt"))
    table = Table(
        "seed", "abstracts", "with a title", "right (by the gold)", title="Seeds with icml2025_titles_authors.json"
    )
    gold = json.loads((data / "gold/seed_titles.json").read_text())
    names = {r["abstract"]: r["id"] for r in map(json.loads, (data / "gold/seeds.gold.jsonl").open())}
    papers = read(data, *(str(f) for f in files), "corpus/icml2025_titles_authors.json")
    linked = link(papers).papers
    for file in files:
        mine = [p for p in linked if p.abstract and any(o.file == file.name for o in p.origins)]
        known = [(p.title, gold[names[p.abstract]]) for p in mine if names.get(p.abstract) in gold]
        right = f"{sum(a == b for a, b in known)} of {len(known)}" if known else "no gold"
        table.add_row(file.name, str(len(mine)), str(sum(bool(p.title) for p in mine)), right)
    console.print(table)


def hidden(data: Path, console: Console, size: int = 2000) -> None:
    """Joins papers that lost fields back to a list without abstracts."""
    papers = [p for p in read(data, "corpus/iclr2026.jsonl.gz") if p.authors and len(p.abstract) >= 200]
    chosen = random.Random(2026).sample(papers, size)
    bare = [_mark(replace(p, ids=(), url="", abstract="", keywords=(), topics=()), "list") for p in papers]
    lost = {
        "title": [_mark(replace(p, ids=(), url="", title=""), "lost") for p in chosen],
        "authors": [_mark(replace(p, ids=(), url="", authors=()), "lost") for p in chosen],
        "title or authors (half each)": [
            _mark(replace(p, ids=(), url="", **({"title": ""} if i % 2 else {"authors": ()})), "lost")
            for i, p in enumerate(chosen)
        ],
        "title and authors": [_mark(replace(p, ids=(), url="", title="", authors=()), "lost") for p in chosen],
    }
    table = Table(
        "hidden", "evidence", "joined", "right", "precision", "recall", title=f"{size:,} ICLR 2026 papers joined back"
    )
    for name, records in lost.items():
        everything = sorted([*bare, *records], key=lambda p: (p.origins[0].file, p.origins[0].source_id))
        found: dict[str, list[bool]] = {}
        for pair in pairs(everything):
            a, b = everything[pair.a].origins[0], everything[pair.b].origins[0]
            if a.file != b.file:
                found.setdefault(pair.why, []).append(a.source_id == b.source_id)
        rows = [*found.items(), ("all", [x for v in found.values() for x in v])]
        for why, right in rows:
            table.add_row(
                name,
                why,
                str(len(right)),
                str(sum(right)),
                f"{sum(right) / max(1, len(right)):.4f}",
                f"{sum(right) / size:.4f}",
            )
    console.print(table)


def _mark(paper: Paper, file: str) -> Paper:
    return replace(paper, origins=(Origin(file=file, source_id=paper.origins[0].source_id),))


def scale(data: Path, console: Console) -> None:
    """Time and memory by number of records, each in a process of its own."""
    table = Table(
        "records", "papers", "joined", "seconds to link", "peak MB", title="conferences + ICLR 2026 + ICML 2025"
    )
    for size in (10_000, 30_000, 0):
        found = subprocess.run(
            [sys.executable, __file__, str(data), "--scale", str(size)], capture_output=True, text=True, check=True
        )
        table.add_row(*found.stdout.strip().split("\t"))
    console.print(table)


def one_scale(data: Path, size: int) -> None:
    papers = read(data, *CORPUS)
    if size:
        papers = random.Random(1).sample(papers, size)
    begin = time.perf_counter()
    linked = link(papers)
    seconds = time.perf_counter() - begin
    peak = peak_megabytes()
    print(f"{len(papers):,}", f"{len(linked.papers):,}", linked.reasons, f"{seconds:.1f}", f"{peak:,.0f}", sep="\t")


def peak_megabytes() -> float:
    """Most memory this process had; what the starting process had does not count, where the system tells."""
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) / 1024 for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    given = [a for a in sys.argv[1:] if not a.startswith("--")]
    data = Path(given[0]) if given else Path(__file__).resolve().parents[3] / "shared" / "data"
    if "--scale" in sys.argv:
        one_scale(data, int(sys.argv[-1]))
        return
    console = Console(width=150)
    seeds(data, console)
    hidden(data, console)
    scale(data, console)


if __name__ == "__main__":
    main()

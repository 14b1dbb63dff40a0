"""Extraction on Spark against the local engine, on the same abstracts in one run.

    python tests/benchmarks/bench_spark.py [PAPERS.jsonl.gz] [COUNT]

Without a file, generated records are taken. Start is the time until the first Spark job can run; the ratio
is of the time for the extraction alone, after a first small job has loaded the extractor in every worker.
"""

from __future__ import annotations

import sys
import time
from itertools import islice
from typing import Any

from generated import records

from kg.engine import extract_all, spark
from kg.settings import Settings
from kg.sources import read


def items_of(path: str | None, count: int) -> list[Any]:
    if path is None:
        return [(r["title"], r["abstract"], ()) for r in records(count)]
    papers = (p for p in read([path]) if hasattr(p, "abstract"))
    return [(p.title, p.abstract, p.links) for p in islice(papers, count)]


def main() -> None:
    items = items_of(sys.argv[1] if len(sys.argv) > 1 else None, int(sys.argv[2]) if len(sys.argv) > 2 else 5000)
    rows = []
    for workers in (1, 2):
        start = time.perf_counter()
        local = list(extract_all(items, Settings(), workers=workers))
        rows.append((f"local, {workers} process{'es' * (workers > 1)}", time.perf_counter() - start))
    begin = time.perf_counter()
    with spark.session("local[2]"):
        engine = spark.Spark("local[2]")
        list(engine.extract_all(items[:2000], Settings()))
        started = time.perf_counter() - begin
        start = time.perf_counter()
        found = list(engine.extract_all(items, Settings()))
        rows.append(("spark, local[2]", time.perf_counter() - start))
    assert found == local
    print(f"{len(items):,} abstracts")
    for name, seconds in rows:
        print(f"{name:<20} {seconds:7.1f} s {len(items) / seconds:8.0f}/s   {rows[1][1] / seconds:5.2f} of local, 2")
    print(f"start of Spark and of its workers (with 2,000 papers): {started:.1f} s")


if __name__ == "__main__":
    main()

"""How often names are resolved as a person would: the hand-made cases of tests/gold/names*.jsonl.

    python tests/benchmarks/bench_names.py [--half seen|unseen|both] [--errors] [--cache FILE]

`names.jsonl` was drawn first; `names_fresh.jsonl` later, at random, from names that the first does not hold.

Reads the corpora in ../shared, extracts every paper (some minutes; kept in the cache file) and
resolves all names of all papers. A pair is right when two uses share an entity exactly if they mean
the same; a mention is right when it shares the entity of a paper that gave the name as meant there,
or of none when none of them is meant. The half of the cases whose id ends in 0-7 may be looked at
while writing rules, the other half may not. A use that extraction does not find any more is counted
apart. Baseline: one entity for each comparison form.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path

import msgspec

from kg.engine import extract_all
from kg.model import Extraction, Paper
from kg.records import link
from kg.resolve.forms import name_form
from kg.resolve.names import resolve_names
from kg.settings import Settings
from kg.sources import read

ROOT = Path(__file__).resolve().parents[2]
GOLD = ("names", "names_fresh")  # files of tests/gold


def corpus(cache: Path | None) -> tuple[list[Paper], list[Extraction]]:
    """All papers of the corpora and what extraction finds in them."""
    if cache and cache.exists():
        return msgspec.msgpack.decode(cache.read_bytes(), type=tuple[list[Paper], list[Extraction]])
    folder = ROOT.parent / "shared" / "data" / "corpus"
    files = [folder / "conferences.jsonl.gz", folder / "iclr2026.jsonl.gz"]
    papers = link(p for p in read(files) if isinstance(p, Paper)).papers
    settings = Settings()
    found = list(extract_all(((p.title, p.abstract, p.links) for p in papers), settings, count=len(papers)))
    if cache:
        cache.write_bytes(msgspec.msgpack.encode((papers, found)))
    return papers, found


class Corpus:
    """Uses of names by (source id of the paper, name), for each kind."""

    def __init__(self, papers: list[Paper], found: list[Extraction]) -> None:
        self.lists = {"method": [e.methods for e in found], "dataset": [e.datasets for e in found]}
        self.papers = papers
        self.index = {o.source_id: i for i, p in enumerate(papers) for o in p.origins}
        self.index |= {i: n for n, p in enumerate(papers) for i in p.ids}

    def use(self, kind: str, place: dict[str, str]) -> tuple[str, int] | None:
        """(paper key, index) of the use a case speaks of."""
        i = self.index.get(place["paper"])
        if i is None:
            return None
        form = name_form(place["name"])
        for n, named in enumerate(self.lists[kind][i]):
            if form in {name_form(a) for a in (named.name, *named.aliases)}:
                return self.papers[i].key, n
        return None


def judge(case: dict, corpus: Corpus, of: dict[str, dict]) -> bool | None:
    """Whether the outcome agrees with the case; None when a use is not found."""
    kind = case["kind"]
    if case["type"] != "mention":
        uses = [corpus.use(kind, case[x]) for x in "ab"]
        if None in uses:
            return None
        return (of[kind][uses[0]] == of[kind][uses[1]]) == case["same"]
    use = corpus.use(kind, case["mention"])
    coiners = [corpus.use(kind, p) for p in case["proposers"]]
    wanted = {of[kind][coiners[i]] for i in case["answer"] if coiners[i]}
    if use is None or not any(coiners) or (case["answer"] and not wanted):
        return None
    if case["answer"]:
        return of[kind][use] in wanted
    return of[kind][use] not in {of[kind][c] for c in coiners if c}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--half", choices=["seen", "unseen", "both"], default="both")
    parser.add_argument("--errors", action="store_true", help="list the wrong cases of the half that may be looked at")
    parser.add_argument("--cache", type=Path)
    options = parser.parse_args()
    papers, found = corpus(options.cache)
    data = Corpus(papers, found)
    start, cpu = time.perf_counter(), time.process_time()
    names = {kind: resolve_names(papers, lists, kind) for kind, lists in data.lists.items()}
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    uses = sum(len(x) for lists in data.lists.values() for x in lists)
    entities = sum(len(n.entities) for n in names.values())
    print(
        f"{len(papers):,} papers, {uses:,} uses -> {entities:,} entities in {seconds:.1f} s ({cpu:.1f} s of one core)"
    )
    for kind, n in names.items():
        ambiguous = sum(e.ambiguous for e in n.entities.values())
        print(f"  {kind}: {len(n.entities):,} entities, {len(n.homographs):,} homographs, {ambiguous:,} ambiguous")
    ways = {
        "resolved": {kind: n.of for kind, n in names.items()},
        "one entity for each form": {
            kind: {(p.key, i): name_form(x.name) for p, names in zip(papers, lists, strict=True) for i, x in enumerate(names)}
            for kind, lists in data.lists.items()
        },
    }  # fmt: skip
    print(f"\n{'':<39}{'cases':>6} {'right':>6} {'accuracy':>9}  not found")
    for name in GOLD:
        halves: dict[str, list[dict]] = {"seen": [], "unseen": []}
        for line in (ROOT / "tests" / "gold" / f"{name}.jsonl").read_text("utf-8").splitlines():
            case = json.loads(line)
            halves["seen" if int(case["id"][-1], 16) < 8 else "unseen"].append(case)
        for half, members in halves.items():
            if options.half in (half, "both"):
                for way, of in ways.items():
                    wrong = score(f"{name:<12}{half:<7}{way[:9]:<10}", members, data, of)
                    if options.errors and half == "seen" and way == "resolved":
                        for case in wrong:
                            print("  wrong:", json.dumps(case, ensure_ascii=False))


def score(head: str, cases: list[dict], data: Corpus, of: dict[str, dict]) -> list[dict]:
    """Prints a line for each type of case and one for all; the cases that came out wrong."""
    counts: dict[str, Counter] = {t: Counter() for t in [*sorted({c["type"] for c in cases}), "all"]}
    wrong = []
    for case in cases:
        verdict = judge(case, data, of)
        for t in (case["type"], "all"):
            counts[t][verdict] += 1
        if verdict is False:
            wrong.append(case)
    for t, n in counts.items():
        known = n[True] + n[False]
        share = n[True] / known if known else float("nan")
        print(f"{head}{t:<10}{known:>6} {n[True]:>6} {share:>9.3f}  {n[None]}")
    return wrong


if __name__ == "__main__":
    main()

"""Who is who: scores by subset, and time and memory by size.

python tests/benchmarks/bench_people.py ../shared/data            # scores on all names, and on validation names
python tests/benchmarks/bench_people.py ../shared/data 10000 30000 94398
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from kg.evaluate.authors import GoldMention, b_cubed, pairwise, places, same_name, subsets
from kg.resolve.people import resolve_people
from kg.resolve.people.names import block_key
from kg.resolve.people.train import read_core, read_iclr, read_lists, validates, without_affiliations


def scores(data: Path) -> None:
    core, truth = read_core(data)
    iclr, more = read_iclr(data)
    names = {(p.key, i): a.name for p in [*core, *iclr] for i, a in enumerate(p.authors, 1)}
    worlds = {
        "papers with affiliations": (core, truth),
        "no affiliations": ([without_affiliations(p) for p in core], truth),
        "with ICLR 2026": ([*core, *iclr], truth | more),
    }
    print(f"{'papers':26}{'names':12}{'who':12}{'repeated pairwise':>18}{'ambiguous B3':>14}{'pairwise':>10}")
    for world, (papers, known) in worlds.items():
        found = resolve_people(papers)
        of = places(papers, found.of)
        gold = [GoldMention(p, i - 1, names[p, i], person) for (p, i), person in known.items()]
        validation = [g for g in gold if validates(block_key(g.name))]
        for part, some in (("all", gold), ("validation", validation)):
            same = {(g.paper, g.position): same_name(g.name) for g in some}
            never = {(g.paper, g.position): (g.paper, g.position) for g in some}
            for who, clusters in (("same name", same), ("never", never), ("resolved", of)):
                by = subsets(some)
                repeated = pairwise(by["repeated names"], clusters).f
                ambiguous = by["ambiguous names"]
                b3, pairs = b_cubed(ambiguous, clusters).f, pairwise(ambiguous, clusters).f
                print(f"{world:26}{part:12}{who:12}{repeated:18.4f}{b3:14.4f}{pairs:10.4f}", flush=True)


def examples(data: Path) -> None:
    core, _ = read_core(data)
    found = resolve_people(core)
    for verdict in ("joined", "kept apart"):
        chosen = [i for i, made in enumerate(found.decisions) if made.verdict == verdict]
        for i in chosen[:: max(len(chosen) // 10, 1)][:10]:
            d = found.decisions[i]
            print(f"{verdict} ({d.why}, {d.probability:.2f}): {' | '.join(d.pair.names)}")
            print(f"   {d.pair.left} {d.pair.right}")
            print(f"   for:     {'; '.join(d.pair.speaks_for)}")
            print(f"   against: {'; '.join(d.pair.speaks_against)}")


def size(data: Path, papers: int) -> None:
    read = list(islice(read_lists(data / "corpus/conferences.jsonl.gz"), papers))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    wall, cpu = time.perf_counter(), time.process_time()
    found = resolve_people(read)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    status = dict(Counter(p.status for p in found.persons.values()))
    print(
        f"{len(read):7} papers {sum(len(p.authors) for p in read):7} mentions {len(found.persons):7} persons "
        f"{wall:6.1f} s {cpu:6.1f} s CPU {peak:.2f} GB peak ({before:.2f} before) {status}"
    )


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    sizes = [int(n) for n in sys.argv[2:] if n != "examples"]
    if "examples" in sys.argv:
        examples(folder)
    elif len(sizes) == 1:
        size(folder, sizes[0])
    elif sizes:
        for n in sizes:
            subprocess.run([sys.executable, __file__, str(folder), str(n)], check=True)
    else:
        scores(folder)

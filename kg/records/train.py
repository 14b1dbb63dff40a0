"""Trains what finds the title of an abstract (`kg/records/data/likeness.npz`) and prints how well it does.

    python -m kg.records.train --data SHARED/data [-o OUT.npz]

Word vectors first (`train_vectors`), then the networks that weigh the clues and the odds of being right
(`train_scorer`), each on papers of its own (`held_out`). One thread and fixed seeds: the same machine makes the same
bytes each time. The figures printed are of papers that the part measured was not fitted on.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"  # sums in one order; must stand before numpy

import numpy as np  # noqa: E402

from kg.model import Paper  # noqa: E402
from kg.records import clues, train_scorer  # noqa: E402
from kg.records.assignment import Claim, claims  # noqa: E402
from kg.records.held_out import split  # noqa: E402
from kg.records.likeness import MODEL, Likeness  # noqa: E402
from kg.records.scorer import forward  # noqa: E402
from kg.records.titles import Scored, Titles  # noqa: E402
from kg.records.train_scorer import PARTS, Case  # noqa: E402
from kg.records.train_vectors import vectors  # noqa: E402
from kg.records.words import words  # noqa: E402

PRECISION = 0.996  # asked of the papers that fit the odds, to have 0.995 elsewhere
_SIZES = (20, 100, 400, 1000)  # abstracts in one list
_LOST = 4  # one in so many abstracts loses its title when the odds are fitted

# The candidates of one abstract: the evidence, the place of the right one, the candidates.
Found = tuple[Case, list[int]]


def cases(papers: Sequence[Paper], measure: Likeness, draw: random.Random) -> list[list[Found]]:
    """Lists of abstracts with their candidates, from lists of titles and abstracts of several sizes."""
    found, begin = [], 0
    while begin < len(papers):
        size = draw.choice(_SIZES)
        part = range(begin, min(begin + size, len(papers)))
        begin += size
        share = draw.choice((1, 1, 2, 4))
        others = draw.sample(range(len(papers)), len(papers) // share)
        pool = sorted({*others, *part})
        records = [Paper(title=papers[i].title) for i in pool] + [Paper(abstract=papers[i].abstract) for i in part]
        index = Titles(records, list(range(len(pool), len(records))), list(range(len(pool))), measure)
        right = {i: place for place, i in enumerate(pool)}
        one = []
        for k, i in enumerate(part):
            text = clues.Text(index, len(pool) + k)
            places = index.candidates(text)
            if right[i] not in places:
                places.append(right[i])
            one.append((Case(clues.clues(index, text, places), places.index(right[i])), places))
        found.append(one)
    return found


def signs(lists: Sequence[list[Found]], scores: Sequence[list[Any]], lost: bool) -> tuple[list[Claim], list[bool]]:
    """What each abstract would get, and whether that is right; with `lost`, where one in four has no title there."""
    given, right = [], []
    for found, scored in zip(lists, scores, strict=True):
        ranked, gold = {}, {}
        for body, ((case, places), values) in enumerate(zip(found, scored, strict=True)):
            gone = case.right if lost and body % _LOST == 0 else -1
            gold[body] = places[case.right] if gone < 0 else -1
            options = [Scored(float(v), p) for k, (v, p) in enumerate(zip(values, places, strict=True)) if k != gone]
            ranked[body] = sorted(options, reverse=True)
        for claim in claims(ranked):
            given.append(claim)
            right.append(claim.head == gold[claim.body])
    return given, right


def least_sure(sure: Any, right: Any, precision: float) -> float:
    """The sureness from which on so many are right."""
    order = np.argsort(-sure, kind="stable")
    good = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    return float(np.round(sure[order][np.nonzero(good >= precision)[0].max()], 3))


def train(data: Path) -> dict[str, Any]:
    """All arrays of the model; prints its figures."""
    papers = split(data)
    pairs = [(words(p.title), words(p.abstract)) for p in papers.vectors]
    print(f"word vectors: {len(pairs):,} pairs of title and abstract", flush=True)
    arrays = vectors(pairs)
    measure = Likeness(arrays)
    titles, texts = (
        np.stack([side(words(getattr(p, field))) for p in papers.test])
        for side, field in ((measure.title, "title"), (measure.abstract, "abstract"))
    )
    first = ((texts @ titles.T).argmax(1) == np.arange(len(titles))).mean()
    print(f"  {len(measure.words):,} words; right title of {len(titles):,} most alike: {first:.3f}", flush=True)
    draw = random.Random(11)
    lists = [found for part in papers.fit for found in cases(part, measure, draw)]
    every = [case for found in lists for case, _ in found]
    groups = [i % PARTS for i in range(len(every))]
    print(f"networks: {len(every):,} abstracts in {len(lists)} lists", flush=True)
    nets = train_scorer.networks(every, groups)
    own = [np.round(forward(nets[g], c.clues)[-1], 3) for c, g in zip(every, groups, strict=True)]
    best = np.mean([v.argmax() == c.right for c, v in zip(every, own, strict=True)])
    print(f"  right title first, by the network that did not see the paper: {best:.3f}")
    ends = np.cumsum([0, *(len(found) for found in lists)])
    scores = [own[a:b] for a, b in zip(ends, ends[1:], strict=False)]
    whole, part = (signs(lists, scores, lost) for lost in (False, True))
    decoy = float(np.median([np.delete(v, c.right).max() for c, v in zip(every, own, strict=True)]))
    weights = train_scorer.logistic(
        np.array([c.signs for c in (*whole[0], *part[0])]), np.array([*whole[1], *part[1]], float)
    )
    sure, right = _sure(whole[0], weights), np.array(whole[1])
    least = least_sure(sure, right, PRECISION)
    taken = sure >= least
    print(
        f"taken when sure by {least}: precision {right[taken].mean():.4f}, recall {right[taken].sum() / len(right):.4f}"
    )
    sure, right = _sure(part[0], weights), np.array(part[1])
    taken = sure >= least
    gone = np.array([c.body % _LOST == 0 for c in part[0]])
    print(f"  where one title in {_LOST} is not in the list: precision {right[taken].mean():.4f}; "
          f"{(taken & gone).sum()} of {gone.sum()} abstracts without a title get one")  # fmt: skip
    return {
        **arrays,
        **train_scorer.stacked(nets),
        "sure": weights,
        "sure_least": np.array(least),
        "decoy": np.array(decoy),
    }


def _sure(given: Sequence[Claim], weights: Any) -> Any:
    return np.array([c.signs for c in given]) @ weights[:-1] + weights[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with corpus/ and seeds/")
    parser.add_argument("-o", "--output", type=Path, default=MODEL)
    given = parser.parse_args()
    arrays = train(given.data)
    np.savez_compressed(given.output, **arrays)
    print(f"{given.output}: {given.output.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()

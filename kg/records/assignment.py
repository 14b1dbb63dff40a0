"""Which title an abstract gets when several abstracts want titles of one list, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from kg.records.titles import Scored

_ROUNDS = 40
_MOST = 12.0  # log odds beyond this say nothing more


class Claim(NamedTuple):
    """An abstract's best title; `signs` are the numbers its sureness is made of."""

    body: int
    head: int
    signs: tuple[float, ...]


def claims(ranked: Mapping[int, Sequence[Scored]]) -> list[Claim]:
    """The best title of each abstract, given the scores of its candidates, where each title goes to one abstract only.

    The chances of an abstract are those its scores give, times a factor for each title that keeps the chances of
    all abstracts for it from adding up to more than one (Sinkhorn 1967, with titles that may stay without abstract).
    """
    bodies = [b for b, scores in ranked.items() if scores]
    if not bodies:
        return []
    size = [len(ranked[b]) for b in bodies]
    start = np.append(0, np.cumsum(size)[:-1])
    score = np.array([s.score for b in bodies for s in ranked[b]])
    heads, head = np.unique([s.head for b in bodies for s in ranked[b]], return_inverse=True)
    alone = _chances(score, start, size)
    chance, left = alone, np.zeros(len(heads))
    for _ in range(_ROUNDS):
        wanted = np.bincount(head, chance, len(heads))
        left = np.minimum(left - np.log(wanted + 1e-9), 0)
        chance = _chances(score + left[head], start, size)
    free = left[head]
    chance /= np.maximum(np.bincount(head, chance, len(heads)), 1)[head]
    found = []
    for b, begin, n in zip(bodies, start, size, strict=True):
        part = slice(begin, begin + n)
        best = begin + int(np.argmax(np.round(chance[part], 6)))
        lead, own = _odds(chance[best]), _odds(alone[best])
        typical = float(np.median(score[part]))
        signs = (
            lead, min(lead, 3.0), own, min(own, 3.0), min(score[best] - typical, 25.0) / 5, max(free[best], -_MOST),
        )  # fmt: skip
        # Rounded, so that the last bits of the arithmetic of this machine decide nothing.
        found.append(Claim(b, int(heads[head[best]]), tuple(round(float(s), 4) for s in signs)))
    return found


def _chances(score: Any, start: Any, size: Sequence[int]) -> Any:
    odds = np.exp(score - np.repeat(np.maximum.reduceat(score, start), size))
    return odds / np.repeat(np.add.reduceat(odds, start), size)


def _odds(chance: float) -> float:
    return float(np.clip(np.log(chance + 1e-9) - np.log(1 - chance + 1e-9), -_MOST, _MOST))

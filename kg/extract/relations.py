"""What is believed of the names around a name: list neighbours, the same sentence, names it is part of.

Beliefs are class probabilities of candidates, from name priors or from a first classifier.
"""

from __future__ import annotations

import numpy as np

from kg.extract.batch import Batch
from kg.extract.flags import BIT

# Classes of the classifier, in order.
CLASSES = ("none", "proposed", "used", "introduced", "used data set")
NONE, PROPOSED, USED, INTRODUCED, USED_DATA = range(5)

FIELDS = ("list_data", "list_used", "list_seen", "sentence_data", "sentence_used", "around_none", "around_used",
          "around_data", "around_proposed", "inside_name", "paper_proposed", "paper_introduced",
          "proposed_rank")  # fmt: skip
_HOPS = 4


def relations(b: Batch, belief: np.ndarray, known: np.ndarray) -> np.ndarray:
    """One row a candidate, columns as `FIELDS`. `known` marks candidates whose belief says something."""
    n = len(b.papers)
    cover = _cover(b, known)
    data = np.where(known, belief[:, USED_DATA] + belief[:, INTRODUCED], 0).astype(np.float32)
    used = np.where(known, belief[:, USED], 0).astype(np.float32)
    seen = np.zeros((3, n), np.float32)
    for step in (-1, 1):
        at, found = _list_neighbour(b, cover, step)
        who = cover[at]
        found &= (who >= 0) & (who != b.owner)
        own, other = b.owner[found], who[found]
        np.maximum.at(seen[0], own, data[other])
        np.maximum.at(seen[1], own, used[other])
        np.add.at(seen[2], own, 1)
    around = _around(b, belief, cover, n)
    inside = _inside(b, np.where(known, 1 - belief[:, NONE], 0).astype(np.float32), n)
    rows = [
        *seen,
        _others_in_sentence(b, data),
        _others_in_sentence(b, used),
        *around,
        inside,
        *_paper(b, belief, known),
    ]
    return np.column_stack(rows).astype(np.float32)


def _cover(b: Batch, known: np.ndarray) -> np.ndarray:
    """Per token: the longest known candidate over it, -1 where none is."""
    length = b.last - b.first
    places = np.nonzero(known[b.owner])[0]
    places = places[np.argsort(length[places], kind="stable")]
    size = length[places]
    step = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
    cover = np.full(len(b.ids), -1, np.int64)
    cover[np.repeat(b.first[places], size) + step] = np.repeat(b.owner[places], size)
    return cover


def _list_neighbour(b: Batch, cover: np.ndarray, step: int) -> tuple[np.ndarray, np.ndarray]:
    """Token next to each place beyond commas, brackets and "and"; and whether there is one."""
    here = b.sentence[b.first]
    at = b.first - 1 if step < 0 else b.last.copy()
    moved = np.zeros(len(at), bool)
    for _ in range(_HOPS):
        go = ((b.bits[at] & BIT["LIST"]) > 0) & (b.sentence[at] == here)
        at = np.where(go, at + step, at)
        moved |= go
    return at, moved & (b.sentence[at] == here)


def _others_in_sentence(b: Batch, value: np.ndarray) -> np.ndarray:
    """Greatest value of another candidate in a sentence the candidate stands in."""
    out = np.zeros(len(value), np.float32)
    if not len(b.owner):
        return out
    here = b.sentence[b.first]
    pair = np.unique(here * len(value) + b.owner)
    sentence, who = pair // len(value), pair % len(value)
    order = np.lexsort((who, -value[who], sentence))
    sentence, who = sentence[order], who[order]
    start = np.nonzero(np.diff(sentence, prepend=-1))[0]
    group = np.cumsum(np.diff(sentence, prepend=-1) != 0) - 1
    top = start[group]
    second = np.minimum(top + 1, len(who) - 1)
    has_second = sentence[second] == sentence
    best_other = np.where(
        np.arange(len(who)) == top, np.where(has_second & (second != top), value[who[second]], 0), value[who[top]]
    )
    np.maximum.at(out, who, best_other.astype(np.float32))
    return out


def _around(b: Batch, belief: np.ndarray, cover: np.ndarray, n: int) -> np.ndarray:
    """Belief in the longer name that every place of the candidate lies in; -1 where it stands alone."""
    who = cover[b.first]
    same = (who == b.owner) | (who < 0)
    alone = np.zeros(n, bool)
    alone[b.owner[same]] = True
    out = np.full((4, n), -1, np.float32)
    inner = ~same
    for row, column in enumerate((NONE, USED, USED_DATA, PROPOSED)):
        np.maximum.at(out[row], b.owner[inner], belief[who[inner], column])
    out[:, alone] = -1
    return out


def _inside(b: Batch, sure: np.ndarray, n: int) -> np.ndarray:
    """Greatest belief in a shorter name that starts where the candidate starts or ends where it ends."""
    out = np.zeros(n, np.float32)
    length = b.last - b.first
    for end in (b.first, b.last):
        order = np.lexsort((length, end))
        e, o, size = end[order], b.owner[order], length[order]
        for back in (1, 2):
            here = np.nonzero((e[back:] == e[:-back]) & (size[back:] > size[:-back]))[0]
            np.maximum.at(out, o[here + back], sure[o[here]])
    return out


def _paper(b: Batch, belief: np.ndarray, known: np.ndarray) -> list[np.ndarray]:
    """Greatest belief in another proposed method and introduced data set of the paper, and own rank."""
    out = []
    papers = b.papers
    count = int(papers.max(initial=-1)) + 1
    for column in (PROPOSED, INTRODUCED):
        value = np.where(known, belief[:, column], 0).astype(np.float32)
        top = np.zeros(count, np.float32)
        np.maximum.at(top, papers, value)
        leader = value == top[papers]
        rest = np.zeros(count, np.float32)
        np.maximum.at(rest, papers[~leader], value[~leader])
        out.append(np.where(leader, rest[papers], top[papers]))
    value = np.where(known, belief[:, PROPOSED], 0)
    order = np.lexsort((-value, papers))
    rank = np.empty(len(papers), np.float32)
    start = np.nonzero(np.diff(papers[order], prepend=-1))[0]
    group = np.cumsum(np.diff(papers[order], prepend=-1) != 0) - 1
    rank[order] = np.arange(len(order)) - start[group] if len(order) else 0
    out.append(np.minimum(rank, 20))
    return out

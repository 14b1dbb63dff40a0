"""Co-authors in common, directly or through a third paper, over all pairs of mentions of a name."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from kg.resolve.people.table import Blocks, Table

# Strengths a path is graded by: the weakest link of the best path reaches the level.
LEVELS = (0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.1, 1.6, 2.4)
_LARGE_PAPER = 40  # authors; who signs with so many says little about who knows whom
_COMBINATIONS = 1_500_000
_TABLE_BITS = 26


def spread(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each i, i repeated counts[i] times; and 0..counts[i]-1 beside it."""
    owner = np.repeat(np.arange(len(counts)), counts)
    begin = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) - begin[owner]


def edges_of(a: np.ndarray, b: np.ndarray, chosen: np.ndarray, nodes: int) -> np.ndarray:
    """Connected component of each of `nodes` nodes under the chosen edges (a, b)."""
    graph = coo_matrix((np.ones(int(chosen.sum()), np.int8), (a[chosen], b[chosen])), (nodes, nodes))
    return connected_components(graph, directed=False)[1]


def levels(a: np.ndarray, b: np.ndarray, strength: np.ndarray, nodes: int) -> tuple[np.ndarray, int]:
    """For each edge's ends, how many `LEVELS` the widest path between them reaches."""
    reached = np.zeros(len(a), np.int8)
    top = 0
    for level in LEVELS:
        chosen = strength >= level
        if not chosen.any():
            break
        top += 1
        group = edges_of(a, b, chosen, nodes)
        reached += group[a] == group[b]
    return reached, top


def links_of(table: Table) -> np.ndarray:
    """Pairs of names that signed a paper together: `x * names + y` with x < y for each, sorted."""
    names = max(len(table.keys), 1)
    sizes = np.where(table.size <= _LARGE_PAPER, table.size - table.position, 0)
    left, k = spread(sizes)
    right = left + 1 + k
    x, y = table.block[left].astype(np.int64), table.block[right].astype(np.int64)
    keep = (x >= 0) & (y >= 0) & (x != y)
    x, y = x[keep], y[keep]
    codes = np.sort(np.minimum(x, y) * names + np.maximum(x, y))
    return codes[np.concatenate([[True], np.diff(codes) > 0])[: len(codes)]]


class Network:
    """Who wrote with whom, by comparison form of the name.

    Args:
        known: what `links_of` gives for the table.
    """

    def __init__(self, table: Table, blocks: Blocks, rarity: np.ndarray, known: np.ndarray) -> None:
        self.table, self.blocks, self.rarity, self.known = table, blocks, rarity, known
        self.names = max(len(table.keys), 1)
        self.maybe = np.zeros(1 << _TABLE_BITS if len(self.known) > 50_000 else 1 << 20, bool)
        self.maybe[self._slot(self.known)] = True
        # Co-authors of each place of `blocks.order`, as one array with bounds.
        mention = blocks.order
        place, k = spread(table.size[mention])
        other = table.first[table.paper[mention]][place] + k
        name = table.block[other]
        keep = (name >= 0) & (name != table.block[mention][place])
        self.coauthor = name[keep].astype(np.int64)
        counts = np.bincount(place[keep], minlength=len(mention))
        self.bounds = np.concatenate([[0], np.cumsum(counts)])

    def _slot(self, code: np.ndarray) -> np.ndarray:
        mixed = code.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        return (mixed >> np.uint64(64 - int(len(self.maybe)).bit_length() + 1)).astype(np.int64)

    def shared(self, low: int, high: int) -> tuple[np.ndarray, np.ndarray]:
        """(pair, co-author name) for every co-author two mentions have in common."""
        t, b = self.table, self.blocks
        begin, stop = int(b.bounds[low]), int(b.bounds[high])
        name = self.coauthor[self.bounds[begin] : self.bounds[stop]]
        place = np.repeat(np.arange(begin, stop), np.diff(self.bounds[begin : stop + 1]))
        key = t.block[b.order[place]].astype(np.int64) * self.names + name
        order = np.argsort(key, kind="stable")
        key, place, name = key[order], place[order], name[order]
        ends = np.concatenate([np.flatnonzero(np.diff(key)) + 1, [len(key)]])[: len(key)]
        sizes = np.diff(np.concatenate([[0], ends]))
        left, k = spread(np.repeat(ends, sizes) - np.arange(len(key)) - 1)
        right = left + 1 + k
        x, y = place[left], place[right]
        apart = t.paper[b.order[x]] != t.paper[b.order[y]]
        x, y, left = x[apart], y[apart], left[apart]
        return b.start[x] - b.start[begin] + (y - x - 1), name[left]

    def second(
        self, a: np.ndarray, b: np.ndarray, pair: np.ndarray, name: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Number, weight and best weight of links between a's and b's own co-authors.

        Args:
            a, b: places in `blocks.order`, one of each pair.
            pair, name: what `shared` gave for these pairs; shared co-authors do not count again.
        """
        count, weight, best = np.zeros(len(a)), np.zeros(len(a)), np.zeros(len(a))
        taken = np.sort(pair * self.names + name)
        na, nb = np.diff(self.bounds)[a], np.diff(self.bounds)[b]
        small = (na <= _LARGE_PAPER) & (nb <= _LARGE_PAPER)
        work = np.where(small, na * nb, 0)
        totals = np.concatenate([[0], np.cumsum(work)])
        low = 0
        while low < len(a):
            high = max(int(np.searchsorted(totals, totals[low] + _COMBINATIONS, side="right")) - 1, low + 1)
            owner, k = spread(work[low:high])
            owner += low
            i, j = np.divmod(k, nb[owner])
            x = self.coauthor[self.bounds[a[owner]] + i]
            y = self.coauthor[self.bounds[b[owner]] + j]
            code = np.minimum(x, y) * self.names + np.maximum(x, y)
            hit = np.flatnonzero(self.maybe[self._slot(code)])
            hit = hit[_within(self.known, code[hit])]
            hit = hit[x[hit] != y[hit]]
            hit = hit[~_within(taken, owner[hit] * self.names + x[hit])]
            hit = hit[~_within(taken, owner[hit] * self.names + y[hit])]
            if len(hit):
                where, value = owner[hit], self.rarity[x[hit]] * self.rarity[y[hit]]
                count += np.bincount(where, minlength=len(a))
                weight += np.bincount(where, value, len(a))
                np.maximum.at(best, where, value)
            low = high
        return np.minimum(count, 20), weight, best


def _within(sorted_values: np.ndarray, values: np.ndarray) -> np.ndarray:
    if not len(sorted_values):
        return np.zeros(len(values), bool)
    at = np.searchsorted(sorted_values, values)
    return sorted_values[np.minimum(at, len(sorted_values) - 1)] == values

"""What speaks for and against two mentions of one name being one person, as columns over all pairs."""

from __future__ import annotations

import numpy as np

from kg.resolve.people.affiliations import Affiliations
from kg.resolve.people.rarity import name_parts
from kg.resolve.people.table import Blocks, Table


def spread(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each i, i repeated counts[i] times; and 0..counts[i]-1 beside it."""
    owner = np.repeat(np.arange(len(counts)), counts)
    begin = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) - begin[owner]


class Evidence:
    """Evidence over the pairs of any range of blocks of one table.

    Attributes:
        rarity: per comparison form, how telling a shared co-author of that name is (0.04 to 1).
    """

    def __init__(self, table: Table, blocks: Blocks) -> None:
        self.table, self.blocks = table, blocks
        self.log_bearers = name_parts().log_bearers(table.keys)
        self.rarity = np.clip(4.0 - self.log_bearers, 0.5, 12.0) / 12.0
        self.affiliations = Affiliations(table.authors)

    def coauthors(self, begin: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        """Places begin..stop-1 (relative to begin), each repeated beside the names it stands with."""
        t = self.table
        mention = self.blocks.order[begin:stop]
        place, k = spread(t.size[mention])
        other = t.first[t.paper[mention]][place] + k
        name = t.block[other]
        keep = (name >= 0) & (name != t.block[mention][place])
        return place[keep], name[keep]

    def shared(self, low: int, high: int) -> tuple[np.ndarray, np.ndarray]:
        """(pair, co-author name) for every co-author two mentions have in common."""
        b = self.blocks
        begin, stop = int(b.bounds[low]), int(b.bounds[high])
        place, name = self.coauthors(begin, stop)
        own = self.table.block[b.order[begin:stop]][place].astype(np.int64)
        key = own * len(self.table.keys) + name
        order = np.argsort(key, kind="stable")
        key, place, name = key[order], place[order], name[order]
        ends = np.concatenate([np.flatnonzero(np.diff(key)) + 1, [len(key)]]) if len(key) else np.zeros(0, int)
        sizes = np.diff(np.concatenate([[0], ends])).astype(np.int64)
        left, k = spread(np.repeat(ends, sizes) - np.arange(len(key)) - 1)
        right = left + 1 + k
        x, y = place[left], place[right]
        apart = self.table.paper[b.order[begin + x]] != self.table.paper[b.order[begin + y]]
        x, y, left = x[apart], y[apart], left[apart]
        pair = b.start[begin + x] - b.start[begin] + (y - x - 1)
        return pair, name[left]

"""All author mentions of a set of papers as columns, in an order that depends on nothing but content."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kg.errors import KgError
from kg.model import Author, Paper
from kg.resolve.people.names import block_key, kind_of

Mention = tuple[str, int]


class Table:
    """Mentions in order of (paper key, position); every array is indexed by mention unless said.

    Attributes:
        papers: the papers, by key.
        authors: the printed author of each mention.
        paper, position: index into `papers`; place from 1.
        size: number of authors on the mention's paper.
        block: index into `keys`, the comparison form of the name; -1 for what is not a person.
        keys: comparison forms, sorted.
        first: per paper, its first mention (one more entry at the end).
        year: publication year, 0 where unknown.
    """

    def __init__(self, papers: Sequence[Paper]) -> None:
        self.papers = sorted(papers, key=lambda p: p.key)
        for before, after in zip(self.papers, self.papers[1:], strict=False):
            if before.key == after.key:
                raise KgError("two papers have one key", place=before.key, hint="merge records before resolving people")
        self.authors: list[Author] = [a for p in self.papers for a in p.authors]
        counts = np.array([len(p.authors) for p in self.papers], np.int64)
        self.first = np.concatenate([[0], np.cumsum(counts)])
        self.paper = np.repeat(np.arange(len(self.papers)), counts).astype(np.int32)
        self.position = (np.arange(len(self.authors)) - self.first[self.paper] + 1).astype(np.int32)
        self.size = counts[self.paper].astype(np.int32)
        self.year = np.array([p.year or 0 for p in self.papers], np.int32)[self.paper]
        names = [a.name for a in self.authors]
        kinds = {name: kind_of(name) for name in set(names)}
        forms = {name: block_key(name) for name, kind in kinds.items() if kind == "person"}
        self.kind = [kinds[name] for name in names]
        self.keys = sorted(set(forms.values()))
        index = {form: i for i, form in enumerate(self.keys)}
        number = {name: index[forms[name]] if kind == "person" else -1 for name, kind in kinds.items()}
        self.block = np.array([number[name] for name in names], np.int32)

    def __len__(self) -> int:
        return len(self.authors)

    def mention(self, i: int) -> Mention:
        """(paper key, position from 1) of mention `i`."""
        return self.papers[self.paper[i]].key, int(self.position[i])


class Blocks:
    """Mentions grouped by name, and all pairs inside the groups; a name that stands once has no group.

    Mentions of a block are contiguous in `order`; pair number `start[i] + (j - i - 1)` is the pair of
    the i-th and j-th mention in `order`, so a pair is found without a search. `block` is each group's
    index into the table's `keys`.

    Args:
        names: only these, as indices into `keys` (default: all that stand at least twice).
    """

    def __init__(self, table: Table, names: np.ndarray | None = None) -> None:
        wanted = np.zeros(len(table.keys) + 1, bool)  # the last entry is for -1, who is no person
        if names is None:
            names = np.flatnonzero(np.bincount(table.block[table.block >= 0], minlength=len(table.keys)) > 1)
        wanted[names] = True
        persons = np.flatnonzero(wanted[table.block])
        self.order = persons[np.argsort(table.block[persons], kind="stable")]
        block = table.block[self.order]
        self.bounds = np.concatenate([[0], np.flatnonzero(np.diff(block)) + 1, [len(block)]]).astype(np.int64)
        if not len(block):
            self.bounds = np.zeros(1, np.int64)
        sizes = np.diff(self.bounds)
        self.block = block[self.bounds[:-1]] if len(block) else block
        self.end = np.repeat(self.bounds[1:], sizes)  # where the block of each place in `order` ends
        partners = self.end - np.arange(len(block)) - 1
        self.start = np.concatenate([[0], np.cumsum(partners)])

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def pairs(self, low: int, high: int) -> tuple[np.ndarray, np.ndarray]:
        """Places in `order` of both sides of every pair in blocks `low`..`high`-1, in pair order."""
        begin, stop = self.bounds[low], self.bounds[high]
        left = np.arange(begin, stop)
        partners = self.end[begin:stop] - left - 1
        a = np.repeat(left, partners)
        b = a + 1 + (np.arange(len(a)) + self.start[begin] - self.start[a])
        return a, b

    def chunks(self, pairs: int) -> list[tuple[int, int]]:
        """Ranges of whole blocks with about `pairs` pairs each."""
        cuts, low = [], 0
        totals = self.start[self.bounds]
        while low < len(self):
            high = int(np.searchsorted(totals, totals[low] + pairs, side="right")) - 1
            high = min(max(high, low + 1), len(self))
            cuts.append((low, high))
            low = high
        return cuts

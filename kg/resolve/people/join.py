"""Joins clusters across blocks: by a user's word, by an identifier, by name variants with evidence."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from msgspec import Struct

from kg.resolve.people.compatible import compatible
from kg.resolve.people.corrections import Corrections
from kg.resolve.people.identifiers import FIRM, Identifiers
from kg.resolve.people.table import Table
from kg.resolve.people.variants import JOIN, LOOK, Candidate

_RIVAL = 0.15  # a second incompatible candidate this near makes the choice a guess


class Step(Struct, frozen=True):
    """One join across blocks that was made or refused, with what it rests on.

    Attributes:
        left, right: a mention of each side.
        why: "name variant", "source id" or "correction"; refusal: why it was not made, or "".
    """

    left: int
    right: int
    probability: float
    why: str
    refusal: str = ""
    candidate: Candidate | None = None


class Joiner:
    """Clusters under union, with what must not meet."""

    def __init__(self, table: Table, labels: np.ndarray, identifiers: Identifiers, corrections: Corrections) -> None:
        self.table, self.labels = table, labels
        self.identifiers, self.corrections = identifiers, corrections
        self.members: dict[int, set[int]] = defaultdict(set)
        for mention, label in enumerate(labels.tolist()):
            if label >= 0:
                self.members[label].add(mention)
        self.steps: list[Step] = []

    def join_corrected(self) -> None:
        """Makes each group a user called one person one cluster."""
        for group in self.corrections.same:
            for mention in group[1:]:
                self._join(int(self.labels[group[0]]), int(self.labels[mention]))

    def join_identified(self) -> None:
        """Joins clusters whose mentions carry one firm identifier."""
        holders: dict[str, list[int]] = defaultdict(list)
        for mention, ids in sorted(self.identifiers.of.items()):
            for curie in ids:
                if curie.partition(":")[0] in FIRM:
                    holders[curie].append(mention)
        for curie in sorted(holders):
            first, *others = holders[curie]
            for mention in others:
                one, other = int(self.labels[first]), int(self.labels[mention])
                if one != other:
                    refusal = self._conflict(one, other, names=False)
                    self.steps.append(Step(first, mention, 0.99, "source id", refusal))
                    if not refusal:
                        self._join(one, other)

    def join_variants(self, candidates: list[Candidate]) -> None:
        """Joins name variants, the likeliest first; a cluster with two incompatible suitors stays alone."""
        suitors: dict[int, list[Candidate]] = defaultdict(list)
        for c in candidates:
            if c.probability >= LOOK:
                suitors[c.left].append(c)
                suitors[c.right].append(c)
        for c in candidates:
            if c.probability < LOOK:
                break
            one, other = int(self.labels[c.left]), int(self.labels[c.right])
            if one == other:
                continue
            refusal = "" if c.probability >= JOIN else "too little evidence"
            refusal = refusal or self._conflict(one, other, names=True) or self._rival(c, suitors)
            self.steps.append(Step(c.left, c.right, c.probability, "name variant", refusal, c))
            if not refusal:
                self._join(one, other)

    def _rival(self, c: Candidate, suitors: dict[int, list[Candidate]]) -> str:
        for side, match in ((c.left, c.right), (c.right, c.left)):
            for rival in suitors[side]:
                other = rival.right if rival.left == side else rival.left
                if other != match and rival.probability > c.probability - _RIVAL:
                    names = self.table.authors[other].name, self.table.authors[match].name
                    if not compatible(*names):
                        return f"{names[0]} fits as well"
        return ""

    def _conflict(self, one: int, other: int, names: bool) -> str:
        """Why two clusters cannot be one person, or ""."""
        a, b = self.members[one], self.members[other]
        if not {int(self.table.paper[m]) for m in a}.isdisjoint(int(self.table.paper[m]) for m in b):
            return "both sign one paper"
        if self.corrections.forbids(a, b):
            return "told apart by a correction"
        for scheme in FIRM:
            column = self.identifiers.columns[scheme]
            x, y = ({int(column[m]) for m in side} - {-1} for side in (a, b))
            if x and y and x.isdisjoint(y):
                return f"different {scheme} ids"
        if names:
            left, right = ({self.table.authors[m].name for m in side} for side in (a, b))
            for x in sorted(left):
                for y in sorted(right):
                    if not compatible(x, y):
                        return f"{x} and {y} do not fit"
        return ""

    def _join(self, one: int, other: int) -> None:
        if one == other:
            return
        keep, gone = min(one, other), max(one, other)
        moved = self.members.pop(gone)
        self.members[keep] |= moved
        self.labels[list(moved)] = keep

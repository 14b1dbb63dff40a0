"""Identifiers of people as evidence: which of them to believe for which mention.

An identifier is refused where the printed name cannot be the one the other mentions carry, and where
it stands on two authors of one paper; both are common in real data and both join strangers.
"""

from __future__ import annotations

import re
from collections import defaultdict

import numpy as np

from kg.resolve.people.compatible import compatible
from kg.resolve.people.records import Rejection
from kg.resolve.people.table import Table

# Ids that a person or an editor keeps: equal ones join, different ones keep apart. The ids of
# automatic clusterings (OpenAlex, Semantic Scholar) only shift the odds.
FIRM = ("orcid", "openreview", "dblp")
SOFT = ("openalex", "s2")


class Identifiers:
    """Accepted identifiers of each mention.

    Attributes:
        of: mention -> accepted CURIEs, sorted.
        rejections: what was refused, sorted by id.
        columns: scheme -> number of the id per mention, -1 where there is none.
    """

    def __init__(self, table: Table) -> None:
        self.of: dict[int, tuple[str, ...]] = {}
        self.rejections: list[Rejection] = []
        holders: dict[str, list[int]] = defaultdict(list)
        for mention, author in enumerate(table.authors):
            for curie in dict.fromkeys(author.ids):
                if table.block[mention] >= 0 and ":" in curie and "@" not in curie:
                    holders[curie].append(mention)
        accepted: dict[int, list[str]] = defaultdict(list)
        self.columns = {s: np.full(len(table), -1, np.int64) for s in (*FIRM, *SOFT)}
        for number, curie in enumerate(sorted(holders)):
            scheme = curie.partition(":")[0]
            for mention in self._believe(table, curie, holders[curie]):
                accepted[mention].append(curie)
                if scheme in self.columns and self.columns[scheme][mention] < 0:
                    self.columns[scheme][mention] = number
        self.of = {m: tuple(sorted(c)) for m, c in accepted.items()}

    def _believe(self, table: Table, curie: str, mentions: list[int]) -> list[int]:
        names = {m: table.authors[m].name for m in mentions}
        label = label_name(curie)
        distinct = sorted(set(names.values()))
        fits = {n: sum(bool(compatible(n, names[m])) for m in mentions) for n in distinct}
        # The name most mentions agree with stands for the id; the id's own words break ties.
        central = max(distinct, key=lambda n: (fits[n], bool(label and compatible(n, label)), n))
        good = [m for m in mentions if compatible(central, names[m])]
        self._reject(table, curie, "name does not fit", sorted(set(mentions) - set(good)))
        by_paper: dict[int, list[int]] = defaultdict(list)
        for m in good:
            by_paper[int(table.paper[m])].append(m)
        kept = []
        for doubles in by_paper.values():
            if len(doubles) > 1:
                self._reject(table, curie, "on two authors of one paper", doubles)
            else:
                kept += doubles
        return kept

    def _reject(self, table: Table, curie: str, reason: str, mentions: list[int]) -> None:
        if mentions:
            self.rejections.append(
                Rejection(
                    curie,
                    reason,
                    tuple(table.mention(m) for m in mentions),
                    tuple(table.authors[m].name for m in mentions),
                )
            )

    def agree(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For mentions a and b: joined by a firm id; kept apart by firm ids; shift in log-odds of soft ones."""
        same, differ, shift = np.zeros(len(a), bool), np.zeros(len(a), bool), np.zeros(len(a))
        for scheme, column in self.columns.items():
            if not (column >= 0).any():
                continue
            x, y = column[a], column[b]
            both = (x >= 0) & (y >= 0)
            if scheme in FIRM:
                same |= both & (x == y)
                differ |= both & (x != y)
            else:
                shift += np.where(both, np.where(x == y, 3.0, -2.0), 0.0)
        return same, differ & ~same, shift


def label_name(curie: str) -> str:
    """The name inside an identifier that carries one, or "".

    >>> label_name("openreview:~Ada_King_Lovelace2")
    'Ada King Lovelace'
    """
    match = re.fullmatch(r"openreview:~(.+?)\d*", curie)
    return match[1].replace("_", " ") if match else ""

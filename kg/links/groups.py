"""Who belongs together, who stands in the middle, and who joins the groups: on the projection of one kind.

Two people are joined by the papers they wrote, two methods or data sets by the papers that name both. A
paper of n such entities joins each two of them by 1/(n - 1), so that each entity gets the weight 1 from
each paper (Newman, "Scientific collaboration networks II", Physical Review E 64, 2001).

Central is what a random walker over these joints visits most: PageRank with damping 0.85 (Brin and Page,
"The anatomy of a large-scale hypertextual web search engine", WWW 1998). It knows weights and parts that
hang together with nothing else, and takes seconds where betweenness, one search from every node, takes
hours on a large graph. A bridge has many joints and spreads them over communities: its weight times the
participation coefficient 1 - Σ (share of its weight in each community)² of Guimerà and Amaral
("Functional cartography of complex metabolic networks", Nature 433, 2005).
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct

from kg.errors import QueryError
from kg.links.communities import communities
from kg.links.filters import Filter
from kg.links.top import incidence
from kg.query.lookup import Lookup, Match

RELATIONS = {"people": "coauthors", "methods": "methods", "datasets": "datasets"}
_CENTRAL, _TYPICAL, _PARTNERS = 5, 5, 4  # names shown with a community, a bridge


class Community(Struct, frozen=True):
    """A community, the largest being number 1.

    Attributes:
        members, papers: how many; a paper belongs where most of its entities do. first, last: its years.
        central: its members of highest PageRank. typical: what its papers name more than others do (n times
            log of all papers by papers with that name).
    """

    number: int
    members: int
    papers: int
    first: int | None
    last: int | None
    central: tuple[Match, ...]
    typical: tuple[Match, ...]


class Ranked(Struct, frozen=True):
    """An entity with its score, its community, and the partners that explain both: (entity, weight, community)."""

    entity: Match
    score: float
    community: int
    partners: tuple[tuple[Match, float, int], ...]


@dataclass
class Groups:
    """The projection of one kind under a filter; communities and PageRank are computed when asked for.

    Attributes:
        numbers: of the entities in the index, sorted; positions in it stand for entities below.
        matrix: papers (rows, `papers`) by entities. a, b, weight: each joint once, a < b.
    """

    db: sqlite3.Connection
    kind: str
    numbers: np.ndarray
    papers: np.ndarray
    matrix: Any
    a: np.ndarray
    b: np.ndarray
    weight: np.ndarray

    @cached_property
    def community(self) -> np.ndarray:
        """Number of the community of each entity, from 1; those without a joint have one of their own."""
        pairs = list(zip(self.a.tolist(), self.b.tolist(), strict=True))
        return communities(len(self.numbers), pairs, self.weight.tolist()) + 1

    @cached_property
    def pagerank(self) -> np.ndarray:
        """PageRank of each entity times the number of entities: 1 is the mean."""
        import igraph  # type: ignore[import-untyped]

        if not len(self.numbers):
            return np.zeros(0)
        graph = igraph.Graph(len(self.numbers), np.column_stack((self.a, self.b)))
        ranks = graph.pagerank(directed=False, weights=self.weight.tolist())
        shares: np.ndarray = np.array(ranks) * len(self.numbers)
        return shares.round(6)

    @cached_property
    def bridging(self) -> np.ndarray:
        """Weight of each entity's joints times its participation coefficient."""
        from scipy.sparse import csr_array  # type: ignore[import-untyped]

        size = len(self.numbers)
        ends, others = np.concatenate((self.a, self.b)), np.concatenate((self.b, self.a))
        weights = np.concatenate((self.weight, self.weight))
        to = csr_array((weights, (ends, self.community[others])), shape=(size, int(self.community.max(initial=0)) + 1))
        total = to.sum(axis=1)
        squares = to.multiply(to).sum(axis=1)
        scores: np.ndarray = total - np.divide(squares, total, out=np.zeros(size), where=total > 0)
        return scores.round(6)

    def position(self, entity: Match) -> int:
        """Where an entity stands.

        Raises:
            QueryError: it is of another kind, or on no paper that passes the filter.
        """
        at = int(np.searchsorted(self.numbers, entity.id))
        if at == len(self.numbers) or self.numbers[at] != entity.id:
            raise QueryError(
                f"{entity.label!r} ({entity.kind}) is not among the {self.kind} that were asked for",
                hint="kg show tells its papers; a wider filter may let them in",
            )
        return at

    def partners(self, at: int) -> list[tuple[int, float]]:
        """(position, weight) of what an entity is joined to, strongest first."""
        out, into = np.flatnonzero(self.a == at), np.flatnonzero(self.b == at)
        found = [*zip(self.b[out], self.weight[out], strict=True), *zip(self.a[into], self.weight[into], strict=True)]
        return sorted(((int(i), float(w)) for i, w in found), key=lambda x: (-round(x[1], 6), x[0]))


def find_groups(db: sqlite3.Connection, kind: str, where: Filter | None = None) -> Groups:
    """The projection of "people", "methods" or "datasets"; see the module for its weights."""
    from scipy.sparse import diags_array, triu

    if kind not in RELATIONS:
        raise QueryError(f"no groups are made of {kind!r}", hint=f"use {', '.join(RELATIONS)}")
    matrix, papers, numbers = incidence(db, RELATIONS[kind], where or Filter())
    sizes = matrix.sum(axis=1)
    joints = triu(matrix.T @ diags_array(1.0 / np.maximum(sizes - 1, 1)) @ matrix, k=1).tocoo()
    order = np.lexsort((joints.col, joints.row))
    a, b = joints.row[order].astype(np.int64), joints.col[order].astype(np.int64)
    return Groups(db, kind, numbers, papers, matrix, a, b, joints.data[order])


def list_communities(groups: Groups, limit: int) -> list[Community]:
    """The largest communities, with what they are about."""
    sizes = np.bincount(groups.community)
    home = _home(groups)
    lookup = Lookup(groups.db)
    return [
        _described(groups, lookup, number, int(sizes[number]), groups.papers[home == number])
        for number in range(1, min(limit + 1, len(sizes)))
    ]


def members(groups: Groups, community: int, limit: int) -> list[Ranked]:
    """The members of a community by PageRank, each with its closest partners."""
    scores = np.where(groups.community == community, groups.pagerank, -1.0)
    return _ranked(groups, scores, min(limit, int((groups.community == community).sum())), apart=False)


def rank(groups: Groups, by: str, limit: int) -> list[Ranked]:
    """The first entities by "pagerank" or "bridges"; partners are the closest, of bridges one of each community.

    Raises:
        QueryError: there is no such order.
    """
    if by not in ("pagerank", "bridges"):
        raise QueryError(f"nothing is ranked by {by!r}", hint="use pagerank or bridges")
    scores = groups.pagerank if by == "pagerank" else groups.bridging
    return [r for r in _ranked(groups, scores, limit, apart=by == "bridges") if r.score > 0]


def _ranked(groups: Groups, scores: np.ndarray, limit: int, apart: bool) -> list[Ranked]:
    lookup = Lookup(groups.db)
    order = np.lexsort((groups.numbers, -scores))[:limit]
    found = []
    for at in order.tolist():
        shown: list[tuple[Match, float, int]] = []
        seen: set[int] = set()
        for other, weight in groups.partners(at):
            community = int(groups.community[other])
            if len(shown) < _PARTNERS and not (apart and community in seen):
                seen.add(community)
                shown.append((lookup.by_number(int(groups.numbers[other])), round(weight, 3), community))
        entity = lookup.by_number(int(groups.numbers[at]))
        found.append(Ranked(entity, float(scores[at]), int(groups.community[at]), tuple(shown)))
    return found


def _home(groups: Groups) -> np.ndarray:
    """The community most of a paper's entities belong to (the larger one when it is a draw), for each paper."""
    from scipy.sparse import csr_array

    size = int(groups.community.max(initial=0)) + 1
    ones = np.ones(len(groups.numbers), dtype=np.int32)
    to = csr_array((ones, (np.arange(len(ones)), groups.community)), shape=(len(ones), size))
    counts = (groups.matrix @ to).tocoo()
    order = np.lexsort((counts.col, -counts.data, counts.row))
    _, first = np.unique(counts.row[order], return_index=True)
    home: np.ndarray = counts.col[order][first]
    return home


def _described(groups: Groups, lookup: Lookup, number: int, size: int, papers: np.ndarray) -> Community:
    inside = np.flatnonzero(groups.community == number)
    central = inside[np.lexsort((inside, -groups.pagerank[inside]))][:_CENTRAL]
    db = groups.db
    db.execute("CREATE TEMP TABLE IF NOT EXISTS own (paper INTEGER PRIMARY KEY)")
    db.execute("DELETE FROM temp.own")
    db.executemany("INSERT INTO temp.own VALUES (?)", ((int(p),) for p in papers))
    first, last = db.execute(
        "SELECT MIN(t.year), MAX(t.year) FROM temp.own o JOIN thing t ON t.id = o.paper"
    ).fetchone()
    whole = db.execute("SELECT COUNT(*) FROM thing WHERE kind = 'paper'").fetchone()[0]
    counts = db.execute(
        """SELECT m.entity, t.papers, COUNT(DISTINCT m.paper) FROM temp.own o JOIN member m ON m.paper = o.paper
           JOIN thing t ON t.id = m.entity WHERE m.relation IN ('methods', 'datasets') GROUP BY m.entity"""
    ).fetchall()
    shown = set(groups.numbers[central].tolist())
    weighed = sorted((-n * np.log(whole / max(k, 1)), e) for e, k, n in counts if e not in shown and n > 1)
    return Community(
        number,
        size,
        len(papers),
        first,
        last,
        tuple(lookup.by_number(int(groups.numbers[i])) for i in central.tolist()),
        tuple(lookup.by_number(e) for _, e in weighed[:_TYPICAL]),
    )

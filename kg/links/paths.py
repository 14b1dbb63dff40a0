"""How two entities are connected: the paths that say most, through papers.

A path goes from paper to entity to paper. Each step costs 1, and passing through a thing costs as many
bits as it takes to say where one goes on from it: log2(n - 1) for an entity of n papers, and log2(n - 1)
between the n authors of a paper. A cheap path is therefore one a random walk would take with high
probability (Faloutsos, McCurley and Tomkins, "Fast discovery of connection subgraphs", KDD 2004), and
1/(n - 1) for a paper of n authors is the weight of Newman ("Scientific collaboration networks II",
Physical Review E 64, 2001). A rare method or a small paper is a reason; ImageNet or a paper of three
hundred authors is none, so a longer path through rare things wins over a short one through a hub.

Paths are found by Dijkstra's algorithm from both ends, reading the graph as it goes. Further paths are
found the same way after what an earlier path passed through was made dearer (the penalty method: Akgün,
Erkut and Batta, "On finding dissimilar paths", European Journal of Operational Research 121, 2000): the
k cheapest paths of Yen's algorithm would differ in one paper out of many and say the same k times.
"""

from __future__ import annotations

import heapq
import math
import sqlite3
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from kg.errors import QueryError
from kg.query.lookup import Lookup, Match

VERBS = {
    "author": ("was written by", "wrote"),
    "proposed": ("proposes", "is proposed by"),
    "used": ("uses", "is used by"),
    "introduced": ("introduces", "is introduced by"),
    "own": ("has the code", "is the code of"),
    "mentioned": ("links to", "is linked by"),
    "subject": ("is about", "is the topic of"),
    "task": ("is about", "is the topic of"),
}
RELATION_OF = {
    "person": "coauthors",
    "method": "methods",
    "dataset": "datasets",
    "repository": "code",
    "topic": "topics",
}
_PENALTY = 8.0  # what it costs to pass once more through a thing of an earlier path, as much as a 250-paper entity
_ALIKE = 0.5  # share of a path's inner entities that may be those of one earlier path


class Step(Struct, frozen=True):
    """One step of a path: what the last entity does to this one ("wrote", "uses"), and this one."""

    verb: str
    to: Match


class Path(Struct, frozen=True):
    """A path and its cost: 1 for each step, and log2(n - 1) for each thing of n passed through."""

    start: Match
    steps: tuple[Step, ...]
    cost: float

    def words(self) -> str:
        """The path as one sentence."""
        parts = [_quoted(self.start)]
        for i, step in enumerate(self.steps):
            parts.append(f"{' ' if i == 0 else ', which '}{step.verb} {_quoted(step.to)}")
        return "".join(parts)


def _quoted(match: Match) -> str:
    return f"“{match.label}”" if match.kind == "paper" else match.label


def shortest_path(db: sqlite3.Connection, a: Match, b: Match, *, limit: int = 200_000) -> list[Step]:
    """Steps from `a` to `b`; empty when nothing connects them (or nothing within `limit` entities)."""
    found = paths(db, a, b, 1, limit=limit)
    return list(found[0].steps) if found else []


def paths(
    db: sqlite3.Connection,
    a: Match,
    b: Match,
    k: int = 3,
    *,
    through: Iterable[str] = (),
    limit: int = 200_000,
) -> list[Path]:
    """At most `k` paths from `a` to `b` that differ in at least half of what they pass through, cheapest first.

    Equal costs are decided by the entities' numbers in the index, so the answer is always the same.

    Args:
        through: kinds of the entities between papers ("person", "method", …); none: all kinds.
        limit: entities to look at for each path before giving up.

    Raises:
        QueryError: no such kind.
    """
    if unknown := sorted(set(through) - set(RELATION_OF)):
        raise QueryError(f"no path goes through a {unknown[0]!r}", hint=f"use {', '.join(RELATION_OF)}")
    if a.id == b.id:
        return []
    graph = _Neighbours(db, {RELATION_OF[kind] for kind in through or RELATION_OF}, {a.id, b.id})
    return different_paths(graph, a, a.id, b.id, k, limit, Lookup(db).by_number)


def different_paths(
    graph: Any, a: Match, start: Any, end: Any, k: int, limit: int, match: Callable[[Any], Match]
) -> list[Path]:
    """The paths of `paths` between two nodes of a graph that answers as `_Neighbours` does.

    Args:
        start, end: nodes, of any type that can be ordered. match: the entity of a node.
    """
    found: list[Path] = []
    inner: list[set[Any]] = []
    tries = 0
    while len(found) < k and tries < 3 * k:
        tries += 1
        nodes = _cheapest(graph, start, end, limit)
        if len(nodes) < 2:
            break
        between = set(nodes[1:-1])
        graph.penalise(between)
        if any(len(between & other) > _ALIKE * len(between) for other in inner) or (inner and not between):
            continue
        inner.append(between)
        steps = tuple(Step(graph.verb(x, y), match(y)) for x, y in zip(nodes, nodes[1:], strict=False))
        found.append(Path(a, steps, round(len(steps) + sum(graph.toll(n) for n in between), 3)))
    return sorted(found, key=lambda p: p.cost)


class _Neighbours:
    """The part of the graph that a search has looked at, read from the index once."""

    def __init__(self, db: sqlite3.Connection, relations: set[str], ends: set[int]) -> None:
        self._db, self._relations, self._ends = db, sorted(relations), ends
        self._of: dict[int, list[tuple[int, str]]] = {}
        self._tolls: dict[int, float] = {}
        self._penalties: dict[int, float] = {}
        self._papers = db.execute("SELECT MAX(id) FROM thing WHERE kind = 'paper'").fetchone()[0] or -1

    def of(self, node: int) -> list[tuple[int, str]]:
        """(neighbour, role) in order of their numbers."""
        if node not in self._of:
            marks = ",".join("?" * len(self._relations))
            if node <= self._papers:  # papers come first in the index
                query = (
                    f"SELECT entity, role FROM member WHERE paper = ? AND relation IN ({marks}) ORDER BY entity, role"
                )
                rows = self._db.execute(query, (node, *self._relations))
            else:
                query = (
                    f"SELECT paper, role FROM member WHERE relation IN ({marks}) AND entity = ? ORDER BY paper, role"
                )
                rows = self._db.execute(query, (*self._relations, node))
            self._of[node] = rows.fetchall()
        return self._of[node]

    def toll(self, node: int) -> float:
        """Bits to pass through a thing; the ends of the path cost nothing."""
        if node in self._ends:
            return 0.0
        if node not in self._tolls:
            if node <= self._papers:
                query = "SELECT COUNT(DISTINCT entity) FROM member WHERE paper = ? AND relation = 'coauthors'"
            else:
                query = "SELECT papers FROM thing WHERE id = ?"
            size = self._db.execute(query, (node,)).fetchone()[0]
            self._tolls[node] = math.log2(max(size - 1, 1))
        return self._tolls[node]

    def price(self, node: int) -> float:
        """The toll, and what earlier paths through it add."""
        return self.toll(node) + self._penalties.get(node, 0.0)

    def penalise(self, nodes: Iterable[int]) -> None:
        for node in nodes:
            self._penalties[node] = self._penalties.get(node, 0.0) + _PENALTY

    def verb(self, node: int, other: int) -> str:
        """What a thing does to its neighbour."""
        role = next(role for to, role in self.of(node) if to == other)
        return VERBS[role][node > self._papers]


def _cheapest(graph: Any, start: Any, end: Any, limit: int) -> list[Any]:
    """Dijkstra's algorithm (Numerische Mathematik 1, 1959) from both ends in turn; the nodes of the path, or none."""
    cost: tuple[dict[int, float], dict[int, float]] = ({start: 0.0}, {end: 0.0})
    came: tuple[dict[int, int], dict[int, int]] = ({}, {})
    done: tuple[set[int], set[int]] = (set(), set())
    queues: tuple[list[tuple[float, int]], list[tuple[float, int]]] = ([(0.0, start)], [(0.0, end)])
    best, middle = math.inf, -1
    while queues[0] and queues[1] and len(done[0]) + len(done[1]) < limit:
        if queues[0][0][0] + queues[1][0][0] >= best:
            break
        side = 0 if queues[0][0] <= queues[1][0] else 1
        near, node = heapq.heappop(queues[side])
        if node in done[side]:
            continue
        done[side].add(node)
        # Half of a thing's toll is paid on the way in, half on the way out: the same from both ends.
        out = near + 1 + graph.price(node) / 2
        for other, _ in graph.of(node):
            if other in done[side]:
                continue
            total = out + graph.price(other) / 2
            if total < cost[side].get(other, math.inf):
                cost[side][other] = total
                came[side][other] = node
                heapq.heappush(queues[side], (total, other))
                whole = total + cost[1 - side].get(other, math.inf)
                if whole < best or (whole == best < math.inf and other < middle):
                    best, middle = whole, other
    if math.isinf(best):
        return []
    return _way(came[0], middle)[::-1] + _way(came[1], middle)[1:]


def _way(came: dict[int, int], node: int) -> list[int]:
    nodes = [node]
    while node in came:
        node = came[node]
        nodes.append(node)
    return nodes

"""Where a method comes from and what came of it: proposed, used by papers that propose the next, and so on.

A method B descends from A when a paper of the year in which B was first proposed proposes B and uses A,
and A is not younger. (A later paper that "proposes" a known name again says nothing about its descent.)
The abstracts say "uses", not "builds on": a descent is a claim about texts, and each carries its papers.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from typing import Any

from msgspec import Struct

from kg.errors import QueryError
from kg.links.filters import Filter
from kg.query.lookup import Lookup, Match


class Node(Struct, frozen=True):
    """A method in a lineage.

    Attributes:
        year: of the first paper that proposes it; None where no paper of the graph does.
        proposed_by: papers that propose it, by year. users: papers that use it.
        through: the papers that link it to the method above it (they propose the one and use the other).
        children: what descends from it (or, looking back, what it descends from), most used first.
        more: children left out. seen: it stands elsewhere in the tree, with its children.
    """

    method: Match
    year: int | None
    proposed_by: tuple[Match, ...]
    users: int
    through: tuple[Match, ...] = ()
    children: tuple[Node, ...] = ()
    more: int = 0
    seen: bool = False


def lineage(
    db: sqlite3.Connection,
    of: Match,
    *,
    depth: int = 2,
    width: int = 8,
    back: bool = False,
    where: Filter | None = None,
) -> Node:
    """The tree below a method (or, with `back`, above it).

    A method stands with its children once, where it is nearest to the root.

    Args:
        depth: levels below the root. width: children of each method.

    Raises:
        QueryError: the entity is no method.
    """
    if of.kind != "method":
        raise QueryError(f"{of.label!r} is a {of.kind}, a lineage is one of methods", hint="kg path connects anything")
    graph = _Graph(db, where or Filter())
    # Breadth first, so that a method stands where it is nearest to the root.
    shown = {of.id}
    below: dict[int, list[tuple[int, tuple[int, ...], bool]]] = {}
    left_out: dict[int, int] = {}
    queue = deque([(of.id, 0)])
    while queue:
        method, level = queue.popleft()
        if level == depth:
            continue
        found = graph.next(method, back)
        left_out[method] = max(0, len(found) - width)
        below[method] = []
        for other, papers in found[:width]:
            below[method].append((other, papers, other in shown))
            if other not in shown:
                shown.add(other)
                queue.append((other, level + 1))
    return _node(graph, of.id, (), below, left_out, seen=False)


def _node(
    graph: _Graph, method: int, papers: tuple[int, ...], below: dict[int, Any], left_out: dict[int, int], *, seen: bool
) -> Node:
    lookup = graph.lookup
    origin = graph.papers(method, "proposed")
    children = () if seen else tuple(_node(graph, m, p, below, left_out, seen=s) for m, p, s in below.get(method, ()))
    return Node(
        lookup.by_number(method),
        graph.year(method),
        tuple(lookup.by_number(p) for p in origin),
        len(graph.papers(method, "used")),
        tuple(lookup.by_number(p) for p in papers),
        children,
        0 if seen else left_out.get(method, 0),
        seen and bool(below.get(method)),
    )


class _Graph:
    """Methods and the papers that propose or use them, read as they are asked for."""

    def __init__(self, db: sqlite3.Connection, where: Filter) -> None:
        self.lookup = Lookup(db)
        self._db, self._where, self._members = db, where, where.members(db)
        self._papers: dict[tuple[int, str], list[int]] = {}

    def papers(self, method: int, role: str) -> list[int]:
        """Papers that propose or use a method, by year."""
        if (method, role) not in self._papers:
            query = f"""SELECT DISTINCT m.paper, t.year FROM {self._members} m JOIN thing t ON t.id = m.paper
                        WHERE m.relation = 'methods' AND m.entity = :m AND m.role = :role
                        ORDER BY t.year IS NULL, t.year, m.paper"""
            rows = self._db.execute(query, {**self._where.values, "m": method, "role": role})
            self._papers[method, role] = [paper for paper, _ in rows]
        return self._papers[method, role]

    def year(self, method: int) -> int | None:
        """The year of the first paper that proposes a method."""
        origin = self.papers(method, "proposed")
        return self._year(origin[0]) if origin else None

    def _year(self, paper: int) -> int | None:
        year: int | None = self._db.execute("SELECT year FROM thing WHERE id = ?", (paper,)).fetchone()[0]
        return year

    def next(self, method: int, back: bool) -> list[tuple[int, tuple[int, ...]]]:
        """(method, papers between) one step on, the most used first."""
        here, there = ("proposed", "used") if back else ("used", "proposed")
        query = f"""SELECT y.entity, x.paper FROM {self._members} x JOIN {self._members} y
                    ON y.paper = x.paper AND y.relation = 'methods' AND y.role = :there AND y.entity != x.entity
                    WHERE x.relation = 'methods' AND x.entity = :m AND x.role = :here ORDER BY y.entity, x.paper"""
        found: dict[int, list[int]] = {}
        for other, paper in self._db.execute(query, {**self._where.values, "m": method, "here": here, "there": there}):
            found.setdefault(other, []).append(paper)
        later = []
        for other, papers in found.items():
            elder, younger = (other, method) if back else (method, other)
            first, born = self.year(elder), self.year(younger)
            papers = [p for p in papers if self._year(p) == born]
            if papers and (first is None or born is None or first <= born):
                later.append((other, tuple(papers)))
        return sorted(later, key=lambda x: (-len(self.papers(x[0], "used")), self.year(x[0]) or 9999, x[0]))

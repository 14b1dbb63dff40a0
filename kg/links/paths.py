"""How two entities are connected: the path that says most, through papers.

A path goes from paper to entity to paper. Passing through an entity costs more the more papers speak
of it, and passing through a paper more the more authors it has: a rare method or a small paper is a
reason, ImageNet or a paper of three hundred authors is none, so a longer path through rare things
wins over a short one through a hub. Dijkstra's algorithm (Numerische Mathematik 1, 1959) on the fly.
"""

from __future__ import annotations

import heapq
import math
import sqlite3

from msgspec import Struct

from kg.query.lookup import Lookup, Match

_VERBS = {
    "author": ("was written by", "wrote"),
    "proposed": ("proposes", "is proposed by"),
    "used": ("uses", "is used by"),
    "introduced": ("introduces", "is introduced by"),
    "own": ("has the code", "is the code of"),
    "mentioned": ("links to", "is linked by"),
    "subject": ("is about", "is the topic of"),
}
_PEOPLE_FREE = 10  # authors of a paper that cost nothing more


class Step(Struct, frozen=True):
    """One step of a path: what the last entity does to this one ("wrote", "uses"), and this one."""

    verb: str
    to: Match


def shortest_path(db: sqlite3.Connection, a: Match, b: Match, *, limit: int = 200_000) -> list[Step]:
    """Steps from `a` to `b`; empty when nothing connects them (or nothing within `limit` entities).

    Equal costs are decided by the entities' numbers in the index, so the answer is always the same.
    """
    best: dict[int, float] = {a.id: 0.0}
    came: dict[int, tuple[int, str]] = {}
    done: set[int] = set()
    queue: list[tuple[float, int]] = [(0.0, a.id)]
    while queue and len(done) < limit:
        cost, node = heapq.heappop(queue)
        if node in done:
            continue
        done.add(node)
        if node == b.id:
            return _steps(Lookup(db), came, a.id, b.id)
        through = 0.0 if node == a.id else _toll(db, node)
        for other, verb in _neighbours(db, node):
            total = cost + through + 1
            if other not in done and total < best.get(other, math.inf):
                best[other] = total
                came[other] = (node, verb)
                heapq.heappush(queue, (total, other))
    return []


def _toll(db: sqlite3.Connection, node: int) -> float:
    kind, papers = db.execute("SELECT kind, papers FROM entity WHERE id = ?", (node,)).fetchone()
    if kind != "paper":
        return math.log2(max(papers, 1))
    authors = db.execute("SELECT COUNT(*) FROM member WHERE paper = ? AND relation = 'coauthors'", (node,)).fetchone()[
        0
    ]
    return math.log2(max(authors, _PEOPLE_FREE) / _PEOPLE_FREE)


def _neighbours(db: sqlite3.Connection, node: int) -> list[tuple[int, str]]:
    found = db.execute("SELECT entity, role FROM member WHERE paper = ? ORDER BY entity, role", (node,)).fetchall()
    if found:
        return [(other, _VERBS[role][0]) for other, role in found]
    papers: list[tuple[int, str]] = []
    for relation in ("coauthors", "methods", "datasets", "code", "topics"):
        rows = db.execute(
            "SELECT paper, role FROM member WHERE relation = ? AND entity = ? ORDER BY paper, role", (relation, node)
        )
        papers += [(paper, _VERBS[role][1]) for paper, role in rows]
    return papers


def _steps(lookup: Lookup, came: dict[int, tuple[int, str]], start: int, end: int) -> list[Step]:
    steps = []
    while end != start:
        before, verb = came[end]
        steps.append(Step(verb, lookup.by_number(end)))
        end = before
    return steps[::-1]

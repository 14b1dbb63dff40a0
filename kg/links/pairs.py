"""Pairs of entities that share papers or entities, counted in the index.

A link of relation R between two *entities of R* (two people who wrote together, two data sets used
together) is made of papers. A link between two *papers* is made of the entities of R they share. Any
other pair (two people who use the same data sets) is made of shared entities, through the papers of
each.
"""

from __future__ import annotations

import sqlite3

from msgspec import Struct

from kg.errors import QueryError
from kg.links.top import strongest
from kg.query.lookup import Lookup, Match

# relation -> kind of its entities
ENTITY_KIND = {"coauthors": "person", "datasets": "dataset", "methods": "method", "code": "repository"}
# What a list of the strongest pairs is about, when nobody says otherwise.
DEFAULT_ENDS = {"coauthors": "person", "datasets": "paper", "methods": "paper", "code": "paper"}
_EXAMPLES = 12  # shared entities or papers listed with each pair


class Pair(Struct, frozen=True):
    """Two linked entities and what links them.

    Attributes:
        count: number of shared papers or entities. shared: those (at most a dozen), papers in order of
            year, entities rarest first. first, last: years of the shared papers where known.
    """

    a: Match
    b: Match
    count: int
    shared: tuple[Match, ...]
    first: int | None = None
    last: int | None = None


def top_pairs(db: sqlite3.Connection, relation: str, limit: int, ends: str | None = None) -> list[Pair]:
    """The strongest pairs: most shared first, then those that share what few others have.

    Args:
        ends: "paper" or the relation's own kind; None takes `DEFAULT_ENDS`.
    """
    ends = ends or DEFAULT_ENDS[_known(relation)]
    if (ends == "paper" and relation != "coauthors") or ends == ENTITY_KIND[relation]:
        rows = strongest(db, relation, ends, limit)
    else:
        allowed = sorted({"paper", ENTITY_KIND[relation]} if relation != "coauthors" else {"person"})
        raise QueryError(f"{relation} do not link pairs of kind {ends!r}", hint=f"use {' or '.join(allowed)}")
    return [_pair(db, relation, a, b, n) for a, b, n in rows]


def partners(db: sqlite3.Connection, relation: str, of: Match, limit: int) -> list[Pair]:
    """The entities of the same kind that `of` is linked to, strongest first."""
    _known(relation)
    if of.kind == ENTITY_KIND[relation]:
        query = """SELECT y.entity, COUNT(DISTINCT y.paper) AS n FROM member x JOIN member y
                   ON y.paper = x.paper AND y.relation = x.relation AND y.entity != x.entity
                   WHERE x.relation = :r AND x.entity = :e GROUP BY y.entity"""
    elif of.kind == "paper":
        query = """SELECT y.paper, COUNT(DISTINCT y.entity) AS n FROM member x JOIN member y
                   ON y.relation = x.relation AND y.entity = x.entity AND y.paper != x.paper
                   WHERE x.relation = :r AND x.paper = :e GROUP BY y.paper"""
    elif of.kind in ("person", "topic") and relation != "coauthors":
        query = """SELECT m.entity, COUNT(DISTINCT y.entity) AS n
                   FROM member own JOIN member x ON x.paper = own.paper AND x.relation = :r
                   JOIN member y ON y.relation = x.relation AND y.entity = x.entity AND y.paper != x.paper
                   JOIN member m ON m.paper = y.paper AND m.relation = own.relation AND m.entity != own.entity
                   WHERE own.relation = :own AND own.entity = :e GROUP BY m.entity"""
    else:
        raise QueryError(f"a {of.kind} has no {relation}", hint=f"name a {ENTITY_KIND[relation]}, a paper or a person")
    own = "coauthors" if of.kind == "person" else "topics"
    ranked = f"{query} ORDER BY n DESC, 1 LIMIT :limit"
    rows = db.execute(ranked, {"r": relation, "e": of.id, "own": own, "limit": limit}).fetchall()
    return [_pair(db, relation, of.id, other, n) for other, n in rows]


def between(db: sqlite3.Connection, relation: str, a: Match, b: Match) -> Pair | None:
    """What links two entities; None when nothing of this relation does.

    Raises:
        QueryError: the two are of different kinds.
    """
    _known(relation)
    if a.kind != b.kind:
        raise QueryError(f"{a.label!r} is a {a.kind}, {b.label!r} a {b.kind}", hint="kg path connects any two entities")
    shared = _shared(db, relation, a, b)
    return _made(a, b, shared, db) if shared else None


def _pair(db: sqlite3.Connection, relation: str, a: int, b: int, n: int) -> Pair:
    lookup = Lookup(db)
    first, second = lookup.by_number(a), lookup.by_number(b)
    pair = _made(first, second, _shared(db, relation, first, second), db)
    return Pair(pair.a, pair.b, n, pair.shared[:_EXAMPLES], pair.first, pair.last)


def _made(a: Match, b: Match, shared: list[Match], db: sqlite3.Connection) -> Pair:
    years = []
    if shared and shared[0].kind == "paper":
        marks = ",".join("?" * len(shared))
        rows = db.execute(f"SELECT year FROM entity WHERE id IN ({marks})", [m.id for m in shared])
        years = [y for (y,) in rows if y is not None]
    return Pair(a, b, len(shared), tuple(shared), min(years, default=None), max(years, default=None))


def _shared(db: sqlite3.Connection, relation: str, a: Match, b: Match) -> list[Match]:
    if a.kind == ENTITY_KIND[relation]:
        query = """SELECT DISTINCT x.paper FROM member x JOIN member y ON y.paper = x.paper AND y.relation = x.relation
                   WHERE x.relation = :r AND x.entity = :a AND y.entity = :b"""
        order = "e.year, e.iri"
    elif a.kind == "paper":
        query = """SELECT DISTINCT x.entity FROM member x JOIN member y ON y.entity = x.entity AND y.relation = x.relation
                   WHERE x.relation = :r AND x.paper = :a AND y.paper = :b"""
        order = "e.papers, e.iri"
    else:
        query = """SELECT DISTINCT x.entity FROM member p JOIN member x ON x.paper = p.paper AND x.relation = :r
                   JOIN member y ON y.entity = x.entity AND y.relation = :r AND y.paper != x.paper
                   JOIN member q ON q.paper = y.paper AND q.relation = p.relation AND q.entity = :b
                   WHERE p.entity = :a AND p.relation IN ('coauthors', 'topics')"""
        order = "e.papers, e.iri"
    rows = db.execute(
        f"SELECT e.id, e.iri, e.kind, e.label, e.papers FROM entity e WHERE e.id IN ({query}) ORDER BY {order}",
        {"r": relation, "a": a.id, "b": b.id},
    )
    return [Match(*row) for row in rows]


def _known(relation: str) -> str:
    if relation not in ENTITY_KIND:
        raise QueryError(f"no links are called {relation!r}", hint=f"use {', '.join(ENTITY_KIND)}")
    return relation

"""Pairs of entities that share papers or entities, counted in the index.

A link of relation R between two *entities of R* (two people who wrote together, two data sets used
together) is made of papers. A link between two *papers* is made of the entities of R they share. Any
other pair (two people who use the same data sets) is made of shared entities, through the papers of
each. A link is as sure as the surer of its reasons, and a reason as sure as the less sure of its two
statements; what a source states (who wrote a paper) is certain.
"""

from __future__ import annotations

import sqlite3

from msgspec import Struct

from kg.errors import QueryError, UsageError
from kg.links.filters import Filter
from kg.links.top import strongest
from kg.query.lookup import Lookup, Match
from kg.vocab import ID

# relation -> kind of its entities
ENTITY_KIND = {"coauthors": "person", "datasets": "dataset", "methods": "method", "code": "repository"}
# What a list of the strongest pairs is about, when nobody says otherwise.
DEFAULT_ENDS = {"coauthors": "person", "datasets": "paper", "methods": "paper", "code": "paper"}
_EXAMPLES = 12  # shared entities or papers listed with each pair


class Pair(Struct, frozen=True):
    """Two linked entities and what links them.

    Attributes:
        count: number of shared papers or entities. shared: those (at most a dozen), papers in order of
            year, entities rarest first. first, last: years of the papers behind the pair, where known.
        confidence: 0..1, of its best reason; None in a graph that does not keep it.
    """

    a: Match
    b: Match
    count: int
    shared: tuple[Match, ...]
    first: int | None = None
    last: int | None = None
    confidence: float | None = None


def top_pairs(
    db: sqlite3.Connection, relation: str, limit: int, ends: str | None = None, where: Filter | None = None
) -> list[Pair]:
    """The strongest pairs: most shared first, then those that share what few others have.

    Args:
        ends: "paper" or the relation's own kind; None takes `DEFAULT_ENDS`. where: what counts.
    """
    ends = ends or DEFAULT_ENDS[_known(relation)]
    if (ends == "paper" and relation != "coauthors") or ends == ENTITY_KIND[relation]:
        rows = strongest(db, relation, ends, limit, where)
    else:
        allowed = sorted({"paper", ENTITY_KIND[relation]} if relation != "coauthors" else {"person"})
        raise QueryError(f"{relation} do not link pairs of kind {ends!r}", hint=f"use {' or '.join(allowed)}")
    lookup = Lookup(db)
    return [_pair(db, relation, lookup.by_number(a), lookup.by_number(b), where) for a, b, _ in rows]


def partners(db: sqlite3.Connection, relation: str, of: Match, limit: int, where: Filter | None = None) -> list[Pair]:
    """The entities of the same kind that `of` is linked to, strongest first."""
    where = where or Filter()
    _known(relation)
    m = where.members(db)
    if of.kind == ENTITY_KIND[relation]:
        query = f"""SELECT y.entity, COUNT(DISTINCT y.paper) AS n FROM {m} x JOIN {m} y
                    ON y.paper = x.paper AND y.relation = x.relation AND y.entity != x.entity
                    WHERE x.relation = :r AND x.entity = :e GROUP BY y.entity"""
    elif of.kind == "paper":
        query = f"""SELECT y.paper, COUNT(DISTINCT y.entity) AS n FROM {m} x JOIN {m} y
                    ON y.relation = x.relation AND y.entity = x.entity AND y.paper != x.paper
                    WHERE x.relation = :r AND x.paper = :e GROUP BY y.paper"""
    elif of.kind in ("person", "topic") and relation != "coauthors":
        query = f"""SELECT o.entity, COUNT(DISTINCT y.entity) AS n
                    FROM {m} own JOIN {m} x ON x.paper = own.paper AND x.relation = :r
                    JOIN {m} y ON y.relation = x.relation AND y.entity = x.entity AND y.paper != x.paper
                    JOIN {m} o ON o.paper = y.paper AND o.relation = own.relation AND o.entity != own.entity
                    WHERE own.relation = :own AND own.entity = :e GROUP BY o.entity"""
    else:
        raise QueryError(f"a {of.kind} has no {relation}", hint=f"name a {ENTITY_KIND[relation]}, a paper or a person")
    own = "coauthors" if of.kind == "person" else "topics"
    ranked = f"{query} ORDER BY n DESC, 1 LIMIT :limit"
    rows = db.execute(ranked, {**where.values, "r": relation, "e": of.id, "own": own, "limit": limit}).fetchall()
    lookup = Lookup(db)
    return [_pair(db, relation, of, lookup.by_number(other), where) for other, _ in rows]


def between(db: sqlite3.Connection, relation: str, a: Match, b: Match, where: Filter | None = None) -> Pair | None:
    """What links two entities; None when nothing of this relation does.

    Raises:
        QueryError: the two are of different kinds.
    """
    _known(relation)
    if a.kind != b.kind:
        raise QueryError(f"{a.label!r} is a {a.kind}, {b.label!r} a {b.kind}", hint="kg path connects any two entities")
    pair = _pair(db, relation, a, b, where, examples=None)
    return pair if pair.count else None


def find_ends(lookup: Lookup, relation: str, *names: str) -> list[Match]:
    """The entities that names mean as ends of links: those of the relation's own kind first, all of one kind.

    Raises:
        QueryError: nothing has such a name; the hint gives the nearest. UsageError: both names mean the same.
    """
    kind = "person" if _known(relation) == "coauthors" else None
    found: list[Match] = []
    for name in names:
        if kind is None:
            # "PRISM" may be a paper's label and a method: in links of methods the method is meant.
            kind = ENTITY_KIND[relation] if lookup.all(name, ENTITY_KIND[relation]) else None
        same = kind if not found or lookup.all(name, kind) else None
        found.append(lookup.one(name, same))
        kind = found[0].kind
    if len(found) == 2 and found[0].iri == found[1].iri:
        hint = f"name two, or {found[0].label!r} alone for its partners"
        raise UsageError(f"both names mean {found[0].label!r} ({found[0].kind})", hint=hint)
    return found


def _pair(
    db: sqlite3.Connection, relation: str, a: Match, b: Match, where: Filter | None, examples: int | None = _EXAMPLES
) -> Pair:
    """The pair with its reasons: each shared thing, how sure it is, and the years of its papers."""
    where = where or Filter()
    m = where.members(db)
    sure = "MAX(MIN(x.confidence, y.confidence)) AS sure"
    early, late = (f"{f}(COALESCE(p.year, q.year), COALESCE(q.year, p.year))" for f in ("MIN", "MAX"))
    if a.kind == ENTITY_KIND[relation]:
        query = f"""SELECT x.paper AS shared, {sure}, p.year AS first, p.year AS last
                    FROM {m} x JOIN {m} y ON y.paper = x.paper AND y.relation = x.relation
                    JOIN thing p ON p.id = x.paper
                    WHERE x.relation = :r AND x.entity = :a AND y.entity = :b GROUP BY x.paper"""
        order = "e.year, e.tail"
    elif a.kind == "paper":
        query = f"""SELECT x.entity AS shared, {sure}, {early} AS first, {late} AS last
                    FROM {m} x JOIN {m} y ON y.entity = x.entity AND y.relation = x.relation
                    JOIN thing p ON p.id = x.paper JOIN thing q ON q.id = y.paper
                    WHERE x.relation = :r AND x.paper = :a AND y.paper = :b GROUP BY x.entity"""
        order = "e.papers, e.tail"
    else:
        query = f"""SELECT x.entity AS shared, {sure}, MIN({early}) AS first, MAX({late}) AS last
                    FROM {m} own JOIN {m} x ON x.paper = own.paper AND x.relation = :r
                    JOIN {m} y ON y.entity = x.entity AND y.relation = :r AND y.paper != x.paper
                    JOIN {m} other ON other.paper = y.paper AND other.relation = own.relation AND other.entity = :b
                    JOIN thing p ON p.id = x.paper JOIN thing q ON q.id = y.paper
                    WHERE own.entity = :a AND own.relation IN ('coauthors', 'topics') GROUP BY x.entity"""
        order = "e.papers, e.tail"
    rows = db.execute(
        f"""SELECT e.id, '{ID}' || e.tail, e.kind, e.label, e.papers, s.sure, s.first, s.last
            FROM ({query}) s JOIN thing e ON e.id = s.shared ORDER BY {order}""",
        {**where.values, "r": relation, "a": a.id, "b": b.id},
    ).fetchall()
    years = [year for row in rows for year in row[6:] if year is not None]
    return Pair(
        a,
        b,
        len(rows),
        tuple(Match(*row[:5]) for row in rows[:examples]),
        min(years, default=None),
        max(years, default=None),
        max((row[5] for row in rows if row[5] is not None), default=None),
    )


def _known(relation: str) -> str:
    if relation not in ENTITY_KIND:
        raise QueryError(f"no links are called {relation!r}", hint=f"use {', '.join(ENTITY_KIND)}")
    return relation

"""What comes and goes: on how many papers of each year a thing stands, and on what share of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from msgspec import Struct

from kg.errors import QueryError
from kg.links.filters import Filter
from kg.query.lookup import Lookup, Match

RELATIONS = {"methods": "methods", "datasets": "datasets", "code": "code", "people": "coauthors", "topics": "topics"}
KINDS = {"methods": "method", "datasets": "dataset", "code": "repository", "people": "person", "topics": "topic"}
ORDERS = ("rise", "fall", "count")


class Trend(Struct, frozen=True):
    """One thing by year.

    Attributes:
        counts: papers of each year of the span that name it (one number a year, 0 included).
        total: their sum. rise: its share of the papers of the last `window` years minus its share of as many
            years before, in percentage points; None where either has no papers.
    """

    entity: Match
    counts: tuple[int, ...]
    total: int
    rise: float | None


class Trends(Struct, frozen=True):
    """The years of a span, the papers of each (those that pass the filter), and the things by year."""

    years: tuple[int, ...]
    papers: tuple[int, ...]
    rows: tuple[Trend, ...]


def find_trends(
    db: sqlite3.Connection,
    what: str,
    limit: int,
    where: Filter | None = None,
    *,
    by: str = "rise",
    window: int = 1,
    only: Sequence[Match] = (),
) -> Trends:
    """The things of a kind that rise, fall or stand on most papers.

    Args:
        what: a key of `RELATIONS`. window: years compared with as many before them; years without papers do not count. only: just these.

    Raises:
        QueryError: no such kind or order.
    """
    where = where or Filter()
    if what not in RELATIONS:
        raise QueryError(f"no trends of {what!r}", hint=f"use {', '.join(RELATIONS)}")
    if by not in ORDERS:
        raise QueryError(f"trends have no order {by!r}", hint=f"use {', '.join(ORDERS)}")
    of_year = dict(
        db.execute(f"SELECT year, COUNT(*) FROM {where.papers()} WHERE year IS NOT NULL GROUP BY year", where.values)
    )
    if not of_year:
        return Trends((), (), ())
    years = tuple(range(min(of_year), max(of_year) + 1))
    papers = tuple(of_year.get(year, 0) for year in years)
    counts: dict[int, list[int]] = {}
    chosen = f"AND m.entity IN ({','.join(str(m.id) for m in only)})" if only else ""
    rows = db.execute(
        f"""SELECT m.entity, p.year, COUNT(DISTINCT m.paper) FROM {where.members(db)} m JOIN thing p ON p.id = m.paper
            WHERE m.relation = :relation AND p.year IS NOT NULL {chosen} GROUP BY m.entity, p.year""",
        {**where.values, "relation": RELATIONS[what]},
    )
    for entity, year, n in rows:
        counts.setdefault(entity, [0] * len(years))[year - years[0]] = n
    found = [(entity, tuple(c), sum(c), _rise(c, papers, window)) for entity, c in counts.items()]
    sign = {"rise": -1, "fall": 1, "count": 0}[by]
    found.sort(key=lambda f: (sign * (f[3] or 0.0), -f[2], f[0]))
    if by != "count" and not only:
        found = [f for f in found if f[3] and (f[3] > 0) == (by == "rise")]
    lookup = Lookup(db)
    top = found if only else found[:limit]
    return Trends(years, papers, tuple(Trend(lookup.by_number(e), c, n, r) for e, c, n, r in top))


def _rise(counts: Sequence[int], papers: Sequence[int], window: int) -> float | None:
    years = [(c, p) for c, p in zip(counts, papers, strict=True) if p]  # a gap between years compares with nothing
    late, early = years[-window:], years[-2 * window : -window]
    if not early:
        return None
    share = [sum(c for c, _ in part) / sum(p for _, p in part) for part in (late, early)]
    return round(100 * (share[0] - share[1]), 4)

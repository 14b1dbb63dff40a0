"""The numbers behind the figures of `kg plot`: each a chart that any drawing can be made of."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct

from kg.errors import QueryError
from kg.links.filters import Filter
from kg.links.trends import find_trends
from kg.query.lookup import Match

_VENUES = 7  # shown by name; the others are one
_MANY = 15  # authors; papers of more are counted together
_NAMES = 6  # lines of a figure nobody chose the names of


class Series(Struct, frozen=True):
    """One row of numbers, in the order of the chart's places; None where there is none."""

    name: str
    values: tuple[float | None, ...]


class Chart(Struct, frozen=True):
    """A figure as numbers.

    Attributes:
        form: "columns" (upright, stacked), "bars" (lying, stacked) or "lines".
        places: what stands along the axis: years, names, numbers of authors. y: what the numbers are.
        note: what one has to know to read it.
    """

    title: str
    form: str
    x: str
    y: str
    places: tuple[str, ...]
    series: tuple[Series, ...]
    note: str = ""


def growth(db: sqlite3.Connection, where: Filter) -> list[Chart]:
    """Papers by year, stacked by venue where there are several."""
    rows = db.execute(
        f"""SELECT year, COALESCE(venue, ''), COUNT(*) FROM {where.papers()} WHERE year IS NOT NULL GROUP BY 1, 2""",
        where.values,
    ).fetchall()
    sizes: Counter[str] = Counter()
    for _, venue, n in rows:
        sizes[venue] += n
    named = [v for v, _ in sorted(sizes.items(), key=lambda x: (-x[1], x[0])) if v][:_VENUES]
    years = _span([year for year, *_ in rows])
    found: dict[str, Counter[int]] = {}
    for year, venue, n in rows:
        found.setdefault(venue if venue in named else "other" if venue else "no venue", Counter())[year] += n
    order = [*named, *(name for name in ("other", "no venue") if name in found)]
    if order == ["no venue"]:
        found, order = {"papers": found["no venue"]}, ["papers"]
    series = tuple(Series(name, tuple(found[name][year] for year in years)) for name in order)
    undated = db.execute(f"SELECT COUNT(*) FROM {where.papers()} WHERE year IS NULL", where.values).fetchone()[0]
    note = f"{undated:,} papers without a year are left out" if undated else ""
    return [Chart("Papers by year", "columns", "year", "papers", tuple(map(str, years)), series, note)]


def top(db: sqlite3.Connection, relation: str, where: Filter, limit: int) -> list[Chart]:
    """The methods or data sets on most papers, by role; a paper that both introduces and uses one introduces it."""
    first, second = {"methods": ("proposed", "used"), "datasets": ("introduced", "used")}[relation]
    rows = db.execute(
        f"""SELECT t.label, t.id, COUNT(DISTINCT m.paper), COUNT(DISTINCT CASE m.role WHEN :first THEN m.paper END)
            FROM {where.members(db)} m JOIN thing t ON t.id = m.entity WHERE m.relation = :relation
            GROUP BY m.entity ORDER BY 3 DESC, t.label, t.id LIMIT :limit""",
        {**where.values, "relation": relation, "first": first, "limit": limit},
    ).fetchall()
    what = "data sets" if relation == "datasets" else relation
    series: tuple[Series, ...] = (
        Series(f"{second} by", tuple(n - new for _, _, n, new in rows)),
        Series(f"{first} by", tuple(new for *_, new in rows)),
    )
    series = tuple(s for s in series if any(s.values)) or series[:1]
    return [Chart(f"Most named {what}", "bars", "", "papers", tuple(label for label, *_ in rows), series)]


def collaboration(db: sqlite3.Connection, where: Filter) -> list[Chart]:
    """How many authors papers have: the distribution, and mean and median by year."""
    rows = db.execute(
        f"""SELECT p.year, COUNT(*) FROM {where.papers()} p JOIN member m ON m.paper = p.id
            WHERE m.relation = 'coauthors' GROUP BY p.id""",
        where.values,
    ).fetchall()
    if not rows:
        return []
    sizes = Counter(min(n, _MANY + 1) for _, n in rows)
    span = range(1, max(sizes) + 1)
    labels = tuple(f"{_MANY + 1}+" if n > _MANY else str(n) for n in span)
    share = Series("papers", tuple(round(100 * sizes[n] / len(rows), 4) for n in span))
    by_year: dict[int, list[int]] = {}
    for year, n in rows:
        if year is not None:
            by_year.setdefault(year, []).append(n)
    charts = [Chart("Authors of a paper", "columns", "authors", "% of papers", labels, (share,))]
    if len(by_year) > 1:
        years = _span(list(by_year))
        mean = tuple(round(sum(by_year[y]) / len(by_year[y]), 4) if y in by_year else None for y in years)
        median = tuple(_median(by_year[y]) if y in by_year else None for y in years)
        lines = (Series("mean", mean), Series("median", median))
        charts.append(Chart("Authors by year", "lines", "year", "authors of a paper", tuple(map(str, years)), lines))
    return charts


def adoption(db: sqlite3.Connection, where: Filter, names: Sequence[Match]) -> list[Chart]:
    """Share of the papers of each year that name a method or data set; without names the most frequent methods."""
    kinds = {match.kind for match in names}
    if kinds - {"method", "dataset"}:
        raise QueryError("adoption is drawn of methods and data sets", hint="kg trends has people, code and topics")
    series = []
    years: tuple[int, ...] = ()
    for what, kind in (("methods", "method"), ("datasets", "dataset")):
        only = [match for match in names if match.kind == kind]
        if not only and (names or kind == "dataset"):
            continue
        found = find_trends(db, what, _NAMES, where, by="count", only=only)
        years = found.years
        for row in found.rows:
            shares = (round(100 * n / p, 4) if p else None for n, p in zip(row.counts, found.papers, strict=True))
            series.append(Series(row.entity.label, tuple(shares)))
    if not series:
        return []
    # What nobody named yet needs no room: begin a year before the first number.
    begin = min(next(i for i, v in enumerate(s.values) if v) for s in series)
    begin = max(begin - 1, 0)
    series = [Series(s.name, s.values[begin:]) for s in series]
    places = tuple(map(str, years[begin:]))
    return [
        Chart("Share of the papers that name it", "lines", "year", "% of the papers of the year", places, tuple(series))
    ]


def _span(years: Sequence[int]) -> list[int]:
    return list(range(min(years), max(years) + 1)) if years else []


def _median(values: list[int]) -> float:
    ordered = sorted(values)
    middle = len(ordered) // 2
    return float(ordered[middle]) if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


FIGURES: dict[str, Callable[..., list[Chart]]] = {
    "growth": lambda db, where, names, limit: growth(db, where),
    "datasets": lambda db, where, names, limit: top(db, "datasets", where, limit),
    "methods": lambda db, where, names, limit: top(db, "methods", where, limit),
    "collaboration": lambda db, where, names, limit: collaboration(db, where),
    "adoption": lambda db, where, names, limit: adoption(db, where, names),
}

"""`kg trends`: what comes and goes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import click

from kg.cli.common import graph_option, note, print_records
from kg.cli.linking import entity, filter_options, format_option, open_links, read_filter, tell, top_option

_SHOWN = 8  # years of a table; the other formats give all
_BARS = "·▁▂▃▄▅▆▇█"


@click.command("trends")
@click.argument("what", type=click.Choice(["methods", "datasets", "code", "people", "topics"]))
@click.argument("names", nargs=-1)
@graph_option
@click.option(
    "--by", type=click.Choice(["rise", "fall", "count"]), default="rise", show_default=True, help="What comes first."
)
@click.option(
    "--window", type=click.IntRange(min=1), default=1, show_default=True, help="Years compared with as many before."
)
@top_option(20, "rows")
@filter_options()
@format_option
def command(
    what: str, names: tuple[str, ...], graph: str, by: str, window: int, top: int, format: str, **given: Any
) -> None:
    """Methods, data sets … by year: those that rise most, or the NAMES given.

    A number is the papers of that year that name it. rise: its share of the papers of the last year minus
    its share of the year before, in percentage points (--window 3: of three years and three before). Shares,
    not numbers: a graph rarely holds every year whole.
    """
    from kg.links.trends import KINDS, find_trends

    db, lookup = open_links(graph)
    where = read_filter(lookup, {"people": "coauthors"}.get(what, what), given)
    only = [lookup.one(name, KINDS[what]) for name in names]
    tell(lookup)
    found = find_trends(db, what, top, where, by=by, window=window, only=only)
    rows: list[tuple[Any, ...]] = []
    if format == "json":
        for t in found.rows:
            by_year = [
                {"year": y, "papers": n, "of": p} for y, n, p in zip(found.years, t.counts, found.papers, strict=True)
            ]
            rows.append((*entity(t.entity).values(), t.total, t.rise, by_year))
        print_records(("iri", "label", "kind", "papers", "rise", "years"), rows, format)
    else:
        shown = slice(-_SHOWN if format == "table" else 0, None)
        line = ("trend",) if format == "table" else ()
        columns = ("name", "papers", "rise", *line, *map(str, found.years[shown]))
        for t in found.rows:
            drawn = (_sparkline(t.counts, found.papers),) if line else ()
            rise = "" if t.rise is None else f"{t.rise:+.2f}" if format == "table" else t.rise
            rows.append((t.entity.label, t.total, rise, *drawn, *t.counts[shown]))
        if rows and format == "table":
            rows.append(("(all papers)", sum(found.papers), "", "", *found.papers[shown]))
        print_records(columns, rows, format, right=[c for c in columns if c not in ("name", "trend")])
    if not found.rows:
        filtered = f" ({where.words()})" if where else ""
        one = " with at least two years" if by != "count" and not only else ""
        note(f"no {what} to tell about{filtered}: a trend needs papers{one}")


def _sparkline(counts: Sequence[int], papers: Sequence[int]) -> str:
    """The shares of all years (the last 24) as bars; a dot is none."""
    shares = [n / p if p else 0.0 for n, p in zip(counts, papers, strict=True)][-24:]
    most = max(shares) or 1.0
    return "".join(_BARS[math.ceil(8 * s / most)] for s in shares)

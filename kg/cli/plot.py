"""`kg plot`: figures of the graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kg.cli.common import graph_option
from kg.cli.linking import filter_options, open_links, read_filter, tell

_RELATIONS = {"datasets": "datasets", "methods": "methods"}


@click.command("plot")
@click.argument("what", type=click.Choice(["growth", "datasets", "methods", "collaboration", "adoption"]))
@click.argument("names", nargs=-1)
@graph_option
@click.option("-o", "--output", required=True, type=click.Path(), help="File to write: .svg, .png or .pdf.")
@click.option("--top", type=click.IntRange(1, 100), default=20, show_default=True, help="Bars of datasets and methods.")
@filter_options()
def command(what: str, names: tuple[str, ...], graph: str, output: str, top: int, **given: Any) -> None:
    """Draw the graph's numbers, the same bytes each time (needs the extra: pip install 'paperkg[plot]').

    growth: papers by year and venue. datasets, methods: those on most papers. collaboration: how many
    authors papers have, and by year. adoption NAME...: the share of the papers of each year that name
    these methods and data sets (without names, the most frequent methods).
    """
    from kg.errors import ExportError, QueryError, UsageError
    from kg.links.draw import draw
    from kg.links.figures import FIGURES
    from kg.pipeline.folder import write_atomically

    if names and what != "adoption":
        raise UsageError(f"{what} takes no names", hint=f"kg plot adoption {' '.join(map(repr, names))} draws these")
    db, lookup = open_links(graph)
    # Papers have no roles: only what is named on them has.
    if given["role"] and what in ("growth", "collaboration"):
        raise UsageError(f"{what} counts papers, which have no role", hint="leave out --role")
    where = read_filter(lookup, _RELATIONS.get(what), given)
    found = [lookup.one(n, next((k for k in ("method", "dataset") if lookup.all(n, k)), None)) for n in names]
    tell(lookup)
    charts = FIGURES[what](db, where, found, top)
    if not charts or not any(chart.places for chart in charts):
        raise QueryError(
            f"there is nothing to draw of {what} here" + (f" ({where.words()})" if where else ""),
            hint="kg stats tells what the graph holds",
        )
    data = draw(charts, Path(output).suffix, subtitle=where.words())
    try:
        write_atomically(Path(output), data)
    except OSError as error:
        raise ExportError(
            f"the figure cannot be written: {error.strerror or error}", place=output, hint="choose another -o FILE"
        ) from None
    click.echo(f"{output}: {len(data):,} bytes")

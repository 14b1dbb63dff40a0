"""`kg view`: an interactive graph as one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kg.cli.common import graph_option, note
from kg.cli.endpoint import Endpoint, endpoint_options, open_graph, tell_notes

KINDS = ("paper", "person", "method", "dataset", "repository", "topic", "venue")
_PLEASANT = 2000


@click.command("view")
@click.argument("entities", nargs=-1)
@graph_option
@click.option("--hops", type=click.IntRange(min=0), default=1, show_default=True, help="Steps around each ENTITY.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Only nodes of this kind; repeatable.")
@click.option("-o", "--output", required=True, type=click.Path(), help="The HTML file to write.")
@endpoint_options
def command(
    entities: tuple[str, ...], graph: str, hops: int, kinds: tuple[str, ...], output: str, endpoint: Endpoint | None
) -> None:
    """Draw the graph, or the neighbourhood of each ENTITY, as one HTML file that works offline."""
    from kg.view import layout, select, write_html

    opened = open_graph(graph, endpoint)
    chosen = [opened.find(name) for name in entities]
    tell_notes(opened)
    iris = [m.iri for m in chosen]
    # A server is asked for the part that is drawn.
    whole: Any = opened.around(iris, hops, set(kinds) or None) if endpoint else opened.networkx()  # type: ignore[attr-defined]
    drawn = select(whole, iris, hops, set(kinds) or None)
    if len(drawn) > _PLEASANT:
        note(
            f"{len(drawn):,} nodes in one picture are hard to read; "
            f'a part is pleasant: kg view "NAME" --hops 2 -o {output}, or --kind person --kind paper'
        )
    title = ", ".join(m.label for m in chosen[:3]) or (endpoint.url if endpoint else Path(graph).resolve().name)
    subtitle = f"{hops} step{'s' if hops != 1 else ''} around" if chosen else "whole graph"
    write_html(drawn, Path(output), title=title, subtitle=subtitle, positions=layout(drawn))
    click.echo(f"{output}: {drawn.number_of_nodes():,} nodes, {drawn.number_of_edges():,} edges")

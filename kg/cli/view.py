"""`kg view`: an interactive graph as one HTML file."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.common import graph_option, note

KINDS = ("paper", "person", "method", "dataset", "repository", "topic", "venue")
_PLEASANT = 2000


@click.command("view")
@click.argument("entities", nargs=-1)
@graph_option
@click.option("--hops", type=click.IntRange(min=0), default=1, show_default=True, help="Steps around each ENTITY.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Only nodes of this kind; repeatable.")
@click.option("-o", "--output", required=True, type=click.Path(), help="The HTML file to write.")
def command(entities: tuple[str, ...], graph: str, hops: int, kinds: tuple[str, ...], output: str) -> None:
    """Draw the graph, or the neighbourhood of each ENTITY, as one HTML file that works offline."""
    from kg.api import Graph
    from kg.view import layout, select, write_html

    opened = Graph(graph)
    chosen = [opened.find(name) for name in entities]
    for line in opened.lookup.notes:
        note(line)
    drawn = select(opened.networkx(), [m.iri for m in chosen], hops, set(kinds) or None)
    if len(drawn) > _PLEASANT:
        note(
            f"{len(drawn):,} nodes in one picture are hard to read; "
            f'a part is pleasant: kg view "NAME" --hops 2 -o {output}, or --kind person --kind paper'
        )
    title = ", ".join(m.label for m in chosen[:3]) or Path(graph).resolve().name
    subtitle = f"{hops} step{'s' if hops != 1 else ''} around" if chosen else "whole graph"
    write_html(drawn, Path(output), title=title, subtitle=subtitle, positions=layout(drawn))
    click.echo(f"{output}: {drawn.number_of_nodes():,} nodes, {drawn.number_of_edges():,} edges")

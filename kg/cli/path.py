"""`kg path`: how two entities are connected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kg.cli.common import clean, graph_option, print_records
from kg.cli.endpoint import Endpoint, endpoint_options, open_endpoint
from kg.cli.linking import entity, open_links, tell

if TYPE_CHECKING:
    from kg.links.paths import Path


@click.command("path")
@click.argument("a")
@click.argument("b")
@graph_option
@click.option(
    "-k", "number", type=click.IntRange(min=1, max=50), default=1, show_default=True, help="How many different paths."
)
@click.option(
    "--through",
    multiple=True,
    type=click.Choice(["person", "method", "dataset", "repository", "topic"]),
    help="Only through these kinds of things; may stand several times.",
)
@click.option("-f", "--format", "format", type=click.Choice(["text", "table", "csv", "tsv", "json"]), default="text")
@endpoint_options
def command(
    a: str, b: str, graph: str, number: int, through: tuple[str, ...], format: str, endpoint: Endpoint | None
) -> None:
    """Explain how A and B (any names, ids or IRIs) are connected, through papers.

    A step costs 1, and passing through what n papers share, or through a paper of n authors, log2(n - 1)
    more (Newman 2001; Faloutsos, McCurley and Tomkins 2004): what connects everything (a large data set,
    a paper of 300 authors) connects nothing. With -k, further paths that pass mostly through other things
    (penalty method: Akgün, Erkut and Batta 2000).

    Exit code 1 when nothing connects the two.
    """
    from kg.links.paths import paths

    remote = open_endpoint(endpoint) if endpoint else None
    db, lookup = (None, remote.lookup) if remote else open_links(graph)
    start, end = lookup.one(a), lookup.one(b)
    tell(lookup)
    found = remote.ways(start, end, number, through) if remote else paths(db, start, end, number, through=through)
    if format == "text":
        _tell(found)
    elif format == "json":
        rows = [
            (p.cost, p.words(), [entity(p.start), *({"verb": s.verb, **entity(s.to)} for s in p.steps)]) for p in found
        ]
        print_records(("cost", "words", "steps"), rows, format)
    else:
        print_records(("cost", "steps", "path"), [(p.cost, len(p.steps), p.words()) for p in found], format)
    if not found and start.iri == end.iri:
        click.echo(f"both names mean {clean(start.label)} ({start.kind})", err=True)
    elif not found:
        kinds = f" through a {' or a '.join(through)}" if through else ""
        click.echo(f"nothing connects {clean(start.label)} and {clean(end.label)}{kinds}", err=True)
        raise click.exceptions.Exit(1)


def _tell(found: list[Path]) -> None:
    from kg.query.index import prefixed

    for i, path in enumerate(found, 1):
        if len(found) > 1:
            click.echo(f"{'' if i == 1 else chr(10)}{i}. cost {path.cost:.1f}")
        click.echo(clean(f"{path.start.label}  ({path.start.kind}, {prefixed(path.start.iri)})"))
        for step in path.steps:
            click.echo(clean(f"  {step.verb}\n{step.to.label}  ({step.to.kind}, {prefixed(step.to.iri)})"))

"""`kg path`: how two entities are connected."""

from __future__ import annotations

import json

import click

from kg.cli.common import clean, graph_option, note


@click.command("path")
@click.argument("a")
@click.argument("b")
@graph_option
@click.option("-f", "--format", "format", type=click.Choice(["text", "json"]), default="text")
def command(a: str, b: str, graph: str, format: str) -> None:
    """Explain how A and B (any names, ids or IRIs) are connected, through papers.

    The path avoids what connects everything: passing an entity costs the logarithm of its papers.
    Exit code 1 when nothing connects the two.
    """
    from kg.api import Graph
    from kg.query.index import prefixed

    opened = Graph(graph)
    start, steps = opened.path_between(a, b)
    for line in opened.lookup.notes:
        note(line)
    if format == "json":
        path = [{"iri": start.iri, "label": start.label, "kind": start.kind}]
        path += [{"verb": s.verb, "iri": s.to.iri, "label": s.to.label, "kind": s.to.kind} for s in steps]
        click.echo(json.dumps(path, ensure_ascii=False, indent=1))
    elif steps or start.iri == opened.find(b).iri:
        click.echo(clean(f"{start.label}  ({start.kind}, {prefixed(start.iri)})"))
        for step in steps:
            click.echo(clean(f"  {step.verb}\n{step.to.label}  ({step.to.kind}, {prefixed(step.to.iri)})"))
    if not steps and format == "text":
        click.echo(f"nothing connects {clean(a)} and {clean(b)}")
    if not steps:
        raise click.exceptions.Exit(1)

"""`kg stats`: what the graph holds."""

from __future__ import annotations

import json

import click

from kg.cli.common import graph_option, print_table


@click.command("stats")
@graph_option
@click.option("-f", "--format", "format", type=click.Choice(["table", "json"]), default="table")
@click.option("--void", is_flag=True, help="Describe the graph as VoID and DCAT, in Turtle.")
def command(graph: str, format: str, void: bool) -> None:
    """Count what the graph holds, and name the inputs it was made of."""
    from kg.api import Graph

    opened = Graph(graph)
    if void:
        from kg.graph.describe import describe

        click.echo(describe(opened.store, version=opened.manifest.version).decode("utf-8"), nl=False)
        return
    if format == "json":
        inputs = [{"name": i.name, "sha256": i.sha256} for i in opened.manifest.inputs]
        click.echo(
            json.dumps({"counts": opened.counts, "inputs": inputs, "version": opened.manifest.version}, indent=1)
        )
        return
    print_table(("what", "number"), [(k, f"{v:,}") for k, v in opened.counts.items()], right=("number",))
    click.echo()
    print_table(("input", "sha256"), [(i.name, i.sha256[:12]) for i in opened.manifest.inputs])

"""`kg export`: the graph as a file."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.common import graph_option


@click.command("export")
@graph_option
@click.option("-o", "--output", required=True, type=click.Path(), help="File to write; its suffix says how.")
@click.option("--evidence/--no-evidence", default=True, show_default=True, help="With assertions and quotes.")
def command(graph: str, output: str, evidence: bool) -> None:
    """Write the graph: .ttl .nt .nq .trig .jsonld .rdf .graphml .gexf .cyjs .bib, each also with .gz
    or .zst; .csv and .parquet make a folder of tables.
    """
    from kg.api import Graph
    from kg.export import export

    export(Graph(graph).store, Path(output), evidence=evidence)
    path = Path(output)
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    click.echo(f"{output}: {sum(f.stat().st_size for f in files):,} bytes")

"""`kg restore`: a graph folder from a backup."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.common import graph_option


@click.command("restore")
@click.argument("backup", type=click.Path())
@graph_option
def command(backup: str, graph: str) -> None:
    """Make a graph folder of BACKUP, an archive or folder that kg backup wrote, and check that it is whole."""
    from kg.pipeline.backup import restore

    counts = restore(Path(backup), Path(graph))
    click.echo(f"{graph}: {counts.get('papers', 0):,} papers, {counts.get('people', 0):,} people restored")

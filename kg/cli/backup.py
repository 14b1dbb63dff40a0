"""`kg backup`: a copy of a graph, as an archive or as a folder."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.common import graph_option


@click.command("backup")
@graph_option
@click.option("-o", "--output", required=True, type=click.Path(), help="FILE.tar, FILE.tar.gz, or a new folder.")
def command(graph: str, output: str) -> None:
    """Copy the graph, its records and its corrections; also while a build runs.

    A folder shares the large files with the graph (hard links) where it can, so it is made in a moment. An archive
    is one file to carry away. kg restore makes a graph of either.
    """
    from kg.pipeline.backup import backup

    size = backup(Path(graph), Path(output))
    click.echo(f"{output}: {size / 1e6:,.1f} MB of graph")

"""`kg mcp`: the graph as tools for a language model."""

from __future__ import annotations

from pathlib import Path

import click

from kg.cli.common import graph_option
from kg.errors import KgError


@click.command("mcp")
@graph_option
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), default=30.0, show_default=True, help="Seconds a query may take."
)  # fmt: skip
def command(graph: str, timeout: float) -> None:
    """Serve the graph to an agent over standard input and output (Model Context Protocol).

    Read-only tools: search, show, explain, links, paths, questions, query. It is started by the agent's
    program, not by hand; tell that program to run: kg mcp -g DIR.
    """
    try:
        import mcp  # noqa: F401
    except ImportError:
        raise KgError("this needs the package mcp", hint="pip install 'paperkg[mcp]'") from None
    from kg.mcp.server import make_server

    make_server(Path(graph), seconds=timeout).run("stdio")

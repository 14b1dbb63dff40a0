"""`kg serve`: the explorer and the SPARQL endpoint."""

from __future__ import annotations

import os
from pathlib import Path

import click

from kg.cli.common import graph_option, note


@click.command("serve")
@graph_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@click.option("--timeout", type=click.FloatRange(0.1), default=30.0, show_default=True, help="Seconds of a query.")
@click.option("--rows", type=click.IntRange(1), default=100_000, show_default=True, help="Rows of an answer.")
@click.option("--memory", type=click.IntRange(128), default=1024, show_default=True, help="MB of a query process.")
@click.option("--workers", type=click.IntRange(1), help="Queries that run at once. [default: one a core, at least 2]")
def command(graph: str, host: str, port: int, timeout: float, rows: int, memory: int, workers: int | None) -> None:
    """Serve the explorer, the SPARQL endpoint /sparql and a page for each entity; ends with Ctrl-C.

    It reads only. A graph that is built again meanwhile is taken up without a restart.
    """
    from kg.pipeline.folder import Folder
    from kg.serve.app import make_app
    from kg.serve.limits import Limits
    from kg.serve.run import hosts_of, is_local, listen, run
    from kg.serve.snapshot import Current, Graphs

    folder = Folder(Path(graph))

    def current() -> Current:
        manifest, at = folder.current()
        return Current(manifest.graph, at, manifest.counts)

    limits = Limits(timeout=timeout, rows=rows, memory=memory, workers=workers or max(2, os.cpu_count() or 2))
    current()  # a missing graph is told before anything else
    bound = listen(host, port)
    graphs = Graphs(current, lambda step: click.echo(f"preparing the map: {step}", err=True))
    app = make_app(graphs, limits, hosts_of(host), Path(graph).resolve().name)
    if not is_local(host):
        note("other machines can reach this server: it asks nobody for a password, and shows the whole graph")
    name = f"[{host}]" if ":" in host else host
    click.echo(f"http://{name}:{bound.getsockname()[1]}/  (Ctrl-C ends it)")
    run(app, bound, limits)

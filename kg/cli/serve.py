"""`kg serve`: the explorer and the SPARQL endpoint."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import click

from kg.cli.common import graph_option, note
from kg.cli.endpoint import Endpoint, endpoint_options, open_endpoint

if TYPE_CHECKING:
    from kg.serve.snapshot import Current


@click.command("serve")
@graph_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@click.option("--timeout", type=click.FloatRange(0.1), default=30.0, show_default=True, help="Seconds of a query.")
@click.option("--rows", type=click.IntRange(1), default=100_000, show_default=True, help="Rows of an answer.")
@click.option("--memory", type=click.IntRange(128), default=1024, show_default=True, help="MB of a query process.")
@click.option("--workers", type=click.IntRange(1), help="Queries that run at once. [default: one a core, at least 2]")
@endpoint_options
def command(
    graph: str,
    host: str,
    port: int,
    timeout: float,
    rows: int,
    memory: int,
    workers: int | None,
    endpoint: Endpoint | None,
) -> None:
    """Serve the explorer, the SPARQL endpoint /sparql and a page for each entity; ends with Ctrl-C.

    It reads only. A graph that is built again meanwhile is taken up without a restart. Of an --endpoint, names and
    edges are fetched once, at the start; statements, evidence and queries are asked there.
    """
    from kg.pipeline.folder import Folder
    from kg.serve.app import make_app
    from kg.serve.limits import Limits
    from kg.serve.run import hosts_of, is_local, listen, run
    from kg.serve.snapshot import Current, Graphs

    folder = Folder(Path(graph))

    def tell(step: str) -> None:
        click.echo(f"preparing the map: {step}", err=True)

    def built() -> Current:
        manifest, at = folder.current()
        return Current(manifest.graph, at, manifest.counts)

    limits = Limits(timeout=timeout, rows=rows, memory=memory, workers=workers or max(2, os.cpu_count() or 2))
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # so that what was fetched is removed
    if not endpoint:
        built()  # a missing graph is told before anything else
    bound = listen(host, port)
    with ExitStack() as stack:
        fetched = _fetched(endpoint, stack) if endpoint else None
        graphs = Graphs((lambda: fetched) if fetched else built, tell)
        shown = endpoint.url if endpoint else Path(graph).resolve().name
        app = make_app(graphs, limits, hosts_of(host), shown)
        if not is_local(host):
            note("other machines can reach this server: it asks nobody for a password, and shows the whole graph")
        name = f"[{host}]" if ":" in host else host
        click.echo(f"http://{name}:{bound.getsockname()[1]}/  (Ctrl-C ends it)")
        run(app, bound, limits)


def _fetched(endpoint: Endpoint, stack: ExitStack) -> Current:
    """Names and edges of an endpoint's graph, in a folder that goes when the server ends."""
    import shutil

    from kg.serve.endpoint import Endpoint as Source
    from kg.serve.endpoint import fetch_index
    from kg.serve.snapshot import Current

    remote = open_endpoint(endpoint)
    at = Path(mkdtemp(prefix="kg-serve-"))
    stack.callback(shutil.rmtree, at, ignore_errors=True)
    name = fetch_index(remote.store, at, lambda step: click.echo(f"fetching from {endpoint.url}: {step}", err=True))
    for line in remote.store.notes:
        note(line)
    return Current(name, at, {}, Source.of(remote.store, endpoint.user))

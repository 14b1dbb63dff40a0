"""`kg push`: the graph to a SPARQL server."""

from __future__ import annotations

import click

from kg.cli.common import graph_option, note
from kg.cli.progress import Bar


@click.command("push")
@graph_option
@click.option("--endpoint", required=True, metavar="URL", help="Query service of the server.")
@click.option("--graph-store", metavar="URL", help="Its graph store. [default: beside a …/query or …/sparql]")
@click.option("--user", default="", help="Log in; password in $KG_PASSWORD or ~/.netrc.")
@click.option("--chunk", type=click.IntRange(min=1), default=50_000, show_default=True, help="Statements in a request.")
@click.option("--atomic", is_flag=True, help="One request for each graph instead: all of it, or nothing.")
@click.option("--unnamed", is_flag=True, help="Put the statements into the server's default graph.")
@click.option("--evidence/--no-evidence", default=True, show_default=True, help="With assertions and quotes.")
def command(
    graph: str,
    endpoint: str,
    graph_store: str | None,
    user: str,
    chunk: int,
    atomic: bool,
    unnamed: bool,
    evidence: bool,
) -> None:
    """Send the graph to a server, replacing what an earlier push put there.

    The statements and their evidence become two named graphs, which --endpoint of the other commands finds by
    itself. A transfer that breaks off goes on where it stopped when the command is run again.
    """
    from kg.api import Graph
    from kg.remote import push

    with Bar() as bar:
        done = push(
            Graph(graph), endpoint, graph_store, user=user, chunk=chunk, atomic=atomic, unnamed=unnamed,
            evidence=evidence, progress=bar,
        )  # fmt: skip
    if done.resumed:
        note(f"an earlier transfer had sent {done.resumed:,} of them")
    for name, n in done.sent.items():
        click.echo(f"{n:>12,} statements in {f'<{name}>' if name else 'the default graph'}")

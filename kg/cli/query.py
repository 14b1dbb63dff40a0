"""`kg query`: a question of the catalogue, a file, or SPARQL on the command line."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import click

from kg.cli.common import graph_option, note, print_table
from kg.cli.endpoint import Endpoint, endpoint_options, open_graph, tell_notes
from kg.errors import QueryError

FORMATS = ("table", "csv", "tsv", "json", "xml", "ttl", "nt")


@click.command("query")
@click.argument("name", required=False)
@graph_option
@click.option("-e", "--expression", help="SPARQL to run; the usual prefixes are bound.")
@click.option(
    "-p", "--param", "params", multiple=True, metavar="NAME=VALUE", help="A parameter: name, id, IRI or number."
)
@click.option(
    "-f", "--format", "format", type=click.Choice(FORMATS), default=None, help="[default: table, ttl for triples]"
)
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), help="Give up after so many seconds.")
@endpoint_options
def command(
    name: str | None,
    graph: str,
    expression: str | None,
    params: tuple[str, ...],
    format: str | None,
    timeout: float | None,
    endpoint: Endpoint | None,
) -> None:
    """Run a named query (see kg queries), a FILE.rq, or -e 'SELECT …'."""
    if (name is None) == (expression is None):
        raise click.UsageError("give a query's name, a FILE.rq, or -e 'SPARQL' (one of them)")
    text = expression if expression is not None else _text_of(str(name))
    opened = open_graph(graph, endpoint, timeout)
    values = dict(_parameter(p) for p in params)
    if timeout:
        _stop_after(timeout)
    if text is None:
        result = opened.query(str(name), values)
    else:
        from kg.query.run import run_text

        result = run_text(opened.store, text, values)
    tell_notes(opened)
    if format in (None, "table") and result.kind == "rows":
        from kg.query.index import prefixed
        from kg.store.results import python_value

        rows = [[prefixed(str(v)) if isinstance(v := python_value(t), str) else v for t in row] for row in result]
        print_table(result.variables, rows, right=_numeric(result.variables, rows))
        if not rows:
            note("no rows: nothing in this graph answers the question")
    elif format in (None, "table") and result.kind == "truth":
        click.echo("yes" if result else "no")
    else:
        result.write(sys.stdout.buffer, format if format not in (None, "table") else "ttl")


def _text_of(name: str) -> str | None:
    """The text of a query file; None for a name of the catalogue."""
    path = Path(name)
    if path.suffix in (".rq", ".sparql") or path.is_file():
        try:
            return path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise QueryError(f"the query file cannot be read: {error}", place=name) from None
    if "{" in name:
        raise QueryError("this looks like SPARQL, not like a query's name", hint="put -e before it")
    return None


def _parameter(given: str) -> tuple[str, str]:
    name, equals, value = given.partition("=")
    if not equals or not name:
        raise click.UsageError(f"-p wants NAME=VALUE, not {given!r}")
    return name.strip().lstrip("?$"), value


def _numeric(columns: list[str], rows: list[list[object]]) -> list[str]:
    return [c for i, c in enumerate(columns) if rows and all(isinstance(r[i], (int, float, type(None))) for r in rows)]


def _stop_after(seconds: float) -> None:
    """Ends this process when the time is up: the engine itself cannot be interrupted."""

    def stop() -> None:
        click.echo(
            f"kg: the query did not end within {seconds:g} s\n  try: a narrower question, or a longer --timeout",
            err=True,
        )
        os._exit(1)

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()

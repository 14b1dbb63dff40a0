"""`kg validate`: does the graph keep its rules?"""

from __future__ import annotations

import sys

import click

from kg.cli.common import graph_option, print_table


@click.command("validate")
@graph_option
@click.option("-f", "--format", "format", type=click.Choice(["table", "json", "ttl"]), default="table")
@click.option("--sample", default=100, show_default=True, type=click.IntRange(0), metavar="N",
              help="Nodes of each shape that pySHACL checks as well.")  # fmt: skip
def command(graph: str, format: str, sample: int) -> None:
    """Check the graph against the SHACL shapes; ttl writes a sh:ValidationReport.

    Exit code 1 when a rule is broken; warnings alone are no failure.
    """
    from kg.api import Graph
    from kg.graph.validate import validate
    from kg.graph.validate_report import summary_rows, to_json, to_turtle

    outcome = validate(Graph(graph).store, sample=sample, on_check=_progress)
    if format == "json":
        click.echo(to_json(outcome))
    elif format == "ttl":
        sys.stdout.buffer.write(to_turtle(outcome))
    elif rows := summary_rows(outcome):
        print_table(("severity", "number", "rule", "for example", "value"), rows, right=("number",))
    found = [f"{n:,} {name.lower()}{'s' * (n != 1)}" for name, n in outcome.counts.items() if n]
    again = f"; {'all ' if outcome.whole else ''}{outcome.sampled:,} nodes again with pySHACL" if sample else ""
    click.echo(
        f"{outcome.checks} constraints over the whole graph{again}: {', '.join(found) or 'nothing to report'} "
        f"({outcome.seconds:.1f} s)",
        err=True,
    )
    if not outcome.conforms:
        sys.exit(1)


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{done}/{total} constraints" if done < total else "\r\033[K", err=True, nl=False)

"""`kg build`: read lists of papers and add them to a graph."""

from __future__ import annotations

import click

from kg.cli.common import graph_option
from kg.cli.progress import Bar
from kg.errors import SettingsError


@click.command("build")
@click.argument("inputs", nargs=-1, type=click.Path())
@graph_option
@click.option("--format", "format", help="Format of the inputs, instead of detecting it; a wrong name lists all.")
@click.option("--workers", type=click.IntRange(min=1), help="Extraction processes. [default: all cores]")
@click.option("--engine", default="local", show_default=True, help="Where extraction runs.")
@click.option("--fresh", is_flag=True, help="Forget what the graph holds first (overrides.toml stays).")
@click.option("--strict", is_flag=True, help="Stop at the first record that cannot be read; write nothing.")
@click.option("--limit", type=click.IntRange(min=1), help="Read at most so many records.")
@click.option("--min-confidence", type=click.FloatRange(0, 1), help="Leave out extracted statements below this.")
def command(
    inputs: tuple[str, ...],
    graph: str,
    format: str | None,
    workers: int | None,
    engine: str,
    fresh: bool,
    strict: bool,
    limit: int | None,
    min_confidence: float | None,
) -> None:
    """Read lists of papers (files, folders, or - for standard input) and add them to a graph.

    Corrections in overrides.toml in the graph folder are applied on every build. Without INPUTS the graph is built
    again of what it holds, with the corrections as they are now.
    """
    from kg.pipeline.build import build
    from kg.settings import Settings

    if engine != "local":
        raise SettingsError(f"there is no engine {engine!r}", hint="--engine local runs on the cores of this machine")
    settings = Settings() if min_confidence is None else Settings(min_confidence=min_confidence)
    with Bar() as bar:
        report = build(
            inputs,
            graph,
            format=format,
            workers=workers,
            fresh=fresh,
            strict=strict,
            limit=limit,
            settings=settings,
            progress=bar,
        )
    for line in report.lines():
        click.echo(line)
    if report.rejected:
        click.echo(f"rejected records, each with its place and reason: {graph}/rejected.jsonl", err=True)
        if not report.read:
            raise click.exceptions.Exit(1)

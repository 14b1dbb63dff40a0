"""`kg build`: read lists of papers and add them to a graph."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from kg.cli.common import graph_option
from kg.cli.progress import Bar
from kg.errors import SourceError


@click.command("build")
@click.argument("inputs", nargs=-1, type=click.Path())
@graph_option
@click.option("--format", "format", help="Format of the inputs, instead of detecting it; a wrong name lists all.")
@click.option("--workers", type=click.IntRange(min=1), help="Extraction processes. [default: all cores]")
@click.option(
    "--engine", type=click.Choice(["local", "spark"]), default="local", show_default=True, help="Where extraction runs."
)
@click.option(
    "--master", help="Of Spark: local[2], spark://HOST:7077, yarn … [default: its own configuration, or local]"
)
@click.option("--staging", type=click.Path(), help="Folder that Spark's driver and workers share, for a cluster.")
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
    master: str | None,
    staging: str | None,
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

    if engine != "spark" and (master or staging):
        raise click.UsageError("--master and --staging belong to --engine spark")
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
            extract=_engine(engine, master, staging),
        )
    for line in report.lines():
        click.echo(line)
    if report.rejected:
        click.echo(f"rejected records, each with its place and reason: {graph}/rejected.jsonl", err=True)
        if not report.read:
            first = report.rejected[0]
            raise SourceError(
                f"no record could be read; the first: {first.reason}",
                place=f"{first.file}, {first.place}",
                hint="mend the records, or name the format with --format (kg build x --format ? lists them)",
            )


def _engine(name: str, master: str | None, staging: str | None) -> Any:
    if name == "spark":
        from kg.engine.spark import Spark

        return Spark(master, Path(staging) if staging else None).extract_all
    from kg.engine import extract_all

    return extract_all

"""`kg diff`: what changed between two graphs, in terms of entities."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kg.cli.common import clean, print_table


@click.command("diff")
@click.argument("a", type=click.Path())
@click.argument("b", type=click.Path())
@click.option("--kind", "kinds", multiple=True, help="Only paper, person, method, dataset or repository.")
@click.option("--top", type=click.IntRange(min=0), default=10, show_default=True, help="Lines for each kind of change.")
@click.option("-f", "--format", "format", type=click.Choice(["table", "json"]), default="table")
def command(a: str, b: str, kinds: tuple[str, ...], top: int, format: str) -> None:
    """Compare two graph folders: papers, people, methods, data sets and repositories that came, went, changed, merged
    or split from A to B. The exit code is 1 when anything differs.
    """
    from kg.errors import UsageError
    from kg.pipeline.diff import KINDS, diff, summary

    if wrong := sorted(set(kinds) - set(KINDS)):
        raise UsageError(f"there is no kind {wrong[0]!r}", hint=f"one of {', '.join(KINDS)}")
    found = [d for d in diff(Path(a), Path(b)) if not kinds or d.kind in kinds]
    if format == "json":
        fields = ("kind", "what", "entity", "label", "detail", "others")
        click.echo(json.dumps([{f: getattr(d, f) for f in fields} for d in found], ensure_ascii=False, indent=1))
    else:
        columns = ("kind", "added", "removed", "changed", "merged", "split")
        print_table(columns, [row for row in summary(found) if not kinds or row[0] in kinds], right=columns[1:])
        shown: dict[tuple[str, str], int] = {}
        for d in found:
            number = shown[d.kind, d.what] = shown.get((d.kind, d.what), 0) + 1
            if number <= top:
                detail = f": {d.detail}" if d.detail else ""
                click.echo(clean(f"{d.kind} {d.what}  {d.label} ({d.entity}){detail}"))
        for (kind, what), number in shown.items():
            if number > top:
                click.echo(f"{kind} {what}  … and {number - top:,} more")
    if found:
        raise click.exceptions.Exit(1)

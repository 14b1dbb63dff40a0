"""`kg queries`: the catalogue."""

from __future__ import annotations

import click

from kg.cli.common import print_records


@click.command("queries")
@click.argument("name", required=False)
@click.option("--tag", help="Only queries with this tag.")
@click.option("-f", "--format", "format", type=click.Choice(["table", "csv", "tsv", "json"]), default="table")
def command(name: str | None, tag: str | None, format: str) -> None:
    """List the named queries, or show one with its parameters and its text."""
    from kg.query.catalogue import find, load_catalogue

    if name is None:
        rows = [
            (q.name, q.question, " ".join(f"[{p.name}]" if p.optional else p.name for p in q.params), ", ".join(q.tags))
            for q in load_catalogue().values()
            if not tag or tag in q.tags
        ]
        print_records(("name", "question", "parameters", "tags"), rows, format)
        return
    query = find(name)
    click.echo(f"{query.name}: {query.title}\n{query.question}\n")
    for p in query.params:
        need = "optional" if p.optional else "needed"
        click.echo(f'  -p {p.name}="{p.example}"   ({p.type}, {need})')
    example = " ".join(f'-p {p.name}="{p.example}"' for p in query.params if not p.optional)
    click.echo(f"\nkg query {query.name} {example}".rstrip() + f"\n\n{query.text.strip()}")

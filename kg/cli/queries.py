"""`kg queries`: the catalogue."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kg.cli.common import note, print_records
from kg.errors import ExportError, QueryError

if TYPE_CHECKING:
    from kg.query.catalogue import NamedQuery


@click.command("queries")
@click.argument("name", required=False)
@click.option("--tag", help="Only queries with this tag.")
@click.option("-f", "--format", "format", type=click.Choice(["table", "csv", "tsv", "json"]), default="table")
@click.option("--export", "file", metavar="FILE.ttl", help="Write the catalogue as SHACL executables (- for stdout).")
def command(name: str | None, tag: str | None, format: str, file: str | None) -> None:
    """List the named queries, or show one with its parameters and its text.

    A parameter takes a name, an id or an IRI; one in brackets may be left out.
    """
    from kg.query.catalogue import find, load_catalogue

    if name is not None:
        _show(find(name))
        return
    catalogue = load_catalogue()
    if tag:
        tags = sorted({t for q in catalogue.values() for t in q.tags})
        catalogue = {n: q for n, q in catalogue.items() if tag.casefold() in map(str.casefold, q.tags)}
        if not catalogue:
            raise QueryError(f"no query has the tag {tag!r}", hint=f"tags: {', '.join(tags)}")
    if file:
        _export(catalogue, file)
        return
    rows = [
        (q.name, q.question, " ".join(f"[{p.name}]" if p.optional else p.name for p in q.params), ", ".join(q.tags))
        for q in catalogue.values()
    ]
    print_records(("name", "question", "parameters", "tags"), rows, format)
    if format == "table":
        note(f"{len(rows)} queries; kg queries NAME shows one, kg query NAME -p parameter=value asks it")


def _show(query: NamedQuery) -> None:
    click.echo(f"{query.name}: {query.title}\n{query.question}\ntags: {', '.join(query.tags)}\n")
    width = max((len(p.name) + len(p.example) for p in query.params), default=0) + len('  -p =""')
    for p in query.params:
        given = f'  -p {p.name}="{p.example}"'
        click.echo(f"{given:<{width}}   {p.type}, {'may be left out' if p.optional else 'needed'}")
    example = " ".join(f'-p {p.name}="{p.example}"' for p in query.params if not p.optional)
    click.echo(f"\nkg query {query.name} {example}".rstrip() + f"\n\n{query.text.strip()}")


def _export(catalogue: dict[str, NamedQuery], file: str) -> None:
    from kg.query.publish import catalogue_turtle

    text = catalogue_turtle(catalogue)
    if file == "-":
        click.echo(text, nl=False)
        return
    path = Path(file)
    if path.suffix != ".ttl":
        raise ExportError("the catalogue is written as Turtle", place=file, hint="end the file's name in .ttl")
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise ExportError(f"the file cannot be written: {error.strerror}", place=file) from None
    note(f"{len(catalogue)} queries written to {file}")

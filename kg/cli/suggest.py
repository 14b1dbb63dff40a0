"""`kg suggest`: links that are not there yet."""

from __future__ import annotations

from typing import Any

import click

from kg.cli.common import graph_option, note, print_records
from kg.cli.linking import entity, filter_options, format_option, open_links, read_filter, tell, top_option


@click.command("suggest")
@click.argument("what", type=click.Choice(["people", "datasets", "methods"]))
@click.argument("name")
@graph_option
@click.option("--kind", help="What NAME is, where it means several: person, method, dataset, paper, topic …")
@click.option(
    "--not-with", "out", multiple=True, metavar="PERSON", help="Leave out this person and all who wrote with them."
)
@top_option(10, "suggestions")
@filter_options("role")
@format_option
def command(
    what: str, name: str, graph: str, kind: str | None, out: tuple[str, ...], top: int, format: str, **given: Any
) -> None:
    """People, data sets or methods for NAME that it is not linked with, each with what speaks for it.

    people for a person: who never wrote with them but shares co-authors, data sets, methods or code, each
    counted 1/k where k people have it (resource allocation index; Zhou, Lü and Zhang 2009).

    people for a data set, method, topic or repository, for whom to ask: the authors of papers on it, 1/n for
    a paper of n authors. For a paper: those who work with its methods and data sets, without its authors
    and everyone who wrote with them.

    datasets for a method, methods for a data set, either for a person or a paper: what is named with things
    that share its data sets, but not with it (mass diffusion; Zhou, Ren, Medo and Zhang 2007).
    """
    from kg.links.suggest import suggest

    db, lookup = open_links(graph)
    where = read_filter(lookup, "coauthors", given)
    # A name that is a method and a paper's label means the method, unless --kind says otherwise.
    of = lookup.one(name, kind or _kind_of(lookup, what, name))
    left_out = [lookup.one(person, "person") for person in out]
    tell(lookup)
    found = suggest(db, what, of, top, where, left_out)
    rows: list[tuple[Any, ...]] = []
    for s in found:
        if format == "json":
            because: list[Any] = [{**entity(m), "weight": w} for m, w in s.reasons]
            rows.append((*entity(s.entity).values(), s.score, s.count, because))
        else:
            because = [m.label for m, _ in s.reasons] + (["…"] if s.count > len(s.reasons) else [])
            rows.append((s.entity.label, s.entity.papers, s.score, s.count, because))
    columns = ("iri", "label", "kind") if format == "json" else (what, "papers")
    columns = (*columns, "score", "reasons", "because")
    print_records(columns, rows, format, right=("papers", "score", "reasons"))
    if not found:
        note(
            f"nothing to suggest: {of.label!r} ({of.kind}) shares nothing here with what it is not linked with already"
        )


def _kind_of(lookup: Any, what: str, name: str) -> str | None:
    order = (
        ("person", "dataset", "method", "topic", "repository") if what == "people" else ("method", "dataset", "person")
    )
    asked = {"datasets": "dataset", "methods": "method"}.get(what)
    return next((kind for kind in order if kind != asked and lookup.all(name, kind)), None)

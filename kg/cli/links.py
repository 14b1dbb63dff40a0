"""`kg links`: who and what is linked, and through what."""

from __future__ import annotations

from typing import Any

import click

from kg.cli.common import clean, graph_option, note, print_records
from kg.links.pairs import ENTITY_KIND


@click.command("links")
@click.argument("relation", type=click.Choice(list(ENTITY_KIND)))
@click.argument("a", required=False)
@click.argument("b", required=False)
@graph_option
@click.option("--top", type=click.IntRange(min=1), default=20, show_default=True, help="How many pairs.")
@click.option("--between", "ends", help="What the strongest pairs are: paper, or the relation's own kind.")
@click.option("-f", "--format", "format", type=click.Choice(["table", "csv", "tsv", "json"]), default="table")
def command(relation: str, a: str | None, b: str | None, graph: str, top: int, ends: str | None, format: str) -> None:
    """The strongest pairs of a relation; with A its partners; with A and B why they are linked.

    coauthors: two people and their papers. datasets, methods, code: two papers and the data sets,
    methods or repositories both speak of (--between dataset turns it round: two data sets and the
    papers that use both). A may be a person, a paper, or an entity of the relation.
    """
    from kg.api import Graph

    opened = Graph(graph)
    found = opened.links(relation, a, b, top=top, ends=ends)
    for line in opened.lookup.notes:
        note(line)
    if a and b and format == "table":
        _explain(opened, relation, found)
        return
    what = "papers" if not found or (found[0].shared and found[0].shared[0].kind == "paper") else relation
    columns = ("a", "b", "count", "years", what)
    rows = []
    for pair in found:
        years = (
            "" if pair.first is None else f"{pair.first}-{pair.last}" if pair.first != pair.last else f"{pair.first}"
        )
        shared = [m.label for m in pair.shared] + (["…"] if pair.count > len(pair.shared) else [])
        rows.append((pair.a.label, pair.b.label, pair.count, years, shared))
    if format == "json":
        columns = ("a", "a_iri", "b", "b_iri", "count", "first", "last", what)
        rows = [
            (
                p.a.label,
                p.a.iri,
                p.b.label,
                p.b.iri,
                p.count,
                p.first,
                p.last,
                [{"iri": m.iri, "label": m.label} for m in p.shared],
            )
            for p in found
        ]
    print_records(columns, rows, format, right=("count",))
    if not found:
        note(f"no pair is linked through {relation} here" + (f" with {a!r}" if a else ""))


def _explain(opened: Any, relation: str, found: list[Any]) -> None:
    """Why two entities are linked: the papers or shared entities, with the sentences behind them."""
    from kg.query.index import prefixed

    if not found:
        click.echo(f"not linked through {relation}")
        return
    pair = found[0]
    click.echo(clean(f"{pair.a.label} and {pair.b.label}: {pair.count} in common"))
    for shared in pair.shared:
        click.echo(clean(f"\n{shared.label}  ({shared.kind}, {prefixed(shared.iri)})"))
        if relation == "coauthors":
            continue
        papers = [shared] if shared.kind == "paper" else [m for m in (pair.a, pair.b) if m.kind == "paper"]
        ends = {pair.a.iri, pair.b.iri} if shared.kind == "paper" else {shared.iri}
        for paper in papers:
            for claim in opened.claims(paper.iri):
                if claim.object in ends:
                    click.echo(clean(f"  {paper.label if shared.kind != 'paper' else ''} {_claim(claim)}".rstrip()))
                    for quote in claim.quotes[:1]:
                        click.echo(f"    “{marked(quote)}”")


def _claim(claim: Any) -> str:
    relation = claim.predicate.rsplit("#", 1)[-1]
    return f"[{relation}, {claim.confidence:.2f}{', ' + claim.cue if claim.cue else ''}]"


def marked(quote: Any) -> str:
    """A sentence with the name in bold on a terminal, in brackets elsewhere."""
    s, a, b = quote.sentence, quote.start, quote.end
    before, name, after = clean(s[:a]), clean(s[a:b]), clean(s[b:])
    import sys

    shown = click.style(name, bold=True, underline=True) if sys.stdout.isatty() else f"[{name}]"
    return " ".join(f"{before}{shown}{after}".split())

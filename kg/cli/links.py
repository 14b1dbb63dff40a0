"""`kg links`: who and what is linked, and through what."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from kg.cli.common import clean, graph_option, note, print_records
from kg.cli.endpoint import Endpoint, endpoint_options, open_endpoint, open_graph
from kg.cli.linking import entity, filter_options, format_option, open_links, read_filter, tell, top_option, years
from kg.links.pairs import ENTITY_KIND

if TYPE_CHECKING:
    from kg.links.pairs import Pair


@click.command("links")
@click.argument("relation", type=click.Choice(list(ENTITY_KIND)))
@click.argument("a", required=False)
@click.argument("b", required=False)
@graph_option
@top_option(20, "pairs")
@click.option("--between", "ends", help="What the strongest pairs are: paper, or the relation's own kind.")
@filter_options()
@endpoint_options
@format_option
def command(
    relation: str,
    a: str | None,
    b: str | None,
    graph: str,
    top: int,
    ends: str | None,
    format: str,
    endpoint: Endpoint | None,
    **given: Any,
) -> None:
    """The strongest pairs of a relation; with A its partners; with A and B why they are linked.

    coauthors: two people and their papers. datasets, methods, code: two papers and the data sets,
    methods or repositories both speak of (--between dataset turns it round: two data sets and the
    papers that use both). A may be a person, a paper, or an entity of the relation.

    Each pair has the number of things shared, the years of the papers behind it, and a confidence: that
    of its surest reason, which is as sure as the less sure of its two statements. What a source states
    (who wrote a paper) has confidence 1.
    """
    from kg.links.pairs import between, find_ends, partners, top_pairs

    remote = open_endpoint(endpoint) if endpoint else None
    db, lookup = (None, remote.lookup) if remote else open_links(graph)
    where = read_filter(lookup, relation, given)
    named = find_ends(lookup, relation, *(name for name in (a, b) if name is not None))
    tell(lookup)
    if remote:
        found = remote.pairs(relation, named, top, ends, where)
        for line in remote.store.notes:
            note(line)
    elif len(named) == 2:
        pair = between(db, relation, named[0], named[1], where)
        found = [pair] if pair else []
    else:
        found = partners(db, relation, named[0], top, where) if named else top_pairs(db, relation, top, ends, where)
    if len(named) == 2 and format == "table":
        _explain(graph, endpoint, relation, found, where.words())
        return
    _print(relation, found, format)
    if not found:
        filtered = f" ({where.words()})" if where else ""
        note(f"no pair is linked through {relation} here{filtered}" + (f" with {named[0].label!r}" if named else ""))


def _print(relation: str, found: list[Pair], format: str) -> None:
    what = "papers" if not found or (found[0].shared and found[0].shared[0].kind == "paper") else relation
    if format == "json":
        columns = ("a", "a_iri", "b", "b_iri", "count", "first", "last", "confidence", what)
        rows: list[tuple[Any, ...]] = []
        for p in found:
            shared = [entity(m) for m in p.shared]
            rows.append(
                (p.a.label, p.a.iri, p.b.label, p.b.iri, p.count, p.first, p.last, _rounded(p.confidence), shared)
            )
        print_records(columns, rows, format)
        return
    rows = []
    for p in found:
        shown = [m.label for m in p.shared] + (["…"] if p.count > len(p.shared) else [])
        rows.append((p.a.label, p.b.label, p.count, years(p.first, p.last), _rounded(p.confidence), shown))
    print_records(("a", "b", "count", "years", "confidence", what), rows, format, right=("count", "confidence"))


def _rounded(confidence: float | None) -> float | None:
    return None if confidence is None else round(confidence, 2)


def _explain(graph: str, endpoint: Endpoint | None, relation: str, found: list[Pair], filtered: str) -> None:
    """Why two entities are linked: the papers or shared entities, with the sentences behind them."""
    from kg.query.index import prefixed

    if not found:
        click.echo(f"not linked through {relation}" + (f" ({filtered})" if filtered else ""))
        return
    pair, opened = found[0], open_graph(graph, endpoint)
    span = years(pair.first, pair.last)
    sure = "" if pair.confidence is None else f", confidence {pair.confidence:.2f}"
    click.echo(clean(f"{pair.a.label} and {pair.b.label}: {pair.count} in common{', ' + span if span else ''}{sure}"))
    for shared in pair.shared:
        click.echo(clean(f"\n{shared.label}  ({shared.kind}, {prefixed(shared.iri)})"))
        if relation == "coauthors":
            continue
        papers = [shared] if shared.kind == "paper" else [m for m in (pair.a, pair.b) if m.kind == "paper"]
        ends = {pair.a.iri, pair.b.iri} if shared.kind == "paper" else {shared.iri}
        for paper in papers:
            for claim in opened.claims(paper.iri):
                if claim.object in ends and claim.review != "rejected":
                    click.echo(clean(f"  {paper.label if shared.kind != 'paper' else ''} {_claim(claim)}".rstrip()))
                    for quote in claim.quotes[:1]:
                        click.echo(f"    “{marked(quote)}”")


def _claim(claim: Any) -> str:
    relation = claim.predicate.rsplit("#", 1)[-1]
    review = f", {claim.review} by a person" if claim.review else ""
    return f"[{relation}, {claim.confidence:.2f}{', ' + claim.cue if claim.cue else ''}{review}]"


def marked(quote: Any) -> str:
    """A sentence with the name in bold on a terminal, in brackets elsewhere."""
    s, a, b = quote.sentence, quote.start, quote.end
    before, name, after = clean(s[:a]), clean(s[a:b]), clean(s[b:])
    shown = click.style(name, bold=True, underline=True) if sys.stdout.isatty() else f"[{name}]"
    return " ".join(f"{before}{shown}{after}".split())

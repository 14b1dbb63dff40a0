"""`kg show`: one entity, with what is known and why."""

from __future__ import annotations

import click

from kg.cli.common import clean, graph_option
from kg.cli.endpoint import Endpoint, endpoint_options, open_graph, tell_notes
from kg.cli.links import _claim, marked
from kg.ids import iri

_FACTS = "SELECT ?p ?o WHERE { $e ?p ?o }"
_PAPERS = "SELECT DISTINCT ?p ?paper WHERE { ?paper ?p $e }"
_REASONS = """SELECT ?p ?o ?why ?file ?place WHERE { ?m rdf:subject $e ; kg:matchReason ?why ; rdf:predicate ?p ;
    rdf:object ?o ; kg:place ?place OPTIONAL { ?m prov:wasDerivedFrom/schema:name ?file } }"""
_SKIP = {"abstract", "hasAuthorship", "mentionsMethod", "mentionsDataset", "type", "wasDerivedFrom"}


@click.command("show")
@click.argument("entity")
@graph_option
@click.option("--kind", help="paper, person, method, dataset, repository, topic or venue, where a name means several.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Papers to list.")
@endpoint_options
def command(entity: str, graph: str, kind: str | None, limit: int, endpoint: Endpoint | None) -> None:
    """Show what the graph knows of ENTITY (any name, id or IRI), with the sentences behind it."""
    import pyoxigraph as ox

    from kg.query.index import prefixed

    opened = open_graph(graph, endpoint)
    found = opened.find(entity, kind)
    tell_notes(opened)
    click.secho(clean(found.label), bold=True)
    click.echo(f"{found.kind}  {found.iri}")
    term = ox.NamedNode(found.iri)
    labels = {}
    facts = sorted(opened._ask(_FACTS, bindings={"e": term}), key=str)
    opened.lookup.prepare(o.value for _, o in facts if isinstance(o, ox.NamedNode))
    reasons = {}
    if found.kind in ("method", "dataset", "topic"):
        for p, o, why, file, place in opened._ask(_REASONS, bindings={"e": term}):
            where = f"{file.value}, {place.value}" if file else place.value
            reasons[p, o] = f"{why.value} ({where})"
    for p, o in facts:
        name = prefixed(p.value)
        if name.rsplit(":", 1)[-1] in _SKIP:
            continue
        value = o.value
        if isinstance(o, ox.NamedNode) and (known := opened.lookup.all(value)):
            labels[value] = known[0].label
            value = f"{known[0].label}  ({prefixed(value)})"
        click.echo(clean(f"  {name:<28} {' '.join(value.split())}"))
        if (p, o) in reasons:
            click.echo(clean(f"  {'':<28}   because: {reasons[p, o]}"))
    if found.kind == "paper":
        claims = opened.claims(found.iri)
        if claims:
            click.echo("\nwhat the text says")
        for claim in claims:
            click.echo(clean(f"  {labels.get(claim.object, claim.object)} {_claim(claim)}"))
            for quote in claim.quotes[:2]:
                click.echo(f"    “{marked(quote)}”")
        return
    by_relation: dict[str, list[str]] = {}
    for p, paper in opened._ask(_PAPERS, bindings={"e": term}):
        if not paper.value.startswith(iri("paper", "")) or "#" in paper.value:
            continue
        by_relation.setdefault(prefixed(p.value), []).append(paper.value)
    for relation in sorted(by_relation):
        if relation.rsplit(":", 1)[-1] in _SKIP:
            continue
        papers = sorted(by_relation[relation])
        click.echo(f"\npapers by {relation} ({len(papers)})")
        opened.lookup.prepare(papers[:limit])
        for paper in papers[:limit]:
            match = opened.lookup.all(paper)[0]
            click.echo(clean(f"  {match.label}  ({prefixed(paper)})"))
            if found.kind in ("method", "dataset", "repository"):
                for claim in opened.claims(paper):
                    if claim.object == found.iri and claim.quotes and claim.review != "rejected":
                        click.echo(f"    “{marked(claim.quotes[0])}” {_claim(claim)}")
        if len(papers) > limit:
            click.echo(f"  … and {len(papers) - limit} more (--limit)")

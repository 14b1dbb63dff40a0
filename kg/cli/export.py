"""`kg export`: the graph, or a part of it, as a file."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from kg.cli.common import graph_option, note

KINDS = ("paper", "person", "method", "dataset", "repository", "topic", "venue")


@click.command("export")
@graph_option
@click.option("-o", "--output", required=True, type=click.Path(), help="File to write; its suffix says how.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Only this kind; repeatable.")
@click.option("--topic", default="", help="Only papers of this topic or a narrower one.")
@click.option("--year", type=int, help="Only papers of this year.")
@click.option("--from", "first", type=int, help="Only papers of this year or later.")
@click.option("--to", "last", type=int, help="Only papers of this year or earlier.")
@click.option("--venue", default="", help="Only papers of this venue.")
@click.option("--query", default="", metavar="NAME", help="Only papers that this question's answer names.")
@click.option("-p", "--param", "params", multiple=True, metavar="NAME=VALUE", help="A parameter of --query.")
@click.option("--around", default="", metavar="ENTITY", help="Only what lies around an entity.")
@click.option("--hops", type=click.IntRange(min=0), help="How far around; 1 if left out.")
@click.option("--evidence/--no-evidence", default=True, show_default=True, help="With assertions and quotes.")
@click.option(
    "--rdf12",
    is_flag=True,
    help="Assertions as RDF 1.2 triple terms: for readers of RDF 1.2 like Oxigraph 0.5; rdflib 7 cannot read them.",
)
@click.option(
    "--positions/--no-positions", default=None, help="Lay out .graphml, .gexf, .cyjs. [default: up to 50,000 nodes]"
)
def command(
    graph: str,
    output: str,
    kinds: tuple[str, ...],
    topic: str,
    year: int | None,
    first: int | None,
    last: int | None,
    venue: str,
    query: str,
    params: tuple[str, ...],
    around: str,
    hops: int | None,
    evidence: bool,
    rdf12: bool,
    positions: bool | None,
) -> None:
    """Write the graph, or the part that the options leave.

    RDF: .ttl .nt .nq .trig .jsonld .rdf. Networks: .graphml .gexf .cyjs. References: .bib .ris
    .csl.json. Each also with .gz or .zst. Folders of tables: .csv .parquet .neo4j (bulk import).
    """
    from kg.api import Graph
    from kg.cli.query import _parameter
    from kg.export import Selection, export, selected
    from kg.export.write import suffix_of

    if year is not None and (first is not None or last is not None):
        raise click.UsageError("--year says it all; leave out --from and --to")
    if first is not None and last is not None and first > last:
        raise click.UsageError(f"no year is from {first} on and up to {last}; --from is the earlier year")
    if hops is not None and not around:
        raise click.UsageError("--hops belongs to --around ENTITY")
    if params and not query:
        raise click.UsageError("-p belongs to --query NAME")
    path = Path(output)
    suffix_of(path)  # a wrong suffix is told before any work
    wanted = Selection(
        kinds=kinds,
        topic=topic,
        first=year if year is not None else first,
        last=year if year is not None else last,
        venue=venue,
        query=query,
        params=dict(_parameter(p) for p in params),
        around=around,
        hops=1 if hops is None else hops,
    )
    opened = Graph(graph)
    with ExitStack() as stack:
        store = opened.store
        if wanted != Selection():
            store = stack.enter_context(selected(store, opened.index, opened.lookup, wanted))
        for line in opened.lookup.notes:
            note(line)
        export(store, path, evidence=evidence, rdf12=rdf12, positions=positions)
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    click.echo(f"{output}: {sum(f.stat().st_size for f in files):,} bytes")

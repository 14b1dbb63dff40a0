"""`kg rank`: who or what stands in the middle, and who joins the groups."""

from __future__ import annotations

from typing import Any

import click

from kg.cli.common import graph_option, note, print_records
from kg.cli.linking import entity, filter_options, format_option, grouped, open_links, read_filter, top_option
from kg.cli.progress import Bar


@click.command("rank")
@click.argument("kind", type=click.Choice(["people", "methods", "datasets"]))
@graph_option
@click.option(
    "--by", type=click.Choice(["pagerank", "bridges"]), default="pagerank", show_default=True, help="What counts."
)
@top_option(20, "of them")
@filter_options("role")
@format_option
def command(kind: str, graph: str, by: str, top: int, format: str, **given: Any) -> None:
    """The central people, methods or datasets, or those that join communities.

    pagerank: what a random walker over the joints (see kg communities) visits most, as a multiple of the
    mean (Brin and Page 1998, damping 0.85). It knows how strong a joint is and takes seconds on a large
    graph, where betweenness takes hours.

    bridges: the weight of all joints, times the participation coefficient, 1 minus the sum of squares of
    the shares that go to each community (Guimerà and Amaral 2005): much, and spread over many communities.

    partners: the closest; of a bridge the closest in each community, with its number.
    """
    from kg.links.groups import rank

    db, lookup = open_links(graph)
    where = read_filter(lookup, "coauthors", given)
    with Bar() as bar:
        groups = grouped(db, kind, where, bar)
        bar.step("ranking", None)
        found = rank(groups, by, top)
    rows: list[tuple[Any, ...]] = []
    for i, r in enumerate(found, 1):
        if format == "json":
            partners: list[Any] = [{**entity(m), "weight": w, "community": c} for m, w, c in r.partners]
            rows.append((i, *entity(r.entity).values(), r.entity.papers, r.score, r.community, partners))
        else:
            partners = [f"{m.label} ({c})" if by == "bridges" else m.label for m, _, c in r.partners]
            rows.append((i, r.entity.label, r.entity.papers, round(r.score, 2), r.community, partners))
    columns = ("rank", "iri", "label", "kind") if format == "json" else ("rank", "name")
    columns = (*columns, "papers", by, "community", "partners")
    print_records(columns, rows, format, right=("rank", "papers", by, "community"))
    if not found:
        note(f"no {kind} are joined here: nothing to rank")

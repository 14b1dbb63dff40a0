"""`kg communities`: who or what belongs together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kg.cli.common import graph_option, note, print_records
from kg.cli.linking import (
    entity,
    filter_options,
    format_option,
    grouped,
    open_links,
    read_filter,
    tell,
    top_option,
    years,
)  # fmt: skip
from kg.cli.progress import Bar

if TYPE_CHECKING:
    from kg.links.groups import Community, Groups

KINDS = {"people": "person", "methods": "method", "datasets": "dataset"}


@click.command("communities")
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.argument("name", required=False)
@graph_option
@top_option(20, "communities, or members")
@filter_options("role")
@format_option
def command(kind: str, name: str | None, graph: str, top: int, format: str, **given: Any) -> None:
    """The communities of people, methods or datasets, the largest first; with NAME the members of its own.

    Two people are joined by the papers they wrote, two methods or data sets by the papers that name both;
    a paper of n such adds 1/(n - 1) to each pair (Newman 2001). Communities are found by the Leiden method
    (Traag, Waltman and van Eck 2019, modularity, fixed seed): denser inside than towards others. They have
    numbers, not names, and the numbers change when the graph does.

    central: the members of highest PageRank. typical: the methods and data sets that the papers of the
    community name more than others do (n times log of all papers by papers that name it).
    """
    from kg.links.groups import list_communities, members

    db, lookup = open_links(graph)
    where = read_filter(lookup, "coauthors", given)
    named = lookup.one(name, KINDS[kind]) if name else None
    tell(lookup)
    with Bar() as bar:
        groups = grouped(db, kind, where, bar)
        bar.step("describing them", None)
        if named is None:
            listed = list_communities(groups, top)
        else:
            number = int(groups.community[groups.position(named)])
            found = members(groups, number, top)
    if named is None:
        _print(groups, listed, format)
        return
    total = int((groups.community == number).sum())
    if format == "json":
        rows: list[tuple[Any, ...]] = [
            (r.community, *entity(r.entity).values(), r.entity.papers, r.score, [entity(m) for m, _, _ in r.partners])
            for r in found
        ]
        print_records(("community", "iri", "label", "kind", "papers", "pagerank", "closest"), rows, format)
    else:
        rows = [
            (r.entity.label, r.entity.papers, round(r.score, 2), [m.label for m, _, _ in r.partners]) for r in found
        ]
        print_records(("member", "papers", "pagerank", "closest"), rows, format, right=("papers", "pagerank"))
    note(f"{named.label} is in community {number} of {total} {kind}; the mean PageRank is 1")


def _print(groups: Groups, found: list[Community], format: str) -> None:
    columns: tuple[str, ...] = ("community", "members", "papers", "years", "central", "typical")
    if format == "json":
        columns = ("community", "members", "papers", "first", "last", "central", "typical")
        rows: list[tuple[Any, ...]] = [
            (
                c.number,
                c.members,
                c.papers,
                c.first,
                c.last,
                [entity(m) for m in c.central],
                [entity(m) for m in c.typical],
            )
            for c in found
        ]
    else:
        rows = [
            (
                c.number,
                c.members,
                c.papers,
                years(c.first, c.last),
                [m.label for m in c.central],
                [m.label for m in c.typical],
            )
            for c in found
        ]
    print_records(columns, rows, format, right=("community", "members", "papers"))
    if not found:
        note(f"no {groups.kind} here: nothing to group")
    else:
        note(
            f"{int(groups.community.max()):,} communities of {len(groups.numbers):,} {groups.kind}, alone ones included"
        )

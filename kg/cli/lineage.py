"""`kg lineage`: what came of a method, and where it comes from."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from kg.cli.common import clean, graph_option, print_records
from kg.cli.linking import entity, filter_options, open_links, read_filter, tell

if TYPE_CHECKING:
    from rich.tree import Tree

    from kg.links.lineage import Node


@click.command("lineage")
@click.argument("method")
@graph_option
@click.option("--depth", type=click.IntRange(1, 6), default=2, show_default=True, help="Levels below the method.")
@click.option("--width", type=click.IntRange(1, 200), default=8, show_default=True, help="Methods below each.")
@click.option("--back", is_flag=True, help="What it was made from, not what came of it.")
@filter_options("role")
@click.option("-f", "--format", "format", type=click.Choice(["tree", "csv", "tsv", "json"]), default="tree")
def command(method: str, graph: str, depth: int, width: int, back: bool, format: str, **given: Any) -> None:
    """What came of METHOD: the methods proposed by papers that use it, and so on, as a tree.

    B stands below A when a paper of the year in which B was first proposed proposes B and uses A. Most used
    ones first; each with its year, its number of users and the paper that makes the link. A method that
    stands elsewhere in the tree is followed up there (↑). The texts say "use", not "build on".
    """
    from kg.links.lineage import lineage

    db, lookup = open_links(graph)
    where = read_filter(lookup, "coauthors", given)
    of = lookup.one(method, "method")
    tell(lookup)
    root = lineage(db, of, depth=depth, width=width, back=back, where=where)
    if format == "json":
        click.echo(json.dumps(_as_json(root), ensure_ascii=False, indent=1))
    elif format == "tree":
        _draw(root, back)
    else:
        columns = ("level", "method", "year", "users", "from", "through")
        print_records(columns, list(_rows(root)), format)


def _as_json(node: Node) -> dict[str, Any]:
    return {
        **entity(node.method),
        "year": node.year,
        "users": node.users,
        "proposed_by": [entity(p) for p in node.proposed_by],
        "through": [entity(p) for p in node.through],
        "seen": node.seen,
        "more": node.more,
        "children": [_as_json(c) for c in node.children],
    }


def _rows(node: Node, level: int = 0, above: str = "") -> Any:
    yield level, node.method.label, node.year, node.users, above, [p.label for p in node.through]
    for child in node.children:
        yield from _rows(child, level + 1, node.method.label)


def _draw(root: Node, back: bool) -> None:
    from rich.console import Console
    from rich.text import Text
    from rich.tree import Tree

    def add(node: Node, to: Tree | None) -> Tree:
        about = [str(node.year)] if node.year else ["proposed by no paper here"]
        about.append(f"used by {node.users} paper{'' if node.users == 1 else 's'}")
        line = Text(clean(node.method.label), style="bold")
        line.append(clean(f"  {', '.join(about)}{'  ↑' if node.seen else ''}"), style="not bold")
        if paper := (node.through or node.proposed_by)[:1]:
            line.append(clean(f"  “{paper[0].label}”"), style="not bold dim")
        branch = to.add(line) if to is not None else Tree(line)
        for child in node.children:
            add(child, branch)
        if node.more:
            branch.add(Text(f"… and {node.more} more (--width)"))
        return branch

    tree = add(root, None)
    terminal = sys.stdout.isatty()
    console = Console() if terminal else Console(width=100_000, no_color=True, highlight=False)
    with console.capture() as capture:
        console.print(tree, soft_wrap=not terminal)
    for text in capture.get().splitlines():
        click.echo(text.rstrip())
    if not root.children:
        click.echo(f"no paper here that {'proposes it uses' if back else 'uses it proposes'} another method", err=True)

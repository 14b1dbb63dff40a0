"""What the commands about links share: the index alone (no store to open), and the options that filter."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kg.cli.common import note

if TYPE_CHECKING:
    from kg.cli.progress import Bar
    from kg.links.filters import Filter
    from kg.links.groups import Groups
    from kg.query.lookup import Lookup

F = TypeVar("F", bound=Callable[..., Any])

FORMATS = click.Choice(["table", "csv", "tsv", "json"])
format_option = click.option("-f", "--format", "format", type=FORMATS, default="table", show_default=True)


def top_option(default: int, what: str) -> Callable[[F], F]:
    """Adds `--top N`."""
    return click.option(
        "--top", type=click.IntRange(min=1), default=default, show_default=True, help=f"How many {what}."
    )


def filter_options(*left_out: str) -> Callable[[F], F]:
    """Adds --year, --from, --to, --venue, --topic, --role and --min-confidence, as far as not left out.

    They reach the command as year, first, last, venue, topic, role, min_confidence.
    """
    options = {
        "min_confidence": click.option(
            "--min-confidence",
            type=click.FloatRange(0, 1),
            default=0.0,
            help="Leave out statements less sure than this (0 to 1).",
        ),
        "role": click.option("--role", help="proposed, used, introduced, own or mentioned."),
        "topic": click.option("--topic", help="Only papers of this topic and those below it."),
        "venue": click.option("--venue", help="Only papers of this venue."),
        "last": click.option("--to", "last", type=int, metavar="YEAR", help="Only papers up to this year."),
        "first": click.option("--from", "first", type=int, metavar="YEAR", help="Only papers from this year on."),
        "year": click.option("--year", type=int, help="Only papers of this year."),
    }

    def add(function: F) -> F:
        for name, option in options.items():
            if name not in left_out:
                function = option(function)
        return function

    return add


def grouped(db: sqlite3.Connection, kind: str, where: Filter, bar: Bar) -> Groups:
    """The groups of a kind with their communities, which take seconds on a large graph."""
    from kg.links.groups import find_groups

    bar.step(f"joining {kind} by their papers", None)
    groups = find_groups(db, kind, where)
    bar.step("finding communities", None)
    groups.community  # noqa: B018  (computed now, and kept)
    return groups


def open_links(graph: str) -> tuple[sqlite3.Connection, Lookup]:
    """The index of a graph folder and the names in it.

    Raises:
        GraphError: there is no graph, or its index cannot be read.
    """
    from kg.pipeline.folder import Folder
    from kg.query.index import open_index
    from kg.query.lookup import Lookup

    db = open_index(Folder(Path(graph)).current()[1] / "index.sqlite")
    return db, Lookup(db)


def read_filter(lookup: Lookup, relation: str | None, given: dict[str, Any]) -> Filter:
    """The filter that the options of `filter_options` say."""
    from kg.links.filters import make_filter

    return make_filter(lookup, relation, **given)


def tell(lookup: Lookup) -> None:
    """Says on standard error what a name was taken for."""
    for line in dict.fromkeys(lookup.notes):
        note(line)


def years(first: int | None, last: int | None) -> str:
    """A span of years for people: "2019-2024", "2024", or nothing."""
    return "" if first is None else f"{first}" if first == last else f"{first}-{last}"


def entity(match: Any) -> dict[str, Any]:
    """An entity in JSON."""
    return {"iri": match.iri, "label": match.label, "kind": match.kind}

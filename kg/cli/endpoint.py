"""The options of commands that can ask a SPARQL endpoint instead of a graph folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from kg.cli.common import note

if TYPE_CHECKING:
    from kg.api import Graph
    from kg.remote import RemoteGraph

F = TypeVar("F", bound=Callable[..., Any])


class Endpoint(NamedTuple):
    """A server to ask: address of its query service, name of a user, graphs that make up the data set."""

    url: str
    user: str
    default_graphs: tuple[str, ...]


def endpoint_options(function: F) -> F:
    """Adds --endpoint, --user and --default-graph; the command gets them as `endpoint`, None where not given."""

    @wraps(function)
    def wrapper(*args: Any, endpoint: str, user: str, default_graphs: tuple[str, ...], **more: Any) -> Any:
        if not endpoint and (user or default_graphs):
            raise click.UsageError("--user and --default-graph belong to --endpoint URL")
        more["endpoint"] = Endpoint(endpoint, user, default_graphs) if endpoint else None
        return function(*args, **more)

    for option in (
        click.option("--default-graph", "default_graphs", multiple=True, metavar="IRI",
                     help="Ask this graph of the endpoint; repeatable."),
        click.option("--user", default="", help="Log in there; password in $KG_PASSWORD or ~/.netrc."),
        click.option("--endpoint", default="", metavar="URL", help="Ask this SPARQL endpoint instead of a folder."),
    ):  # fmt: skip
        wrapper = option(wrapper)
    return wrapper  # type: ignore[return-value]


def open_endpoint(endpoint: Endpoint, timeout: float | None = None) -> RemoteGraph:
    """The graph of an endpoint; no connection is made before the first question."""
    from kg.remote import RemoteGraph

    graphs, user = endpoint.default_graphs, endpoint.user
    return RemoteGraph(endpoint.url, default_graphs=graphs, user=user, timeout=timeout or 300.0)


def open_graph(graph: str, endpoint: Endpoint | None, timeout: float | None = None) -> Graph:
    """The graph of a folder, or of an endpoint where one is given."""
    from kg.api import Graph

    return open_endpoint(endpoint, timeout) if endpoint else Graph(graph)


def tell_notes(opened: Graph) -> None:
    """Says on standard error what a name was taken for, and what the server left out."""
    for line in dict.fromkeys([*opened.lookup.notes, *getattr(opened.store, "notes", ())]):
        note(line)

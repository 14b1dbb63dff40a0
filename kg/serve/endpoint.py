"""A graph that another SPARQL endpoint holds, served from here.

What the explorer counts and draws needs an index and a layout, so names, kinds and edges are fetched once, at the
start; everything else (statements, evidence, queries) is asked there when it is wanted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from kg.errors import EndpointError
from kg.query.index import _CLASSES, _WANTED, build_index, prefixed
from kg.query.run import ask
from kg.store.remote import RemoteStore
from kg.store.results import python_value
from kg.text import digest
from kg.vocab import EVIDENCE_GRAPH, KG, RDF, SCHEMA

MOST_PAPERS = 100_000  # of a graph whose edges are fetched


class Endpoint(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a process needs to ask an endpoint; see `RemoteStore`. The password stays in the environment."""

    url: str
    user: str = ""
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()
    plain_graphs: tuple[str, ...] = ()

    @classmethod
    def of(cls, store: RemoteStore, user: str = "") -> Endpoint:
        """The endpoint of a store that knows which graphs to ask."""
        return cls(store.connection.url, user, store.default_graphs, store.named_graphs, store.plain_graphs)

    def open(self, timeout: float = 300.0) -> RemoteStore:
        """The store; no connection is made yet."""
        store = RemoteStore(self.url, default_graphs=self.default_graphs, named_graphs=self.named_graphs,
                            user=self.user, timeout=timeout)  # fmt: skip
        store.plain_graphs = self.plain_graphs
        return store


def fetch_index(store: RemoteStore, folder: Path, step: Callable[[str], None] = lambda name: None) -> str:
    """Makes the index of an endpoint's graph in a folder, and gives a name for what was fetched.

    Raises:
        EndpointError: the endpoint is not reached, holds too many papers, or cuts its answers off.
    """
    counted = ask(store, f"SELECT (COUNT(DISTINCT ?p) AS ?n) WHERE {{ ?p a <{SCHEMA.ScholarlyArticle}> }}")
    papers = int(str(next(iter(counted))[0].value))  # type: ignore[union-attr]
    if papers > MOST_PAPERS:
        raise EndpointError(
            f"the graph has {papers:,} papers; at most {MOST_PAPERS:,} can be fetched to be drawn",
            place=store.connection.url,
            hint="kg query, links, show, path and view ask the endpoint without that; or build the graph here",
        )
    build_index(_lines(store, step), folder / "index.sqlite").close()
    (folder / "complete").touch()
    return digest(store.connection.url, str(time.time_ns()), length=12)


def _lines(store: RemoteStore, step: Callable[[str], None]) -> Iterator[str]:
    """The statements an index is made of, as N-Quads."""
    classes = " ".join(f"<{c}>" for c in sorted(_CLASSES))
    for predicate in sorted(map(str, _WANTED)):
        step(prefixed(predicate))
        chosen = f"VALUES ?o {{ {classes} }} " if predicate == RDF.type else ""
        where = f"WHERE {{ {chosen}?s <{predicate}> ?o }}"
        (count,) = next(iter(ask(store, f"SELECT (COUNT(*) AS ?n) {where}")))
        expected = int(str(python_value(count)))
        graph = f" <{EVIDENCE_GRAPH}>" if predicate == KG.confidence else ""
        found = 0
        for s, p, o in ask(store, f"CONSTRUCT {{ ?s <{predicate}> ?o }} {where}") if expected else ():
            found += 1
            yield f"{s} {p} {o}{graph} .\n"
        if found < expected:
            raise EndpointError(
                f"the server gave {found:,} of {expected:,} statements of {prefixed(predicate)}",
                place=store.connection.url,
                hint="raise the server's limit of rows",
            )

"""Sends a graph to a server (https://www.w3.org/TR/sparql11-http-rdf-update/), in pieces that may be sent twice.

There are no blank nodes in it, so the pieces of a graph mean the same together as apart, and a piece that
arrives twice changes nothing: after any failure the same command goes on where it stopped.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from kg.errors import EndpointError, UsageError
from kg.store.http import Connection, checked
from kg.store.oxigraph import OxigraphStore

_TYPE = {"Content-Type": "text/turtle"}  # N-Triples is Turtle, which every server reads
# Where known servers have their graph store, by how the address of the query service ends.
_BESIDE = {"/query": "/store", "/sparql": "/sparql-graph-crud-auth"}


def graph_store_of(endpoint: str) -> str:
    """The graph store beside a query service, as Oxigraph (/query) and Virtuoso (/sparql) have it.

    Raises:
        UsageError: the address says nothing of the sort.
    """
    for end, store in _BESIDE.items():
        if checked(endpoint).rstrip("/").endswith(end):
            return endpoint.rstrip("/").removesuffix(end) + store
    raise UsageError(
        f"the graph store of {endpoint} is not known",
        hint="--graph-store URL: Fuseki …/DATASET/data, GraphDB …/repositories/NAME/rdf-graphs/service",
    )


class Push:
    """One transfer of a graph to a server.

    Attributes:
        connection: to the server's graph store.
        resumed: statements that an earlier, broken transfer of the same graph had sent.
    """

    def __init__(self, connection: Connection, state: Path, name: str, chunk: int = 50_000) -> None:
        """Looks for an earlier transfer that broke off.

        Args:
            state: file that remembers how far the transfer is. name: of this state of the graph: an earlier
                transfer of another one is not continued. chunk: statements in one request.
        """
        self.connection, self._state, self._chunk = connection, state, chunk
        self._of = {"graph": name, "store": connection.url, "chunk": chunk}
        self._sent: dict[str, int] = {}
        try:
            before = json.loads(state.read_text("utf-8"))
            if {k: before.get(k) for k in self._of} == self._of:
                self._sent = {str(k): int(v) for k, v in before["sent"].items()}
        except (OSError, ValueError, KeyError, AttributeError):
            pass
        self.resumed = sum(self._sent.values())

    def send(self, store: OxigraphStore, graph: str, into: str, advance: Callable[[int], None] = lambda n: None) -> int:
        """Replaces a graph of the server by one of a store, piece by piece; gives the number of statements.

        Args:
            graph: IRI in the store, into: on the server; "" for the default graph.
            advance: told how many more statements are there.

        Raises:
            EndpointError: the server refuses or is lost; what was sent is remembered.
        """
        params = {"graph": into} if into else {"default": ""}
        done = self._sent.get(into, 0)
        advance(done)
        lines = _lines(store, graph)
        next(islice(lines, done, done), None)
        while piece := list(islice(lines, self._chunk)):
            # The first piece replaces what was there, the others add to it.
            self.connection.send("POST" if done else "PUT", data="".join(piece).encode(), params=params, headers=_TYPE)
            done += len(piece)
            self._remember(into, done)
            advance(len(piece))
        return done

    def send_whole(
        self, store: OxigraphStore, graph: str, into: str, advance: Callable[[int], None] = lambda n: None
    ) -> int:
        """As `send`, but in one request: on a server with transactions readers see the old graph or the new."""
        params = {"graph": into} if into else {"default": ""}
        with tempfile.TemporaryDirectory(prefix="kg-push-") as folder:
            path, n = Path(folder) / "graph.nt", 0
            with open(path, "w", encoding="utf-8", newline="") as out:
                for n, line in enumerate(_lines(store, graph), 1):  # noqa: B007
                    out.write(line)
            self.connection.send("PUT", data=path, params=params, headers=_TYPE)
        advance(n)
        return n

    def finish(self) -> None:
        """The graph is there: nothing is left to go on with."""
        self._state.unlink(missing_ok=True)

    def _remember(self, into: str, done: int) -> None:
        self._sent[into] = done
        temporary = self._state.with_name(f".{self._state.name}.{os.getpid()}.tmp")
        try:
            temporary.write_text(json.dumps({**self._of, "sent": self._sent}), "utf-8")
            os.replace(temporary, self._state)
        except OSError:
            temporary.unlink(missing_ok=True)  # a graph that cannot be written is sent from the start next time


def check_counts(ask: Callable[[str], Any], sent: dict[str, int], place: str) -> None:
    """Counts what a server holds of each graph (IRI, or "" for its default graph).

    Raises:
        EndpointError: it is not what was sent.
    """
    for graph, n in sent.items():
        pattern = f"GRAPH <{graph}> {{ ?s ?p ?o }}" if graph else "?s ?p ?o"
        found = next(int(row[0].value) for row in ask(f"SELECT (COUNT(*) AS ?n) WHERE {{ {pattern} }}"))
        if found != n:
            raise EndpointError(
                f"{n:,} statements were sent to the graph <{graph}>, and the server counts {found:,}",
                place=place,
                hint="the same command sends them again; see whether someone else writes there",
            )


def _lines(store: OxigraphStore, graph: str) -> Iterator[str]:
    """The statements of a graph as N-Triples, in the order of the store on disk, which stays the same."""
    name = ox.NamedNode(graph) if graph else ox.DefaultGraph()
    for q in store.raw.quads_for_pattern(None, None, None, name):
        yield f"{q.subject} {q.predicate} {q.object} .\n"

"""The Python side: one object for a graph folder, with what the commands do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.errors import QueryError
from kg.links import pairs
from kg.links.paths import Step, shortest_path
from kg.links.sentences import Claim, claims_of
from kg.pipeline.folder import Folder, Manifest
from kg.query.catalogue import find
from kg.query.index import open_index
from kg.query.lookup import Lookup, Match
from kg.query.run import ask, run_named, run_text
from kg.store.oxigraph import OxigraphStore
from kg.store.results import Result

if TYPE_CHECKING:
    import networkx as nx
    import rdflib


class Graph:
    """A graph folder, opened for reading.

    Attributes:
        path: the folder. manifest: what the graph is made of.
    """

    def __init__(self, path: str | Path = "graph") -> None:
        """Opens the graph.

        Raises:
            GraphError: there is no graph in the folder, or it cannot be read.
        """
        self.path = Path(path)
        self.manifest: Manifest
        self.manifest, self._current = Folder(self.path).current()

    @cached_property
    def store(self) -> OxigraphStore:
        """The statements."""
        return OxigraphStore.open(self._current / "store")

    @cached_property
    def lookup(self) -> Lookup:
        """Names to entities."""
        return Lookup(self.index)

    @cached_property
    def index(self) -> Any:
        return open_index(self._current / "index.sqlite")

    @property
    def counts(self) -> dict[str, int]:
        """How many papers, people, … the graph holds."""
        return dict(self.manifest.counts)

    def query(self, query: str, params: Mapping[str, object] | None = None, **more: object) -> Result:
        """Runs a named query or a SPARQL text.

        Args:
            query: a name of the catalogue ("coauthors") or SPARQL with the usual prefixes bound.
            params: parameter name -> value; keyword arguments are the same.

        Raises:
            QueryError: the query or a parameter is wrong, or a name is not in the graph.
        """
        values = {k: str(v) for k, v in {**(params or {}), **more}.items()}
        if not query.strip():
            raise QueryError("the query is empty", hint="kg queries lists the catalogue")
        if any(c in query for c in "{\n "):
            return run_text(self.store, query, values)
        return run_named(self.store, self.lookup, find(query), values)

    def rows(self, query: str, **params: object) -> list[dict[str, Any]]:
        """The rows of a query as dictionaries of plain values."""
        from kg.store.results import python_value

        result = self.query(query, params)
        return [dict(zip(result.variables, map(python_value, row), strict=True)) for row in result]

    def find(self, name: str, kind: str | None = None) -> Match:
        """The entity with this name, id or IRI."""
        return self.lookup.one(name, kind)

    def links(
        self, relation: str, a: str | None = None, b: str | None = None, *, top: int = 20, ends: str | None = None
    ) -> list[pairs.Pair]:
        """Strongest pairs of a relation ("coauthors", "datasets", "methods", "code"), partners of `a`, or a and b."""
        if a is None:
            return pairs.top_pairs(self.index, relation, top, ends)
        kind = "person" if relation == "coauthors" else None
        first = self._end(relation, a, kind)
        if b is None:
            return pairs.partners(self.index, relation, first, top)
        found = pairs.between(self.index, relation, first, self._end(relation, b, first.kind))
        return [found] if found else []

    def _end(self, relation: str, name: str, kind: str | None) -> Match:
        if kind is None:
            # "PRISM" may be a paper's label and a method: in links of methods the method is meant.
            own = self.lookup.all(name, pairs.ENTITY_KIND.get(relation))
            kind = own[0].kind if own else None
        return self.lookup.one(name, kind)

    def coauthors(self, person: str | None = None, *, top: int = 20) -> list[pairs.Pair]:
        """Partners of a person, or the strongest pairs."""
        return self.links("coauthors", person, top=top)

    def shared_datasets(self, entity: str | None = None, *, top: int = 20) -> list[pairs.Pair]:
        """Papers (or people, or data sets) linked through data sets."""
        return self.links("datasets", entity, top=top)

    def path_between(self, a: str, b: str) -> tuple[Match, list[Step]]:
        """The entity `a` means and the steps from it to `b`; see `kg.links.paths.shortest_path`."""
        start, end = self.find(a), self.find(b)
        return start, shortest_path(self.index, start, end)

    def claims(self, paper: str) -> list[Claim]:
        """What extraction says of a paper (any name, id or IRI), with the sentences."""
        return claims_of(self._ask, self.find(paper, "paper").iri)

    def _ask(self, text: str, bindings: Mapping[str, Any] | None = None) -> Result:
        return ask(self.store, text, bindings)

    def networkx(self) -> nx.MultiDiGraph:
        """The graph as a networkx `MultiDiGraph`; see `kg.graph.networkx.to_networkx`."""
        from kg.graph.networkx import to_networkx

        return to_networkx(self.store.quads())

    def rdflib(self, *, evidence: bool = True) -> rdflib.Graph:
        """The statements as an rdflib `Graph` in memory; without `evidence`, no assertions and quotes."""
        from kg.export.rdf import to_rdflib

        return to_rdflib(self._lines(evidence))

    def _lines(self, evidence: bool) -> Iterator[Any]:
        return self.store.quads() if evidence else self.store.default_quads()


def open_graph(path: str | Path = "graph") -> Graph:
    """Opens a graph folder for reading; `kg.open` is this function."""
    return Graph(path)

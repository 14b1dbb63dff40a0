"""One object for a graph folder."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg.errors import QueryError
from kg.links import pairs
from kg.links.paths import Path as Connection
from kg.links.paths import Step, paths, shortest_path
from kg.links.sentences import Claim, claims_of
from kg.pipeline.folder import Folder, Manifest
from kg.query.catalogue import find
from kg.query.index import open_index
from kg.query.lookup import Lookup, Match
from kg.query.run import ask, run_named, run_text
from kg.store.oxigraph import OxigraphStore
from kg.store.results import Result
from kg.vocab import DCTERMS, ID

if TYPE_CHECKING:
    import networkx as nx
    import rdflib

    from kg.api.card import Card
    from kg.api.explain import Explanation
    from kg.api.page import Page
    from kg.export import Selection


class Graph:
    """A graph folder, opened for reading; as a context manager it is closed at the end.

    Attributes:
        path: the folder. manifest: what the graph is made of.

    >>> with kg.open(folder) as g:
    ...     g.counts["papers"]
    1
    """

    def __init__(self, path: str | Path = "graph") -> None:
        """Opens the graph.

        Raises:
            GraphError: there is no graph in the folder, or it cannot be read.
        """
        self.path = Path(path)
        self.manifest: Manifest
        self.manifest, self._current = Folder(self.path).current()

    def __enter__(self) -> Graph:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of the files; using the graph again opens them again."""
        if "index" in self.__dict__:
            self.index.close()
        for name in ("index", "lookup", "store"):
            self.__dict__.pop(name, None)

    def __repr__(self) -> str:
        return f"<kg graph {str(self.path)!r}: {self.counts.get('papers', 0)} papers>"

    @cached_property
    def store(self) -> OxigraphStore:
        """The statements."""
        return OxigraphStore.open(self._current / "store")

    @cached_property
    def lookup(self) -> Lookup:
        """Names to entities."""
        return Lookup(self.index, self._moved)

    def _moved(self, iri: str) -> str:
        """The entity that took the place of one with a former IRI; of several the first by IRI; "" where none did."""
        if not iri.startswith(ID):
            return ""
        try:
            return min((str(q.object.value) for q in self.store.quads(iri, DCTERMS.isReplacedBy)), default="")  # type: ignore[union-attr]
        except ValueError:  # no IRI at all
            return ""

    @cached_property
    def index(self) -> sqlite3.Connection:
        """Names and links as SQLite tables, see `kg.query.index`; read-only."""
        return open_index(self._current / "index.sqlite")

    @property
    def counts(self) -> dict[str, int]:
        """How many papers, people, … the graph holds."""
        return dict(self.manifest.counts)

    def query(self, query: str, params: Mapping[str, object] | None = None, **more: object) -> Result:
        """Runs a named query or a SPARQL text.

        Iterate over the answer for RDF terms; `.rows()`, `.to_pandas()`, `.to_polars()`, `.to_arrow()`
        give plain values.

        Args:
            query: a name of the catalogue ("coauthors") or SPARQL with the usual prefixes bound.
            params: parameter name -> value; keyword arguments are the same.

        Raises:
            QueryError: the query or a parameter is wrong, or a name is not in the graph.

        >>> g.query("SELECT ?name { ?m a kg:Method ; skos:prefLabel ?name } ORDER BY ?name").rows()
        [{'name': 'FooNet'}, {'name': 'ResNet'}]
        """
        values = {k: str(v) for k, v in {**(params or {}), **more}.items()}
        if not query.strip():
            raise QueryError("the query is empty", hint="kg queries lists the catalogue")
        if any(c in query for c in "{\n "):
            return run_text(self.store, query, values)
        return run_named(self.store, self.lookup, find(query), values)

    def rows(self, query: str, **params: object) -> list[dict[str, Any]]:
        """The rows of a query as dictionaries of plain values.

        >>> [row["name"] for row in g.rows("coauthors", person="Ada Abel")]
        ['Bo Bell']
        """
        return self.query(query, params).rows()

    def ask(self, text: str, bindings: Mapping[str, Any] | None = None) -> Result:
        """Runs SPARQL with some variables bound to RDF terms of pyoxigraph."""
        return ask(self.store, text, bindings)

    _ask = ask

    def find(self, name: str, kind: str | None = None) -> Match:
        """The entity with this name, id or IRI; of several the one on most papers.

        Raises:
            QueryError: nothing has this name; the hint gives the nearest names.

        >>> g.find("foonet").label
        'FooNet'
        """
        return self.lookup.one(name, kind)

    def search(self, text: str, kind: str | None = None, limit: int = 10) -> list[Match]:
        """The entities with this name, then those whose names begin with it or look like it."""
        found = self.lookup.all(text, kind) + self.lookup.suggest(text, kind, limit)
        return list({m.iri: m for m in found}.values())[:limit]

    def show(self, name: str, kind: str | None = None, *, limit: int = 20) -> Card:
        """All that is known of an entity; print it, or look at its parts.

        >>> [claim.confidence > 0.5 for claim in g.show("A paper about FooNet").claims]
        [True, True, True]
        """
        from kg.api.card import card

        return card(self, self.find(name, kind), limit)

    def links(
        self, relation: str, a: str | None = None, b: str | None = None, *, top: int = 20, ends: str | None = None
    ) -> list[pairs.Pair]:
        """Strongest pairs of a relation ("coauthors", "datasets", "methods", "code"), partners of `a`, or a and b."""
        named = pairs.find_ends(self.lookup, relation, *(name for name in (a, b) if name is not None))
        if len(named) == 2:
            found = pairs.between(self.index, relation, named[0], named[1])
            return [found] if found else []
        if named:
            return pairs.partners(self.index, relation, named[0], top)
        return pairs.top_pairs(self.index, relation, top, ends)

    def coauthors(self, person: str | None = None, *, top: int = 20) -> list[pairs.Pair]:
        """Partners of a person, or the strongest pairs.

        >>> [(pair.b.label, pair.count) for pair in g.coauthors("Ada Abel")]
        [('Bo Bell', 1)]
        """
        return self.links("coauthors", person, top=top)

    def shared_datasets(self, entity: str | None = None, *, top: int = 20) -> list[pairs.Pair]:
        """Papers (or people, or data sets) linked through data sets."""
        return self.links("datasets", entity, top=top)

    def shared_methods(self, entity: str | None = None, *, top: int = 20) -> list[pairs.Pair]:
        """Papers (or people, or methods) linked through methods."""
        return self.links("methods", entity, top=top)

    def explain(self, a: str, b: str) -> Explanation:
        """Why two entities are linked, with the papers and the sentences; print it, or look at its parts.

        >>> print(g.explain("Ada Abel", "Bo Bell"))
        Ada Abel (person) and Bo Bell (person): 1 in common
        - coauthors: A paper about FooNet (paper)
        """
        from kg.api.explain import explain

        return explain(self.index, self.claims, self.find(a), self.find(b))

    def paths(self, a: str, b: str, k: int = 3, *, through: Iterable[str] = ()) -> list[Connection]:
        """At most `k` different ways from `a` to `b`, the best first; see `kg.links.paths.paths`.

        >>> g.paths("Ada Abel", "ResNet")[0].words()
        'Ada Abel wrote “A paper about FooNet”, which uses ResNet'
        """
        return paths(self.index, self.find(a), self.find(b), k, through=through)

    def path_between(self, a: str, b: str) -> tuple[Match, list[Step]]:
        """The entity `a` means and the steps from it to `b`; see `kg.links.paths.shortest_path`."""
        start, end = self.find(a), self.find(b)
        return start, shortest_path(self.index, start, end)

    def claims(self, paper: str) -> list[Claim]:
        """What extraction says of a paper (any name, id or IRI), with the sentences."""
        return claims_of(self.ask, self.find(paper, "paper").iri)

    def networkx(self, view: str = "all", *, ends: str | None = None) -> nx.Graph[str]:
        """The graph for networkx.

        Args:
            view: "all" gives every entity and statement as a `MultiDiGraph`, see
                `kg.graph.networkx.to_networkx`; "coauthors", "datasets", "methods", "code" give a plain
                weighted `Graph` of pairs, see `kg.api.project.project`. ends: of those pairs.

        >>> g.networkx("coauthors").number_of_edges()
        1
        """
        if view == "all":
            from kg.graph.networkx import to_networkx

            return to_networkx(self.store.quads())
        from kg.api.project import project

        return project(self.index, view, ends)

    def rdflib(self, *, evidence: bool = True) -> rdflib.Graph:
        """The statements as an rdflib `Graph` in memory; without `evidence`, no assertions and quotes."""
        from kg.export.rdf import to_rdflib

        return to_rdflib(self._lines(evidence))

    def _lines(self, evidence: bool) -> Iterator[Any]:
        return self.store.quads() if evidence else self.store.default_quads()

    def view(self, *names: str, hops: int = 1, kinds: Iterable[str] = ()) -> Page:
        """An interactive drawing of the whole graph, or of what lies around some entities.

        A notebook shows it inline; `.save("x.html")` writes it.
        """
        from kg.api.page import Page
        from kg.view.page import render
        from kg.view.positions import layout
        from kg.view.selection import select

        chosen = [self.find(name) for name in names]
        whole: Any = self.networkx()
        drawn = select(whole, [m.iri for m in chosen], hops, set(kinds) or None)
        title = ", ".join(m.label for m in chosen[:3]) or self.path.resolve().name
        text = render(drawn, title=title, subtitle="", positions=layout(drawn))
        return Page(text, drawn.number_of_nodes(), drawn.number_of_edges())

    def export(self, path: str | Path, selection: Selection | None = None, **options: Any) -> None:
        """Writes the graph, or a `kg.Selection` of it, as the file's suffix says; see `kg.export.export`."""
        from kg.export import export, selected

        if selection is None:
            export(self.store, Path(path), **options)
            return
        with selected(self.store, self.index, self.lookup, selection) as store:
            export(store, Path(path), **options)


def open_graph(path: str | Path = "graph") -> Graph:
    """Opens a graph folder for reading; `kg.open` is this function.

    Raises:
        GraphError: there is no graph in the folder, or it cannot be read.
    """
    return Graph(path)

"""A graph on a SPARQL endpoint, with what `kg.api.Graph` does for a folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kg.api import Graph
from kg.errors import EndpointError
from kg.links.distant import RemoteLinks
from kg.links.filters import Filter
from kg.links.pairs import Pair, find_ends
from kg.query.about import all_about
from kg.query.distant import RemoteLookup
from kg.query.excerpt import Excerpt, batches, values
from kg.query.index import _CLASSES
from kg.query.lookup import Match
from kg.query.run import ask
from kg.store.remote import RemoteStore
from kg.store.results import Result
from kg.text import digest
from kg.vocab import EVIDENCE_GRAPH, FOAF, ID, KG, SCHEMA, SKOS, STATEMENTS_GRAPH

if TYPE_CHECKING:
    import networkx as nx
    import rdflib

    from kg.links.paths import Path as Way
    from kg.links.paths import Step
    from kg.pipeline.build import Progress

_HUB = 500  # neighbours beyond which a picture lists a thing and does not follow it
_WHOLE = 5000  # papers of a graph that is fetched whole
_PAGE = 5000  # entities asked for at once


class Pushed(NamedTuple):
    """What `push` did: statements by graph ("" for the default graph), and how many had been sent before."""

    sent: dict[str, int]
    resumed: int


def push(
    graph: Graph,
    endpoint: str,
    graph_store: str | None = None,
    *,
    user: str = "",
    chunk: int = 50_000,
    atomic: bool = False,
    unnamed: bool = False,
    evidence: bool = True,
    progress: Progress | None = None,
) -> Pushed:
    """Sends a graph to a server, replaces what an earlier push put there, and counts what arrived.

    Args:
        graph_store: address of the server's graph store; None looks beside the endpoint. chunk: statements in
            one request. atomic: one request for each graph. unnamed: statements go into the default graph.

    Raises:
        EndpointError: the server refuses, is lost, or counts something else than was sent.
    """
    from kg.store.http import Connection
    from kg.store.push import Push, check_counts, graph_store_of

    address = graph_store or graph_store_of(endpoint)
    state = graph.path / f"push-{digest(address)}.json"
    transfer = Push(Connection(address, user=user), state, graph.manifest.graph, chunk)
    send = transfer.send_whole if atomic else transfer.send
    if progress:
        progress.step("push", len(graph.store.raw))
    advance = progress.advance if progress else (lambda n: None)
    sent = {}
    # The evidence first: whoever finds the statements finds their evidence.
    for own, there in (((EVIDENCE_GRAPH,) * 2,) if evidence else ()) + (("", "" if unnamed else STATEMENTS_GRAPH),):
        sent[there] = send(graph.store, own, there, advance)
    transfer.finish()
    server = RemoteStore(endpoint, user=user)
    check_counts(lambda text: server.query(text, union=False), sent, endpoint)
    return Pushed(sent, 0 if atomic else transfer.resumed)


class RemoteGraph(Graph):
    """A graph that a server holds, opened for reading.

    Attributes:
        url: of its query service.
    """

    def __init__(self, url: str, *, default_graphs: Iterable[str] = (), user: str = "", timeout: float = 300.0) -> None:
        """Opens no connection yet.

        Args:
            default_graphs: IRIs of the graphs to ask, all as one; without any, the graphs that `kg push` makes
                if the server has them, else what the server asks by default. user, timeout: see `RemoteStore`.
        """
        self.url, self.path = url, Path(".")
        self._given = tuple(default_graphs)
        self._raw = RemoteStore(url, user=user, timeout=timeout)

    @cached_property
    def store(self) -> RemoteStore:  # type: ignore[override]
        """The endpoint, once it is known which of its graphs to ask.

        Raises:
            EndpointError: the server is not reached, or holds no graph of this package.
        """
        raw = self._raw
        if self._given:
            raw.default_graphs = self._given
            return raw
        if raw.query(f"ASK {{ GRAPH <{STATEMENTS_GRAPH}> {{ ?s ?p ?o }} }}"):
            raw.default_graphs, raw.named_graphs = (STATEMENTS_GRAPH, EVIDENCE_GRAPH), (EVIDENCE_GRAPH,)
            raw.plain_graphs = (STATEMENTS_GRAPH,)
            return raw
        if not raw.query(f"ASK {{ ?p a <{SCHEMA.ScholarlyArticle}> }}"):
            raise EndpointError(
                "this endpoint shows no papers",
                place=self.url,
                hint="kg push -g DIR --endpoint URL puts a graph there; --default-graph IRI names the graph to ask",
            )
        if raw.query(f"ASK {{ GRAPH <{EVIDENCE_GRAPH}> {{ ?s a <{KG.Assertion}> }} }}") and not raw.query(
            f"ASK {{ ?s a <{KG.Assertion}> }}"
        ):
            raw.notes.append(
                "the server leaves the evidence graph out of plain queries; start it with a union default graph, "
                "load with kg push, or name the graphs with --default-graph"
            )
        return raw

    @cached_property
    def excerpt(self) -> Excerpt:
        """What was fetched of the graph so far, as an index."""
        return Excerpt(lambda text: ask(self.store, text))

    @cached_property
    def lookup(self) -> RemoteLookup:
        """Names to entities."""
        return RemoteLookup(lambda text: ask(self.store, text), self.excerpt)

    @cached_property
    def _links(self) -> RemoteLinks:
        return RemoteLinks(lambda text: ask(self.store, text), self.excerpt)

    @property
    def index(self) -> Any:
        """The index of what was fetched so far."""
        return self.excerpt.database()

    @property
    def counts(self) -> dict[str, int]:
        """How many papers, people, … the graph holds."""
        kinds = {"papers": SCHEMA.ScholarlyArticle, "people": FOAF.Person, "methods": KG.Method,
                 "datasets": SCHEMA.Dataset, "repositories": SCHEMA.SoftwareSourceCode}  # fmt: skip
        rows = ask(
            self.store,
            f"SELECT ?c (COUNT(DISTINCT ?s) AS ?n) WHERE {{ {values('c', kinds.values())} ?s a ?c }} GROUP BY ?c",
        )
        found = {row[0].value: int(row[1].value) for row in rows}
        return {name: found.get(c, 0) for name, c in kinds.items()}

    def pairs(
        self, relation: str, named: list[Match], top: int = 20, ends: str | None = None, where: Filter | None = None
    ) -> list[Pair]:
        """Strongest pairs, partners of the one named, or why the two named are linked."""
        if not named:
            return self._links.top_pairs(relation, top, ends, where)
        if len(named) == 1:
            return self._links.partners(relation, named[0], top, where)
        found = self._links.between(relation, *named, where=where)
        return [found] if found else []

    def links(
        self, relation: str, a: str | None = None, b: str | None = None, *, top: int = 20, ends: str | None = None
    ) -> list[Pair]:
        named = find_ends(self.lookup, relation, *(name for name in (a, b) if name is not None))
        return self.pairs(relation, named, top, ends)

    def paths(self, a: str, b: str, k: int = 3, *, through: Iterable[str] = ()) -> list[Way]:
        return self.ways(self.find(a), self.find(b), k, through)

    def ways(self, a: Match, b: Match, k: int = 1, through: Iterable[str] = ()) -> list[Way]:
        """At most `k` different paths; see `kg.links.paths.paths`."""
        from kg.links.distant_paths import remote_paths

        return remote_paths(lambda text: ask(self.store, text), self.excerpt, a, b, k, through=through)

    def path_between(self, a: str, b: str) -> tuple[Match, list[Step]]:
        start = self.find(a)
        found = self.ways(start, self.find(b))
        return start, list(found[0].steps) if found else []

    def around(self, iris: Iterable[str], hops: int, kinds: set[str] | None = None) -> nx.MultiDiGraph:
        """What lies within some hops of entities, as `networkx` gives a whole graph; large hubs are not followed."""
        from kg.graph.networkx import EDGES

        roots = list(iris)
        if not roots:
            return self.networkx()
        seen, edge = set(roots), set(roots)
        for _ in range(hops):
            around: dict[str, set[str]] = {node: set() for node in edge}
            for some in batches(sorted(edge)):
                for pattern in ("?s ?p ?o", "?o ?p ?s"):
                    rows = self._ask(
                        f"""SELECT ?s ?p ?o WHERE {{ {values("s", some)} {pattern}
                            FILTER(?p IN ({", ".join(f"<{p}>" for p in sorted(EDGES))})) }}"""
                    )
                    for s, _, o in rows:
                        around[s.value].add(o.value)
            following = {n: found for n, found in around.items() if n in roots or len(found) <= _HUB}
            edge = {o for found in following.values() for o in found if o.startswith(ID)} - seen
            if kinds is not None:
                self.excerpt.describe(edge)
                edge = {o for o in edge if (m := self.excerpt.match(o)) and m.kind in kinds}
            seen |= edge
        # A paper tells its authors and its venue by name, also where these are not drawn.
        named = {
            row[0].value
            for some in batches(sorted(seen))
            for row in self._ask(
                f"SELECT DISTINCT ?o WHERE {{ {values('s', some)} ?s dcterms:creator|bibo:presentedAt ?o }}"
            )
        }
        from kg.graph.networkx import to_networkx

        return to_networkx(self._about(sorted(seen | named)))

    def _about(self, iris: list[str]) -> Iterable[Any]:
        """All statements of entities, of their authorships, and of the assertions between them with their quotes."""
        return all_about(self._ask, iris)

    def networkx(self, view: str = "all", *, ends: str | None = None) -> nx.Graph[str]:
        """The whole graph.

        Raises:
            EndpointError: it has more than some thousand papers, or a projection is wanted.
        """
        if view != "all":
            raise EndpointError(
                f"no {view!r} of a whole graph on a server", place=self.url, hint="links() counts there"
            )
        from kg.graph.networkx import to_networkx

        if (papers := self.counts["papers"]) > _WHOLE:
            raise EndpointError(
                f"a whole graph of {papers:,} papers is too much to fetch",
                place=self.url,
                hint="name what to look at, or download the graph and build it here",
            )
        iris: set[str] = set()
        for c in [*_CLASSES, SCHEMA.Event, SKOS.Concept]:
            last = ""
            while page := [
                row[0].value
                for row in self._ask(
                    f'SELECT DISTINCT ?s WHERE {{ ?s a <{c}> FILTER(STR(?s) > "{last}") }} ORDER BY STR(?s) LIMIT {_PAGE}'
                )
            ]:
                iris.update(page)
                last = page[-1]
        return to_networkx(self._about(sorted(i for i in iris if i.startswith(ID))))

    def rdflib(self, *, evidence: bool = True) -> rdflib.Graph:
        from kg.export.rdf import to_rdflib

        return to_rdflib(self._lines(evidence))

    def _lines(self, evidence: bool) -> Iterable[Any]:
        """Every statement, in one answer.

        Raises:
            EndpointError: the server cuts the answer off.
        """
        import pyoxigraph as ox

        found = self.store.query("SELECT ?s ?p ?o WHERE { ?s ?p ?o }", union=evidence)
        if self.store.notes:
            raise EndpointError(self.store.notes[-1], place=self.url, hint="raise the server's limits")
        for s, p, o in found:
            yield ox.Quad(s, p, o)

    def ask(self, text: str, bindings: Mapping[str, Any] | None = None) -> Result:
        return ask(self.store, text, bindings)

    _ask = ask

    def close(self) -> None:
        """Closes the connection; a further question opens it again."""
        self._raw.connection.close()

    def __repr__(self) -> str:
        return f"<kg graph at {self.url}>"

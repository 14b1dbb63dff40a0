"""The graph as a networkx `MultiDiGraph`: entities are nodes, statements between them are edges."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kg.vocab import BIBO, CITO, DCTERMS, FABIO, FOAF, ID, KG, OA, RDF, SCHEMA, SKOS, SOA

if TYPE_CHECKING:
    import networkx as nx
    import pyoxigraph as ox

KINDS = {
    SCHEMA.ScholarlyArticle: "paper",
    FOAF.Person: "person",
    KG.Method: "method",
    SCHEMA.Dataset: "dataset",
    SCHEMA.SoftwareSourceCode: "repository",
    SKOS.Concept: "topic",
    SCHEMA.EventSeries: "venue",
    SCHEMA.Event: "event",
}
LABELS = {DCTERMS.title: 0, FOAF.name: 0, SCHEMA.name: 0, SKOS.prefLabel: 1, KG.displayTitle: -1}
TOPICS = (f"{ID}topic/", f"{ID}task/")  # methods are concepts as well
EDGES = {
    DCTERMS.creator, DCTERMS.subject, SKOS.broader, SKOS.related, BIBO.presentedAt, SCHEMA.superEvent, CITO.cites,
    KG.proposesMethod, KG.usesMethod, KG.introducesDataset, KG.usesDataset, KG.hasRepository, KG.mentionsRepository,
    KG.addressesTask,
}  # fmt: skip
ATTRIBUTES = {
    DCTERMS.abstract: "abstract", DCTERMS.title: "title", FABIO.hasPublicationYear: "year", SCHEMA.url: "url",
    SCHEMA.codeRepository: "url", KG.repositoryKind: "repository_kind", KG.resolutionStatus: "status",
}  # fmt: skip
LISTS = {SKOS.altLabel: "aliases", DCTERMS.identifier: "identifiers", SCHEMA.keywords: "keywords"}


def local_name(iri: str) -> str:
    """The last part of a term's IRI: what an edge is called."""
    return iri[max(iri.rfind("#"), iri.rfind("/")) + 1 :]


def to_networkx(quads: Iterable[ox.Quad]) -> nx.MultiDiGraph:
    """Builds the graph from its statements, in any order.

    Nodes are IRIs with `kind`, `label` and, where known, `title`, `abstract`, `year`, `url`,
    `aliases`, `identifiers`, `keywords`, `authors` (names as printed, in order), `status`,
    `repository_kind`. Edges are keyed by the local name of their predicate and carry `relation`
    (that name), `predicate` (its IRI) and, where extraction made them, `confidence`, `cue` and
    `evidence` (list of {"field", "start", "end", "exact"}); `creator` edges carry `position` (from
    1) and `name` as printed. Nodes and edges come in a fixed order.
    """
    import networkx as nx

    reader = _Reader()
    for quad in quads:
        reader.add(quad)
    graph = nx.MultiDiGraph()
    for node in sorted(reader.kinds):
        graph.add_node(node, **reader.node_attributes(node))
    for s, p, o in sorted(reader.edges):
        if s in reader.kinds and o in reader.kinds:
            relation = local_name(p)
            details = reader.edge_attributes(s, p, o)
            graph.add_edge(s, o, key=relation, relation=relation, predicate=p, **details)
    _finish(graph, reader)
    return graph


def _finish(graph: nx.MultiDiGraph, reader: _Reader) -> None:
    """What needs several statements at once: author order, and a paper's venue by name."""
    printed: dict[str, list[tuple[int, str]]] = {}
    for paper, authorship in sorted(reader.authorships):
        details = reader.literals.get(authorship, {})
        person = reader.author_of.get(authorship)
        position = int(details.get(SOA.position, ["0"])[0])
        name = details.get(KG.nameAsPrinted, [""])[0]
        if paper in graph and person in graph:
            printed.setdefault(paper, []).append((position, name))
            if graph.has_edge(paper, person, "creator"):
                edge = graph.edges[paper, person, "creator"]
                edge.setdefault("position", position)
                edge.setdefault("name", name)
    for paper, names in printed.items():
        graph.nodes[paper]["authors"] = [name for _, name in sorted(names)]
    for s, o, key in list(graph.edges(keys=True)):
        if key == "presentedAt":
            graph.nodes[s]["venue"] = graph.nodes[o]["label"]


class _Reader:
    """Sorts statements into nodes, edges, and the evidence of edges."""

    def __init__(self) -> None:
        self.kinds: dict[str, str] = {}
        self.literals: dict[str, dict[str, list[str]]] = {}
        self.edges: set[tuple[str, str, str]] = set()
        self.authorships: set[tuple[str, str]] = set()
        self.author_of: dict[str, str] = {}
        self.links: dict[str, dict[str, list[str]]] = {}
        self._assertion_of: dict[tuple[str, str, str], str] | None = None

    def add(self, quad: ox.Quad) -> None:
        s, p, o = quad.subject.value, quad.predicate.value, quad.object
        value = str(o.value)
        if p == RDF.type:
            kind = KINDS.get(value)
            if kind and (kind != "topic" or s.startswith(TOPICS)):
                self.kinds[s] = kind
        elif p in EDGES:
            self.edges.add((s, p, value))
        elif p == SOA.hasAuthorship:
            self.authorships.add((s, value))
        elif p == SOA.hasAuthor:
            self.author_of[s] = value
        elif p.startswith((RDF, OA)) or p == KG.evidence:
            self.links.setdefault(s, {}).setdefault(p, []).append(value)
        elif type(o).__name__ == "Literal" or p == SCHEMA.codeRepository or p == SCHEMA.url:
            self.literals.setdefault(s, {}).setdefault(p, []).append(value)

    def node_attributes(self, node: str) -> dict[str, Any]:
        literals = self.literals.get(node, {})
        labels = sorted((rank, v) for p, rank in LABELS.items() for v in literals.get(p, ()))
        found: dict[str, Any] = {"kind": self.kinds[node], "label": labels[0][1] if labels else node}
        for p, name in ATTRIBUTES.items():
            if p in literals:
                value = min(literals[p])
                found[name] = int(value) if name == "year" else value
        for p, name in LISTS.items():
            if p in literals:
                found[name] = sorted(literals[p])
        return found

    def edge_attributes(self, s: str, p: str, o: str) -> dict[str, Any]:
        assertion = self._assertions().get((s, p, o))
        if assertion is None:
            return {}
        literals = self.literals.get(assertion, {})
        found: dict[str, Any] = {"confidence": float(literals[KG.confidence][0])}
        if KG.cue in literals:
            found["cue"] = literals[KG.cue][0]
        quotes = [self._quote(m) for m in self.links[assertion].get(KG.evidence, ())]
        found["evidence"] = sorted(quotes, key=lambda q: (q["field"] != "title", q["start"]))
        return found

    def _quote(self, mention: str) -> dict[str, Any]:
        target = self.links[mention][OA.hasTarget][0]
        selector = self.links[self.links[target][OA.hasSelector][0]]
        field = self.links[target][OA.hasSource][0].rsplit("#", 1)[-1]
        start, end = int(selector[OA.start][0]), int(selector[OA.end][0])
        return {"field": field, "start": start, "end": end, "exact": selector[OA.exact][0]}

    def _assertions(self) -> dict[tuple[str, str, str], str]:
        if self._assertion_of is None:
            self._assertion_of = {
                (ps[RDF.subject][0], ps[RDF.predicate][0], ps[RDF.object][0]): node
                for node, ps in self.links.items()
                if RDF.subject in ps
            }
        return self._assertion_of

"""A graph's description of itself, for catalogues: VoID (https://www.w3.org/TR/void/) and DCAT.

What is the same for every graph stands in `ontology/void.ttl`; the rest is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Protocol

import pyoxigraph as ox

from kg.shared import shared_folder
from kg.vocab import DCTERMS, EVIDENCE_GRAPH, FOAF, ID, KG, OWL, PREFIXES, RDF, SCHEMA, SKOS, XSD, Namespace

VOID = Namespace("http://rdfs.org/ns/void#")
DCAT = Namespace("http://www.w3.org/ns/dcat#")
GRAPH = ID["graph"]  # the IRI that the template describes
_PLAIN = ID["graph/plain"]
_MEDIA = "https://www.iana.org/assignments/media-types/"
_EVERYTHING = "{ ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } }"
_EXAMPLES = (
    SCHEMA.ScholarlyArticle, FOAF.Person, KG.Method, SCHEMA.Dataset, SCHEMA.SoftwareSourceCode, SKOS.ConceptScheme,
)  # fmt: skip


class Store(Protocol):
    """What a description needs of a store; see `kg.store.oxigraph.OxigraphStore`."""

    def query(self, text: str, *, prefixes: Mapping[str, str] | None = None, union: bool = True) -> Any: ...


def describe(
    store: Store,
    *,
    version: str = "",
    license: str = "",
    issued: str = "",
    endpoint: str = "",
    downloads: Mapping[str, str] | None = None,
) -> bytes:
    """The description as Turtle; the same graph and arguments give the same bytes.

    Args:
        version: of the graph or of the program that made it. license: IRI of the licence its owner grants.
        issued: ISO date. endpoint: address of a SPARQL endpoint. downloads: address of each file -> media type.
    """
    found = _Description()
    found.template()
    about = found.about(GRAPH)
    for predicate, value in ((OWL.versionInfo, version), (DCTERMS.license, license), (VOID.sparqlEndpoint, endpoint)):
        if value:
            about(predicate, _literal(value) if predicate == OWL.versionInfo else ox.NamedNode(value))
    if issued:
        about(DCTERMS.issued, _literal(issued, XSD.date))
    for url, media in sorted((downloads or {}).items()):
        found.download(url, media)
    found.counts(store)
    found.examples(store)
    return found.turtle()


class _Description:
    def __init__(self) -> None:
        self.triples: set[ox.Triple] = set()

    def about(self, subject: str) -> Any:
        """A function that states one property of the subject."""
        node = ox.NamedNode(subject)
        return lambda predicate, obj: self.triples.add(ox.Triple(node, ox.NamedNode(predicate), obj))

    def template(self) -> None:
        path = shared_folder("ontology") / "void.ttl"
        self.triples.update(q.triple for q in ox.parse(path=str(path), format=ox.RdfFormat.TURTLE))

    def download(self, url: str, media: str) -> None:
        node = f"{GRAPH}#download-{url.rsplit('/', 1)[-1]}"
        self.about(GRAPH)(DCAT.distribution, ox.NamedNode(node))
        self.about(GRAPH)(VOID.dataDump, ox.NamedNode(url))
        about = self.about(node)
        about(RDF.type, ox.NamedNode(DCAT.Distribution))
        about(DCAT.downloadURL, ox.NamedNode(url))
        about(DCAT.mediaType, ox.NamedNode(_MEDIA + media))

    def counts(self, store: Store) -> None:
        """Statements in all and in each graph, by property; things in all and by class; the vocabularies in use."""
        triples: Counter[str] = Counter({_PLAIN: 0, EVIDENCE_GRAPH: 0})
        properties: Counter[str] = Counter()
        for graph, predicate, number in store.query(
            f"SELECT ?g ?p (COUNT(*) AS ?n) {{ {_EVERYTHING} }} GROUP BY ?g ?p", union=False
        ):
            triples[_PLAIN if graph is None else graph.value] += int(number.value)
            properties[predicate.value] += int(number.value)
        typed = _EVERYTHING.replace("?p", "a")
        classes = {
            row[0].value: int(row[1].value)
            for row in store.query(f"SELECT ?o (COUNT(DISTINCT ?s) AS ?n) {{ {typed} }} GROUP BY ?o", union=False)
        }
        entities = next(iter(store.query(f"SELECT (COUNT(DISTINCT ?s) AS ?n) {{ {typed} }}", union=False)))[0]
        about = self.about(GRAPH)
        about(VOID.triples, _number(triples.total()))
        about(VOID.entities, _number(int(entities.value)))
        about(VOID.properties, _number(len(properties)))
        about(VOID.classes, _number(len(classes)))
        for graph, number in triples.items():
            self.about(graph)(VOID.triples, _number(number))
        for name, number in properties.items():
            self._partition("property", name, VOID.triples, number)
        for name, number in classes.items():
            self._partition("class", name, VOID.entities, number)
        terms = [*properties, *classes]
        for namespace in PREFIXES.values():
            if namespace != ID and any(t.startswith(namespace) for t in terms):
                about(VOID.vocabulary, ox.NamedNode(str(namespace)))

    def _partition(self, kind: str, term: str, measure: str, number: int) -> None:
        node = f"{GRAPH}#{kind}-{_short(term)}"
        self.about(GRAPH)(VOID[f"{kind}Partition"], ox.NamedNode(node))
        about = self.about(node)
        about(VOID[kind], ox.NamedNode(term))
        about(measure, _number(number))

    def examples(self, store: Store) -> None:
        """The first thing of each main class."""
        for cls in _EXAMPLES:
            query = f"SELECT (MIN(STR(?s)) AS ?first) {{ ?s a <{cls}> }}"
            first = next(iter(store.query(query)), (None,))[0]
            if first is not None:
                self.about(GRAPH)(VOID.exampleResource, ox.NamedNode(first.value))

    def turtle(self) -> bytes:
        prefixes = {k: str(v) for k, v in PREFIXES.items() if k != "id"} | {"void": str(VOID), "dcat": str(DCAT)}
        return ox.serialize(sorted(self.triples, key=str), format=ox.RdfFormat.TURTLE, prefixes=prefixes)


def _short(term: str) -> str:
    """A term's prefix and local name joined by a hyphen: what a fragment may hold."""
    for prefix, namespace in PREFIXES.items():
        if term.startswith(namespace):
            return f"{prefix}-{term[len(namespace) :]}"
    return "".join(c if c.isalnum() else "-" for c in term)


def _literal(value: str, datatype: str = XSD.string) -> ox.Literal:
    return ox.Literal(value, datatype=ox.NamedNode(datatype))


def _number(value: int) -> ox.Literal:
    return _literal(str(value), XSD.integer)

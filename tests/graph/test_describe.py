"""The description of a graph tells what an independent count finds."""

from __future__ import annotations

from collections import Counter

import pyoxigraph as ox
import pytest
import rdflib
from rdflib import DCAT, DCTERMS, OWL, RDF, VOID
from small import lines, quads, store

from kg.graph.describe import GRAPH, describe
from kg.vocab import EVIDENCE_GRAPH, ID

ROOT = rdflib.URIRef(GRAPH)


@pytest.fixture(scope="module")
def described() -> rdflib.Graph:
    return rdflib.Graph().parse(data=describe(store()), format="turtle")


@pytest.fixture(scope="module")
def counted() -> rdflib.Dataset:
    dataset = rdflib.Dataset()
    dataset.parse(data=lines(), format="nquads")
    return dataset


def number(graph: rdflib.Graph, subject: rdflib.URIRef, predicate: rdflib.URIRef) -> int:
    return graph.value(subject, predicate, any=False).toPython()


def test_statements_of_all_and_of_each_graph(described: rdflib.Graph, counted: rdflib.Dataset) -> None:
    evidence = len(counted.graph(rdflib.URIRef(EVIDENCE_GRAPH)))
    total = len(list(counted.quads()))
    assert number(described, ROOT, VOID.triples) == total
    assert number(described, rdflib.URIRef(EVIDENCE_GRAPH), VOID.triples) == evidence
    assert number(described, rdflib.URIRef(ID["graph/plain"]), VOID.triples) == total - evidence
    assert set(described.objects(ROOT, VOID.subset)) == {
        rdflib.URIRef(EVIDENCE_GRAPH),
        rdflib.URIRef(ID["graph/plain"]),
    }


def test_partitions_by_property_and_class(described: rdflib.Graph, counted: rdflib.Dataset) -> None:
    properties = Counter(p for _, p, _, _ in counted.quads())
    classes = Counter(o for _, o in {(s, o) for s, p, o, _ in counted.quads() if p == RDF.type})
    told = {
        described.value(node, VOID.property): number(described, node, VOID.triples)
        for node in described.objects(ROOT, VOID.propertyPartition)
    }
    assert told == dict(properties)
    told = {
        described.value(node, VOID["class"]): number(described, node, VOID.entities)
        for node in described.objects(ROOT, VOID.classPartition)
    }
    assert told == dict(classes)
    assert number(described, ROOT, VOID.properties) == len(properties)
    assert number(described, ROOT, VOID.classes) == len(classes)
    assert number(described, ROOT, VOID.entities) == len({s for s, p, _, _ in counted.quads() if p == RDF.type})


def test_examples_and_vocabularies_are_those_of_the_graph(described: rdflib.Graph, counted: rdflib.Dataset) -> None:
    examples = list(described.objects(ROOT, VOID.exampleResource))
    assert len(examples) == 6
    for example in examples:
        assert next(counted.quads((example, None, None)), None), example
    vocabularies = {str(v) for v in described.objects(ROOT, VOID.vocabulary)}
    assert {"https://schema.org/", "http://www.w3.org/ns/oa#", "https://w3id.org/paperkg/ontology#"} <= vocabularies
    for term in {str(p) for _, p, _, _ in counted.quads()}:
        assert any(term.startswith(v) for v in vocabularies), term


def test_what_only_the_owner_knows() -> None:
    bare = rdflib.Graph().parse(data=describe(store()), format="turtle")
    assert not list(bare.objects(ROOT, DCTERMS.license)) and not list(bare.objects(ROOT, DCAT.distribution))
    full = rdflib.Graph().parse(
        data=describe(
            store(),
            version="0.1.0",
            license="https://spdx.org/licenses/CC0-1.0",
            issued="2026-01-31",
            endpoint="https://example.org/sparql",
            downloads={"https://example.org/all.ttl.gz": "text/turtle"},
        ),
        format="turtle",
    )
    assert str(full.value(ROOT, OWL.versionInfo)) == "0.1.0"
    assert full.value(ROOT, DCTERMS.issued).datatype == rdflib.XSD.date
    assert str(full.value(ROOT, VOID.sparqlEndpoint)) == "https://example.org/sparql"
    file = full.value(ROOT, DCAT.distribution)
    assert str(full.value(file, DCAT.downloadURL)) == "https://example.org/all.ttl.gz"
    assert (ROOT, RDF.type, DCAT.Dataset) in full and (ROOT, RDF.type, VOID.Dataset) in full


def test_same_graph_same_bytes_and_no_blank_node() -> None:
    backwards = store(set(sorted(quads(), key=str, reverse=True)))
    text = describe(store())
    assert text == describe(backwards)
    for quad in ox.parse(text, ox.RdfFormat.TURTLE):
        assert isinstance(quad.subject, ox.NamedNode) and not isinstance(quad.object, ox.BlankNode)


def test_an_empty_graph_is_described_as_empty() -> None:
    graph = rdflib.Graph().parse(data=describe(store(set())), format="turtle")
    assert number(graph, ROOT, VOID.triples) == 0 and not list(graph.objects(ROOT, VOID.exampleResource))

"""The vocabulary is declared as it is used, and used as it is declared."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import rdflib
from rdflib import DCTERMS, OWL, RDF, RDFS, SKOS, VANN, Namespace
from small import lines

import kg
from kg import vocab
from kg.shared import shared_folder

KG = Namespace(str(vocab.KG))
VS = Namespace("http://www.w3.org/2003/06/sw-vocab-status/ns#")
HEADER = rdflib.URIRef("https://w3id.org/paperkg/ontology")
XSD_TYPES = {"boolean", "date", "decimal", "integer", "string"}
# What an ontology is written in: code that shows the terms to people names these, no graph of papers does.
OF_ONTOLOGIES = {
    str(t)
    for t in (
        OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty, OWL.AnnotationProperty, RDF.Property, RDFS.Class,
        RDFS.comment, SKOS.definition, SKOS.scopeNote,
    )
}  # fmt: skip
PREFIXED = re.compile(rf"(?<![\w:/])({'|'.join(p for p in vocab.PREFIXES if p not in ('id', 'xsd'))}):([A-Za-z]\w*)")


@pytest.fixture(scope="module")
def ontology() -> rdflib.Graph:
    return rdflib.Graph().parse(shared_folder("ontology") / "kg.ttl")


@pytest.fixture(scope="module")
def used() -> set[str]:
    """Every term the code names through `kg.vocab`, and every prefixed term of the queries."""
    namespaces = {n: v for n, v in vars(vocab).items() if isinstance(v, vocab.Namespace)}
    found = set()
    for path in Path(kg.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "kg.vocab"
            for alias in node.names
        } & set(namespaces) - {"ID", "XSD"}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in imported:
                found.add(f"{namespaces[node.value.id]}{node.attr}")
            elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in imported:
                assert isinstance(node.slice, ast.Constant), f"{path}: a term that is not written out"
                found.add(f"{namespaces[node.value.id]}{node.slice.value}")
    for path in shared_folder("queries").glob("*.rq"):
        query = "\n".join(
            re.sub(r"^\s*#.*|\"[^\"]*\"", "", line) for line in path.read_text(encoding="utf-8").splitlines()
        )
        found |= {f"{vocab.PREFIXES[prefix]}{name}" for prefix, name in PREFIXED.findall(query)}
    return found


def declared(ontology: rdflib.Graph) -> set[str]:
    return {str(s) for s in ontology.subjects(RDFS.isDefinedBy, None)}


def occurring() -> set[str]:
    """Properties and classes of the small graph."""
    graph = rdflib.Dataset()
    graph.parse(data=lines(), format="nquads")
    found = set()
    for _, predicate, obj, _ in graph.quads():
        found.add(str(predicate))
        if predicate == RDF.type:
            found.add(str(obj))
    return found


def test_every_term_in_code_and_queries_is_declared(ontology: rdflib.Graph, used: set[str]) -> None:
    assert len(used) > 60
    assert used - declared(ontology) - OF_ONTOLOGIES == set()
    assert OF_ONTOLOGIES.isdisjoint(occurring())


def test_every_term_in_a_graph_is_declared(ontology: rdflib.Graph) -> None:
    assert occurring() - declared(ontology) == set()


def test_every_declared_term_occurs_or_is_reserved(ontology: rdflib.Graph) -> None:
    reserved = {str(s) for s in ontology.subjects(VS.term_status, rdflib.Literal("reserved"))}
    assert declared(ontology) - occurring() - reserved == set()
    assert reserved.isdisjoint(occurring())


def test_minted_terms_are_documented(ontology: rdflib.Graph) -> None:
    minted = [s for s in ontology.subjects(RDFS.isDefinedBy, HEADER)]
    assert {str(s) for s in minted} == {t for t in declared(ontology) if t.startswith(KG)}
    for term in minted:
        for need in (RDFS.label, RDFS.comment, VANN.example, VS.term_status):
            assert ontology.value(term, need), f"{term} has no {need}"
        kind = ontology.value(term, RDF.type)
        assert kind in (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty)
        if kind != OWL.Class:
            assert ontology.value(term, RDFS.domain) and ontology.value(term, RDFS.range), term
        prefixes = "".join(f"@prefix {p}: <{n}> .\n" for p, n in vocab.PREFIXES.items())
        example = rdflib.Graph().parse(data=prefixes + str(ontology.value(term, VANN.example)), format="turtle")
        assert term in set(example.all_nodes()) | set(example.predicates()), f"the example of {term} does not show it"


def test_terms_of_others_tell_how_they_are_used(ontology: rdflib.Graph) -> None:
    for term in declared(ontology) - {t for t in declared(ontology) if t.startswith(KG)}:
        node = rdflib.URIRef(term)
        assert ontology.value(node, SKOS.scopeNote) and ontology.value(node, RDFS.label), term
        assert term.startswith(str(ontology.value(node, RDFS.isDefinedBy))), term


def test_header(ontology: rdflib.Graph) -> None:
    assert (HEADER, RDF.type, OWL.Ontology) in ontology
    version = str(ontology.value(HEADER, OWL.versionInfo))
    assert str(ontology.value(HEADER, OWL.versionIRI)) == f"{HEADER}/{version}"
    assert str(ontology.value(HEADER, VANN.preferredNamespacePrefix)) == "kg"
    assert str(ontology.value(HEADER, VANN.preferredNamespaceUri)) == str(vocab.KG)
    for need in (DCTERMS.title, DCTERMS.description, DCTERMS.license, rdflib.URIRef(vocab.BIBO.status)):
        assert ontology.value(HEADER, need), need


def test_domains_ranges_and_broader_properties_hold(ontology: rdflib.Graph) -> None:
    graph = rdflib.Graph()
    for s, p, o, _ in _dataset().quads():
        graph.add((s, p, o))
    checked = 0
    for term in ontology.subjects(RDFS.isDefinedBy, HEADER):
        domain, range_ = ontology.value(term, RDFS.domain), ontology.value(term, RDFS.range)
        classes = {domain} if isinstance(domain, rdflib.URIRef) else set()
        if domain is not None and not classes:
            classes = set(ontology.items(ontology.value(domain, OWL.unionOf)))
        for subject, obj in graph.subject_objects(term):
            assert classes & set(graph.objects(subject, RDF.type)), f"{subject} {term}"
            if range_ == RDF.Property:
                assert (obj, RDFS.isDefinedBy, None) in ontology, f"{term} {obj}"
            elif isinstance(obj, rdflib.URIRef):
                assert range_ in set(graph.objects(obj, RDF.type)), f"{term} {obj}"
            elif isinstance(range_, rdflib.BNode):
                assert obj in set(ontology.items(ontology.value(range_, OWL.oneOf))), f"{term} {obj}"
            else:
                assert (obj.datatype or rdflib.XSD.string) == range_, f"{term} {obj}"
            for broader in ontology.objects(term, RDFS.subPropertyOf):
                if str(broader).startswith(KG):
                    assert (subject, broader, obj) in graph
            checked += 1
    assert checked > 60


def _dataset() -> rdflib.Dataset:
    graph = rdflib.Dataset()
    graph.parse(data=lines(), format="nquads")
    return graph

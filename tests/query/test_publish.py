"""The catalogue as RDF in the form of the SIB's examples."""

from __future__ import annotations

from pathlib import Path

import pytest
import rdflib
from click.testing import CliRunner
from rdflib.namespace import DCTERMS, RDF, RDFS, SH
from rdflib.plugins.sparql import prepareQuery

from kg.cli.queries import command
from kg.query.catalogue import load_catalogue
from kg.query.publish import catalogue_turtle
from kg.vocab import EVIDENCE_GRAPH, ID, PREFIXES, SCHEMA

CATALOGUE = load_catalogue()


@pytest.fixture(scope="module")
def graph() -> rdflib.Graph:
    return rdflib.Graph().parse(data=catalogue_turtle(CATALOGUE), format="turtle")


def test_every_query_is_there_with_its_text_and_runs_on_its_own(graph: rdflib.Graph) -> None:
    assert len(set(graph.subjects(RDF.type, SH.SPARQLExecutable))) == len(CATALOGUE)
    for name, query in CATALOGUE.items():
        node = rdflib.URIRef(f"{ID}queries/{name}")
        kinds = {str(t).rsplit("#", 1)[-1] for t in graph.objects(node, RDF.type)} - {"SPARQLExecutable"}
        (kind,) = kinds
        form = kind.removeprefix("SPARQL").removesuffix("Executable").lower()
        (text,) = graph.objects(node, SH[form])
        prepareQuery(str(text))  # with no prefixes but its own
        assert {str(k) for k in graph.objects(node, rdflib.URIRef(SCHEMA.keywords))} == set(query.tags)
        (comment,) = graph.objects(node, RDFS.comment)
        assert str(comment) == query.question and comment.language == "en"


def test_queries_about_evidence_say_that_they_need_its_graph(graph: rdflib.Graph) -> None:
    needy = {str(s).rsplit("/", 1)[-1] for s in graph.subjects(DCTERMS.requires, rdflib.URIRef(EVIDENCE_GRAPH))}
    assert needy == {name for name, query in CATALOGUE.items() if not query.plain}
    assert {"claim-quotes", "paper-provenance"} <= needy and "coauthors" not in needy


def test_prefixes_are_declared(graph: rdflib.Graph) -> None:
    (node,) = set(graph.objects(None, SH.prefixes))
    declared = {
        str(graph.value(d, SH.prefix)): str(graph.value(d, SH.namespace)) for d in graph.objects(node, SH.declare)
    }
    assert declared == PREFIXES


def test_parameters_are_described(graph: rdflib.Graph) -> None:
    node = rdflib.URIRef(f"{ID}queries/topic-datasets")
    found = {
        str(graph.value(p, SH.name)): graph.value(p, SH.optional).toPython() for p in graph.objects(node, SH.parameter)
    }
    assert found == {"topic": False, "year": True}


def test_the_command_writes_it(tmp_path: Path) -> None:
    file = tmp_path / "queries.ttl"
    result = CliRunner().invoke(command, ["--tag", "graph", "--export", str(file)])
    assert result.exit_code == 0, result.output
    assert len(set(rdflib.Graph().parse(file).subjects(RDF.type, SH.SPARQLConstructExecutable))) == 2
    assert CliRunner().invoke(command, ["--export", "x.xml"]).exception.hint == "end the file's name in .ttl"


def test_the_list_and_one_entry() -> None:
    listed = CliRunner().invoke(command, []).output
    assert all(name in listed for name in CATALOGUE)
    assert "topic [year]" in listed
    one = CliRunner().invoke(command, ["topic-datasets"]).output
    assert '-p year="2025"' in one and "may be left out" in one and "SELECT" in one
    unknown = CliRunner().invoke(command, ["--tag", "peeple"])
    assert "people" in unknown.exception.hint

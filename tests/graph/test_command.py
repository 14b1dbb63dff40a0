"""`kg validate`: output, exit codes."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pyoxigraph as ox
import pytest
import rdflib
from click.testing import CliRunner, Result
from rdflib import RDF, SH
from small import quads, store

import kg.api
from kg.cli.validate import command
from kg.vocab import ID, SOA, XSD

ZERO = ox.Quad(
    ox.NamedNode(ID["authorship/doi-10.1234/grape.1"]),
    ox.NamedNode(SOA.position),
    ox.Literal("0", datatype=ox.NamedNode(XSD.integer)),
)


def run(monkeypatch: pytest.MonkeyPatch, statements: set[ox.Quad], *arguments: str) -> Result:
    opened = SimpleNamespace(store=store(statements))
    monkeypatch.setattr(kg.api, "Graph", lambda path: opened)
    return CliRunner().invoke(command, list(arguments))


def test_a_sound_graph_is_exit_code_0_and_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(monkeypatch, quads())
    assert (result.exit_code, result.stdout) == (0, "")
    assert "nothing to report" in result.stderr and "pySHACL" in result.stderr


def test_a_broken_graph_is_exit_code_1_and_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(monkeypatch, quads() | {ZERO}, "--sample", "0")
    assert result.exit_code == 1
    assert "An authorship has exactly one position, a whole number from 1." in result.stdout
    assert "id:authorship/doi-10.1234/grape.1" in result.stdout and "violation" in result.stderr


@pytest.mark.parametrize("format", ["json", "ttl"])
def test_reports_for_programs(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(monkeypatch, quads() | {ZERO}, "-f", format)
    assert result.exit_code == 1
    if format == "json":
        assert json.loads(result.stdout)["conforms"] is False
    else:
        graph = rdflib.Graph().parse(data=result.stdout, format="turtle")
        assert list(graph.subjects(RDF.type, SH.ValidationReport))

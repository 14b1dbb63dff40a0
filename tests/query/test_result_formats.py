"""The W3C's result formats, read back by rdflib, the csv module and the json module."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import pytest
from rdflib import Literal, URIRef
from rdflib.namespace import XSD
from rdflib.query import Result as RdflibResult

from kg.errors import QueryError
from kg.store.oxigraph import OxigraphStore

ROWS = [
    (URIRef("http://e/é?q=1&r=<2>".replace("<", "%3C").replace(">", "%3E")), Literal("plain")),
    (None, Literal('say "yes", it\'s\n"two"\tlines\\')),
    (URIRef("http://e/b"), None),
    (URIRef("http://e/c"), Literal("Grüße 𝛽 中文", lang="de-at")),
    (URIRef("http://e/d"), Literal(-42)),
    (URIRef("http://e/d"), Literal("0.5", datatype=XSD.decimal)),
    (URIRef("http://e/d"), Literal("0.25", datatype=XSD.double)),
    (URIRef("http://e/d"), Literal(True)),
    (URIRef("http://e/d"), Literal("2026-02-28", datatype=XSD.date)),
    (URIRef("http://e/d"), Literal("")),
    (URIRef("http://e/d"), Literal("=1+1; <b>&amp;</b>")),
]


def query() -> str:
    """A SELECT that answers exactly `ROWS`."""
    lines = " ".join("(" + " ".join("UNDEF" if t is None else t.n3() for t in row) + ")" for row in ROWS)
    return f"SELECT ?s ?o WHERE {{ VALUES (?s ?o) {{ {lines} }} }}"


def written(text: str, format: str) -> bytes:
    """The bytes of an answer."""
    out = io.BytesIO()
    OxigraphStore.in_memory(b"").query(text).write(out, format)
    return out.getvalue()


@pytest.mark.parametrize("format", ["json", "xml"])
def test_json_and_xml_lose_nothing(format: str) -> None:
    read = RdflibResult.parse(io.BytesIO(written(query(), format)), format=format)
    assert [str(v) for v in read.vars] == ["s", "o"]
    found = [tuple(row) for row in read]
    assert found == ROWS
    for (_, a), (_, b) in zip(found, ROWS, strict=True):
        assert (getattr(a, "language", None), getattr(a, "datatype", None)) == (
            getattr(b, "language", None),
            getattr(b, "datatype", None),
        )


def test_tsv_holds_terms_in_turtle_syntax() -> None:
    data = written(query(), "tsv").decode()
    head, *lines = data.removesuffix("\n").split("\n")
    assert head == "?s\t?o" and len(lines) == len(ROWS)
    assert lines[1].startswith("\t") and lines[2] == "<http://e/b>\t"
    assert lines[4].endswith("\t-42") and lines[7].endswith("\ttrue") and '"@de-at' in lines[3]
    # rdflib's reader drops unbound cells at the ends of a line, so it reads the others.
    whole = [line for line, row in zip(lines, ROWS, strict=True) if None not in row]
    read = RdflibResult.parse(io.BytesIO("\n".join([head, *whole]).encode()), format="tsv")
    assert [tuple(row) for row in read] == [row for row in ROWS if None not in row]


def test_csv_holds_plain_text_with_crlf() -> None:
    data = written(query(), "csv").decode()
    assert data.startswith("s,o\r\n")
    head, *rows = csv.reader(io.StringIO(data, newline=""))
    assert head == ["s", "o"]
    assert rows == [["" if t is None else str(t) for t in row] for row in ROWS]


def test_json_is_as_the_recommendation_says() -> None:
    data = json.loads(written(query(), "json"))
    assert data["head"]["vars"] == ["s", "o"]
    bindings = data["results"]["bindings"]
    assert "s" not in bindings[1] and "o" not in bindings[2]
    assert bindings[3]["o"] == {"type": "literal", "value": "Grüße 𝛽 中文", "xml:lang": "de-at"}
    assert bindings[4]["o"] == {"type": "literal", "value": "-42", "datatype": str(XSD.integer)}


@pytest.mark.parametrize(("text", "truth"), [("ASK { }", True), ("ASK { ?s ?p ?o }", False)])
def test_ask(text: str, truth: bool) -> None:
    assert json.loads(written(text, "json")) == {"head": {}, "boolean": truth}
    root = ElementTree.fromstring(written(text, "xml"))
    assert root.tag == "{http://www.w3.org/2005/sparql-results#}sparql"
    assert root.find("{http://www.w3.org/2005/sparql-results#}boolean").text == str(truth).lower()
    for format in ("json", "xml"):
        assert RdflibResult.parse(io.BytesIO(written(text, format)), format=format).askAnswer is truth


def test_no_rows_are_still_a_table() -> None:
    text = "SELECT ?s ?o { ?s ?p ?o }"
    assert written(text, "csv") == b"s,o\r\n" and written(text, "tsv") == b"?s\t?o\n"
    assert json.loads(written(text, "json"))["results"] == {"bindings": []}
    assert len(RdflibResult.parse(io.BytesIO(written(text, "xml")), format="xml")) == 0


def test_a_kind_of_answer_without_that_format() -> None:
    with pytest.raises(QueryError, match="cannot be written as ttl"):
        written("SELECT * {}", "ttl")
    with pytest.raises(QueryError, match="cannot be written as csv"):
        written("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }", "csv")

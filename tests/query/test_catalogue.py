"""Every question of the catalogue: its header, its answer on a hand-made graph, and the same in two engines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rdflib
from rdflib.plugins.sparql import prepareQuery

from kg.errors import QueryError
from kg.query.bind import bind
from kg.query.catalogue import PARAM_TYPES, find, load_catalogue, parse
from kg.query.index import prefixed
from kg.query.lookup import Lookup
from kg.query.run import run_named, to_term
from kg.settings import Settings
from kg.store.oxigraph import OxigraphStore
from kg.vocab import PREFIXES

CATALOGUE = load_catalogue()
Case = tuple[str, dict[str, str], list[str]]


def cases() -> Iterator[Case]:
    """(query, parameters, rows) of expected.txt."""
    for block in (Path(__file__).parent / "expected.txt").read_text("utf-8").split("\n== ")[1:]:
        head, *rows = block.splitlines()
        name, _, given = head.partition(" ")
        params = dict(p.split("=", 1) for p in given.split("; ") if p)
        yield name, params, [r.replace("SETTINGS", Settings().digest()) for r in rows if r.strip()]


CASES = list(cases())


def shown(value: Any) -> str:
    """A term of either engine as expected.txt writes it."""
    if value is None:
        return "-"
    datatype = str(getattr(getattr(value, "datatype", ""), "value", getattr(value, "datatype", "")))
    text = prefixed(str(getattr(value, "value", None) if not isinstance(value, rdflib.term.Identifier) else value))
    if datatype.endswith(("decimal", "double")):
        return str(float(text))
    return text.strip() or '""'


def asked(graph: rdflib.Graph, query: str) -> list[str]:
    """The rows of a query in rdflib."""
    result = graph.query(query, initNs=PREFIXES)
    if result.type == "ASK":
        return [str(result.askAnswer).lower()]
    rows = [" | ".join(shown(v) for v in row) for row in result]
    return rows if result.type == "SELECT" else sorted(set(rows))


def answered(store: OxigraphStore, query: str, plain: bool = False) -> list[str]:
    """The rows of a query in Oxigraph; over the unnamed graph alone if `plain`."""
    result = store.query(query, prefixes=PREFIXES, union=not plain)
    if result.kind == "truth":
        return [str(bool(result)).lower()]
    rows = [" | ".join(shown(v) for v in row) for row in result]
    return rows if result.kind == "rows" else sorted(set(rows))


@pytest.mark.parametrize(("name", "params", "rows"), CASES, ids=[f"{n}-{'-'.join(p.values())}" for n, p, _ in CASES])
def test_expected_rows_in_both_engines(
    name: str, params: dict[str, str], rows: list[str], store: OxigraphStore, rdflib_graph: rdflib.Graph, lookup: Lookup
) -> None:
    query = CATALOGUE[name]
    assert set(params) <= {p.name for p in query.params}
    text = bind(query.text, {p.name: to_term(lookup, p, params[p.name]) for p in query.params if p.name in params})
    if "CONSTRUCT" in text:
        rows = sorted(rows)
    assert answered(store, text) == rows
    assert answered(store, text, query.plain) == rows, "the header says graph: plain, and it is not"
    assert asked(rdflib_graph, text) == rows


def test_every_query_has_an_expected_answer_that_is_not_empty() -> None:
    # Every paper of an edition has a method there, so this one has nothing to report.
    assert {name for name, _, rows in CASES if rows} | {"audit-no-method"} == set(CATALOGUE)


def test_at_least_forty() -> None:
    assert len(CATALOGUE) >= 40


@pytest.mark.parametrize("name", CATALOGUE)
def test_is_valid_sparql_as_it_stands(name: str, store: OxigraphStore) -> None:
    prepareQuery(CATALOGUE[name].text, initNs=PREFIXES)
    answered(store, CATALOGUE[name].text)


@pytest.mark.parametrize("name", CATALOGUE)
def test_header(name: str) -> None:
    query = CATALOGUE[name]
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
    assert query.title and query.question.endswith("?") and query.tags
    body = re.sub(r"^#.*$", "", query.text, flags=re.M)
    used = set(re.findall(r"\$(\w+)", body))
    assert used == {p.name for p in query.params}
    for param in query.params:
        assert param.type in PARAM_TYPES and param.example
        # A parameter and a column of one name would be one variable.
        assert not re.search(rf"\?{param.name}\b", body)


@pytest.mark.parametrize("name", CATALOGUE)
def test_rows_come_in_a_total_order(name: str) -> None:
    """Two engines agree on the order of equal keys only by luck, so no query without ORDER BY."""
    body = CATALOGUE[name].text
    if "\nSELECT" in body:
        assert re.search(r"^ORDER BY ", body, re.M)
    for limit in re.finditer(r"\bLIMIT\b", body):
        assert "ORDER BY" in body[: limit.start()].rsplit("WHERE", 1)[-1]


@pytest.mark.parametrize("name", [n for n, q in CATALOGUE.items() if q.params])
def test_engines_agree_where_nothing_is_found(
    name: str, store: OxigraphStore, rdflib_graph: rdflib.Graph, lookup: Lookup
) -> None:
    """An entity of the right kind that the question has little or nothing to say about."""
    poor = {
        "person": "Fay Gray",
        "paper": "id:paper/eta",
        "method": "id:method/star-e",
        "dataset": "CIFAR-10",
        "repository": "github.com/lab/mono",
        "topic": "Counting",
        "venue": "NeurIPS",
        "entity": "Fay Gray",
        "integer": "1900",
        "decimal": "0",
        "text": "nowhere",
    }
    query = CATALOGUE[name]
    text = bind(query.text, {p.name: to_term(lookup, p, poor[p.type]) for p in query.params})
    assert answered(store, text) == asked(rdflib_graph, text)


def test_missing_unknown_and_malformed_parameters(store: OxigraphStore, lookup: Lookup) -> None:
    with pytest.raises(QueryError, match="needs the parameter person"):
        run_named(store, lookup, find("coauthors"), {})
    with pytest.raises(QueryError, match="no parameter 'persn'"):
        run_named(store, lookup, find("coauthors"), {"persn": "Ada Byte"})
    with pytest.raises(QueryError, match="whole number"):
        run_named(store, lookup, find("venue-papers"), {"venue": "ICML", "year": "２０２３"})
    with pytest.raises(QueryError, match="must be a number"):
        run_named(store, lookup, find("claims-unsure"), {"threshold": "0.5 || true"})
    with pytest.raises(QueryError, match="AlphaNet"):
        run_named(store, lookup, find("method-papers"), {"method": "AlphaNte"})


def test_unknown_query_suggests_the_nearest() -> None:
    with pytest.raises(QueryError, match="coauthors"):
        find("coauthor")
    with pytest.raises(QueryError, match="no query is called"):
        find("../queries/coauthors")


def test_headers_that_cannot_be_read() -> None:
    with pytest.raises(QueryError, match="lacks question"):
        parse("x", "# title: T\nSELECT * {}")
    with pytest.raises(QueryError, match="malformed parameter line"):
        parse("x", "# title: T\n# question: Q?\n# param: a planet Mars\nSELECT * {}")


def test_only_the_head_of_a_file_is_a_header() -> None:
    query = parse("x", "# title: T\n# question: Q?\nSELECT * {\n# title: other\n}")
    assert query.title == "T"

"""Terms in the place of variables: only of variables, whatever the query and the value look like."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import QueryError
from kg.query.bind import bind
from kg.store.oxigraph import OxigraphStore
from kg.vocab import PREFIXES

X = {"x": ox.NamedNode("http://e/x")}
TEXT = {"x": ox.Literal("v")}


@pytest.mark.parametrize(
    "untouched",
    [
        '"$x ?x"',
        "'?x'",
        '"""a "quoted" $x ""b ?x"""',
        "'''it's $x'''",
        r'"\"$x"',
        r"'\\\'?x'",
        "<http://e/?x=$x>",
        "# a comment with $x and 'a quote\n",
        r"ex:a\$x",
        r"ex:a\?x",
        r"ex:a\#b",
        "ex:50%24x",
        "_:x",
        "?xx",
        "$x1",
        "?x\u0301",
    ],
)
def test_what_only_looks_like_the_variable(untouched: str) -> None:
    assert bind(untouched, X) == untouched
    assert bind(f"{untouched}\n ?x", X) == f"{untouched}\n <http://e/x>"


@pytest.mark.parametrize(
    ("query", "bound"),
    [
        ("SELECT ?x WHERE { ?x ?p $x }", "SELECT (<http://e/x> AS ?x) WHERE { <http://e/x> ?p <http://e/x> }"),
        ("{ ?s ex:p?/ex:q $x }", "{ ?s ex:p?/ex:q <http://e/x> }"),
        ("{ ?s (ex:p|^ex:q)?$x }", "{ ?s (ex:p|^ex:q)?<http://e/x> }"),
        ("{ FILTER(?a<?x&&?c>?d) }", "{ FILTER(?a<<http://e/x>&&?c>?d) }"),
        ("{ FILTER(!BOUND( ?x ) || ?y = ?x) }", "{ FILTER(!(true ) || ?y = <http://e/x>) }"),
        ("SELECT (COUNT(?x) AS ?n) {}", "SELECT (COUNT(<http://e/x>) AS ?n) {}"),
        ("SELECT ?n {} GROUP BY ?n ?x ORDER BY ?x DESC(?x)",
         "SELECT ?n {} GROUP BY ?n (<http://e/x> AS ?x_1) ORDER BY (<http://e/x>) DESC(<http://e/x>)"),
        ("SELECT ?x { { SELECT ?x ?y { ?x ?p ?y } } }",
         "SELECT (<http://e/x> AS ?x) { { SELECT (<http://e/x> AS ?x_1) ?y { <http://e/x> ?p ?y } } }"),
        ("DESCRIBE ?x", "DESCRIBE <http://e/x>"),
        ("CONSTRUCT { ?x a ?c } WHERE { ?x a ?c }", "CONSTRUCT { <http://e/x> a ?c } WHERE { <http://e/x> a ?c }"),
    ],
)  # fmt: skip
def test_every_place_of_a_variable(query: str, bound: str) -> None:
    assert bind(query, X) == bound


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { BIND(1 AS ?x) }",
        "SELECT (1 AS $x) {}",
        "SELECT * { VALUES ?x { 1 } }",
        "SELECT * { VALUES (?y ?x) { (1 2) } }",
        "SELECT * { ?s ?p ?o } VALUES (?x) { (1) }",
    ],
)
def test_a_query_that_sets_the_variable_itself(query: str) -> None:
    with pytest.raises(QueryError, match=r"\?x a value itself"):
        bind(query, X)


def test_nothing_bound_changes_nothing() -> None:
    text = "SELECT ?x { ?x ?p '''it's # no comment''' } # $x"
    assert bind(text, {}) == text
    assert bind(text, {"y": ox.Literal("1")}) == text


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_value_is_one_literal(value: str) -> None:
    """Both engines read back exactly the value, and nothing of it becomes syntax."""
    text = bind("SELECT ?x ?y WHERE { BIND(?x AS ?y) }", {"x": ox.Literal(value)})
    ((x, y),) = OxigraphStore.in_memory(b"").query(text)
    assert x.value == y.value == value


@pytest.mark.parametrize(
    "value",
    ['" } ; DROP ALL #', "\\", '\\"', '"""', "'''", "\r\n\t\0"[:3], "}{", "?x", "$x", "𝛽 é", "<http://e/x>", "# c"],
)
def test_hostile_values_in_both_engines(value: str) -> None:
    text = bind("SELECT ?x ?n WHERE { BIND(STRLEN(?x) AS ?n) FILTER(?x = ?x) }", {"x": ox.Literal(value)})
    ((x, n),) = OxigraphStore.in_memory(b"").query(text)
    assert (x.value, int(n.value)) == (value, len(value))
    ((x2, n2),) = rdflib.Graph().query(text)
    assert (str(x2), int(n2)) == (value, len(value))


@given(st.text("?$x<>\"'\\#(){}:&. \nSELECTBYGROUPORDER", max_size=60))
def test_without_the_variable_every_text_stays_as_it_is(text: str) -> None:
    assert bind(text, {"zz": ox.Literal("v")}) == text


def test_bound_queries_run_in_both_engines(store: OxigraphStore, rdflib_graph: rdflib.Graph) -> None:
    query = """SELECT $year (COUNT(?paper) AS ?n) WHERE {
                 { SELECT $year ?paper WHERE { ?paper fabio:hasPublicationYear $year ; a schema:ScholarlyArticle } } }
               GROUP BY $year ORDER BY $year"""
    text = bind(query, {"year": ox.Literal(2023)})
    expected = [(2023, 4)]
    assert [tuple(int(v.value) for v in row) for row in store.query(text, prefixes=PREFIXES)] == expected
    assert [tuple(int(v) for v in row) for row in rdflib_graph.query(text, initNs=PREFIXES)] == expected


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("SELECT * { SERVICE <http://x.example/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * { service SILENT ?where { ?s ?p ?o } }", "SERVICE"),
        ("INSERT DATA { <a:a> <a:b> <a:c> }", "changes a graph"),
        ("PREFIX x: <http://x/> DELETE WHERE { ?s ?p ?o }", "changes a graph"),
        ("# a comment\nLOAD <http://x.example/>", "changes a graph"),
    ],
)
def test_requests_and_updates_are_refused(query: str, says: str) -> None:
    from kg.query.bind import refuse_unsafe

    with pytest.raises(QueryError, match=says):
        refuse_unsafe(query)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?service { ?service a schema:Service } # SERVICE",
        "SELECT * { ?s ?p 'SERVICE <x> { }' ; <http://x/SERVICE> ?insert }",
        "PREFIX load: <http://x/> SELECT * { ?s load:service ?copy }",
    ],
)
def test_names_that_look_like_commands_are_names(query: str) -> None:
    from kg.query.bind import refuse_unsafe

    refuse_unsafe(query)

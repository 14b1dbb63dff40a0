"""The catalogue on the packaged demo corpus: answers, the same in Oxigraph and rdflib."""

from __future__ import annotations

from itertools import islice, product

import pytest
import rdflib
from test_catalogue import CATALOGUE, answered, asked

from kg.api import Graph
from kg.query.bind import bind
from kg.query.run import to_term

# What 44 abstracts of one conference cannot hold: citations, affiliations, links that only a source
# states, papers of several years, people or papers of one name; or hold only by chance.
NOT_IN_DEMO = {
    "author-affiliations", "author-method-users", "author-missing-links", "author-namesakes", "audit-ambiguous-names",
    "audit-no-abstract", "audit-no-authors", "audit-no-title", "audit-no-venue", "audit-no-year", "audit-same-title", "audit-shared-names",
    "claims-without-quote", "dataset-origin", "homographs", "methods-adopted", "monorepos", "paper-citations",
    "paper-related", "paper-shared-datasets", "paper-shared-methods", "venue-papers-about", "author-shared-datasets",
    "author-papers-without-code", "dataset-companions", "method-companions",
}  # fmt: skip


@pytest.fixture(scope="module")
def demo_rdflib(demo: Graph) -> rdflib.Graph:
    return demo.rdflib(evidence=True)


@pytest.fixture(scope="module")
def values(demo: Graph) -> dict[str, list[str]]:
    """For each type of parameter the entities of most papers."""
    found = {"integer": ["2025"], "decimal": ["0.9"], "text": ["the"]}
    for kind in ("person", "paper", "method", "dataset", "repository", "topic", "venue"):
        query = "SELECT iri FROM entity WHERE kind = ? ORDER BY papers DESC, id"
        found[kind] = [row[0] for row in demo.index.execute(query, (kind,))]
    return found | {"entity": [x for pair in zip(found["dataset"], found["method"], strict=False) for x in pair]}


@pytest.mark.parametrize("name", CATALOGUE)
def test_answers_in_both_engines(
    name: str, demo: Graph, demo_rdflib: rdflib.Graph, values: dict[str, list[str]]
) -> None:
    query = CATALOGUE[name]
    needed = [p for p in query.params if not p.optional]
    rows: list[str] = []
    for given in islice(product(*(values[p.type] for p in needed)), 3000):
        terms = {p.name: to_term(demo.lookup, p, v) for p, v in zip(needed, given, strict=True)}
        text = bind(query.text, terms)
        rows = answered(demo.store, text)
        if rows and rows != ["false"]:
            break
    assert rows or name in NOT_IN_DEMO
    assert asked(demo_rdflib, text) == rows


@pytest.mark.parametrize("name", [n for n, q in CATALOGUE.items() if q.params])
def test_the_examples_of_the_header_are_in_the_demo(name: str, demo: Graph) -> None:
    for param in CATALOGUE[name].params:
        to_term(demo.lookup, param, param.example)

"""The sentences behind a statement, with the name marked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from kg.store.results import Result, python_value

_BOUNDARY = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]*[A-Z0-9$\\])")
_MAX = 400  # code points of context on either side where a text has no sentences

# Three plain joins that start at the paper; one query with OPTIONAL parts makes the engine read all evidence.
_CLAIMS = """SELECT ?a ?predicate ?object ?confidence ?cue ?stated ?review WHERE {
    ?a rdf:subject $paper ; rdf:predicate ?predicate ; rdf:object ?object ; kg:confidence ?confidence
    OPTIONAL { ?a kg:cue ?cue } OPTIONAL { ?a kg:repositoryStatedBy ?stated }
    OPTIONAL { ?a kg:reviewStatus ?review } }"""
_QUOTES = """SELECT ?a ?source ?start ?end WHERE {
    ?a rdf:subject $paper ; kg:evidence ?mention . ?mention oa:hasTarget ?target .
    ?target oa:hasSource ?source ; oa:hasSelector ?selector . ?selector oa:start ?start ; oa:end ?end }"""
_TEXTS = """SELECT ?p ?text WHERE { VALUES ?p { dcterms:title dcterms:abstract } $paper ?p ?text }"""


class Quote(Struct, frozen=True):
    """A sentence with a name in it: `sentence[start:end]` is the name."""

    sentence: str
    start: int
    end: int
    field: str


class Claim(Struct, frozen=True):
    """One extracted statement about a paper and its sentences, in text order.

    Attributes:
        review: "confirmed" or "rejected" by a person (overrides.toml), else empty. What is rejected the graph
            no longer states; the claim stays, so that one sees what was decided.
    """

    predicate: str
    object: str
    confidence: float
    cue: str
    stated_by: str
    quotes: tuple[Quote, ...]
    review: str = ""


def claims_of(ask: Callable[..., Result], paper: str) -> list[Claim]:
    """Extracted statements about a paper with their sentences.

    Args:
        ask: runs a SPARQL text with `bindings`. paper: IRI.
    """
    import pyoxigraph as ox

    bound = {"paper": ox.NamedNode(paper)}
    texts = {str(p).rsplit("/", 1)[-1]: str(t) for p, t in _rows(ask(_TEXTS, bindings=bound))}
    quotes: dict[str, set[Quote]] = {}
    for assertion, source, start, end in _rows(ask(_QUOTES, bindings=bound)):
        field = str(source).rsplit("#", 1)[-1]
        quotes.setdefault(assertion, set()).add(quote(texts.get(field, ""), start, end, field))
    found = {}
    for assertion, predicate, obj, confidence, cue, stated, review in _rows(ask(_CLAIMS, bindings=bound)):
        own = sorted(quotes.get(assertion, ()), key=lambda q: (q.field != "title", q.sentence, q.start))
        found[predicate, obj] = Claim(
            predicate, obj, float(confidence), cue or "", stated or "", tuple(own), review or ""
        )
    return [found[key] for key in sorted(found)]


def _rows(result: Result) -> Iterator[tuple[Any, ...]]:
    for row in result:
        yield tuple(map(python_value, row))


def quote(text: str, start: int, end: int, field: str = "abstract") -> Quote:
    """The sentence around `text[start:end]` (code points), by a simple rule that needs no model."""
    left, right = 0, len(text)
    for boundary in _BOUNDARY.finditer(text):
        if boundary.end() <= start:
            left = boundary.end()
        elif boundary.start() >= end:
            right = boundary.start()
            break
    left, right = max(left, start - _MAX), min(right, end + _MAX)
    return Quote(text[left:right], start - left, end - left, field)

"""The sentences behind a statement, with the name marked."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from kg.store.results import Result, python_value

_BOUNDARY = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]*[A-Z0-9$\\])")
_MAX = 400  # code points of context on either side where a text has no sentences

_QUERY = """SELECT ?predicate ?object ?confidence ?cue ?stated ?source ?start ?end ?exact ?abstract ?title WHERE {
    ?assertion rdf:subject $paper ; rdf:predicate ?predicate ; rdf:object ?object ; kg:confidence ?confidence
    OPTIONAL { ?assertion kg:cue ?cue } OPTIONAL { ?assertion kg:repositoryStatedBy ?stated }
    OPTIONAL { ?assertion kg:evidence/oa:hasTarget ?target . ?target oa:hasSource ?source ; oa:hasSelector ?selector .
               ?selector oa:start ?start ; oa:end ?end ; oa:exact ?exact }
    OPTIONAL { $paper dcterms:abstract ?abstract } OPTIONAL { $paper dcterms:title ?title } }"""


class Quote(Struct, frozen=True):
    """A sentence with a name in it: `sentence[start:end]` is the name."""

    sentence: str
    start: int
    end: int
    field: str


class Claim(Struct, frozen=True):
    """One extracted statement about a paper and its sentences, in text order."""

    predicate: str
    object: str
    confidence: float
    cue: str
    stated_by: str
    quotes: tuple[Quote, ...]


def claims_of(ask: Callable[..., Result], paper: str) -> list[Claim]:
    """Extracted statements about a paper with their sentences.

    Args:
        ask: runs a SPARQL text with `bindings`. paper: IRI.
    """
    import pyoxigraph as ox

    found: dict[tuple[str, str], tuple[float, str, str, set[Quote]]] = {}
    for row in ask(_QUERY, bindings={"paper": ox.NamedNode(paper)}):
        predicate, obj, confidence, cue, stated, source, start, end, _, abstract, title = map(python_value, row)
        entry = found.setdefault((str(predicate), str(obj)), (float(str(confidence)), cue or "", stated or "", set()))
        if source is not None:
            field = str(source).rsplit("#", 1)[-1]
            entry[3].add(quote(str(title if field == "title" else abstract), int(str(start)), int(str(end)), field))
    return [
        Claim(
            p,
            o,
            confidence,
            str(cue),
            str(stated),
            tuple(sorted(quotes, key=lambda q: (q.field != "title", q.sentence))),
        )
        for (p, o), (confidence, cue, stated, quotes) in sorted(found.items())
    ]


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

"""BibTeX of the graph's papers."""

from __future__ import annotations

import re
from typing import Any

from kg.store.oxigraph import OxigraphStore
from kg.store.results import python_value
from kg.text import fold
from kg.vocab import PREFIXES

_PAPERS = """SELECT ?p ?title ?year ?venue ?doi ?url WHERE { ?p a schema:ScholarlyArticle ; dcterms:title ?title
    OPTIONAL { ?p fabio:hasPublicationYear ?year } OPTIONAL { ?p bibo:presentedAt/schema:superEvent/schema:name ?venue }
    OPTIONAL { ?p prism:doi ?doi } OPTIONAL { ?p schema:url ?url } }"""
_AUTHORS = """SELECT ?p ?position ?printed WHERE { ?p soa:hasAuthorship ?s . ?s soa:position ?position ;
    kg:nameAsPrinted ?printed }"""
_ESCAPED = re.compile(r"(?<!\\)([%&#_])")


def bibtex(store: OxigraphStore) -> bytes:
    """An entry for each paper that has a title, sorted; keys are author, year and first word of the title."""
    from bibtexparser import Library, write_string
    from bibtexparser.model import Entry, Field

    authors: dict[str, list[tuple[int, str]]] = {}
    for paper, position, printed in _values(store, _AUTHORS):
        authors.setdefault(paper, []).append((position, printed))
    papers: dict[str, tuple[Any, ...]] = {}
    for row in sorted(_values(store, _PAPERS), key=str):
        papers.setdefault(row[0], row)
    library, taken = Library(), set()
    for paper, title, year, venue, doi, url in papers.values():
        names = [name for _, name in sorted(authors.get(paper, []))]
        key = _key(names, year, title, taken)
        values = {
            "title": "{" + _text(title) + "}",
            "author": _text(" and ".join(names)),
            "booktitle": _text(venue or ""),
            "year": str(year or ""),
            "doi": doi or "",
            "url": url or "",
        }
        fields = [Field(name, value) for name, value in values.items() if value]
        library.add(Entry("inproceedings" if venue else "misc", key, fields))
    return write_string(library).encode("utf-8")


def _values(store: OxigraphStore, query: str) -> list[tuple[Any, ...]]:
    return [tuple(map(python_value, row)) for row in store.query(query, prefixes=PREFIXES)]


def _text(value: str) -> str:
    return _ESCAPED.sub(r"\\\1", " ".join(value.split()))


def _key(names: list[str], year: int | None, title: str, taken: set[str]) -> str:
    last = fold(names[0]).split()[-1:] if names else []
    word = next((w for w in fold(title).split() if len(w) > 3), "paper")
    base = re.sub(r"\W", "", "".join([*last, str(year or ""), word])) or "paper"
    key, n = base, 1
    while key in taken:
        n += 1
        key = f"{base}{n}"
    taken.add(key)
    return key

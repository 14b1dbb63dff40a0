"""A small SQLite index beside the store: names to entities, and who is linked to which paper.

Oxigraph answers a pair question (who wrote with whom most often) through a self-join that takes many
seconds on a large graph; SQLite over integers does it in a fraction. The index is derived from the
store alone and holds nothing that a query could not find there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from kg.store.results import Result, python_value
from kg.text import fold
from kg.vocab import ID, PREFIXES

KINDS = ("paper", "person", "method", "dataset", "repository", "topic", "venue")

# What `kg links` calls a relation, and the statements behind it: (predicate, role).
RELATIONS = {
    "coauthors": (("dcterms:creator", "author"),),
    "methods": (("kg:proposesMethod", "proposed"), ("kg:usesMethod", "used")),
    "datasets": (("kg:introducesDataset", "introduced"), ("kg:usesDataset", "used")),
    "code": (("kg:hasRepository", "own"), ("kg:mentionsRepository", "mentioned")),
    "topics": (("dcterms:subject", "subject"),),
}

_SCHEMA = """
CREATE TABLE entity (id INTEGER PRIMARY KEY, iri TEXT NOT NULL, kind TEXT NOT NULL, label TEXT NOT NULL,
                     year INTEGER, venue TEXT, papers INTEGER NOT NULL DEFAULT 0);
CREATE TABLE name (key TEXT NOT NULL, name TEXT NOT NULL, entity INTEGER NOT NULL);
CREATE TABLE member (relation TEXT NOT NULL, entity INTEGER NOT NULL, paper INTEGER NOT NULL, role TEXT NOT NULL);
"""
_INDEXES = """
CREATE UNIQUE INDEX entity_iri ON entity (iri);
CREATE INDEX name_key ON name (key);
CREATE INDEX member_entity ON member (relation, entity, paper, role);
CREATE INDEX member_paper ON member (paper, relation, entity, role);
"""
_LABELS = {
    "paper": """SELECT ?e ?label ?year ?venue WHERE { ?e a schema:ScholarlyArticle
        OPTIONAL { ?e dcterms:title ?title } OPTIONAL { ?e kg:displayTitle ?shown } OPTIONAL { ?e skos:prefLabel ?pref }
        BIND(COALESCE(?shown, ?title, ?pref) AS ?label) OPTIONAL { ?e fabio:hasPublicationYear ?year }
        OPTIONAL { ?e bibo:presentedAt/schema:superEvent/schema:name ?venue } }""",
    "person": "SELECT ?e ?label WHERE { ?e a foaf:Person ; foaf:name ?label }",
    "method": "SELECT ?e ?label WHERE { ?e a kg:Method ; skos:prefLabel ?label }",
    "dataset": "SELECT ?e ?label WHERE { ?e a schema:Dataset ; skos:prefLabel ?label }",
    "repository": "SELECT ?e ?label WHERE { ?e a schema:SoftwareSourceCode ; skos:prefLabel ?label }",
    "topic": f"SELECT ?e ?label WHERE {{ ?e skos:inScheme <{ID}topic/scheme> ; skos:notation ?label }}",
    "venue": "SELECT ?e ?label WHERE { ?e a schema:EventSeries ; schema:name ?label }",
}
_OTHER_NAMES = """SELECT ?e ?name WHERE {
    { ?e skos:altLabel ?name } UNION { ?e dcterms:identifier ?name } UNION { ?e dcterms:title ?name }
    UNION { ?e a skos:Concept ; skos:prefLabel ?name } UNION { ?e schema:codeRepository ?u BIND(STR(?u) AS ?name) }
    UNION { ?e prism:doi ?name } UNION { ?e fabio:hasArXivId ?name } UNION { ?e a schema:Event ; schema:name ?name } }"""

Ask = Callable[[str], Result]


def build_index(ask: Ask, path: Path | str) -> sqlite3.Connection:
    """Creates the index of a graph.

    Args:
        ask: runs a SPARQL text over the graph's plain statements (all prefixes bound).
        path: a new file, or ":memory:".

    Returns:
        The open connection.
    """
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.executescript(_SCHEMA)
    number = _load_entities(db, ask)
    _load_members(db, ask, number)
    db.executescript(_INDEXES)
    db.execute(
        """UPDATE entity SET papers = n FROM
           (SELECT entity AS e, COUNT(DISTINCT paper) AS n FROM member GROUP BY entity) WHERE id = e"""
    )
    db.execute("ANALYZE")
    db.commit()
    return db


def open_index(path: Path) -> sqlite3.Connection:
    """Opens an index read-only."""
    return sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)


def key_of(name: str) -> str:
    """The form under which a name is found: `fold` without blanks, or the bare text if that is empty."""
    return fold(name).replace(" ", "") or name.strip()


def _load_entities(db: sqlite3.Connection, ask: Ask) -> dict[str, int]:
    number: dict[str, int] = {}
    entities, names = [], set()
    for kind, query in _LABELS.items():
        rows = sorted({row[0]: row for row in _rows(ask(query))}.values())
        for iri, label, *rest in rows:
            if iri in number:
                continue
            number[iri] = len(number) + 1
            year, venue = (*rest, None, None)[:2]
            entities.append((number[iri], iri, kind, str(label), year, venue))
            names.add((key_of(str(label)), str(label), number[iri]))
            names.add((key_of(iri.removeprefix(ID)), iri.removeprefix(ID), number[iri]))
    for iri, name in _rows(ask(_OTHER_NAMES)):
        if iri in number:
            names.add((key_of(str(name)), str(name), number[iri]))
            if ":" in str(name):  # "openreview:~Ada1" is also found as "~Ada1"
                bare = str(name).split(":", 1)[1]
                names.add((key_of(bare), bare, number[iri]))
    db.executemany("INSERT INTO entity (id, iri, kind, label, year, venue) VALUES (?, ?, ?, ?, ?, ?)", entities)
    db.executemany("INSERT INTO name VALUES (?, ?, ?)", sorted(names))
    return number


def _load_members(db: sqlite3.Connection, ask: Ask, number: dict[str, int]) -> None:
    for relation, statements in RELATIONS.items():
        found = set()
        for predicate, role in statements:
            for paper, entity in _rows(ask(f"SELECT ?p ?e WHERE {{ ?p {predicate} ?e }}")):
                if paper in number and entity in number:
                    found.add((relation, number[entity], number[paper], role))
        db.executemany("INSERT INTO member VALUES (?, ?, ?, ?)", sorted(found))


def _rows(result: Result) -> Iterator[tuple]:
    for row in result:
        yield tuple(python_value(term) for term in row)


def prefixed(iri: str) -> str:
    """A short form of an IRI for people: `id:person/…`, `schema:Dataset`; unchanged where none fits."""
    for prefix, namespace in PREFIXES.items():
        if prefix != "id" and iri.startswith(namespace):
            return f"{prefix}:{iri[len(namespace) :]}"
    return f"id:{iri[len(ID) :]}" if iri.startswith(ID) else iri


def expanded(name: str) -> str:
    """The IRI of a short form; anything else unchanged."""
    prefix, colon, rest = name.partition(":")
    return PREFIXES[prefix] + rest if colon and prefix in PREFIXES and not rest.startswith("//") else name

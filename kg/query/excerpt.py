"""The part of the index that a question needs, fetched from an endpoint.

On a server there is no SQLite index beside the store. What a question about links looks at is a small
part of it, so that part is asked for in SPARQL and put into the same tables in memory: names, links and
paths then come out as they do on a local graph.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from kg.query.index import _CLASSES, _INDEXES, _LABELS, _SCHEMA, KINDS, RELATIONS, SCHEMES, expanded
from kg.query.lookup import Match
from kg.store.results import Result
from kg.vocab import BIBO, FABIO, ID, KG, RDF, SCHEMA, SKOS

Ask = Callable[[str], Result]
T = TypeVar("T")
Thing = tuple[str, str, int | None, str | None, int]  # kind, label, year, venue, papers
Member = tuple[str, str, str, str]  # relation, entity, paper, role (IRIs)

_BATCH = 400  # IRIs in one query: well below the 10,000 lines that Virtuoso allows a query
_PREDICATES = {expanded(p): (relation, role) for relation, rows in RELATIONS.items() for p, role in rows}
_ROLES = {(relation, role): predicate for predicate, (relation, role) in _PREDICATES.items()}
_KIND_OF = {"coauthors": "person", "methods": "method", "datasets": "dataset", "code": "repository", "topics": "topic"}
_BY_KIND = {_KIND_OF[r]: [expanded(p) for p, _ in rows] for r, rows in RELATIONS.items()}
_FACTS = (
    RDF.type, SKOS.inScheme, BIBO.presentedAt, FABIO.hasPublicationYear,
    *dict.fromkeys(p for labels in _LABELS.values() for p in labels),
)  # fmt: skip


class Excerpt:
    """Entities and statements of an endpoint's graph, as far as they were asked for."""

    def __init__(self, ask: Ask) -> None:
        """`ask` runs a SPARQL text."""
        self._ask = ask
        self._things: dict[str, Thing | None] = {}
        self._members: dict[Member, float] = {}
        self._venues: dict[str, str] = {}
        self._db: sqlite3.Connection | None = None
        self._numbers: dict[str, int] = {}

    def describe(self, iris: Iterable[str]) -> None:
        """Fetches kind, label, year, venue and number of papers of what is not known yet."""
        for batch in batches(sorted({i for i in iris if i.startswith(ID)} - set(self._things))):
            facts: dict[str, dict[str, set[str]]] = {iri: {} for iri in batch}
            # Predicates in a filter: with a second VALUES, Oxigraph reads every statement of each predicate.
            of = ", ".join(f"<{p}>" for p in _FACTS)
            query = f"SELECT ?e ?p ?o WHERE {{ {values('e', batch)} ?e ?p ?o FILTER(?p IN ({of})) }}"
            for e, p, o in self._rows(query):
                facts[e].setdefault(p, set()).add(o)
            kinds = {iri: kind for iri, found in facts.items() if (kind := _kind(iri, found))}
            counts = self._counts(kinds)
            self._fetch_venues({o for found in facts.values() for o in found.get(BIBO.presentedAt, ())})
            for iri in batch:
                self._things[iri] = self._thing(iri, kinds[iri], facts[iri], counts) if iri in kinds else None
            self._db = None

    def thing(self, iri: str) -> Thing | None:
        """What is known of an entity after `describe`; None for what is no entity of the graph."""
        return self._things.get(iri)

    def match(self, iri: str) -> Match | None:
        """An entity with its number in `database` (0 when that was not made yet)."""
        found = self._things.get(iri)
        return Match(self._numbers.get(iri, 0), iri, found[0], found[1], found[4]) if found else None

    def add(self, rows: Iterable[tuple[str, str, str]]) -> None:
        """Adds statements (paper, predicate, entity) of the relations, all that is known of their ends, and how sure."""
        new = {(*_PREDICATES[p], paper, entity) for paper, p, entity in rows if p in _PREDICATES}
        members = [(relation, entity, paper, role) for relation, role, paper, entity in sorted(new)]
        self.describe([e for _, e, _, _ in members] + [p for _, _, p, _ in members])
        members = [m for m in members if m not in self._members and self._things[m[1]] and self._things[m[2]]]
        self._members.update(zip(members, self._confidences(members), strict=True))
        self._db = None

    def database(self) -> sqlite3.Connection:
        """The tables of `kg.query.index` with all that was fetched, numbered as a whole index would be: papers first."""
        if self._db is None:
            known = [(iri, thing) for iri, thing in self._things.items() if thing]
            known.sort(key=lambda x: (KINDS.index(x[1][0]), x[0]))
            self._numbers = {iri: i for i, (iri, _) in enumerate(known, 1)}
            self._db = sqlite3.connect(":memory:")
            self._db.executescript(_SCHEMA)
            self._db.executemany(
                "INSERT INTO thing VALUES (?, ?, ?, ?, ?, ?, ?)",
                ((self._numbers[iri], iri.removeprefix(ID), *thing) for iri, thing in known),
            )
            self._db.executemany(
                "INSERT INTO member VALUES (?, ?, ?, ?, ?)",
                (
                    (r, self._numbers[e], self._numbers[p], role, sure)
                    for (r, e, p, role), sure in self._members.items()
                ),
            )
            self._db.executescript(_INDEXES)
        return self._db

    def _thing(self, iri: str, kind: str, facts: dict[str, set[str]], counts: dict[str, int]) -> Thing:
        label = next((min(facts[p]) for p in _LABELS[kind] if p in facts), iri.removeprefix(ID))
        if kind != "paper":
            return kind, label, None, None, counts.get(iri, 0)
        year = min(facts.get(FABIO.hasPublicationYear, ()), default=None)
        venue = self._venues.get(min(facts.get(BIBO.presentedAt, ()), default=""))
        return kind, label, int(year) if year else None, venue, 0

    def _counts(self, kinds: dict[str, str]) -> dict[str, int]:
        """On how many papers each entity stands."""
        found: dict[str, int] = {}
        for kind, predicates in _BY_KIND.items():
            for batch in batches(sorted(iri for iri, k in kinds.items() if k == kind)):
                # The entities in each branch: joined to a union from outside, they would come after all its rows.
                parts = " UNION ".join(f"{{ {values('e', batch)} ?p <{p}> ?e }}" for p in predicates)
                rows = self._rows(f"SELECT ?e (COUNT(DISTINCT ?p) AS ?n) WHERE {{ {parts} }} GROUP BY ?e")
                found.update((e, int(n)) for e, n in rows)
        return found

    def _fetch_venues(self, editions: set[str]) -> None:
        for batch in batches(sorted(editions - set(self._venues))):
            query = f"SELECT ?e ?n WHERE {{ {values('e', batch)} ?e <{SCHEMA.superEvent}> ?v . ?v <{SCHEMA.name}> ?n }}"
            self._venues.update(sorted(self._rows(query), reverse=True))

    def _confidences(self, members: list[Member]) -> list[float]:
        """How sure each statement is: 1 for what a source states."""
        from kg.graph.evidence import assertion_iri

        claims = {
            m: assertion_iri(m[2], predicate, m[1]) for m in members if (predicate := _ROLES[m[0], m[3]]).startswith(KG)
        }
        found: dict[str, float] = {}
        for batch in batches(sorted(claims.values())):
            rows = self._rows(f"SELECT ?a ?c WHERE {{ {values('a', batch)} ?a <{KG.confidence}> ?c }}")
            found.update((a, float(c)) for a, c in rows)
        return [found.get(claims.get(m, ""), 1.0) for m in members]

    def _rows(self, query: str) -> Iterator[tuple[str, ...]]:
        for row in self._ask(query):
            yield tuple(term.value for term in row if term is not None)


def _kind(iri: str, facts: dict[str, set[str]]) -> str | None:
    if facts.get(SKOS.inScheme, set()) & set(SCHEMES):
        return "topic"
    return next((_CLASSES[c] for c in sorted(facts.get(RDF.type, ())) if c in _CLASSES), None)


def batches(items: Sequence[T], size: int = _BATCH) -> Iterator[Sequence[T]]:
    """The items in lists of at most `size`."""
    for i in range(0, len(items), size):
        yield items[i : i + size]


def words(result: Result) -> Iterator[tuple[str, ...]]:
    """Rows as texts; nothing where a variable is unbound."""
    return (tuple("" if term is None else str(term.value) for term in row) for row in result)


def values(name: str, iris: Iterable[str]) -> str:
    """A VALUES block of IRIs; what cannot be an IRI is left out, so that nothing else can become query text."""
    import pyoxigraph as ox

    terms = []
    for iri in iris:
        try:
            terms.append(str(ox.NamedNode(iri)))
        except ValueError:
            continue
    return f"VALUES ?{name} {{ {' '.join(terms)} }}"

"""The rows of every table, found in one pass over the sorted statements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import product
from typing import Any

import msgspec

from kg.export.sorting import Sorter
from kg.export.statements import Facts, bracketed, subjects
from kg.graph.networkx import local_name
from kg.store.oxigraph import OxigraphStore
from kg.vocab import BIBO, DCTERMS, FABIO, FOAF, KG, OA, PRISM, RDF, SCHEMA, SKOS, SOA

COLUMNS = {
    "papers": ("id", "label", "title", "year", "venue", "url", "doi", "abstract"),
    "people": ("id", "name", "status"),
    "authorships": ("paper", "position", "person", "printed", "affiliation"),
    "methods": ("id", "name"),
    "datasets": ("id", "name"),
    "repositories": ("id", "url", "kind"),
    "topics": ("id", "name", "path", "broader"),
    "paper_topics": ("paper", "topic"),
    "paper_tasks": ("paper", "task"),
    "identifiers": ("id", "identifier"),
    "claims": ("paper", "relation", "object", "confidence", "cue"),
    "quotes": ("paper", "relation", "object", "field", "start", "end", "exact"),
    "mappings": ("id", "match", "target", "reason"),
    "aliases": ("id", "alias"),
}
# table -> class, and what a row says besides the IRI; what has a question mark may be missing
_OF_CLASS = {
    "people": (FOAF.Person, (FOAF.name, KG.resolutionStatus)),
    "methods": (KG.Method, (SKOS.prefLabel,)),
    "datasets": (SCHEMA.Dataset, (SKOS.prefLabel,)),
    "repositories": (SCHEMA.SoftwareSourceCode, (SCHEMA.codeRepository, KG.repositoryKind)),
}
_PLAIN = {
    "paper_topics": DCTERMS.subject,
    "paper_tasks": KG.addressesTask,
    "identifiers": DCTERMS.identifier,
    "aliases": SKOS.altLabel,
}
_PAPER = (FABIO.hasPublicationYear, SCHEMA.url, PRISM.doi, DCTERMS.abstract)
_REST = (
    RDF.type, RDF.subject, RDF.predicate, RDF.object, DCTERMS["title"], BIBO.presentedAt, SKOS.inScheme, SKOS.notation,
    SKOS.broader, SKOS.prefLabel, SOA.hasAuthorship, SOA.position, SOA.hasAuthor, KG.nameAsPrinted, SOA.rawAffiliation,
    KG.confidence, KG.cue, KG.matchReason, KG.evidence, OA.hasTarget, OA.hasSource, OA.hasSelector, OA.start, OA.end,
    OA.exact,
)  # fmt: skip
_WANTED = bracketed(*_REST, *_PAPER, *_PLAIN.values(), *(p for _, said in _OF_CLASS.values() for p in said))
_CLASSES = tuple(bracketed(SCHEMA.ScholarlyArticle, KG.Mapping, *(c for c, _ in _OF_CLASS.values())))

Row = Sequence[object]


class Tables:
    """The tables of a store as sorted rows; a context manager, for they stand in temporary files."""

    def __init__(self, store: OxigraphStore) -> None:
        self._stack = ExitStack()
        self._sorters: dict[str, Sorter] = {}
        # The few series of venues are asked for; everything else comes by in one pass.
        names = {q.subject: q.object for q in store.quads(None, SCHEMA.name)}
        series = ((q.subject, names.get(q.object)) for q in store.quads(None, SCHEMA.superEvent))  # type: ignore[arg-type]
        self._venues = {_text(event): _text(name) for event, name in series if name is not None}
        # Parts of quotes and authorships, until the whole comes by: its IRI begins theirs, so it is near.
        self._parts: dict[str, Facts] = {}

    def __enter__(self) -> Tables:
        self._sorters = {name: self._stack.enter_context(Sorter()) for name in COLUMNS}
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def read(self, lines: Iterable[bytes]) -> None:
        """Finds the rows in sorted statements."""
        with Sorter() as quoted:
            for iri, said in subjects(lines, _WANTED, _CLASSES):
                self._rows_of(iri, said, quoted)
            self._quotes(quoted)

    def rows(self, table: str) -> Iterator[list[object]]:
        """Rows sorted by their columns, empty cells first."""
        return (msgspec.json.decode(line.rsplit(b"\t", 1)[1]) for line in self._sorters[table])

    def _add(self, table: str, *columns: Sequence[object]) -> None:
        """A row for each combination of values of the columns."""
        for row in product(*columns):
            key = b"\t".join(map(sort_key, row))
            self._sorters[table].write(b"%s\t%s\n" % (key, msgspec.json.encode(row)))

    def _rows_of(self, iri: str, said: Facts, quoted: Sorter) -> None:
        me = [iri]
        classes = said.get(RDF.type, [])
        if SCHEMA.ScholarlyArticle in classes:
            self._paper(iri, said)
        for table, (of, predicates) in _OF_CLASS.items():
            if of in classes:
                self._add(table, me, *(said.get(p, ()) for p in predicates))
        for table, predicate in _PLAIN.items():
            if predicate in said:
                self._add(table, me, said[predicate])
        if SKOS.inScheme in said:
            self._add("topics", me, *_all(said, SKOS.prefLabel, SKOS.notation), said.get(SKOS.broader, [None]))
        if RDF.subject in said:
            self._claim(iri, said, quoted)
        if said.keys() & {SOA.hasAuthor, OA.hasSource, OA.exact}:
            self._parts[iri] = said
        for authorship in said.get(SOA.hasAuthorship, ()):
            part = self._parts.pop(authorship, Facts())
            cells = _all(part, SOA.position, SOA.hasAuthor, KG.nameAsPrinted)
            self._add("authorships", me, *cells, part.get(SOA.rawAffiliation, [None]))
        for target in said.get(OA.hasTarget, ()):
            place = self._parts.pop(target, Facts())
            fields = [source.partition("#")[2] for source in place.get(OA.hasSource, ())]
            for selector in place.get(OA.hasSelector, ()):
                exact = self._parts.pop(selector, Facts())
                for row in product(fields, *_all(exact, OA.start, OA.end, OA.exact)):
                    quoted.write(b"%s\ta\t%s\n" % (iri.encode(), msgspec.json.encode(row)))

    def _paper(self, iri: str, said: Facts) -> None:
        year, url, doi, abstract = (said.get(p, [None]) for p in _PAPER)
        titles = said.get(DCTERMS["title"], [None])
        labels = said.get(DCTERMS["title"]) or said.get(SKOS.prefLabel, [None])
        venues: list[str | None] = [self._venues[e] for e in said.get(BIBO.presentedAt, ()) if e in self._venues]
        self._add("papers", [iri], labels, titles, year, venues or [None], url, doi, abstract)

    def _claim(self, iri: str, said: Facts, quoted: Sorter) -> None:
        papers, predicates, things = _all(said, RDF.subject, RDF.predicate, RDF.object)
        if KG.matchReason in said:
            self._add("mappings", papers, [local_name(p) for p in predicates], things, said[KG.matchReason])
        if KG.confidence in said:
            relations = [p.partition("#")[2] for p in predicates]
            cells = papers, relations, things
            self._add("claims", *cells, said[KG.confidence], said.get(KG.cue, [None]))
            for row in product(*cells):
                for mention in said.get(KG.evidence, ()):
                    quoted.write(b"%s\tb\t%s\n" % (mention.encode(), msgspec.json.encode(row)))

    def _quotes(self, quoted: Iterable[bytes]) -> None:
        """Claims and the places they are read from, joined in a sorted file: of each mention the places come first."""
        about: bytes = b""
        places: list[list[object]] = []
        for line in quoted:
            mention, what, row = line.split(b"\t", 2)
            if mention != about:
                about, places = mention, []
            if what == b"a":
                places.append(msgspec.json.decode(row))
            else:
                for place in places:
                    self._add("quotes", *([cell] for cell in (*msgspec.json.decode(row), *place)))


def _all(said: Facts, *predicates: str) -> list[list[Any]]:
    return [said.get(p, []) for p in predicates]


def _text(term: Any) -> str:
    return str(term.value)


def sort_key(value: object) -> bytes:
    """Bytes that sort as the value does: numbers by size, texts by their beginning."""
    if isinstance(value, (int, float)):
        return b"%020.6f" % value
    return b"" if value is None else msgspec.json.encode(str(value)[:60])

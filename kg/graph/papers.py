"""Statements about papers: bibliography, topics, venue, origin."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar
from urllib.parse import quote

from kg.display import display
from kg.graph.rdf import EVIDENCE, about, date, integer, ref, text, web
from kg.ids import iri, topic_key
from kg.model import Extraction, Origin, Paper
from kg.sources.fields import EMAIL
from kg.text import digest, slug
from kg.vocab import BIBO, CITO, DCTERMS, FABIO, KG, OWL, PRISM, PROV, RDF, RDFS, SCHEMA, SKOS

_PREPRINT = re.compile(r"\b(?:arxiv|biorxiv|medrxiv|preprint|corr)\b", re.I)
_JOURNAL = re.compile(r"\b(?:journal|transactions|letters|magazine|review|tmlr|jmlr|tpami|nature|science)\b", re.I)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}$")
_IN_DOI = "/:;()._-+"  # what https://doi.org leaves as it is
# What each field of a record becomes.
_PROPERTY = {
    "title": DCTERMS.title,
    "abstract": DCTERMS.abstract,
    "authors": DCTERMS.creator,
    "year": FABIO.hasPublicationYear,
    "date": DCTERMS.issued,
    "venue": BIBO.presentedAt,
    "topics": DCTERMS.subject,
    "keywords": SCHEMA.keywords,
    "links": KG.hasRepository,
    "url": SCHEMA.url,
    "cites": CITO.cites,
    "ids": DCTERMS.identifier,
}
_T = TypeVar("_T")
_START = 60  # letters of an abstract that name a paper without a title


def paper_lines(paper: Paper, extraction: Extraction) -> Iterator[str]:
    """Statements about one paper, without its authors and without what extraction found."""
    subject = ref(iri("paper", paper.key))
    pairs = [(RDF.type, f"<{SCHEMA.ScholarlyArticle}>"), (RDF.type, f"<{_fabio_class(paper)}>")]
    pairs += [(DCTERMS.identifier, text(i)) for i in sorted({o.source_id for o in paper.origins if o.source_id})]
    for curie in paper.ids:
        scheme, _, value = curie.partition(":")
        if scheme == "doi":
            pairs += [(PRISM.doi, text(value)), (OWL.sameAs, ref(f"https://doi.org/{quote(value, safe=_IN_DOI)}"))]
        elif scheme == "arxiv":
            pairs.append((FABIO.hasArXivId, text(value)))
    if paper.title:
        pairs.append((DCTERMS.title, text(paper.title)))
        if (shown := display(paper.title)) not in (paper.title, ""):
            pairs.append((KG.displayTitle, text(shown)))
    else:
        pairs.append((SKOS.prefLabel, text(label_without_title(paper, extraction))))
    if paper.abstract:
        pairs.append((DCTERMS.abstract, text(paper.abstract)))
    if paper.year is not None:
        pairs.append((FABIO.hasPublicationYear, integer(paper.year)))
    if _DATE.match(paper.date):
        pairs.append((DCTERMS.issued, date(paper.date)))
    if paper.url:
        pairs.append((SCHEMA.url, web(paper.url)))
    pairs += [(SCHEMA.keywords, text(k)) for k in sorted(set(paper.keywords))]
    pairs += [(DCTERMS.subject, ref(topic_iri(path))) for path in sorted(set(paper.topics))]
    pairs += [(CITO.cites, ref(iri("paper", cited.replace(":", "-", 1)))) for cited in sorted(set(paper.cites))]
    if paper.venue:
        pairs.append((BIBO.presentedAt, ref(event_iri(paper))))
    yield from about(subject, pairs)
    yield from _record_lines(subject, paper.origins)


def _record_lines(subject: str, origins: tuple[Origin, ...]) -> Iterator[str]:
    """The source records a paper was made of; of several, which properties each one supplied."""
    for origin in sorted(origins, key=lambda o: (o.file, o.place, o.source_id)):
        record = ref(iri("record", digest(origin.file, origin.place, origin.format, origin.source_id, length=16)))
        pairs = [
            (RDF.type, f"<{KG.SourceRecord}>"),
            (PROV.wasDerivedFrom, ref(source_iri(origin.file))),
            (KG.place, text(origin.place)),
        ]
        if origin.source_id:
            pairs.append((DCTERMS.identifier, text(origin.source_id)))
        if len(origins) > 1:  # a single record supplied everything, and a million statements would say only that
            stated = sorted({_PROPERTY[f] for f in origin.fields if f in _PROPERTY})
            pairs += [(KG.states, f"<{term}>") for term in stated]
        yield from about(subject, [(PROV.wasDerivedFrom, record)], EVIDENCE)
        yield from about(record, pairs, EVIDENCE)


def label_without_title(paper: Paper, extraction: Extraction) -> str:
    """A name for a paper that has no title: its coined method, else the start of its abstract."""
    coined = [m for m in extraction.methods if m.role == "proposed"]
    coined = coined or [d for d in extraction.datasets if d.role == "introduced"]
    if coined:
        return max(coined, key=lambda m: (m.confidence, len(m.mentions))).name
    words = display(paper.abstract)
    if len(words) <= _START:
        return words or paper.key
    return words[:_START].rsplit(" ", 1)[0] + " …"


def topic_iri(path: tuple[str, ...]) -> str:
    """IRI of the concept at the end of a topic path; parents are part of the key."""
    return iri("topic", topic_key(path))


def topic_lines(paths: set[tuple[str, ...]]) -> Iterator[str]:
    """Statements about every topic of the papers and about all topics above them."""
    scheme = ref(iri("topic", "scheme"))
    every = {path[:n] for path in paths for n in range(1, len(path) + 1)}
    if every:
        pairs = [(RDF.type, f"<{SKOS.ConceptScheme}>"), (RDFS.label, text("Topics as the sources give them"))]
        yield from about(scheme, pairs)
    # "Deep Learning" and "deep learning" are one topic, by the first of its names.
    for topic, path in _first(sorted(every), topic_iri):
        pairs = [
            (RDF.type, f"<{SKOS.Concept}>"),
            (SKOS.prefLabel, text(path[-1])),
            (SKOS.notation, text(" · ".join(path))),
            (SKOS.inScheme, scheme),
        ]
        if len(path) > 1:
            pairs.append((SKOS.broader, ref(topic_iri(path[:-1]))))
        yield from about(ref(topic), pairs)


def event_iri(paper: Paper) -> str:
    """IRI of the edition of a venue a paper appeared at."""
    return iri("event", _event_key(paper.venue, paper.year))


def event_lines(editions: set[tuple[str, int | None]]) -> Iterator[str]:
    """Statements about (venue, year) editions and the series they belong to; "PLOS ONE" and "PLoS ONE" are one."""
    for key, (venue, year) in _first(sorted(editions, key=lambda e: (e[0], e[1] or 0)), lambda e: _event_key(*e)):
        series = ref(iri("venue", _event_key(venue, None)))
        pairs = [
            (RDF.type, f"<{SCHEMA.Event}>"),
            (SCHEMA.name, text(f"{venue} {year}" if year else venue)),
            (SCHEMA.superEvent, series),
        ]
        if year:
            pairs.append((FABIO.hasPublicationYear, integer(year)))
        yield from about(ref(iri("event", key)), pairs)
    for key, venue in _first(sorted({v for v, _ in editions}), lambda v: _event_key(v, None)):
        pairs = [(RDF.type, f"<{SCHEMA.EventSeries}>"), (SCHEMA.name, text(venue))]
        yield from about(ref(iri("venue", key)), pairs)


def _first(things: Iterable[_T], key: Callable[[_T], str]) -> Iterable[tuple[str, _T]]:
    """(key, thing) for the first thing of each key."""
    found: dict[str, _T] = {}
    for thing in things:
        found.setdefault(key(thing), thing)
    return found.items()


def _event_key(venue: str, year: int | None) -> str:
    key = slug(venue) or digest(venue, length=8)
    return f"{key}-{year}" if year else key


def source_iri(file: str) -> str:
    """IRI of an input file, by its base name."""
    return iri("source", source_name(file))


def source_name(file: str) -> str:
    """A file's base name; an e-mail address in it is masked, as in the texts of a paper."""
    return EMAIL.sub(lambda m: "•" * len(m[0]), file) if "@" in file else file


def origin_lines(files: set[str], inputs: set[str]) -> Iterator[str]:
    """The files that records were read from and that are no input themselves: unpacked, members of an archive."""
    for file in sorted(files - inputs):
        pairs = [(RDF.type, f"<{PROV.Entity}>"), (SCHEMA.name, text(source_name(file)))]
        packed = sorted(i for i in inputs if i.startswith(f"{file}."))
        pairs += [(PROV.wasDerivedFrom, ref(source_iri(i))) for i in packed]
        yield from about(ref(source_iri(file)), pairs, EVIDENCE)


def _fabio_class(paper: Paper) -> str:
    where = f"{paper.venue} {paper.event}"
    if _PREPRINT.search(where) or (not paper.venue and any(i.startswith("arxiv:") for i in paper.ids)):
        return FABIO.Preprint
    if _JOURNAL.search(where):
        return FABIO.JournalArticle
    return FABIO.ConferencePaper if paper.venue else FABIO.ResearchPaper

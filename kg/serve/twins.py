"""The same answers in other formats: tables, Turtle, GEXF, BibTeX, a page that works from disk."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pyoxigraph as ox

from kg.links.lenses import COAUTHOR, TYPES
from kg.query.lookup import Match
from kg.serve.entities import groups
from kg.serve.maps import Picture
from kg.serve.snapshot import Snapshot
from kg.serve.things import labels
from kg.vocab import DCTERMS, ID, KG, PREFIXES, SKOS

MEDIA = {
    "csv": "text/csv; charset=utf-8",
    "gexf": "application/gexf+xml",
    "ttl": "text/turtle; charset=utf-8",
    "bib": "application/x-bibtex; charset=utf-8",
    "html": "text/html; charset=utf-8",
}
_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_PREDICATES = {name: (DCTERMS if name in ("creator", "subject") else KG)[name] for name in TYPES if name != "coauthor"}


def headers(name: str) -> dict[str, str]:
    """Headers of a file to be saved; names are fixed words of this program."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """CSV in which no cell is a formula to a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue().encode("utf-8", "replace")


def defused(data: bytes) -> bytes:
    """SPARQL's CSV with formulas defused."""
    rows = list(csv.reader(io.StringIO(data.decode("utf-8"), newline="")))
    return table(rows[0], rows[1:]) if rows else b""


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return "'" + text if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def search_table(answer: Mapping[str, Any]) -> bytes:
    """What a search found."""
    columns = ("id", "kind", "label", "matched", "year", "note", "iri")
    return table(columns, ([item.get(c) for c in columns] for item in answer["items"]))


def entity_table(snapshot: Snapshot, match: Match) -> bytes:
    """What an entity is joined to."""
    columns = ("relation", "kind", "id", "label", "year", "role", "confidence", "note", "iri")
    rows = ({**item, "relation": group["relation"]} for group in groups(snapshot, match) for item in group["items"])
    return table(columns, ([row.get(c) for c in columns] for row in rows))


def map_table(snapshot: Snapshot, picture: Picture, given: Mapping[str, str]) -> bytes:
    """The edges of a map."""
    edges = picture.edges
    names = dict(zip(picture.node.tolist(), labels(snapshot, picture.node.tolist()), strict=True))
    ends = zip(edges.source.tolist(), edges.target.tolist(), edges.type.tolist(), edges.weight.tolist(), strict=True)
    rows = ((*names[a], *names[b], TYPES[t], round(w, 2)) for a, b, t, w in ends)
    return table(("source", "source_label", "target", "target_label", "type", "weight"), rows)


def map_turtle(snapshot: Snapshot, picture: Picture, given: Mapping[str, str]) -> bytes:
    """The statements that a map shows, with labels; people who wrote together are related."""
    edges = picture.edges
    names = dict(zip(picture.node.tolist(), labels(snapshot, picture.node.tolist()), strict=True))
    triples = [
        ox.Triple(ox.NamedNode(ID + tail), ox.NamedNode(SKOS.prefLabel), ox.Literal(label))
        for tail, label in names.values()
    ]
    for a, b, t in zip(edges.source.tolist(), edges.target.tolist(), edges.type.tolist(), strict=True):
        predicate = SKOS.related if t == COAUTHOR else _PREDICATES[TYPES[t]]
        triples.append(ox.Triple(*(ox.NamedNode(i) for i in (ID + names[a][0], predicate, ID + names[b][0]))))
    out = io.BytesIO()
    ox.serialize(sorted(triples, key=str), out, ox.RdfFormat.TURTLE, prefixes=PREFIXES)
    return out.getvalue()


MAPS: dict[str, Callable[[Snapshot, Picture, Mapping[str, str]], bytes]] = {"csv": map_table, "ttl": map_turtle}

"""The same answers in other formats: tables, Turtle, GEXF, BibTeX, a page that works from disk."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pyoxigraph as ox

from kg.links.lenses import COAUTHOR, LENSES, TYPES
from kg.query.index import KINDS
from kg.query.lookup import Match
from kg.serve.documents import Document
from kg.serve.entities import groups
from kg.serve.maps import Picture
from kg.serve.pool import Refused
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
_PAGE, _REFERENCES = 2000, 5000  # nodes of a page, papers of a bibliography
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


def map_gexf(snapshot: Snapshot, picture: Picture, given: Mapping[str, str]) -> bytes:
    """A map with its places, for Gephi."""
    from kg.export.elements import Node
    from kg.export.network import WRITERS, flat_node

    numbers, edges = picture.node.tolist(), picture.edges
    names = dict(zip(numbers, labels(snapshot, numbers), strict=True))
    kinds, years = snapshot.network.kind[picture.node], snapshot.network.year[picture.node]

    def nodes() -> Iterator[tuple[str, dict[str, Any]]]:
        for i, number in enumerate(numbers):
            tail, label = names[number]
            x, y = picture.place[i].tolist()
            values = {"kind": KINDS[kinds[i]], "label": label, "year": int(years[i]) or None}
            yield flat_node(Node(ID + tail, values), {ID + tail: (float(x), float(y))})

    def joined() -> Iterator[tuple[str, str, dict[str, Any]]]:
        for a, b, t, w in zip(edges.source.tolist(), edges.target.tolist(), edges.type.tolist(),
                              edges.weight.tolist(), strict=True):  # fmt: skip
            yield ID + names[a][0], ID + names[b][0], {"relation": TYPES[t], "weight": round(w, 2)}

    return "".join(WRITERS["gexf"](nodes(), joined())).encode("utf-8")


def document(snapshot: Snapshot, picture: Picture, form: str, given: Mapping[str, str]) -> Document:
    """What a query process makes a page or a bibliography of.

    Raises:
        Refused: 413, there is too much for one document.
    """
    if form == "bib":
        return _bibliography(snapshot, picture)
    if len(picture.node) > _PAGE:
        raise Refused(413, f"{len(picture.node):,} nodes are too many for one page", f"limit={_PAGE}, or a filter")
    tails = [tail for tail, _ in labels(snapshot, picture.node.tolist())]
    place = {number: i for i, number in enumerate(picture.node.tolist())}
    edges = picture.edges
    pairs = [
        (place[a], place[b], round(w))
        for a, b, t, w in zip(edges.source.tolist(), edges.target.tolist(), edges.type.tolist(), edges.weight.tolist(),
                              strict=True)
        if t == COAUTHOR
    ]  # fmt: skip
    around = given.get("around", "")[:200]
    lens = LENSES[picture.lens]
    return Document(
        form,
        tuple(ID + tail for tail in tails),
        places=tuple((x, y) for x, y in picture.place.tolist()),
        title=around or lens.title,
        subtitle=f"{lens.node} {lens.edge} {picture.cut or ''}".strip(),
        pairs=tuple(pairs),
    )


def _bibliography(snapshot: Snapshot, picture: Picture) -> Document:
    network = snapshot.network
    papers = picture.node[network.kind[picture.node] == KINDS.index("paper")]
    if len(papers) > _REFERENCES:
        raise Refused(413, f"{len(papers):,} papers are too many for one request",
                      "a filter, or all of them with kg export -o papers.bib")  # fmt: skip
    chosen = np.isin(network.paper, papers) & (network.type == TYPES.index("creator"))
    numbers = np.concatenate([papers, np.unique(network.entity[chosen])]).tolist()
    return Document("bib", tuple(ID + tail for tail, _ in labels(snapshot, numbers)))


DOCUMENTS = ("bib", "html")
MAPS: dict[str, Callable[[Snapshot, Picture, Mapping[str, str]], bytes]] = {
    "csv": map_table, "ttl": map_turtle, "gexf": map_gexf,
}  # fmt: skip

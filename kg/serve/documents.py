"""Documents that take libraries or time: made in a query process, from the statements about some entities."""

from __future__ import annotations

import io
from pathlib import Path
from typing import BinaryIO

import msgspec
import pyoxigraph as ox

from kg.links.paths import paths
from kg.query.about import all_about
from kg.query.index import open_index
from kg.query.lookup import Lookup
from kg.query.run import ask
from kg.store.oxigraph import OxigraphStore
from kg.store.remote import RemoteStore

Store = OxigraphStore | RemoteStore


class Document(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a document shows.

    Attributes:
        form: "bib", "html", or "paths" from the first entity to the second. iris: the entities. places: of each entity on a page.
        count: of paths. title, subtitle: of a page. pairs: of people, with the number of papers they wrote together.
    """

    form: str
    iris: tuple[str, ...]
    places: tuple[tuple[int, int], ...] = ()
    count: int = 3
    title: str = ""
    subtitle: str = ""
    pairs: tuple[tuple[int, int, int], ...] = ()


class Way(msgspec.Struct, frozen=True):
    """A path: its cost, its words, and (what the last entity does to this one, number of this one) for each step."""

    cost: float
    words: str
    steps: tuple[tuple[str, int], ...]


def write_document(folder: Path, store: Store, document: Document, out: BinaryIO) -> str:
    """Writes a document and gives its media type.

    Args:
        folder: of the generation, with the index.
    """
    if document.form == "paths":
        out.write(msgspec.json.encode(_paths(folder, document)))
        return "application/json"
    if document.form == "bib":
        from kg.export.bibliography import write_bibliography
        from kg.export.elements import Elements

        with Elements(_part(store, document.iris)) as elements:
            write_bibliography(out, "bib", elements)
        return "application/x-bibtex; charset=utf-8"
    out.write(_page(store, document).encode("utf-8"))
    return "text/html; charset=utf-8"


def _paths(folder: Path, document: Document) -> list[Way]:
    db = open_index(folder / "index.sqlite")
    try:
        a, b = (Lookup(db).all(iri)[0] for iri in document.iris)
        found = paths(db, a, b, document.count)
    finally:
        db.close()
    return [Way(p.cost, p.words(), tuple((step.verb, step.to.id) for step in p.steps)) for p in found]


def _part(store: Store, iris: tuple[str, ...]) -> OxigraphStore:
    from kg.export.selection import statements

    data = io.BytesIO()
    if isinstance(store, RemoteStore):
        found = all_about(lambda text: ask(store, text), iris)
    else:
        found = statements(store, set(iris))
    ox.serialize(found, data, ox.RdfFormat.N_QUADS)
    return OxigraphStore.in_memory(data.getvalue())


def _page(store: Store, document: Document) -> str:
    from kg.graph.networkx import to_networkx
    from kg.view.page import render

    chosen = set(document.iris)
    graph = to_networkx(_part(store, document.iris).quads())
    graph.remove_nodes_from([node for node in graph if node not in chosen])
    for a, b, papers in document.pairs:
        graph.add_edge(document.iris[a], document.iris[b], key="coauthor", relation="coauthor", papers=papers)
    positions = {iri: (float(x), float(y)) for iri, (x, y) in zip(document.iris, document.places, strict=True)}
    return render(graph, title=document.title, subtitle=document.subtitle, positions=positions)

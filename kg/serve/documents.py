"""Documents that take libraries or time: made in a query process, from the statements about some entities."""

from __future__ import annotations

import io
from typing import BinaryIO

import msgspec
import pyoxigraph as ox

from kg.store.oxigraph import OxigraphStore


class Document(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a document shows.

    Attributes:
        form: "bib" or "html". iris: the entities. places: of each entity on a page.
        title, subtitle: of a page. pairs: of people, with the number of papers they wrote together.
    """

    form: str
    iris: tuple[str, ...]
    places: tuple[tuple[int, int], ...] = ()
    title: str = ""
    subtitle: str = ""
    pairs: tuple[tuple[int, int, int], ...] = ()


def write_document(store: OxigraphStore, document: Document, out: BinaryIO) -> str:
    """Writes a document and gives its media type."""
    if document.form == "bib":
        from kg.export.bibliography import write_bibliography
        from kg.export.elements import Elements

        with Elements(_part(store, document.iris)) as elements:
            write_bibliography(out, "bib", elements)
        return "application/x-bibtex; charset=utf-8"
    out.write(_page(store, document).encode("utf-8"))
    return "text/html; charset=utf-8"


def _part(store: OxigraphStore, iris: tuple[str, ...]) -> OxigraphStore:
    from kg.export.selection import statements

    data = io.BytesIO()
    ox.serialize(statements(store, set(iris)), data, ox.RdfFormat.N_QUADS)
    return OxigraphStore.in_memory(data.getvalue())


def _page(store: OxigraphStore, document: Document) -> str:
    from kg.graph.networkx import to_networkx
    from kg.view.page import render

    chosen = set(document.iris)
    graph = to_networkx(_part(store, document.iris).quads())
    graph.remove_nodes_from([node for node in graph if node not in chosen])
    for a, b, papers in document.pairs:
        graph.add_edge(document.iris[a], document.iris[b], key="coauthor", relation="coauthor", papers=papers)
    positions = {iri: (float(x), float(y)) for iri, (x, y) in zip(document.iris, document.places, strict=True)}
    return render(graph, title=document.title, subtitle=document.subtitle, positions=positions)

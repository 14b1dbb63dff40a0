"""RDF serialisations, from sorted statements, so that equal graphs are equal files."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO

import pyoxigraph as ox

from kg.export.sorting import sorted_lines
from kg.store.oxigraph import OxigraphStore
from kg.vocab import PREFIXES

if TYPE_CHECKING:
    import rdflib

FORMATS = {
    "ttl": ox.RdfFormat.TURTLE,
    "nt": ox.RdfFormat.N_TRIPLES,
    "nq": ox.RdfFormat.N_QUADS,
    "trig": ox.RdfFormat.TRIG,
    "jsonld": ox.RdfFormat.JSON_LD,
    "rdf": ox.RdfFormat.RDF_XML,
}
_LINES = (ox.RdfFormat.N_TRIPLES, ox.RdfFormat.N_QUADS)


def write_rdf(store: OxigraphStore, out: BinaryIO, suffix: str, *, evidence: bool = True) -> None:
    """Writes the statements of a store.

    Args:
        suffix: key of `FORMATS`. evidence: also assertions and quotes; in formats with named graphs
            they stay in theirs, in the others they stand among the plain statements.
    """
    format = FORMATS[suffix]
    with TemporaryDirectory(prefix="kg-export-") as folder:
        dump = Path(folder) / "dump"
        store.dump(dump, evidence=evidence)
        lines = sorted_lines(dump)
        if evidence and not format.supports_datasets:
            lines = _without_graph(lines, dump.with_name("triples"))
        if format in _LINES:
            out.writelines(lines)
        else:
            ox.serialize(_parsed(lines), out, format, prefixes=PREFIXES)


def to_rdflib(quads: Iterable[ox.Quad]) -> rdflib.Graph:
    """Statements as an rdflib `Graph` in memory, named graphs ignored, prefixes bound."""
    import rdflib

    graph = rdflib.Graph(bind_namespaces="none")
    for prefix, namespace in PREFIXES.items():
        graph.bind(prefix, namespace)
    buffer = io.BytesIO()
    ox.serialize((q.triple for q in quads), buffer, ox.RdfFormat.N_TRIPLES)
    buffer.seek(0)
    graph.parse(buffer, format="nt")
    return graph


def _without_graph(lines: Iterable[bytes], scratch: Path) -> Iterator[bytes]:
    """N-Quads lines as sorted N-Triples lines."""
    with open(scratch, "wb") as out:
        for chunk in _chunks(lines):
            ox.serialize((q.triple for q in ox.parse(chunk, ox.RdfFormat.N_QUADS)), out, ox.RdfFormat.N_TRIPLES)
    return sorted_lines(scratch)


def _parsed(lines: Iterable[bytes]) -> Iterator[ox.Quad]:
    for chunk in _chunks(lines):
        yield from ox.parse(chunk, ox.RdfFormat.N_QUADS)


def _chunks(lines: Iterable[bytes], size: int = 20_000) -> Iterator[bytes]:
    held: list[bytes] = []
    for line in lines:
        held.append(line)
        if len(held) == size:
            yield b"".join(held)
            held.clear()
    yield b"".join(held)

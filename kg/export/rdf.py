"""RDF serialisations, from sorted statements, so that equal graphs are equal files."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, BinaryIO

import pyoxigraph as ox

from kg.export.jsonld import jsonld
from kg.export.statements import Statements, graph_of
from kg.store.oxigraph import OxigraphStore
from kg.vocab import PREFIXES, RDF

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
_REIFICATION = tuple(f"<{p}>".encode() for p in (RDF.subject, RDF.predicate, RDF.object))
_LINES = (ox.RdfFormat.N_TRIPLES, ox.RdfFormat.N_QUADS)


def write_rdf(store: OxigraphStore, out: BinaryIO, suffix: str, *, evidence: bool = True, rdf12: bool = False) -> None:
    """Writes the statements of a store.

    Args:
        suffix: key of `FORMATS`. evidence: also assertions and quotes; in formats with named graphs
            they stay in theirs, in the others they stand among the plain statements.
        rdf12: say what an assertion is about in RDF 1.2, see `reified`; not in JSON-LD.
    """
    format = FORMATS[suffix]
    with Statements(store) as statements:
        lines = statements.lines(evidence=evidence)
        if rdf12:
            lines = reified(lines)
        if evidence and not format.supports_datasets:
            lines = _without_graph(lines)
        if format in _LINES:
            out.writelines(lines)
        elif suffix == "jsonld":
            out.writelines(jsonld(lines))
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


def reified(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Sorted N-Quads lines with `?a rdf:reifies <<( s p o )>>` for `?a rdf:subject s ; rdf:predicate p ; rdf:object o`.

    https://www.w3.org/TR/rdf12-concepts/#section-triple-terms
    """
    for subject, group in groupby(lines, key=lambda line: line.partition(b" ")[0]):
        kept: list[bytes] = []
        parts: dict[bytes, bytes] = {}
        graph = b""
        for line in group:
            _, predicate, rest = line.split(b" ", 2)
            if predicate in _REIFICATION:
                value, _, graph = rest.partition(b" ")  # an IRI, then the graph and the full stop
                parts[predicate] = value
            else:
                kept.append(line)
        if len(parts) == len(_REIFICATION):
            about = b" ".join(parts[p] for p in _REIFICATION)
            kept.append(b"%s <%s> <<( %s )>> %s" % (subject, RDF.reifies.encode(), about, graph))
            kept.sort()
        yield from kept


def _without_graph(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Sorted N-Quads lines as sorted, distinct N-Triples lines.

    The graph is the last term, so leaving it out changes no order: whatever follows an object begins with a blank,
    and equal triples of several graphs stand side by side.
    """
    last = b""
    for line in lines:
        if graph := graph_of(line):
            line = line[: -len(graph) - 3] + b".\n"
        if line != last:
            yield line
        last = line


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

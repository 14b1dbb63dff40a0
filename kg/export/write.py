"""One table of suffixes, and atomic writing around every writer."""

from __future__ import annotations

import gzip
import io
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from kg.errors import ExportError
from kg.export.rdf import FORMATS, write_rdf
from kg.store.oxigraph import OxigraphStore

if TYPE_CHECKING:
    from kg.export.elements import Elements

# suffix -> what it is, for help and errors
SUFFIXES = {
    "ttl": "Turtle",
    "nt": "N-Triples",
    "nq": "N-Quads",
    "trig": "TriG",
    "jsonld": "JSON-LD",
    "rdf": "RDF/XML",
    "graphml": "GraphML",
    "gexf": "GEXF",
    "cyjs": "Cytoscape JSON",
    "bib": "BibTeX",
    "ris": "RIS",
    "csl.json": "CSL-JSON",
    "csv": "a folder of CSV tables",
    "parquet": "a folder of Parquet tables",
    "neo4j": "a folder for Neo4j's bulk import",
}
FOLDERS = {"csv": (".csv",), "parquet": (".parquet",), "neo4j": (".csv", ".txt")}  # and the files in them
NETWORKS = ("graphml", "gexf", "cyjs")
LAID_OUT = 50_000  # nodes up to which positions are computed when nobody says whether


def export(
    store: OxigraphStore, path: Path, *, evidence: bool = True, rdf12: bool = False, positions: bool | None = None
) -> None:
    """Writes a graph to a file (or a folder of tables); the suffix says how.

    `.gz` or `.zst` behind the suffix of a file compresses it. For a part of a graph see `kg.export.selected`.

    Args:
        evidence: with assertions and quotes, in the RDF formats.
        rdf12: assertions as RDF 1.2 triple terms, in the RDF formats.
        positions: compute places of the nodes, in GraphML, GEXF and Cytoscape JSON; None: up to `LAID_OUT` nodes.

    Raises:
        ExportError: the suffix is unknown, an option does not fit it, or the file cannot be written.
    """
    suffix, packing = suffix_of(path)
    _fitting(path, suffix, evidence=evidence, rdf12=rdf12, positions=positions)
    if suffix in FOLDERS:
        _write_folder(store, path, suffix)
        return
    with atomic(path) as raw, _packed(raw, packing) as out:
        if suffix in FORMATS:
            write_rdf(store, out, suffix, evidence=evidence, rdf12=rdf12)
            return
        from kg.export.elements import Elements

        if suffix in ("bib", "ris", "csl.json"):
            from kg.export.bibliography import write_bibliography

            with Elements(store, only=["paper"]) as papers:
                write_bibliography(out, suffix, papers)
            return
        with Elements(store) as elements:
            from kg.export.network import write_network

            wanted = len(elements) <= LAID_OUT if positions is None else positions
            write_network(out, suffix, elements, _places(elements) if wanted else None)


def _fitting(path: Path, suffix: str, *, evidence: bool, rdf12: bool, positions: bool | None) -> None:
    """Refuses an option that would change nothing in this format."""
    rdf = ", ".join(f".{s}" for s in FORMATS)
    if rdf12 and (suffix not in FORMATS or suffix == "jsonld"):
        hint = f"use {rdf.replace('.jsonld, ', '')}"
        raise ExportError(f"{SUFFIXES[suffix]} has no RDF 1.2 triple terms", place=str(path), hint=hint)
    if rdf12 and not evidence:
        raise ExportError(
            "RDF 1.2 triple terms say what an assertion is about", place=str(path), hint="leave out --no-evidence"
        )
    if not evidence and suffix not in FORMATS:
        raise ExportError("only RDF can be written without evidence", place=str(path), hint=f"use {rdf}")
    if positions is not None and suffix not in NETWORKS:
        hint = f"use {', '.join(f'.{s}' for s in NETWORKS)}"
        raise ExportError(f"{SUFFIXES[suffix]} has no places of nodes", place=str(path), hint=hint)


def _places(elements: Elements) -> dict[str, tuple[float, float]]:
    """Positions of all nodes; see `kg.view.positions`, which needs no more of a graph than this."""
    from types import SimpleNamespace

    from kg.view.positions import layout

    drawn: Any = type("Drawn", (SimpleNamespace,), {"__iter__": lambda _: iter(elements)})(edges=elements.pairs)
    return layout(drawn)


def suffix_of(path: Path) -> tuple[str, str]:
    """Key of the format and of the packing ("", "gz" or "zst").

    Raises:
        ExportError: the suffix is not a known format.
    """
    parts = path.name.lower().split(".")
    packing = parts.pop() if parts[-1] in ("gz", "zst") else ""
    suffix = parts[-1] if len(parts) > 1 else ""
    if parts[-2:] == ["csl", "json"]:
        suffix = "csl.json"
    if suffix not in SUFFIXES or (packing and suffix in FOLDERS):
        known = ", ".join(f".{s} ({name})" for s, name in SUFFIXES.items())
        shown = "." + ".".join(p for p in (suffix, packing) if p) if suffix else path.name
        if suffix in FOLDERS:
            raise ExportError(f"{SUFFIXES[suffix]} is not packed", place=str(path), hint=f"leave out .{packing}")
        raise ExportError(f"no format has the suffix {shown!r}", hint=f"use {known}")
    return suffix, packing


@contextmanager
def _packed(raw: BinaryIO, packing: str) -> Iterator[BinaryIO]:
    """A stream that compresses into `raw`, without dates or names: equal content is equal bytes."""
    if packing == "gz":
        with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as out:
            yield out  # type: ignore[misc]
    elif packing == "zst":
        import zstandard

        packed: Any = zstandard.ZstdCompressor(level=6).stream_writer(raw, closefd=False)
        with io.BufferedWriter(packed) as buffered:
            yield buffered
    else:
        yield raw


def _write_folder(store: OxigraphStore, path: Path, suffix: str) -> None:
    """Writes the tables beside their place, then puts the folder there; an older one is replaced."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        if path.exists() and (not path.is_dir() or any(f.suffix not in FOLDERS[suffix] for f in path.iterdir())):
            raise ExportError(
                "this exists and is no folder of tables", place=str(path), hint="choose another -o, or remove it"
            )
        if suffix == "neo4j":
            from kg.export.elements import Elements
            from kg.export.neo4j import write_neo4j

            with Elements(store) as elements:
                write_neo4j(elements, temporary)
        else:
            from kg.export.tables import write_tables

            write_tables(store, temporary, suffix)
        if path.exists():
            shutil.rmtree(path)
        os.replace(temporary, path)
    except OSError as error:
        raise ExportError(
            f"the tables cannot be written: {error.strerror or error}", place=str(path), hint="choose another -o"
        ) from None
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def atomic(path: Path) -> Iterator[BinaryIO]:
    """A file that takes its place only when it was written whole."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise ExportError(
            f"the file cannot be written: {error.strerror or error}", place=str(path), hint="choose another -o FILE"
        ) from None
    finally:
        temporary.unlink(missing_ok=True)

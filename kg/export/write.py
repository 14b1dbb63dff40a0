"""One table of suffixes, and atomic writing around every writer."""

from __future__ import annotations

import gzip
import io
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from kg.errors import ExportError
from kg.export.rdf import FORMATS, write_rdf
from kg.store.oxigraph import OxigraphStore

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
    "csv": "a folder of CSV tables",
    "parquet": "a folder of Parquet tables",
}
FOLDERS = ("csv", "parquet")


def export(store: OxigraphStore, path: Path, *, evidence: bool = True) -> None:
    """Writes a graph to a file (or a folder of tables); the suffix says how.

    `.gz` or `.zst` behind the suffix of a file compresses it.

    Args:
        evidence: with assertions and quotes, in the RDF formats.

    Raises:
        ExportError: the suffix is unknown, or the file cannot be written.
    """
    suffix, packing = suffix_of(path)
    if suffix in FOLDERS:
        _write_folder(store, path, suffix)
        return
    with atomic(path) as raw, _packed(raw, packing) as out:
        if suffix in FORMATS:
            write_rdf(store, out, suffix, evidence=evidence)
        elif suffix == "bib":
            from kg.export.bibliography import bibtex

            out.write(bibtex(store))
        else:
            from kg.export import network
            from kg.graph.networkx import to_networkx

            out.write(getattr(network, suffix)(to_networkx(store.quads())))


def suffix_of(path: Path) -> tuple[str, str]:
    """Key of the format and of the packing ("", "gz" or "zst").

    Raises:
        ExportError: the suffix is not a known format.
    """
    parts = path.name.lower().split(".")
    packing = parts.pop() if parts[-1] in ("gz", "zst") else ""
    suffix = parts[-1] if len(parts) > 1 else ""
    if suffix not in SUFFIXES or (packing and suffix in FOLDERS):
        known = ", ".join(f".{s} ({name})" for s, name in SUFFIXES.items())
        shown = "." + ".".join(p for p in (suffix, packing) if p) if suffix else path.name
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

        packed = zstandard.ZstdCompressor(level=6).stream_writer(raw, closefd=False)
        with io.BufferedWriter(packed) as buffered:  # type: ignore[arg-type]
            yield buffered
    else:
        yield raw


def _write_folder(store: OxigraphStore, path: Path, suffix: str) -> None:
    """Writes the tables beside their place, then puts the folder there; an older one is replaced."""
    from kg.export.tables import write_tables

    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        if path.exists() and (not path.is_dir() or any(f.suffix != f".{suffix}" for f in path.iterdir())):
            raise ExportError(
                "this exists and is no folder of tables", place=str(path), hint="choose another -o, or remove it"
            )
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

"""One table of suffixes, and atomic writing around every writer."""

from __future__ import annotations

import gzip
import io
import os
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
}


def export(store: OxigraphStore, path: Path, *, evidence: bool = True) -> None:
    """Writes a graph to a file; the suffix says how, `.gz` or `.zst` behind it compresses.

    Raises:
        ExportError: the suffix is unknown, or the file cannot be written.
    """
    suffix, packing = suffix_of(path)
    with atomic(path) as raw:
        if packing == "gz":
            with gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as out:
                write_rdf(store, out, suffix, evidence=evidence)
        elif packing == "zst":
            import zstandard

            packed = zstandard.ZstdCompressor(level=6).stream_writer(raw, closefd=False)
            with io.BufferedWriter(packed) as out:  # type: ignore[arg-type]
                write_rdf(store, out, suffix, evidence=evidence)
        else:
            write_rdf(store, raw, suffix, evidence=evidence)


def suffix_of(path: Path) -> tuple[str, str]:
    """Key of the format and of the packing ("", "gz" or "zst").

    Raises:
        ExportError: the suffix is not a known format.
    """
    parts = path.name.lower().split(".")
    packing = parts.pop() if parts[-1] in ("gz", "zst") else ""
    suffix = parts[-1] if len(parts) > 1 else ""
    if suffix not in FORMATS:
        known = ", ".join(f".{s} ({name})" for s, name in SUFFIXES.items())
        raise ExportError(f"no format has the suffix {'.' + suffix if suffix else path.name!r}", hint=f"use {known}")
    return suffix, packing


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

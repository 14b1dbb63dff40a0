"""The statements of a store as sorted lines of N-Quads, which every writer starts from.

A store keeps numbers for terms and looks up three or four of them for each statement: most of what an export
costs. So the sorted lines of a graph folder are kept beside its store, packed, at the first export; they are about
a twentieth of the store, never change, and go when the graph does.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import zstandard

from kg.errors import ExportError
from kg.export.sorting import Sorter
from kg.query.index import unescaped
from kg.store.oxigraph import OxigraphStore
from kg.vocab import EVIDENCE_GRAPH, RDF, XSD

FILE = "statements.nq.zst"
_END = b"\x50\x2a\x4d\x18\x04\x00\x00\x00done"  # a skippable frame, for a frame cut short reads like a whole one
_EVIDENCE = f" <{EVIDENCE_GRAPH}> .\n".encode()
_INTEGERS = {str(XSD[n]).encode() for n in ("integer", "int", "long", "nonNegativeInteger")}
_FRACTIONS = {str(XSD[n]).encode() for n in ("decimal", "double", "float")}
_BOOLEAN = str(XSD.boolean).encode()


class Statements:
    """The sorted statements of a store; a context manager, for they may stand in a temporary file."""

    def __init__(self, store: OxigraphStore) -> None:
        self._store = store

    def __enter__(self) -> Statements:
        self._folder = TemporaryDirectory(prefix="kg-export-")
        self._file = Path(self._folder.name) / FILE
        graph = self._store.path.parent if self._store.path else None
        if graph and (graph / "index.sqlite").exists() and self._kept(graph / FILE):
            self._file = graph / FILE
        else:
            self._write(self._file)
        return self

    def _kept(self, file: Path) -> bool:
        """Whether the lines stand in the folder of the graph, perhaps only now."""
        temporary = file.with_name(f".{FILE}.{os.getpid()}.tmp")
        try:
            if not _whole(file):
                self._write(temporary)
                os.replace(temporary, file)
        except OSError:  # a folder that cannot be written to, or no room in it
            return False
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        return True

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def _write(self, path: Path) -> None:
        packer = zstandard.ZstdCompressor(level=3, write_checksum=True)
        with open(path, "wb") as raw, packer.stream_writer(raw) as out, Sorter() as lines:
            self._store.dump(lines)  # type: ignore[arg-type]
            with io.BufferedWriter(cast(io.RawIOBase, out), 1 << 20) as buffered:
                buffered.writelines(lines)
        with open(path, "ab") as raw:
            raw.write(_END)

    def lines(self, *, evidence: bool = True) -> Iterator[bytes]:
        """N-Quads lines in byte order; without `evidence`, those of the unnamed graph alone.

        Raises:
            ExportError: the file that is kept is damaged.
        """
        try:
            with open(self._file, "rb") as raw, zstandard.ZstdDecompressor().stream_reader(raw) as packed:
                lines = io.BufferedReader(cast(io.RawIOBase, packed), 1 << 20)
                yield from lines if evidence else filter(_plain, lines)
        except zstandard.ZstdError as error:
            raise ExportError(
                f"the statements kept here cannot be read: {error}",
                place=str(self._file),
                hint="remove this file; the next export makes it again",
            ) from None


def _whole(file: Path) -> bool:
    if not file.exists():
        return False
    with open(file, "rb") as raw:
        raw.seek(max(-len(_END), -file.stat().st_size), os.SEEK_END)
        return raw.read() == _END


def _plain(line: bytes) -> bool:
    return not (line.endswith(_EVIDENCE) and graph_of(line))


Facts = dict[str, list[Any]]  # predicate -> values


def bracketed(*terms: str) -> dict[bytes, str]:
    """Terms by the way they are written in a line."""
    return {f"<{term}>".encode(): str(term) for term in terms}


def subjects(
    lines: Iterable[bytes], wanted: Mapping[bytes, str], classes: tuple[bytes, ...]
) -> Iterator[tuple[str, Facts]]:
    """What is said of one thing after the other, as plain values in the order of the lines.

    Args:
        wanted: the predicates to look at, as `bracketed`. classes: the classes; other types of a thing are left out.
    """
    about, found = b"", Facts()
    for line in lines:
        subject, predicate, rest = line.split(b" ", 2)
        name = wanted.get(predicate)
        if name is None or (name == RDF.type and not rest.startswith(classes)):
            continue
        if subject != about:
            if found:
                yield about[1:-1].decode(), found
            about, found = subject, Facts()
        value = value_of(first_term(rest))
        values = found.get(name)
        if values is None:
            found[name] = [value]
        elif values[-1] != value:  # the same in another graph
            values.append(value)
    if found:
        yield about[1:-1].decode(), found


def split(line: bytes) -> tuple[bytes, bytes, bytes]:
    """Subject, predicate and object of a line, as they are written in it."""
    subject, predicate, rest = line.split(b" ", 2)
    return subject, predicate, first_term(rest)


def first_term(rest: bytes) -> bytes:
    """The object, at the beginning of what follows a predicate."""
    if rest.startswith(b"<"):
        return rest[: rest.index(b">") + 1]
    return rest[: rest.index(b" ", rest.rindex(b'"'))]


def value_of(term: bytes) -> str | int | float | bool:
    """A term of a line as a plain value; IRIs as strings.

    >>> value_of(b'"a \\\\"b\\\\""@en')
    'a "b"'
    """
    if term.startswith(b"<"):
        return term[1:-1].decode()
    end = term.rindex(b'"')
    text = term[1:end].decode()
    if b"\\" in term:
        text = unescaped(text)
    kind = term[end + 4 : -1]
    if not kind:
        return text
    if kind in _INTEGERS:
        return int(text)
    if kind in _FRACTIONS:
        return float(text)
    return text in ("true", "1") if kind == _BOOLEAN else text


def graph_of(line: bytes) -> bytes:
    """The graph of a line, as it is written there; nothing for the unnamed one.

    A graph is the last of four terms. An IRI holds neither blanks nor quotation marks; so the last word is a graph if
    it begins as an IRI and either is the fourth or follows a literal.
    """
    if not line.endswith(b"> .\n"):
        return b""
    head, _, last = line[:-3].rpartition(b" ")
    return last if last.startswith(b"<") and b'"' not in last and head.count(b" ") > 1 else b""

"""The layout of a graph folder, and how it changes: in one step, or not at all.

    DIR/manifest.json        what the graph is made of; the file that decides which parts count
    DIR/records/*.jsonl.gz   the source records, one part for each batch of input, never changed
    DIR/extracted/*.msgpack  what extraction found, by digest of the text: work that is never redone
    DIR/graphs/<name>/       the store and the index made of them; the manifest names the current one
    DIR/rejected.jsonl       records that could not be read
    DIR/overrides.toml       a person's corrections; only read, never written
    DIR/links*.csv, .tsv     a person's lists of what things are elsewhere; only read, never written
    DIR/lock                 held while a build writes

A build adds parts, makes a new graph beside the old one and then replaces the manifest. Whatever the
manifest does not name is left over from a killed build and is removed by the next one.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from kg.errors import GraphError

FORMAT = 1  # of this layout; raised when an older graph can no longer be read


class Input(Struct, frozen=True):
    """One input file of a build: base name, SHA-256 of its bytes, and what was read from it."""

    name: str
    sha256: str


class Manifest(Struct, frozen=True):
    """What a graph is made of.

    Attributes:
        format: see `FORMAT`. version: of the package that built it. settings, model: digests.
        parts: names of the record parts. inputs: every input file so far, sorted.
        graph: name of the current folder below graphs/.
        counts: numbers for people ("papers", "people", …).
    """

    format: int
    version: str
    settings: str
    model: str
    parts: tuple[str, ...]
    inputs: tuple[Input, ...]
    graph: str
    counts: dict[str, int]


class _Header(Struct, frozen=True):
    """What every layout so far has in its manifest."""

    format: int
    version: str = ""
    parts: tuple[str, ...] = ()
    inputs: tuple[Input, ...] = ()


class Folder:
    """A graph folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def records(self) -> Path:
        return self.path / "records"

    @property
    def extracted(self) -> Path:
        return self.path / "extracted"

    @property
    def graphs(self) -> Path:
        return self.path / "graphs"

    @property
    def rejected(self) -> Path:
        return self.path / "rejected.jsonl"

    @property
    def overrides(self) -> Path:
        return self.path / "overrides.toml"

    @property
    def lists(self) -> list[Path]:
        """Lists of links outward, see `kg.resolve.outward`."""
        return sorted(p for p in self.path.glob("links*.[ct]sv") if p.is_file())

    @property
    def manifest_file(self) -> Path:
        return self.path / "manifest.json"

    def manifest(self, *, older: bool = False) -> Manifest | None:
        """What the graph is made of; None when nothing has been built here.

        Args:
            older: a graph of an older layout is described by what a build can still use of it, its records.

        Raises:
            GraphError: the manifest is damaged or of another layout.
        """
        try:
            data = self.manifest_file.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise GraphError(f"the graph cannot be read: {error.strerror}", place=str(self.path)) from None
        try:
            made = msgspec.json.decode(data, type=_Header)
            if made.format == FORMAT:
                return msgspec.json.decode(data, type=Manifest)
        except msgspec.DecodeError as error:
            raise GraphError(
                f"the manifest is damaged: {error}",
                place=str(self.manifest_file),
                hint="build again into a new folder, or with --fresh",
            ) from None
        if made.format > FORMAT:
            raise GraphError(
                f"this graph has layout {made.format}, made by paperkg {made.version or 'of a later version'}; "
                f"this version reads layout {FORMAT}",
                place=str(self.path),
                hint="update paperkg, or build again into a new folder",
            )
        if older:
            return Manifest(FORMAT, made.version, "", "", self._kept(made.parts), made.inputs, "", {})
        raise GraphError(
            f"this graph has layout {made.format}, this version of paperkg reads layout {FORMAT}",
            place=str(self.path),
            hint="kg build -g DIR, without inputs, makes it again from the records it keeps",
        )

    def _kept(self, parts: tuple[str, ...]) -> tuple[str, ...]:
        """The record parts of an older graph; all there are, where its manifest names none."""
        found = sorted(part.name for part in self.records.glob("*.jsonl.gz"))
        missing = sorted(set(parts) - set(found))
        if missing or not found:
            raise GraphError(
                "an older version made this graph, and its records are not all there",
                place=str(self.records / missing[0]) if missing else str(self.records),
                hint="build it again from its inputs with --fresh",
            )
        return parts or tuple(found)

    def current(self) -> tuple[Manifest, Path]:
        """The manifest and the folder of the current store and index.

        Raises:
            GraphError: there is no graph here.
        """
        manifest = self.manifest()
        if manifest is None:
            raise GraphError(
                "there is no graph here" if self.path.exists() else "there is no such folder",
                place=str(self.path),
                hint="kg build INPUT... -g DIR makes one; kg demo makes a small one to look at",
            )
        return manifest, self.graphs / manifest.graph

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Holds the folder for writing.

        Raises:
            GraphError: another process holds it (named in the message), or it cannot be written.
        """
        new = not self.path.exists()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            handle = open(self.path / "lock", "a+", encoding="utf-8")  # noqa: SIM115
        except OSError as error:
            raise GraphError(
                f"the graph folder cannot be written: {error.strerror}",
                place=str(self.path),
                hint="choose another -g DIR",
            ) from None
        with handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                handle.seek(0)
                holder = handle.read().strip() or "an unknown process"
                raise GraphError(
                    f"another build is writing this graph ({holder})",
                    place=str(self.path),
                    hint="wait for it to end, then run the command again",
                ) from None
            handle.truncate(0)
            handle.write(f"process {os.getpid()} on {socket.gethostname()}\n")
            handle.flush()
            try:
                yield
            except Exception:
                if new and {f.name for f in self.path.iterdir()} <= {"lock"}:
                    shutil.rmtree(self.path, ignore_errors=True)  # nothing came of it
                raise
            finally:
                handle.truncate(0)

    def sweep(self, keep_graphs: int = 2) -> None:
        """Removes what no manifest names: leftovers of killed builds and graphs older than the last.

        The graph before the current one stays, for readers that opened it.
        """
        manifest = self.manifest(older=True)
        parts = set(manifest.parts) if manifest else set()
        for part in self.records.glob("*"):
            if part.name not in parts:
                part.unlink(missing_ok=True)
        if not self.graphs.is_dir():
            return
        current = manifest.graph if manifest else ""
        others = [g for g in self.graphs.iterdir() if g.name != current]
        whole = [g for g in others if (g / "complete").exists()]
        newest = sorted(whole, key=lambda g: g.stat().st_mtime, reverse=True)[: keep_graphs - 1]
        for graph in others:
            if graph not in newest:
                shutil.rmtree(graph, ignore_errors=True)


def write_atomically(path: Path, data: bytes) -> None:
    """Replaces a file in one step: readers see the old bytes or the new, also after a crash."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)

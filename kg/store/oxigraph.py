"""Oxigraph on disk: bulk-loaded once, then opened read-only by as many processes as like."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO

import pyoxigraph as ox

from kg.errors import GraphError, QueryError
from kg.store.loading import bulk_load
from kg.store.results import Result, Term


def copy_store(old: Path, path: Path) -> None:
    """Copies the folder of a store that nobody writes to; its large files, which never change, as hard links."""
    path.mkdir(parents=True)
    for file in sorted(old.iterdir()):
        if file.name == "LOCK" or not file.is_file():
            continue
        if file.suffix == ".sst":
            try:
                os.link(file, path / file.name)
                continue
            except OSError:  # another file system, or one without links
                pass
        shutil.copyfile(file, path / file.name)


class OxigraphStore:
    """A read-only store on disk.

    Queries see all graphs as one unless they say `GRAPH` or the caller restricts them.

    Attributes:
        path: its folder; None of a store in memory.
    """

    def __init__(self, store: ox.Store, path: Path | None = None) -> None:
        self._store = store
        self.path = path

    @classmethod
    def open(cls, path: Path) -> OxigraphStore:
        """Opens a bulk-loaded store.

        Raises:
            GraphError: the folder holds no readable store.
        """
        if not (path / "CURRENT").is_file():
            raise GraphError("no store here", place=str(path), hint="build the graph again")
        try:
            return cls(ox.Store.read_only(str(path)), path)
        except (OSError, ValueError) as error:
            raise GraphError(
                f"the store cannot be opened: {error}",
                place=str(path),
                hint="build the graph again with --fresh",
            ) from None

    @classmethod
    def load(cls, path: Path, files: Iterable[Path]) -> None:
        """Creates a store in the new folder `path` from N-Quads files (several times faster than adding)."""
        bulk_load(path, files)

    @classmethod
    def derive(cls, old: Path, path: Path, remove: Iterable[ox.Quad], add: Iterable[ox.Quad]) -> None:
        """Creates a store in the new folder `path` that holds what `old` holds, less `remove`, plus `add`.

        The immutable files of `old` are shared (hard links) where the file system can; `old` stays as it is.

        Raises:
            OSError: the store cannot be copied or written.
        """
        copy_store(old, path)
        store = ox.Store(str(path))
        for quad in remove:
            store.remove(quad)
        store.bulk_extend(add)
        store.flush()

    @classmethod
    def in_memory(cls, data: bytes, format: ox.RdfFormat = ox.RdfFormat.N_QUADS) -> OxigraphStore:
        """A store in memory from serialised statements: for tests and small files."""
        store = ox.Store()
        store.bulk_load(data, format=format)
        return cls(store)

    def query(
        self,
        text: str,
        *,
        prefixes: Mapping[str, str] | None = None,
        union: bool = True,
        default_graphs: Iterable[str] = (),
        named_graphs: Iterable[str] = (),
    ) -> Result:
        """Runs a SPARQL query.

        Args:
            prefixes: bound beside those the query declares.
            union: all graphs together are the default graph; otherwise only the unnamed one is.
            default_graphs, named_graphs: IRIs as in the SPARQL protocol; they replace the default.

        Raises:
            QueryError: the query does not parse or uses what the engine lacks.
        """
        graphs = [ox.NamedNode(g) for g in default_graphs]
        named = [ox.NamedNode(g) for g in named_graphs]
        restricted = {"default_graph": graphs, "named_graphs": named} if graphs or named else {}
        try:
            raw = self._store.query(
                text,
                prefixes=dict(prefixes or {}),
                use_default_graph_as_union=union and not restricted,
                **restricted,
            )
        except SyntaxError as error:
            raise QueryError(
                f"the query does not parse: {error}", hint="kg queries NAME shows working examples"
            ) from None
        except (ValueError, OSError, RuntimeError) as error:
            raise QueryError(f"the query failed: {error}") from None
        return Result(raw)

    def quads(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        obj: Term | None = None,
    ) -> Iterator[ox.Quad]:
        """Statements that match, in no stable order; None matches anything."""
        return self._store.quads_for_pattern(
            ox.NamedNode(subject) if subject else None, ox.NamedNode(predicate) if predicate else None, obj
        )

    def default_quads(self) -> Iterator[ox.Quad]:
        """All statements of the unnamed graph, in no stable order."""
        return self._store.quads_for_pattern(None, None, None, ox.DefaultGraph())

    def dump(self, out: IO[bytes]) -> None:
        """Writes N-Quads in no stable order."""
        self._store.dump(out, ox.RdfFormat.N_QUADS)

    @property
    def raw(self) -> ox.Store:
        """The Oxigraph store itself, for libraries that want one."""
        return self._store

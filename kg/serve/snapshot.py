"""The graph that is being served: one generation of it, and how the next one takes its place."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np
import pyoxigraph as ox

from kg.errors import KgError
from kg.links.network import Network, kept_network, read_columns
from kg.query.index import open_index
from kg.query.lookup import Lookup
from kg.query.run import ask
from kg.query.words import Words
from kg.serve.endpoint import Endpoint
from kg.store.oxigraph import OxigraphStore
from kg.store.remote import RemoteStore
from kg.store.results import Term
from kg.view.atlas import atlas_of, open_atlas

_LOOK_EVERY = 1.0  # seconds between two looks at the manifest
_KEPT_BYTES = 64 * 2**20  # of answers that are kept, since many clients ask for the same map


class Current(msgspec.Struct, frozen=True):
    """What the folder says is current: its name, the folder of store and index, counts of what it holds.

    Attributes:
        endpoint: where the store is instead, when it is not in the folder.
    """

    name: str
    folder: Path
    counts: dict[str, int]
    endpoint: Endpoint | None = None


class Snapshot:
    """One generation of a graph, opened for reading by many threads.

    Attributes:
        name: of the generation. folder: with its store and index. counts: what it holds.
        answers: encoded answers by address, the least recently used forgotten first.
    """

    def __init__(self, current: Current, atlas: Path, own: Path | None = None) -> None:
        self.name, self.folder, self.counts = current.name, current.folder, current.counts
        self._atlas = atlas
        self._local = threading.local()
        self._lock = threading.Lock()
        self.answers = Kept(_KEPT_BYTES)
        self.built = (self.folder / "complete").stat().st_mtime
        self.endpoint = current.endpoint
        self.store: OxigraphStore | RemoteStore = (
            self.endpoint.open() if self.endpoint else OxigraphStore.open(self.folder / "store")
        )
        if own:
            weakref.finalize(self, shutil.rmtree, own, ignore_errors=True)

    @property
    def db(self) -> sqlite3.Connection:
        """The index, for this thread."""
        if not hasattr(self._local, "db"):
            self._local.db = open_index(self.folder / "index.sqlite")
        return self._local.db  # type: ignore[no-any-return]

    @property
    def atlas(self) -> sqlite3.Connection:
        """The atlas, for this thread."""
        if not hasattr(self._local, "atlas"):
            self._local.atlas = open_atlas(self._atlas)
        return self._local.atlas  # type: ignore[no-any-return]

    @property
    def lookup(self) -> Lookup:
        """Names to entities."""
        return Lookup(self.db)

    def ask(self, text: str, **bindings: Term) -> list[tuple[Term | None, ...]]:
        """Rows of a query with some variables bound."""
        return list(ask(self.store, text, bindings))

    def about(self, iri: str) -> list[tuple[str, Term]]:
        """(predicate, object) of all statements of something.

        Raises:
            ValueError: this is no IRI.
        """
        rows = self.ask("SELECT ?p ?o WHERE { $s ?p ?o }", s=ox.NamedNode(iri))
        return [(p.value, o) for p, o in rows if p is not None and o is not None]

    @cached_property
    def words(self) -> Words:
        """Search by words."""
        return Words(lambda: self.atlas)

    @cached_property
    def network(self) -> Network:
        """The graph in columns."""
        return kept_network(self.atlas)

    @cached_property
    def readable(self) -> dict[int, str]:
        """Labels as people read them, where that is not how they stand in the graph."""
        return dict(self.atlas.execute("SELECT entity, label FROM readable"))

    @cached_property
    def first_edge(self) -> np.ndarray:
        """Where the edges of each paper begin among the edges sorted by paper (and end: the next one's begin)."""
        return np.searchsorted(self.network.paper, np.arange(self.network.size + 1))

    @cached_property
    def by_entity(self) -> tuple[np.ndarray, np.ndarray]:
        """Edges in the order of their entities, and where those of each entity begin."""
        order = np.argsort(self.network.entity, kind="stable")
        return order, np.searchsorted(self.network.entity[order], np.arange(self.network.size + 1))

    def columns(self, lens: str) -> dict[str, np.ndarray]:
        """The drawn nodes of a lens: node, x, y, size, community; or the pairs of co-authors ("pair")."""
        with self._lock:
            if lens not in self._columns:
                self._columns[lens] = read_columns(self.atlas, lens)
            return self._columns[lens]

    @cached_property
    def _columns(self) -> dict[str, dict[str, np.ndarray]]:
        return {}

    def edges_at(self, number: int) -> np.ndarray:
        """Places of all edges of one entity, whichever end it is."""
        order, begin = self.by_entity
        own = order[begin[number] : begin[number + 1]]
        return own if len(own) else np.arange(self.first_edge[number], self.first_edge[number + 1])


class Graphs:
    """Gives the current generation; a rebuilt graph is opened beside it and then takes its place."""

    def __init__(self, current: Callable[[], Current], step: Callable[[str], None] = lambda name: None) -> None:
        """Opens the graph.

        Args:
            current: asks the folder. step: told what is being prepared, when something is.

        Raises:
            GraphError: there is no graph, or it cannot be read.
        """
        self._ask = current
        found = current()
        self._snapshot = Snapshot(found, *atlas_of(found.folder, step))
        self._looked = time.monotonic()
        self._lock = threading.Lock()
        self._opening = False
        self._failed = ""

    def current(self) -> Snapshot:
        """The generation to answer from. It never waits: while a new one is prepared, the old one answers."""
        now = time.monotonic()
        with self._lock:
            if now - self._looked < _LOOK_EVERY or self._opening:
                return self._snapshot
            self._looked = now
            try:
                found = self._ask()
            except KgError:  # between two states, or removed: what is open stays readable
                return self._snapshot
            if found.name not in (self._snapshot.name, self._failed):
                self._opening = True
                threading.Thread(target=self._open, args=(found,), daemon=True).start()
            return self._snapshot

    def _open(self, found: Current) -> None:
        """Prepares a generation in a process of its own, then switches to it."""
        try:
            program = "import sys, pathlib, kg.view.atlas as a; a.atlas_of(pathlib.Path(sys.argv[1]))"
            subprocess.run([sys.executable, "-c", program, str(found.folder)], check=False, stdin=subprocess.DEVNULL)
            snapshot = Snapshot(found, *atlas_of(found.folder))
            with self._lock:
                self._snapshot, self._failed = snapshot, ""
        except (KgError, OSError, sqlite3.Error) as error:
            self._failed = found.name
            print(f"kg: the new graph cannot be opened, the old one goes on: {error}", file=sys.stderr)
        finally:
            self._opening = False


class Kept:
    """Values by key, as many as fit."""

    def __init__(self, size: int) -> None:
        self._size, self._used = size, 0
        self._values: OrderedDict[str, bytes] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> bytes | None:
        """The value, which is then the most recently used."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: str, value: bytes) -> None:
        """Keeps a value, unless it is too large to be worth it."""
        if len(value) > self._size // 3:
            return
        with self._lock:
            self._used += len(value) - len(self._values.pop(key, b""))
            self._values[key] = value
            while self._used > self._size:
                self._used -= len(self._values.popitem(last=False)[1])


def describe_counts(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts by kind, as the interface has them."""
    names = {"papers": "paper", "people": "person", "methods": "method", "datasets": "dataset",
             "repositories": "repository", "topics": "topic"}  # fmt: skip
    return {names[name]: n for name, n in counts.items() if name in names}

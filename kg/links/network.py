"""The graph as columns of numbers: which paper is joined to which entity, as what, and how surely.

Maps, communities and facets count over all edges at once; in arrays that takes milliseconds where
rows of a database take seconds. An entity is its number in the index; number 0 is nobody.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from kg.links.filters import has_confidence
from kg.query.index import KINDS, RELATIONS, expanded

if TYPE_CHECKING:
    import numpy as np

# (relation, role, local name of the predicate), by the number that stands for it in `Network.type`
EDGE_TYPES = tuple(
    (relation, role, expanded(predicate).rsplit("/", 1)[-1].rsplit("#", 1)[-1])
    for relation, statements in RELATIONS.items()
    for predicate, role in statements
)
NOTHING = 255  # `Network.kind` of a number that no entity has
STATED = 255  # `Network.confidence` of what a source states itself


@dataclass(frozen=True)
class Network:
    """Columns over entities (position = number in the index) and over edges (sorted by paper).

    Attributes:
        kind: index into `kg.query.index.KINDS`, or `NOTHING`. year: 0 where unknown. venue: number of the venue, or 0.
        papers: on how many papers an entity stands.
        paper, entity: ends of each edge. type: index into `EDGE_TYPES`.
        confidence: of an extracted edge in per cent; `STATED` for what a source says itself.
    """

    kind: np.ndarray
    year: np.ndarray
    venue: np.ndarray
    papers: np.ndarray
    paper: np.ndarray
    entity: np.ndarray
    type: np.ndarray
    confidence: np.ndarray

    @property
    def size(self) -> int:
        """One more than the largest number of an entity."""
        return len(self.kind)


def read_network(db: sqlite3.Connection) -> Network:
    """The columns of a graph, from its index."""
    import numpy as np

    things = db.execute("SELECT id, kind, label, year, venue, papers FROM thing ORDER BY id").fetchall()
    number = np.array([t[0] for t in things], dtype=np.int64)  # a graph that was added to may have gaps
    size = int(number.max(initial=0)) + 1
    venues = {label: i for i, kind, label, *_ in things if kind == "venue"}
    kinds = {kind: i for i, kind in enumerate(KINDS)}

    def column(values: Iterable[int], type: Any, default: int = 0) -> np.ndarray:
        found = np.full(size, default, dtype=type)
        found[number] = np.fromiter(values, dtype=type, count=len(number))
        return found

    types = {(relation, role): i for i, (relation, role, _) in enumerate(EDGE_TYPES)}
    sure = "confidence" if has_confidence(db) else "1"
    rows = db.execute(f"SELECT relation, role, paper, entity, CAST(ROUND(100 * {sure}) AS INTEGER) FROM member")
    edges = np.array([(p, e, types[r, role], c) for r, role, p, e, c in rows], dtype=np.int64).reshape(-1, 4)
    edges = edges[np.lexsort((edges[:, 2], edges[:, 1], edges[:, 0]))]
    return Network(
        kind=column((kinds[t[1]] for t in things), np.uint8, NOTHING),
        year=column((t[3] or 0 for t in things), np.int16),
        venue=column((venues.get(t[4], 0) for t in things), np.int32),
        papers=column((t[5] for t in things), np.int32),
        paper=edges[:, 0].astype(np.int32),
        entity=edges[:, 1].astype(np.int32),
        type=edges[:, 2].astype(np.uint8),
        confidence=np.where(edges[:, 3] >= 100, STATED, edges[:, 3]).astype(np.uint8),
    )


def keep(db: sqlite3.Connection, prefix: str, columns: dict[str, np.ndarray]) -> None:
    """Puts columns into a database as they lie in memory; `read_columns` gives them back at once."""
    db.execute("CREATE TABLE IF NOT EXISTS column_data (name TEXT PRIMARY KEY, type TEXT, data BLOB) WITHOUT ROWID")
    rows = [(f"{prefix}.{name}", array.dtype.str, array.tobytes()) for name, array in columns.items()]
    db.executemany("INSERT INTO column_data VALUES (?, ?, ?)", rows)


def read_columns(db: sqlite3.Connection, prefix: str) -> dict[str, np.ndarray]:
    """Columns kept under a prefix."""
    import numpy as np

    rows = db.execute(
        "SELECT name, type, data FROM column_data WHERE name >= ? AND name < ?", (f"{prefix}.", f"{prefix}/")
    )
    return {name.removeprefix(f"{prefix}."): np.frombuffer(data, dtype=dtype) for name, dtype, data in rows}


def keep_network(db: sqlite3.Connection, network: Network) -> None:
    """Keeps the columns of a graph."""
    keep(db, "network", {f.name: getattr(network, f.name) for f in fields(Network)})


def kept_network(db: sqlite3.Connection) -> Network:
    """The columns of a graph as `keep_network` kept them."""
    return Network(**read_columns(db, "network"))

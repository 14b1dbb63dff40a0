"""The strongest pairs of a relation: counted from the index, and kept in it when a graph is built.

All pairs at once are the product of a sparse matrix (papers by entities) with itself, which is what a
projection of a bipartite graph is (Newman, "Networks", 2010, section 6.6). It still takes a second or
two on a large graph; the first thousand pairs, which answer nearly every question, are kept.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

from kg.links.filters import Filter

if TYPE_CHECKING:
    import numpy as np

KEPT = 1000  # pairs of each kind that a build keeps
_HUB = 500  # an entity of more papers alone says nothing about two of them

Row = tuple[int, int, int]  # numbers of the two entities in the index, and what they share


def strongest(db: sqlite3.Connection, relation: str, ends: str, limit: int, where: Filter | None = None) -> list[Row]:
    """Pairs with most in common, strongest first; see `kg.links.pairs.top_pairs`."""
    where = where or Filter()
    if not where and limit <= KEPT and _kept(db):
        query = "SELECT a, b, n FROM top_pair WHERE relation = ? AND ends = ? ORDER BY rank LIMIT ?"
        return db.execute(query, (relation, ends, limit)).fetchall()
    count = _top_papers if ends == "paper" else _top_entities
    return count(*incidence(db, relation, where), limit)


def keep_strongest(db: sqlite3.Connection, kinds: dict[str, str]) -> None:
    """Counts the strongest pairs once and keeps them in the index; `kinds`: relation -> kind of its entities."""
    db.execute(
        """CREATE TABLE top_pair (relation TEXT, ends TEXT, rank INTEGER, a INTEGER, b INTEGER, n INTEGER,
           PRIMARY KEY (relation, ends, rank)) WITHOUT ROWID"""
    )
    for relation, kind in kinds.items():
        found = incidence(db, relation, Filter())
        for ends in ("paper", kind) if relation != "coauthors" else (kind,):
            count = _top_papers if ends == "paper" else _top_entities
            rows = [(relation, ends, rank, *row) for rank, row in enumerate(count(*found, KEPT))]
            db.executemany("INSERT INTO top_pair VALUES (?, ?, ?, ?, ?, ?)", rows)
    db.commit()


def _kept(db: sqlite3.Connection) -> bool:
    return bool(db.execute("SELECT 1 FROM sqlite_master WHERE name = 'top_pair'").fetchone())


def incidence(db: sqlite3.Connection, relation: str, where: Filter) -> tuple[Any, np.ndarray, np.ndarray]:
    """The sparse 0/1 matrix of papers (rows) by entities (columns), and the numbers of both in the index."""
    import numpy as np
    from scipy.sparse import csr_array  # type: ignore[import-untyped]

    # Statements by paper are filtered here and not by a join: one look at each paper instead of one at each statement.
    plain = Filter(role=where.role, min_confidence=where.min_confidence)
    query = f"SELECT m.paper, m.entity FROM {plain.members(db)} m WHERE m.relation = :relation"
    pairs = np.array(db.execute(query, {**plain.values, "relation": relation}).fetchall(), dtype=np.int64)
    pairs = np.unique(pairs.reshape(-1, 2), axis=0) if relation != "coauthors" else pairs.reshape(-1, 2)
    if where != plain:
        allowed = np.array([i for (i,) in db.execute(f"SELECT id FROM {where.papers()}", where.values)], dtype=np.int64)
        pairs = pairs[np.isin(pairs[:, 0], allowed)]
    papers, row = np.unique(pairs[:, 0], return_inverse=True)
    entities, column = np.unique(pairs[:, 1], return_inverse=True)
    ones = np.ones(len(pairs), dtype=np.int32)
    return csr_array((ones, (row, column)), shape=(len(papers), len(entities))), papers, entities


def _top_entities(matrix: Any, papers: np.ndarray, entities: np.ndarray, limit: int) -> list[Row]:
    """Pairs of entities by the number of papers that have both."""
    import numpy as np
    from scipy.sparse import triu

    pairs = triu(matrix.T @ matrix, k=1).tocoo()
    a, b, n = pairs.row, pairs.col, pairs.data
    if len(n) > limit:
        least = np.partition(n, len(n) - limit)[len(n) - limit]
        a, b, n = a[n >= least], b[n >= least], n[n >= least]
    order = np.lexsort((b, a, -n))[:limit]
    return list(zip(entities[a[order]].tolist(), entities[b[order]].tolist(), n[order].tolist(), strict=True))


def _top_papers(matrix: Any, papers: np.ndarray, entities: np.ndarray, limit: int) -> list[Row]:
    """Pairs of papers by the number of shared entities; equal numbers by how few papers share those.

    Only pairs that something of at most `_HUB` papers links are listed; what is more frequent counts in those.
    """
    import numpy as np
    from scipy.sparse import diags_array, triu

    sizes = matrix.sum(axis=0)
    rare, hubs = matrix[:, sizes <= _HUB], matrix[:, sizes > _HUB]
    linked = triu(rare @ rare.T, k=1).tocoo()
    a, b, n = linked.row, linked.col, linked.data.copy()
    for column in hubs.T.toarray().astype(bool):
        n += column[a] & column[b]
    if len(n) > limit:
        least = np.partition(n, len(n) - limit)[len(n) - limit]
        chosen = n >= least
        a, b, n, own = a[chosen], b[chosen], n[chosen], linked.data[chosen]
    else:
        own = linked.data
    # Weights only for the pairs that are left: Σ 1/size over the shared rare entities of each.
    weighted = rare @ diags_array(1.0 / np.maximum(sizes[sizes <= _HUB], 1))
    weight = np.concatenate(
        [(weighted[a[i : i + 50_000]] * rare[b[i : i + 50_000]]).sum(axis=1) for i in range(0, len(a), 50_000)]
        or [np.zeros(0)]
    )
    order = np.lexsort((b, a, -weight.round(9), -own, -n))[:limit]
    return list(zip(papers[a[order]].tolist(), papers[b[order]].tolist(), n[order].tolist(), strict=True))

"""The strongest pairs of a relation: counted from the index, and kept in it when a graph is built.

Counting all pairs of a large graph takes seconds; the first thousand answer nearly every question.
"""

from __future__ import annotations

import sqlite3

KEPT = 1000  # pairs of each kind that a build keeps

Row = tuple[int, int, int]  # numbers of the two entities in the index, and what they share


def strongest(db: sqlite3.Connection, relation: str, ends: str, limit: int) -> list[Row]:
    """Pairs with most in common, strongest first; see `kg.links.pairs.top_pairs`."""
    if limit <= KEPT and _kept(db):
        query = "SELECT a, b, n FROM top_pair WHERE relation = ? AND ends = ? ORDER BY rank LIMIT ?"
        return db.execute(query, (relation, ends, limit)).fetchall()
    return _top_papers(db, relation, limit) if ends == "paper" else _top_entities(db, relation, limit)


def keep_strongest(db: sqlite3.Connection, kinds: dict[str, str]) -> None:
    """Counts the strongest pairs once and keeps them in the index; `kinds`: relation -> kind of its entities."""
    db.execute(
        """CREATE TABLE top_pair (relation TEXT, ends TEXT, rank INTEGER, a INTEGER, b INTEGER, n INTEGER,
           PRIMARY KEY (relation, ends, rank)) WITHOUT ROWID"""
    )
    for relation, kind in kinds.items():
        for ends in ("paper", kind) if relation != "coauthors" else (kind,):
            count = _top_papers if ends == "paper" else _top_entities
            rows = [(relation, ends, rank, *row) for rank, row in enumerate(count(db, relation, KEPT))]
            db.executemany("INSERT INTO top_pair VALUES (?, ?, ?, ?, ?, ?)", rows)
    db.commit()


def _kept(db: sqlite3.Connection) -> bool:
    return bool(db.execute("SELECT 1 FROM sqlite_master WHERE name = 'top_pair'").fetchone())


def _top_entities(db: sqlite3.Connection, relation: str, limit: int) -> list[Row]:
    query = """SELECT x.entity, y.entity, COUNT(DISTINCT x.paper) AS n FROM member x JOIN member y
               ON y.paper = x.paper AND y.relation = x.relation AND y.entity > x.entity
               WHERE x.relation = ? GROUP BY x.entity, y.entity ORDER BY n DESC, 1, 2 LIMIT ?"""
    return db.execute(query, (relation, limit)).fetchall()


def _top_papers(db: sqlite3.Connection, relation: str, limit: int) -> list[Row]:
    """Pairs of papers by the number of shared entities; equal numbers by how few papers share those.

    Only papers that speak of the entity at all are paired, and an entity of more than 500 papers
    counts in a pair that something rarer links already: alone it says nothing about two papers.
    """
    query = """WITH m AS (SELECT DISTINCT entity, paper FROM member WHERE relation = :r),
               size AS (SELECT entity, COUNT(*) AS k FROM m GROUP BY entity HAVING k > 1),
               linked AS (SELECT x.paper AS a, y.paper AS b FROM size JOIN m x ON x.entity = size.entity
                          JOIN m y ON y.entity = x.entity AND y.paper > x.paper WHERE size.k <= 500
                          GROUP BY a, b ORDER BY COUNT(*) DESC, SUM(1.0 / k) DESC, a, b LIMIT :pool)
               SELECT a, b, (SELECT COUNT(*) FROM m x JOIN m y ON y.entity = x.entity
                             WHERE x.paper = a AND y.paper = b) AS n
               FROM linked"""
    rows = db.execute(query, {"r": relation, "pool": max(limit * 20, 1000)}).fetchall()
    order = {row: i for i, row in enumerate(rows)}
    return sorted(rows, key=lambda row: (-row[2], order[row]))[:limit]

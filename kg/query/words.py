"""Search over all names, as one types: by the beginnings of words, and in spite of typing errors.

The words of every name stand in a full-text table whose rows are ordered by how many papers speak of
an entity, so that the first rows found are the ones most likely meant. A word of the question that
begins no word of the graph is replaced by the nearest ones that stand in it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from kg.display import display
from kg.text import fold

if TYPE_CHECKING:
    import numpy as np

_WORDS = 8  # words of a question that count
_NEAR = 6  # known words tried in place of a mistyped one
_LONGEST = 200  # letters of a question that count


def keep_words(db: sqlite3.Connection, index: sqlite3.Connection) -> None:
    """Fills the tables of words in `db` from a graph's index, and that of labels which people read differently."""
    db.execute("CREATE TABLE ranked (rank INTEGER PRIMARY KEY, entity INTEGER NOT NULL)")
    db.execute(
        "CREATE TABLE alias (entity INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (entity, name)) WITHOUT ROWID"
    )
    db.execute(
        "CREATE VIRTUAL TABLE words USING fts5 (text, content='', detail=none, columnsize=0, prefix='1 2 3', "
        'tokenize="unicode61 remove_diacritics 2")'
    )
    db.execute("CREATE VIRTUAL TABLE word USING fts5vocab (words, row)")
    db.executemany(
        "INSERT INTO alias VALUES (?, ?)",
        index.execute("SELECT DISTINCT entity, name FROM name ORDER BY entity, name"),
    )
    names: dict[int, str] = {}
    for entity, name in db.execute("SELECT entity, name FROM alias ORDER BY entity, name"):
        names[entity] = f"{names[entity]} {name}" if entity in names else name
    db.execute("CREATE TABLE readable (entity INTEGER PRIMARY KEY, label TEXT NOT NULL)")
    labels = ((entity, label, display(label)) for entity, label in index.execute("SELECT id, label FROM thing"))
    db.executemany("INSERT INTO readable VALUES (?, ?)", ((e, shown) for e, label, shown in labels if shown != label))
    things = index.execute("SELECT id, label FROM thing ORDER BY kind = 'paper', papers DESC, id")
    rows = [(rank, entity, fold(f"{label} {names.get(entity, '')}")) for rank, (entity, label) in enumerate(things, 1)]
    db.executemany("INSERT INTO ranked VALUES (?, ?)", ((rank, entity) for rank, entity, _ in rows))
    db.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", ((rank, text) for rank, _, text in rows))
    db.execute("INSERT INTO words (words) VALUES ('optimize')")


class Words:
    """Finds entities by words."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        """`connect` gives a connection for the calling thread; what is kept in memory, all threads share."""
        self._connect = connect

    def find(self, question: str) -> tuple[np.ndarray, str]:
        """Numbers of the entities that answer, the most likely first, and the question as it was understood.

        The second is "" where every word was found as it was typed.
        """
        import numpy as np

        words = fold(question[:_LONGEST]).split()[:_WORDS]
        if not words:
            return np.zeros(0, dtype=np.int32), ""
        found = self._match([[w] for w in words])
        if len(found):
            return self._entities[found], ""
        for eager in (False, True):  # also a word that stands somewhere may be mistyped
            near = [self._nearest(w, eager) for w in words]
            if all(near) and len(found := self._match(near)):
                return self._entities[found], " ".join(choice[0] for choice in near)
        return np.zeros(0, dtype=np.int32), ""

    @property
    def everything(self) -> np.ndarray:
        """Numbers of all entities, what is on most papers first."""
        return self._entities[1:]

    def _match(self, choices: list[list[str]]) -> np.ndarray:
        """Ranks of the rows that hold, for each place, a word that begins with one of its choices."""
        import numpy as np

        query = " AND ".join("(" + " OR ".join(f'"{w}"*' for w in words) + ")" for words in choices)
        rows = self._connect().execute("SELECT rowid FROM words WHERE words MATCH ?", (query,))
        return np.fromiter((rank for (rank,) in rows), dtype=np.int64)

    @cached_property
    def _entities(self) -> np.ndarray:
        import numpy as np

        rows = self._connect().execute("SELECT entity FROM ranked ORDER BY rank").fetchall()
        return np.array([0, *(e for (e,) in rows)], dtype=np.int32)

    @cached_property
    def _vocabulary(self) -> dict[str, int]:
        return dict(self._connect().execute("SELECT term, doc FROM word ORDER BY term"))

    def _nearest(self, word: str, eager: bool) -> list[str]:
        """Known words nearest to one, those of most names first among equally near ones.

        Args:
            eager: look for others even if some word begins with this one.
        """
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        known = bool(len(self._match([[word]])))
        if (known and not eager) or len(word) < 3:
            return [word] if known else []
        errors = 1 if len(word) <= 5 else 2
        words = process.extract(word, list(self._vocabulary), scorer=OSA.distance, score_cutoff=errors, limit=None)
        near = sorted(words, key=lambda n: (n[1], n[0][:1] != word[:1], -self._vocabulary[n[0]], n[0]))[:_NEAR]
        return ([word] if known else []) + [w for w, _, _ in near if w != word]

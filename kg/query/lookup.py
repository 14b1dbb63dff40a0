"""From what a person types (a name, an id, an IRI) to one entity of the graph."""

from __future__ import annotations

import sqlite3

from msgspec import Struct

from kg.errors import QueryError
from kg.query.index import KINDS, expanded, key_of, prefixed

_SUGGESTIONS = 5


class Match(Struct, frozen=True):
    """An entity: number in the index, IRI, kind, label, and on how many papers it stands."""

    id: int
    iri: str
    kind: str
    label: str
    papers: int


class Lookup:
    """Finds entities by any name.

    Attributes:
        notes: what the caller should tell the user (several entities of one name, …), in order.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.notes: list[str] = []

    def all(self, text: str, kind: str | None = None) -> list[Match]:
        """All entities with this name, id or IRI; those on most papers first."""
        columns = "SELECT DISTINCT e.id, e.iri, e.kind, e.label, e.papers FROM entity e"
        rows = self._db.execute(f"{columns} WHERE e.iri = ?", (expanded(text.strip().strip("<>")),)).fetchall()
        if not rows:
            query = f"{columns} JOIN name n ON n.entity = e.id WHERE n.key = ? AND n.name = ?"
            rows = self._db.execute(query, (key_of(text), text.strip())).fetchall()
            exact = [r for r in rows if kind in (None, "entity", r[2])]
            if not exact:
                rows = self._db.execute(f"{columns} JOIN name n ON n.entity = e.id WHERE n.key = ?", (key_of(text),))
        found = [Match(*r) for r in rows]
        if kind and kind != "entity":
            found = [m for m in found if m.kind == kind]
        order = {k: i for i, k in enumerate(KINDS)}
        return sorted(found, key=lambda m: (-m.papers, order[m.kind], m.iri))

    def one(self, text: str, kind: str | None = None) -> Match:
        """The entity a text means; of several the one on most papers, with a note about the others.

        Raises:
            QueryError: nothing has this name; the hint gives the nearest names.
        """
        found = self.all(text, kind)
        if not found:
            what = kind if kind and kind != "entity" else "entity"
            near = self.suggest(text, kind)
            hint = "did you mean " + ", ".join(f"{m.label!r} ({m.kind})" for m in near) + "?" if near else ""
            raise QueryError(
                f"no {what} is called {text!r} in this graph",
                hint=hint or "kg stats tells what the graph holds; kg show finds by any name, id or IRI",
            )
        if len(found) > 1:
            others = ", ".join(f"{prefixed(m.iri)} ({m.kind}, {_papers(m)})" for m in found[1 : 1 + _SUGGESTIONS])
            more = f" and {len(found) - 1 - _SUGGESTIONS} more" if len(found) > 1 + _SUGGESTIONS else ""
            first = f"{prefixed(found[0].iri)} ({found[0].kind}, {_papers(found[0])})"
            self.notes.append(f"{text!r} means several; taken: {first}; also: {others}{more}")
        return found[0]

    def suggest(self, text: str, kind: str | None = None, limit: int = _SUGGESTIONS) -> list[Match]:
        """The entities whose names look most like the text."""
        from rapidfuzz import fuzz, process

        where = "" if kind in (None, "entity") else " AND e.kind = ?"
        query = "SELECT n.key, n.entity FROM name n JOIN entity e ON e.id = n.entity WHERE n.key != ''" + where
        rows = self._db.execute(query, () if kind in (None, "entity") else (kind,)).fetchall()
        keys = [r[0] for r in rows]
        best = process.extract(key_of(text), keys, scorer=fuzz.ratio, limit=limit * 3, score_cutoff=60)
        numbers = list(dict.fromkeys(rows[i][1] for _, _, i in sorted(best, key=lambda b: (-b[1], b[0], b[2]))))
        return [self.by_number(n) for n in numbers[:limit]]

    def by_number(self, number: int) -> Match:
        """The entity with this number in the index."""
        row = self._db.execute("SELECT id, iri, kind, label, papers FROM entity WHERE id = ?", (number,)).fetchone()
        return Match(*row)


def _papers(match: Match) -> str:
    return f"{match.papers} paper{'' if match.papers == 1 else 's'}"

"""From what a person types (a name, an id, an IRI) to one entity of the graph."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable

from msgspec import Struct

from kg.errors import QueryError
from kg.query.index import KINDS, expanded, key_of, prefixed
from kg.vocab import ID

_SUGGESTIONS = 5
_ALIKE, _SURE = 65, 80  # of 100: what may be meant at all; what ends the search
_PART = 4  # letters of a part of a name that may stand for the whole
_LAST = "\U0010ffff"  # sorts behind every letter
_COLUMNS = f"SELECT DISTINCT e.id, '{ID}' || e.tail, e.kind, e.label, e.papers FROM thing e"


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

    def __init__(self, db: sqlite3.Connection, moved: Callable[[str], str] | None = None) -> None:
        """`moved` tells where the entity with a former IRI went, "" where it knows of none."""
        self._db, self._moved = db, moved
        self.notes: list[str] = []

    def prepare(self, iris: Iterable[str]) -> None:
        """Tells which entities will be asked for one by one; only a lookup on a server has use for it."""

    def all(self, text: str, kind: str | None = None) -> list[Match]:
        """All entities with this name, id or IRI; those on most papers first."""
        kind = None if kind == "entity" else kind
        iri = expanded(text.strip().strip("<>"))
        found = self._matches("WHERE e.tail = ?", (iri.removeprefix(ID),), kind)
        if not found:
            named = "JOIN name n ON n.entity = e.id WHERE n.key = ?"
            key = (key_of(text),)
            found = self._matches(f"{named} AND n.name = ?", (*key, text.strip()), kind)
            found = found or self._matches(named, key, kind)
        return found

    def _matches(self, condition: str, values: tuple[str, ...], kind: str | None) -> list[Match]:
        rows = self._db.execute(f"{_COLUMNS} {condition}", values)
        order = {k: i for i, k in enumerate(KINDS)}
        found = [m for m in (Match(*row) for row in rows) if kind in (None, m.kind)]
        return sorted(found, key=lambda m: (-m.papers, order[m.kind], m.iri))

    def coiners(self, name: str) -> list[Match]:
        """The papers that propose a method or introduce a data set of this name."""
        numbers = [str(m.id) for kind in ("method", "dataset") for m in self.all(name, kind)]
        return self._matches(
            f"""JOIN member m ON m.paper = e.id WHERE m.relation IN ('methods', 'datasets')
                AND m.role IN ('proposed', 'introduced') AND m.entity IN ({",".join(numbers)})""",
            (),
            "paper",
        )

    def one(self, text: str, kind: str | None = None) -> Match:
        """The entity a text means; of several the one on most papers, with a note about the others.

        Raises:
            QueryError: nothing has this name; the hint gives the nearest names.
        """
        found = self.all(text, kind)
        if not found and kind == "paper":
            found = self.coiners(text)
        if not found and self._moved and (now := self._moved(expanded(text.strip().strip("<>")))):
            found = self.all(now, kind)
            self.notes.append(f"{text!r} is now {prefixed(now)}")
        if not found:
            what = kind if kind and kind != "entity" else "entity"
            near = self.suggest(text, kind)
            hint = "did you mean " + ", ".join(f"{m.label!r} ({m.kind})" for m in near) + "?" if near else ""
            raise QueryError(
                f"no {what} is called {text!r} in this graph",
                hint=hint or "kg stats tells what the graph holds; kg show finds by any name, id or IRI",
            )
        if len(found) > 1:
            others = ", ".join(f"{prefixed(m.iri)} ({_kind(m)})" for m in found[1 : 1 + _SUGGESTIONS])
            more = f" and {len(found) - 1 - _SUGGESTIONS} more" if len(found) > 1 + _SUGGESTIONS else ""
            first = f"{prefixed(found[0].iri)} ({_kind(found[0])})"
            self.notes.append(f"{text!r} means several; taken: {first}; also: {others}{more}")
        return found[0]

    def suggest(self, text: str, kind: str | None = None, limit: int = _SUGGESTIONS) -> list[Match]:
        """The entities whose names begin with the text or have it inside, or look most like it."""
        key = key_of(text)
        kind = None if kind == "entity" else kind
        if not key:
            return []
        begins = self._names(
            "n.key >= ? AND n.key < ?", (key, key + _LAST), kind, "ORDER BY e.papers DESC, e.id LIMIT 5"
        )
        if len(begins) < _SUGGESTIONS and len(key) >= _PART:  # a surname, a word of a title
            begins += self._names("instr(n.key, ?) > 1", (key,), kind, "ORDER BY e.papers DESC, e.id LIMIT 3")
        slack = max(2, len(key) // 4)
        sizes = (len(key) - slack, len(key) + slack)
        # Few typing errors are in the first letter: look there first, it is a fraction of the names.
        initial = (key[0], key[0] + _LAST)
        near = self._names("n.key >= ? AND n.key < ? AND length(n.key) BETWEEN ? AND ?", (*initial, *sizes), kind)
        best = _closest(key, near)
        if not begins and (not best or best[0][0] < _SURE):
            best = _closest(key, self._names("length(n.key) BETWEEN ? AND ?", sizes, kind))
        numbers = dict.fromkeys([number for _, number in begins] + [number for _, number in best])
        return [self.by_number(number) for number in list(numbers)[:limit]]

    def _names(self, condition: str, values: tuple, kind: str | None, tail: str = "") -> list[tuple[str, int]]:
        """(key, entity) of the names that meet a condition."""
        if kind is None and not tail:
            return self._db.execute(f"SELECT n.key, n.entity FROM name n WHERE {condition}", values).fetchall()
        query = f"SELECT n.key, n.entity FROM name n CROSS JOIN thing e ON e.id = n.entity WHERE {condition}"
        if kind is not None:
            query, values = f"{query} AND e.kind = ?", (*values, kind)
        return self._db.execute(f"{query} {tail}", values).fetchall()

    def by_number(self, number: int) -> Match:
        """The entity with this number in the index."""
        return Match(*self._db.execute(f"{_COLUMNS} WHERE e.id = ?", (number,)).fetchone())


def _closest(key: str, names: list[tuple[str, int]]) -> list[tuple[float, int]]:
    """(likeness, entity) of the names most like a key, the best first."""
    from rapidfuzz import fuzz, process

    keys = [name for name, _ in names]
    best = process.extract(key, keys, scorer=fuzz.ratio, limit=_SUGGESTIONS * 3, score_cutoff=_ALIKE)
    return [(score, names[i][1]) for _, score, i in sorted(best, key=lambda b: (-b[1], b[0], names[b[2]][1]))]


def _kind(match: Match) -> str:
    if match.kind == "paper":
        return "paper"
    return f"{match.kind}, {match.papers} paper{'' if match.papers == 1 else 's'}"

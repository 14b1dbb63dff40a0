"""Which papers and statements count: by year, venue, topic, role and confidence."""

from __future__ import annotations

import sqlite3

from msgspec import Struct

from kg.errors import GraphError, UsageError
from kg.query.index import RELATIONS
from kg.query.lookup import Lookup
from kg.vocab import ID

_STATED = ("coauthors", "topics")  # relations that sources state: no role to choose, nothing to doubt
_COLUMNS = "m.relation, m.entity, m.paper, m.role"


class Filter(Struct, frozen=True, omit_defaults=True):
    """Only papers and statements like these; the default lets everything through.

    Attributes:
        first, last: publication years, both included; a paper without a year passes neither.
        venue: name of a venue as the graph has it. topic: IRI of a topic; those below it count as well.
        role: of a method, data set or repository on its paper ("proposed", "used", …).
        min_confidence: 0..1; what a source states (authors, topics) is certain.
    """

    first: int | None = None
    last: int | None = None
    venue: str = ""
    topic: str = ""
    role: str = ""
    min_confidence: float = 0.0

    def members(self, db: sqlite3.Connection) -> str:
        """SQL for the statements that pass, to stand after FROM; its parameters are `values`.

        Raises:
            GraphError: the index is too old to filter by confidence.
        """
        known = has_confidence(db)
        tests = [test for test, value in self._tests() if value]
        if self.min_confidence:
            if not known:
                raise GraphError(
                    "this graph was built before confidences were kept for links",
                    hint="kg build -g DIR, without inputs, makes the graph again from its own records",
                )
            tests.append("m.confidence >= :f_confidence")
        if not tests and known:
            return "member"
        confidence = "m.confidence" if known else "NULL AS confidence"
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        join = " CROSS JOIN thing p ON p.id = m.paper" if any("p." in test for test in tests) else ""
        return f"(SELECT {_COLUMNS}, {confidence} FROM member m{join}{where})"

    @property
    def values(self) -> dict[str, object]:
        """The parameters of `members`."""
        topic = self.topic.removeprefix(ID)
        return {
            "f_first": self.first,
            "f_last": self.last,
            "f_venue": self.venue,
            "f_topic": topic,
            "f_below": f"{topic}/",
            "f_behind": f"{topic}0",  # "0" follows "/"
            "f_role": self.role,
            "f_confidence": self.min_confidence - 1e-9,
        }

    def papers(self) -> str:
        """SQL for the papers that pass (id, year, venue), to stand after FROM; its parameters are `values`."""
        tests = [test.replace("m.paper", "p.id") for test, value in self._tests()[:-1] if value]
        where = " AND ".join(["p.kind = 'paper'", *tests])
        return f"(SELECT p.id, p.year, p.venue FROM thing p WHERE {where})"

    def _tests(self) -> list[tuple[str, object]]:
        below = """m.paper IN (SELECT s.paper FROM member s JOIN thing t ON t.id = s.entity WHERE s.relation = 'topics'
                   AND (t.tail = :f_topic OR t.tail >= :f_below AND t.tail < :f_behind))"""
        return [
            ("p.year >= :f_first", self.first is not None),
            ("p.year <= :f_last", self.last is not None),
            ("p.venue = :f_venue", self.venue),
            (below, self.topic),
            (f"(m.relation IN {_STATED} OR m.role = :f_role)", self.role),
        ]

    def __bool__(self) -> bool:
        return self != Filter()

    def words(self) -> str:
        """The filter for people, such as "2020-2024, ICLR, used"; empty when there is none."""
        years = f"{self.first or ''}-{self.last or ''}" if self.first != self.last else str(self.first)
        parts = [years if self.first or self.last else "", self.venue, self.topic.rsplit("/", 1)[-1], self.role]
        if self.min_confidence:
            parts.append(f"confidence from {self.min_confidence:g}")
        return ", ".join(part for part in parts if part)


def has_confidence(db: sqlite3.Connection) -> bool:
    """Whether the index knows how sure each statement is (older versions of the package left that out)."""
    return any(name == "confidence" for _, name, *_ in db.execute("PRAGMA table_info(member)"))


def make_filter(
    lookup: Lookup,
    relation: str | None = None,
    *,
    year: int | None = None,
    first: int | None = None,
    last: int | None = None,
    venue: str | None = None,
    topic: str | None = None,
    role: str | None = None,
    min_confidence: float = 0.0,
) -> Filter:
    """A filter from what a person types: venue and topic by any name, the role checked against the relation.

    Raises:
        QueryError: no such venue or topic (the hint names the nearest), a role the relation has not.
    """
    if year is not None:
        if first is not None or last is not None:
            raise UsageError("one year, and from or up to a year", hint="leave out --year, or --from and --to")
        first = last = year
    if first is not None and last is not None and first > last:
        raise UsageError(f"no year is from {first} on and up to {last}", hint="--from is the earlier year")
    roles = sorted({r for name, rows in RELATIONS.items() if relation in (None, name) for _, r in rows})
    if role and (relation in _STATED or role not in roles):
        able = f"use {' or '.join(roles)}" if relation not in _STATED else f"{relation} have no roles"
        raise UsageError(f"{relation or 'statements'} cannot be filtered by the role {role!r}", hint=able)
    return Filter(
        first=first,
        last=last,
        venue=lookup.one(venue, "venue").label if venue else "",
        topic=lookup.one(topic, "topic").iri if topic else "",
        role=role or "",
        min_confidence=min_confidence,
    )

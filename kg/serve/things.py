"""Entities as the interface gives them, and how they are named in addresses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from kg.display import display
from kg.errors import QueryError
from kg.ids import _SAFE
from kg.query.lookup import Match
from kg.serve.pool import Refused
from kg.serve.snapshot import Snapshot
from kg.vocab import ID

Entity = dict[str, Any]


def short(iri: str) -> str:
    """`type/key` of an entity's IRI."""
    return iri.removeprefix(ID)


def entity(match: Match, **more: Any) -> Entity:
    """An entity as every answer has it."""
    return {"id": short(match.iri), "iri": match.iri, "kind": match.kind, "label": shown(match), **more}


def shown(match: Match) -> str:
    """The label as people read it; a bare key is better than nothing."""
    return display(match.label) or match.label or short(match.iri)


def years(snapshot: Snapshot, number: int) -> int | None:
    """Year of a paper; None for anything else."""
    return int(snapshot.network.year[number]) or None


def by_id(snapshot: Snapshot, *names: str) -> Match:
    """The entity that an address names; `names` are ways of reading it, the most literal first.

    Raises:
        Refused: 404, with the nearest names.
    """
    for name in names:
        tail = name.removeprefix(ID).strip("/")
        for candidate in (tail, quote(tail, safe=_SAFE)):
            found = snapshot.lookup.all(ID + candidate)
            if found and short(found[0].iri) == candidate:
                return found[0]
    raise Refused(404, f"nothing in this graph has the id {names[0][:200]!r}", "search finds by any name")


def by_name(snapshot: Snapshot, name: str, kind: str | None = None) -> Match:
    """The entity that a parameter names: an id, an IRI, or any name.

    Raises:
        Refused: 404, with the nearest names.
    """
    if not name.strip():
        raise Refused(400, "no entity is given", "an id such as person/…, or a name")
    try:
        return by_id(snapshot, name)
    except Refused:
        pass
    try:
        return snapshot.lookup.one(name, kind)
    except QueryError as error:
        raise Refused(404, error.message[:500], error.hint) from None


def labels(snapshot: Snapshot, numbers: Sequence[int]) -> list[tuple[str, str]]:
    """(tail, label) of many entities, in order; one question to the index for all."""
    wanted = list(map(int, numbers))
    if len(wanted) > 5000:
        rows = snapshot.db.execute("SELECT id, tail, label FROM thing")
    else:
        marks = ",".join("?" * len(wanted))
        rows = snapshot.db.execute(f"SELECT id, tail, label FROM thing WHERE id IN ({marks})", wanted)
    found = {number: (tail, label) for number, tail, label in rows}
    readable = snapshot.readable
    return [(found[n][0], readable.get(n) or found[n][1]) for n in wanted]

"""What a request asks for: its parameters, read and checked."""

from __future__ import annotations

import math
from collections.abc import Mapping

from kg.links.lenses import LENSES, Choice
from kg.links.network import EDGE_TYPES
from kg.query.index import KINDS
from kg.query.lookup import Match
from kg.serve.pool import Refused
from kg.serve.snapshot import Snapshot
from kg.serve.things import by_name
from kg.vocab import ID

ROLES = tuple(dict.fromkeys(role for _, role, _ in EDGE_TYPES))


def choice_of(snapshot: Snapshot, given: Mapping[str, str]) -> Choice:
    """The filter that the parameters of a map or a search describe.

    Raises:
        Refused: a value is malformed (400), or names nothing (404).
    """
    kinds = tuple(k for k in given.get("kinds", given.get("kind", "")).split(",") if k)
    for kind in kinds:
        one_of("kinds", kind, KINDS)
    role = given.get("role", "")
    if role:
        one_of("role", role, ROLES)
    topic, venue = given.get("topic", ""), given.get("venue", "")
    return Choice(
        topics=_below(snapshot, by_name(snapshot, topic, "topic")) if topic else (),
        venue=by_name(snapshot, venue, "venue").id if venue else None,
        year_from=whole(given, "year_from", None, -9999, 9999),
        year_to=whole(given, "year_to", None, -9999, 9999),
        kinds=kinds,
        has_code=given.get("has_code", "").lower() in ("1", "true", "yes"),
        role=role,
        min_confidence=fraction(given, "min_confidence"),
    )


def _below(snapshot: Snapshot, topic: Match) -> tuple[int, ...]:
    """Numbers of a topic and of all below it, whose addresses begin with its own."""
    tail = topic.iri.removeprefix(ID)
    rows = snapshot.db.execute(  # "0" follows "/"
        "SELECT id FROM thing WHERE tail = ? OR tail >= ? AND tail < ?", (tail, f"{tail}/", f"{tail}0")
    )
    return tuple(number for (number,) in rows)


def lens_of(name: str) -> str:
    """A known lens.

    Raises:
        Refused: 404.
    """
    if name not in LENSES:
        raise Refused(404, f"there is no lens {name[:50]!r}", ", ".join(LENSES))
    return name


def one_of(name: str, value: str, allowed: tuple[str, ...]) -> str:
    """A value of a closed list.

    Raises:
        Refused: 400, with the list.
    """
    if value not in allowed:
        raise Refused(400, f"{name} cannot be {value[:50]!r}", ", ".join(allowed))
    return value


def whole(given: Mapping[str, str], name: str, default: int | None, low: int, high: int) -> int | None:
    """A whole number; too large or too small a one becomes the nearest allowed.

    Raises:
        Refused: 400, it is no number.
    """
    text = given.get(name, "").strip()
    if not text:
        return default
    try:
        return min(max(int(text[:12]), low), high)
    except ValueError:
        raise Refused(400, f"{name} must be a whole number, not {text[:50]!r}") from None


def fraction(given: Mapping[str, str], name: str) -> float:
    """A number from 0 to 1; 0 when it is not given.

    Raises:
        Refused: 400, it is none.
    """
    text = given.get(name, "").strip()
    try:
        value = float(text or 0)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise Refused(400, f"{name} must be a number from 0 to 1, not {text[:50]!r}")
    return value

"""Where the sources of one paper say different things: both values, where they stand, and which was taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kg.evaluate.finding import Finding
from kg.ids import iri
from kg.query.index import prefixed
from kg.records import Disagreement

# How much a wrong value of the field would harm.
_WEIGHT = {"title": 0.6, "authors": 0.6, "abstract": 0.4, "venue": 0.3, "year": 0.3, "date": 0.1}
_SHOWN = 100  # characters of a value


def disagreeing(found: Iterable[Disagreement]) -> Iterator[Finding]:
    """One finding per paper and field."""
    for d in found:
        others: dict[str, list[str]] = {}
        for value, place in d.others:
            others.setdefault(value, []).append(place)
        said = "; ".join(f"{_short(value)} in {_places(places)}" for value, places in others.items())
        yield Finding(
            _WEIGHT.get(d.field, 0.2),
            "sources",
            f"sources disagree on the {d.field}",
            _short(d.kept),
            f"taken from {_places(d.kept_from)}; {said}" if d.kept_from else f"taken; {said}",
            (prefixed(iri("paper", d.paper)),),
            "",
        )


def _short(value: str) -> str:
    return value if len(value) <= _SHOWN else value[: _SHOWN - 2].rstrip() + " …"


def _places(places: Iterable[str]) -> str:
    several = list(places)
    return ", ".join(several[:3]) + (f" and {len(several) - 3} more" if len(several) > 3 else "")

"""What the sources of one paper do not agree on, and the file that keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.json import Decoder, encode

from kg.model import Paper
from kg.records.compare import same_person, title_key
from kg.records.evidence import names_differ, same_abstract

FILE = "disagreements.jsonl"


class Disagreement(Struct, frozen=True):
    """Sources that say different things about one paper.

    Attributes:
        paper: key of the paper. field: which field. kept: the value in the graph, as text.
        kept_from: where the kept value stands ("a.json, record 3"), sorted.
        others: the values not kept, each with the file and place it stands in, sorted.
    """

    paper: str
    field: str
    kept: str
    kept_from: tuple[str, ...]
    others: tuple[tuple[str, str], ...]


def disagreements(paper: Paper, records: Sequence[Paper]) -> list[Disagreement]:
    """Fields in which records of `paper` say something else than it does; spelling and shortening do not count."""
    found = []
    for field, (differ, shown) in _FIELDS.items():
        others: dict[tuple[str, str], None] = {}
        kept: dict[str, None] = {}
        for record in records:
            if not getattr(record, field):
                continue
            places = [f"{o.file}, {o.place}" for o in record.origins]
            if differ(paper, record):
                others.update(((shown(record), place), None) for place in places)
            elif shown(record) == shown(paper):
                kept.update((place, None) for place in places)
        if others:
            found.append(Disagreement(paper.key, field, shown(paper), tuple(sorted(kept)), tuple(sorted(others))))
    return found


def write(path: Path, found: Iterable[Disagreement]) -> None:
    """Writes one JSON object a line."""
    path.write_bytes(b"".join(encode(d) + b"\n" for d in found))


def read(path: Path) -> Iterator[Disagreement]:
    """What `write` wrote; nothing where there is no such file."""
    if path.is_file():
        decoder = Decoder(Disagreement)
        with path.open("rb") as lines:
            yield from map(decoder.decode, lines)


def _authors_differ(a: Paper, b: Paper) -> bool:
    pairs = zip(a.authors, b.authors, strict=False)
    return len(a.authors) != len(b.authors) or not all(same_person(x.name, y.name) for x, y in pairs)


def _dates_differ(a: Paper, b: Paper) -> bool:
    return not a.date.startswith(b.date) and not b.date.startswith(a.date)


def _names(paper: Paper) -> str:
    return ", ".join(a.name for a in paper.authors)


_FIELDS: dict[str, tuple[Callable[[Paper, Paper], bool], Callable[[Paper], str]]] = {
    "title": (lambda a, b: title_key(a.title) != title_key(b.title), lambda p: p.title),
    "authors": (_authors_differ, _names),
    "year": (lambda a, b: a.year != b.year, lambda p: str(p.year or "")),
    "date": (_dates_differ, lambda p: p.date),
    "venue": (lambda a, b: names_differ(a.venue, b.venue), lambda p: p.venue),
    "abstract": (lambda a, b: same_abstract(a.abstract, b.abstract) is False, lambda p: p.abstract),
}

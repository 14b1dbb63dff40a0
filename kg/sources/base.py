"""What a source format is, and the two kinds most formats are: JSON records and text of their own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Protocol, runtime_checkable

from msgspec.structs import replace

from kg.model import Origin, Paper, Rejected
from kg.sources.part import Part

HEAD_SHOWN = 200


@runtime_checkable
class Format(Protocol):
    """One input format. Third parties register one under the entry point group `paperkg.sources`.

    Attributes:
        key: what `--format` takes. title: name for people. suffixes: usual file suffixes (a hint only).
    """

    key: str
    title: str
    suffixes: tuple[str, ...]

    def sniff(self, part: Part) -> float:
        """How sure the content is of this format, 0 (no) to 1 (certain)."""
        ...

    def read(self, part: Part) -> Iterator[Paper | Rejected]:
        """Every paper in order, and a `Rejected` for each record that cannot be read."""
        ...


def origin(part: Part, place: str, form: Format, source_id: str = "") -> Origin:
    """Origin of a record; `finish` adds which fields it supplied."""
    return Origin(file=part.name, place=place, format=form.key, source_id=source_id)


def reject(part: Part, place: str, reason: str, raw: bytes | str = "") -> Rejected:
    """A rejected record with the start of what could not be read."""
    if isinstance(raw, bytes):
        raw = raw.decode("utf-8", "replace")
    return Rejected(file=part.name, place=place, reason=reason, head=raw[:HEAD_SHOWN])


class JsonFormat(ABC):
    """A format of JSON records: a subclass says which records it knows and how one becomes a paper.

    Attributes:
        lists: names under which an outer object may hold the list of records.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = (".json", ".jsonl", ".ndjson")
    lists: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def matches(self, record: dict[str, Any], top: frozenset[str]) -> float:
        """How sure the first record (and the keys of the outermost object) is of this format."""

    @abstractmethod
    def papers(self, record: Any) -> Iterator[Paper] | Paper | None:
        """The paper in a record, several, or None when the record is of another thing on purpose."""

    def sniff(self, part: Part) -> float:
        top, record = part.record(self.lists)
        return self.matches(record, top) if isinstance(record, dict) else 0.0

    def read(self, part: Part) -> Iterator[Paper | Rejected]:
        from kg.sources import jsonscan

        for item in jsonscan.records(lambda: part.read(1 << 18), self.lists, part.head):
            if item.error:
                yield reject(part, item.place, item.error, item.raw)
                continue
            try:
                if not isinstance(item.value, dict):
                    raise ValueError(f"a record expected, found {type(item.value).__name__}")
                found = self.papers(item.value)
                several = [found] if isinstance(found, Paper) else list(found or ())
            except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
                yield reject(part, item.place, _why(error), _shown(item.value))
                continue
            for paper in several:
                yield located(paper, part, item.place, self)


def located(paper: Paper, part: Part, place: str, form: Format) -> Paper:
    """The paper with its origin; the source's own id is what the format put into `key`."""
    return replace(paper, key="", origins=(origin(part, place, form, paper.key),))


def _why(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"the field {error} is missing"
    return str(error) or type(error).__name__


def _shown(value: Any) -> bytes:
    from msgspec.json import encode

    try:
        return encode(value)[:1000]
    except Exception:  # only for display
        return repr(value)[:1000].encode("utf-8", "replace")

"""RIS, as reference managers and publishers export it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kg.model import Author, Paper, Rejected
from kg.sources import fields
from kg.sources.base import located, reject
from kg.sources.part import Part
from kg.sources.tags import plain_text

_TAG = re.compile(r"^\ufeff?([A-Z][A-Z0-9]|PMID)\s{1,2}-(?:\s|$)")
_BEGIN = re.compile(r"^\ufeff?TY\s{1,2}-\s")
_ORGANISATION = re.compile(r"(?i)\b(?:center|centre|university|institute|department|laboratory|group|agency)\b")


class Ris:
    """Records from `TY` to `ER`, parsed one by one by rispy; a missing `ER` ends at the next `TY`.

    Which tag holds the title, the abstract or the authors varies between databases: the usual ones are tried.
    """

    key = "ris"
    title = "RIS"
    suffixes = (".ris",)

    def sniff(self, part: Part) -> float:
        return 0.95 if any(_BEGIN.match(line) for line in part.text.splitlines()[:200]) else 0.0

    def read(self, part: Part) -> Iterator[Paper | Rejected]:
        record: list[str] = []
        first = 0
        for number, line in enumerate(part.lines(), 1):
            if _BEGIN.match(line):
                if record:
                    yield self._record(record, first, part)
                record, first = [line], number
            elif record:
                if re.match(r"^ER\s{0,2}-", line):
                    yield self._record(record, first, part)
                    record = []
                elif line.strip() and not line.startswith("%"):
                    record.append(line)
        if record:
            if part.damage:
                yield reject(part, f"line {first}", "the data end inside it", "\n".join(record))
            else:
                yield self._record(record, first, part)

    def _record(self, lines: list[str], first: int, part: Part) -> Paper | Rejected:
        import rispy

        place = f"line {first}"
        tidy = [re.sub(r"^\ufeff?([A-Z][A-Z0-9])\s{1,2}-\s*", r"\1  - ", line) for line in lines]
        text = "\n".join([*tidy, "ER  - "])
        try:
            found = rispy.loads(text, skip_unknown_tags=False, implementation=_Parser())
            if not found:
                raise ValueError("no RIS record")
            return located(_paper(found[0]), part, place, self)
        except Exception as why:  # rispy raises its own errors and bare ones alike
            return reject(part, place, f"not valid RIS ({why})", text)


def _Parser() -> Any:
    from rispy.parser import RisParser

    class Parser(RisParser):
        """The author tags A1 and AU mean the same people; rispy keeps them apart."""

    return Parser


def _paper(record: dict[str, Any]) -> Paper:
    def get(*names: str) -> str:
        for name in names:
            value = record.get(name)
            value = value[0] if isinstance(value, list) and value else value
            if isinstance(value, str) and value.strip():
                return value.strip()
        return ""

    unknown = {k: v for k, v in (record.get("unknown_tag") or {}).items()}
    urls = [u for u in (record.get("urls") or []) if u.startswith("http")]
    people = record.get("authors") or record.get("first_authors") or []
    title = get("title", "primary_title", "short_title", "translated_title")
    pmid = next(iter(unknown.get("PMID", [])), "")
    number = get("accession_number", "id")
    year = fields.year(get("year", "publication_year", "date"))
    return Paper(
        key=number or get("doi"),
        ids=(
            *fields.doi(get("doi") or next((u for u in urls if "doi.org" in u), "")),
            *fields.ids_in(*urls),
            *((f"pubmed:{pmid.strip()}",) if pmid.strip().isdigit() else ()),
        ),
        title=plain_text(title),
        abstract=plain_text(get("abstract", "notes_abstract")),
        authors=fields.once(Author(name=n) for p in people for n in _names(p)),
        year=year,
        date=_date(get("date", "publication_year", "year"), year),
        venue=plain_text(get("journal_name", "alternate_title3", "secondary_title", "alternate_title1")),
        keywords=tuple(dict.fromkeys(k.strip().lstrip("*") for k in record.get("keywords") or [] if k.strip())),
        links=(),
        url=urls[0] if urls else "",
    )


def _names(printed: str) -> list[str]:
    printed = fields.EMAIL.sub("", printed).strip(" ;,")
    if not printed or re.fullmatch(r"(?i)et al\.?|[\W_]*", printed):
        return []
    if ";" in printed:
        return [fields.natural(p.strip()) for p in printed.split(";") if p.strip()]
    return [printed if _ORGANISATION.search(printed) else fields.natural(printed)]


def _date(value: str, year: int | None) -> str:
    found = re.match(r"(\d{4})[/-](\d{1,2})[/-](\d{1,2})\b", value)
    return f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}" if found and int(found[2]) else ""


FORMAT = Ris()

"""Crossref works as JSON: one, a list, a page of items. Abstracts carry JATS tags."""

from __future__ import annotations

from typing import Any

from kg.model import Author, Paper
from kg.sources import fields
from kg.sources.base import JsonFormat
from kg.sources.tags import plain_text


class Crossref(JsonFormat):
    """The stored title and abstract are the text without its tags, since offsets point into what people see."""

    key = "crossref"
    title = "Crossref works (JSON)"
    lists = ("items",)

    def matches(self, record: dict[str, Any], top: frozenset[str]) -> float:
        record = record["message"] if isinstance(record.get("message"), dict) else record
        mine = {"container-title", "reference-count", "indexed", "prefix", "member", "is-referenced-by-count"}
        return 0.95 if "DOI" in record and len(mine & record.keys()) >= 3 else 0.0

    def papers(self, record: Any) -> Paper:
        record = record["message"] if isinstance(record.get("message"), dict) else record
        own = fields.text(record.get("DOI"))
        return Paper(
            key=own,
            ids=fields.doi(own),
            title=_title(record),
            abstract=plain_text(fields.text(record.get("abstract"))),
            authors=fields.once(a for r in record.get("author") or () if (a := csl_author(r))),
            venue=_venue(record),
            **issued(record),
            keywords=fields.strings(record.get("subject")),
            url=fields.text(record.get("URL")),
            cites=tuple(dict.fromkeys(d for r in record.get("reference") or () for d in fields.doi(r.get("DOI")))),
        )


def _title(record: dict[str, Any]) -> str:
    title, more = plain_text(fields.text(record.get("title"))), plain_text(fields.text(record.get("subtitle")))
    return f"{title}: {more}" if more and more.casefold() not in title.casefold() else title


def _venue(record: dict[str, Any]) -> str:
    short = fields.text(record.get("short-container-title"))
    return plain_text(short or fields.text(record.get("container-title")))


def issued(record: dict[str, Any]) -> dict[str, Any]:
    """Year and, when known in full, date of a CSL or Crossref record."""
    for name in ("published", "issued", "published-online", "published-print", "created"):
        value = record.get(name) or {}
        parts = value.get("date-parts") or [[]] if isinstance(value, dict) else [[]]
        parts = parts if isinstance(parts[0], list) else [parts]
        day = [int(p) for p in parts[0] if p is not None and str(p).strip().isdigit()]
        if day:
            full = len(day) == 3 and 1 <= day[1] <= 12 and 1 <= day[2] <= 31
            return {"year": day[0], "date": f"{day[0]:04}-{day[1]:02}-{day[2]:02}" if full else ""}
        if isinstance(value, dict) and (year := fields.year(value.get("raw") or value.get("literal"))):
            return {"year": year}
    return {}


def csl_author(record: Any) -> Author | None:
    """An author of a CSL or Crossref record: given and family name, or the name of a group."""
    if isinstance(record, str):
        return Author(name=record.strip()) if record.strip() else None
    particle = fields.text(record.get("non-dropping-particle")) or fields.text(record.get("dropping-particle"))
    parts = [record.get("given"), particle, record.get("family"), record.get("suffix")]
    name = " ".join(p for part in parts if (p := fields.text(part).strip()))
    name = name or fields.text(record.get("literal") or record.get("name"))
    if not name.strip():
        return None
    affiliation = record.get("affiliation")
    return Author(
        name=plain_text(name),
        affiliations=fields.institutions(affiliation),
        ids=fields.orcid(record.get("ORCID")),
    )


FORMAT = Crossref()

"""CSL-JSON, as Zotero, Pandoc and DOI content negotiation write it."""

from __future__ import annotations

from typing import Any

from kg.model import Paper
from kg.sources import fields
from kg.sources.base import JsonFormat
from kg.sources.crossref import csl_author, issued
from kg.sources.tags import plain_text


class CslJson(JsonFormat):
    """One item or a list; rich-text tags (`<i>`, `<sup>`) are taken out of title and abstract."""

    key = "csl"
    title = "CSL-JSON"
    suffixes = (".json", ".csljson")
    lists = ("items",)

    def matches(self, record: dict[str, Any], top: frozenset[str]) -> float:
        mine = {"container-title", "issued", "DOI", "URL", "publisher", "container-title-short", "page", "citation-key"}
        return 0.7 if "type" in record and "title" in record and len(mine & record.keys()) >= 2 else 0.0

    def papers(self, record: Any) -> Paper:
        address = fields.text(record.get("URL"))
        ids = [*fields.doi(record.get("DOI")), *fields.ids_in(address)]
        if pmid := fields.text(record.get("PMID")):
            ids.append(f"pubmed:{pmid}")
        short = fields.text(record.get("container-title-short"))
        return Paper(
            key=fields.text(record.get("id")),
            ids=tuple(ids),
            title=plain_text(fields.text(record.get("title"))),
            abstract=plain_text(fields.text(record.get("abstract"))),
            authors=fields.once(a for r in record.get("author") or () if (a := csl_author(r))),
            venue=short or plain_text(fields.text(record.get("container-title"))) or _event(record),
            **issued(record),
            keywords=fields.strings(record.get("keyword") or record.get("categories")),
            url=address,
        )


def _event(record: dict[str, Any]) -> str:
    event = record.get("event-title") or record.get("event")
    return fields.text(event) if isinstance(event, str) else ""


FORMAT = CslJson()

"""Any JSON records with the usual field names: lists people scrape, share and export."""

from __future__ import annotations

from typing import Any

from kg.model import Paper
from kg.sources import columns
from kg.sources.base import JsonFormat


class GenericJson(JsonFormat):
    """JSON or JSON lines with `title` and/or `abstract`, and what else `columns.NAMES` knows.

    A record may stand inside another under "paper". Ids are kept as they stand.
    """

    key = "json"
    title = "JSON or JSON lines with title, abstract, authors and the like"
    lists = ("papers", "results", "data", "items", "records", "entries", "accepted", "publications")

    def matches(self, record: dict[str, Any], top: frozenset[str]) -> float:
        inner = record.get("paper")
        known = columns.guess(inner if isinstance(inner, dict) else record)
        return 0.4 if "title" in known or "abstract" in known else 0.0

    def papers(self, record: Any) -> Paper:
        inner = record.get("paper")
        if isinstance(inner, dict) and ("title" in inner or "abstract" in inner):
            record = {**inner, "id": record.get("paper_id") or inner.get("paper_id")}
        return columns.paper(record, columns.guess(record))


FORMAT = GenericJson()

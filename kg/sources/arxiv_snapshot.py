"""The arXiv metadata snapshot: 2.5 million records, one JSON object a line."""

from __future__ import annotations

import re
from typing import Any

from kg.model import Author, Paper
from kg.sources import fields
from kg.sources.base import JsonFormat


class ArxivSnapshot(JsonFormat):
    """Authors come from `authors_parsed` when it has the names of `authors`, else from the printed string.

    Links stand in the comments ("Software at https://…"). The year is that of the first version.
    """

    key = "arxiv-json"
    title = "arXiv metadata snapshot (JSON lines)"
    suffixes = (".json", ".jsonl")

    def matches(self, record: dict[str, Any], top: frozenset[str]) -> float:
        return 0.95 if {"id", "categories", "authors_parsed"} <= record.keys() else 0.0

    def papers(self, record: Any) -> Paper:
        own = fields.text(record["id"])
        versions = record.get("versions") or [{}]
        year = fields.year(versions[0].get("created")) or fields.year(record.get("update_date"))
        return Paper(
            key=own,
            ids=(f"arxiv:{own}", *fields.doi(record.get("doi"))),
            title=fields.text(record.get("title")),
            abstract=fields.text(record.get("abstract")),
            authors=_authors(record),
            year=year,
            event=fields.text(record.get("journal-ref")),
            topics=categories(fields.text(record.get("categories"))),
            links=code_links(fields.text(record.get("comments"))),
            url=f"https://arxiv.org/abs/{own}",
        )


def _authors(record: dict[str, Any]) -> tuple[Author, ...]:
    parsed = [p for p in record.get("authors_parsed") or () if p and p[0].strip(" :")]
    printed = fields.text(record.get("authors"))
    plain = re.sub(r"\([^()]*\)", "", printed)  # affiliations, "(1) and (2)"
    names = [" ".join(w for w in (p[1], p[0], *p[2:3]) if w).strip() for p in parsed]
    if len(names) > 1 or "," not in plain and not re.search(r"\band\b", plain):
        return fields.authors(names) if names else fields.authors(plain)
    return fields.authors(plain)


def categories(text: str) -> tuple[tuple[str, ...], ...]:
    """Paths of arXiv categories: "cs.LG stat.ML" -> (("cs", "cs.LG"), ("stat", "stat.ML"))."""
    return tuple((c.split(".")[0], c) if "." in c else (c,) for c in dict.fromkeys(text.split()))


def code_links(comments: str) -> tuple[Any, ...]:
    """Addresses in an author's comments; those of code hosts count as code, others are left untyped."""
    return tuple(link for link in fields.links(comments.split()) if not re.search(r"arxiv\.org|doi\.org", link.url))


FORMAT = ArxivSnapshot()

"""The paperlists JSON of conference statistics sites: one list per conference and year."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from msgspec.structs import replace

from kg.model import Author, Paper, Rejected
from kg.sources import columns, fields
from kg.sources.base import JsonFormat
from kg.sources.part import Part

_VIRTUAL = re.compile(
    r"//(?:www\.)?(icml|neurips|nips|iclr|cvpr|eccv|iccv|mlsys|aistats)\.(?:cc|thecvf\.com|org)/virtual/(\d{4})", re.I
)
_FILE = re.compile(r"^([a-z]+(?:-?[a-z]+)*|3dv|ai4x)[-_]?((?:19|20)\d\d)", re.I)
_NOT_PUBLISHED = re.compile(r"(?i)^(reject|withdraw|desk reject)")


class PaperLists(JsonFormat):
    """Records with `author` (separated by `;` or `,`), `status`, `site`, and `aff` parallel to the authors.

    The conference and its year come from the address of the paper, else from the file's name.
    A rejected or withdrawn submission is kept, but no venue is claimed for it.
    """

    key = "paperlists"
    title = "paperlists JSON (papercopilot)"
    suffixes = (".json",)

    def matches(self, record: dict[str, Any], top: frozenset[str]) -> float:
        return 0.8 if {"title", "author"} <= record.keys() and record.keys() & {"status", "site"} else 0.0

    def papers(self, record: Any) -> Paper:
        status = fields.text(record.get("status"))
        unpublished = bool(_NOT_PUBLISHED.match(status))
        found = columns.guess(record)
        paper = columns.paper({k: v for k, v in record.items() if k not in ("author", "aff")}, found)
        site = fields.text(record.get("site")) or fields.text(record.get("openreview"))
        ids = [*paper.ids, *fields.ids_in(site, record.get("openreview"), record.get("pdf"), record.get("oa"))]
        virtual = _VIRTUAL.search(site)
        return replace(
            paper,
            ids=fields.same_ids(ids),
            authors=_authors(record),
            venue="" if unpublished else paper.venue or (_venue(virtual[1]) if virtual else ""),
            year=paper.year or (int(virtual[2]) if virtual else None),
            event=status if unpublished else "",
            url=site,
            links=fields.links(record.get("github"), "code") + fields.links(record.get("project"), "project-page"),
        )

    def read(self, part: Part) -> Iterator[Paper | Rejected]:
        named = _FILE.match(PurePath(part.name).stem)
        for item in super().read(part):
            if isinstance(item, Paper) and named and not (item.venue and item.year):
                name = "" if item.event else item.venue or _venue(named[1])
                yield replace(item, venue=name, year=item.year or int(named[2]))
            else:
                yield item


def _venue(name: str) -> str:
    return {"neurips": "NeurIPS", "nips": "NeurIPS", "corl": "CoRL"}.get(name.lower(), name.upper())


def _authors(record: dict[str, Any]) -> tuple[Author, ...]:
    """Authors with profile and affiliation, which stand in parallel lists separated by `;`."""
    printed = record.get("author") or record.get("authors")
    if not isinstance(printed, str):
        return fields.authors(printed)
    names = [n.strip() for n in re.split(";" if ";" in printed else r",(?!\s*(?:Jr|Sr|I{2,3}|IV)\b)", printed)]

    def parallel(name: str) -> list[str] | None:
        values = fields.text(record.get(name)).split(";")
        return [v.strip() for v in values] if len(values) == len(names) else None

    return fields.authors(names, parallel("authorids"), parallel("aff"))


FORMAT = PaperLists()

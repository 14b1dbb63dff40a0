"""Virtual conference sites (neurips.cc, icml.cc, iclr.cc): their list of events as JSON."""

from __future__ import annotations

import re
from typing import Any

from kg.model import Author, Paper
from kg.sources import fields
from kg.sources.base import JsonFormat

_GROUP = re.compile(r"openreview\.net/group\?id=(\w+)\.[a-z]+/(\d{4})")
_SITE = re.compile(r"/virtual/(\d{4})/")
_HOST = re.compile(r"https?://(?:www\.)?(\w+)\.(?:cc|thecvf\.com)/")
_NAMES = {"neurips": "NeurIPS", "nips": "NeurIPS"}


class VirtualSite(JsonFormat):
    """Records with `name`, `authors[].fullname`, `virtualsite_url` and `topic` as "Area->Subarea".

    One paper may stand there several times (as oral and as poster); linking joins those.
    """

    key = "virtual-site"
    title = "virtual conference site JSON (neurips.cc, icml.cc, iclr.cc)"
    lists = ("results",)

    def matches(self, record: dict[str, Any], top: frozenset[str]) -> float:
        return 0.95 if "name" in record and record.keys() & {"virtualsite_url", "eventtype", "sourceurl"} else 0.0

    def papers(self, record: Any) -> Paper:
        site = fields.text(record.get("virtualsite_url"))
        group = _GROUP.search(fields.text(record.get("sourceurl")))
        people = [a for a in record.get("authors") or () if isinstance(a, dict)]
        host = next((m[1].lower() for a in people if (m := _HOST.match(fields.text(a.get("url"))))), "")
        venue = group[1] if group else _NAMES.get(host, host.upper())
        dated = _SITE.search(site)
        year = int(group[2]) if group else int(dated[1]) if dated else fields.year(record.get("starttime"))
        decision = fields.text(record.get("decision"))
        return Paper(
            key=fields.text(record.get("id") or record.get("uid")),
            ids=fields.ids_in(*(fields.text(record.get(k)) for k in ("paper_url", "url", "paper_pdf_url"))),
            title=fields.text(record.get("name")),
            abstract=fields.text(record.get("abstract")),
            authors=fields.once(_author(a) for a in people if fields.text(a.get("fullname")).strip()),
            year=year,
            venue=venue,
            event=f"{venue} {year} {record.get('eventtype') or decision}".strip() if venue and year else decision,
            topics=fields.topics(record.get("topic")),
            keywords=fields.strings(record.get("keywords")),
            url=fields.text(record.get("paper_url")) or (site if site.startswith("http") else ""),
        )


def _author(record: dict[str, Any]) -> Author:
    return Author(
        name=fields.text(record.get("fullname")).strip(), affiliations=fields.institutions(record.get("institution"))
    )


FORMAT = VirtualSite()

"""DBLP: the whole `dblp.xml`, one person's page, and the search API's JSON."""

from __future__ import annotations

import html
from typing import Any

from kg.model import Author, Paper
from kg.sources import fields
from kg.sources.base import JsonFormat
from kg.sources.part import Part
from kg.sources.xmlformat import XmlFormat
from kg.sources.xmlscan import text, texts

_PAPERS = ("article", "inproceedings", "incollection", "phdthesis", "mastersthesis", "data")


class DblpXml(XmlFormat):
    """Articles, papers, chapters and theses; volumes and home pages are passed over.

    The homonym number ("Lena Krieger 0001") is DBLP's own and stays in the printed name.
    """

    key = "dblp-xml"
    title = "DBLP XML (dblp.xml, person pages)"
    tags = (*_PAPERS, "book", "www", "proceedings", "person")

    def matches(self, root: str, part: Part) -> float:
        return 0.95 if root in ("dblp", "dblpperson", "bht") else 0.0

    def paper(self, node: Any) -> Paper | None:
        own = node.get("key", "")
        if node.tag not in _PAPERS and node.tag != "book" or own.startswith(("homepages/", "dblpnote/")):
            return None
        if not own:
            raise ValueError("the record has no key")
        found = texts(node, "ee")
        people = [Author(name=n, ids=(*fields.orcid(a.get("orcid")), *_pid(a.get("pid"))))
                  for a in node.findall("author") if (n := text(a))]  # fmt: skip
        return Paper(
            key=own,
            ids=(f"dblp:{own}", *_ids(found)),
            title=_title(text(node, "title")),
            authors=fields.once(people),
            year=fields.year(text(node, "year")),
            venue=text(node, "journal") or text(node, "booktitle") or text(node, "school"),
            url=found[0] if found else f"https://dblp.org/rec/{own}",
            cites=tuple(f"dblp:{c}" for c in texts(node, "cite") if c != "..."),
        )


class DblpJson(JsonFormat):
    """Hits of a publication search; names and titles carry HTML entities."""

    key = "dblp-json"
    title = "DBLP search (JSON)"
    lists = ("hit",)

    def matches(self, record: dict[str, Any], top: frozenset[str]) -> float:
        inner = record.get("info")
        return 0.95 if isinstance(inner, dict) and {"key", "title"} & inner.keys() else 0.0

    def papers(self, record: Any) -> Paper:
        info = record["info"]
        own = fields.text(info.get("key"))
        people = (info.get("authors") or {}).get("author") or ()
        found = [fields.text(info.get("doi")), fields.text(info.get("ee"))]
        return Paper(
            key=own,
            ids=(*((f"dblp:{own}",) if own else ()), *_ids(found)),
            title=_title(html.unescape(fields.text(info.get("title")))),
            authors=fields.once(_author(a) for a in ([people] if isinstance(people, (dict, str)) else people)),
            year=fields.year(info.get("year")),
            venue=html.unescape(fields.text(info.get("venue"))),
            url=found[1] or fields.text(info.get("url")),
        )


def _author(record: Any) -> Author:
    if isinstance(record, str):
        return Author(name=html.unescape(record))
    return Author(name=html.unescape(fields.text(record.get("text"))), ids=_pid(record.get("@pid")))


def _pid(value: str | None) -> tuple[str, ...]:
    return (f"dblp:{value}",) if value else ()


def _ids(addresses: list[str]) -> tuple[str, ...]:
    found = [i for a in addresses for i in (*fields.ids_in(a), *fields.doi(a), *fields.arxiv(a))]
    return tuple(dict.fromkeys(found))


def _title(title: str) -> str:
    """DBLP ends every title with a full stop of its own."""
    return title[:-1] if title.endswith(".") and not title.endswith("..") else title


XML = DblpXml()
JSON = DblpJson()

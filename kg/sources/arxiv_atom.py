"""The Atom feed of the arXiv search API."""

from __future__ import annotations

from typing import Any

from kg.model import Author, Paper
from kg.sources import fields
from kg.sources.arxiv_snapshot import code_links
from kg.sources.part import Part
from kg.sources.xmlformat import XmlFormat
from kg.sources.xmlscan import text, texts


class ArxivAtom(XmlFormat):
    """Entries; the year is that of the first version (`published`), the identifier has no version."""

    key = "arxiv-atom"
    title = "arXiv API (Atom)"
    suffixes = (".xml", ".atom")
    tags = ("entry",)

    def matches(self, root: str, part: Part) -> float:
        return 0.95 if root in ("feed", "entry") and b"arxiv.org" in part.head else 0.0

    def paper(self, node: Any) -> Paper | None:
        address = text(node, "id")
        if "api/errors" in address:
            raise ValueError("the arXiv answered with an error: " + text(node, "summary"))
        date = text(node, "published")[:10]
        names = [Author(name=n, affiliations=tuple(texts(a, "affiliation")))
                 for a in node.findall("{*}author") if (n := text(a, "name"))]  # fmt: skip
        terms = [c.get("term") for c in node.findall("{*}category")]
        return Paper(
            key=address.rpartition("/abs/")[2] or address,
            ids=fields.arxiv(address) + fields.doi(text(node, "doi")),
            title=text(node, "title"),
            abstract=text(node, "summary"),
            authors=fields.once(a for a in names if a.name != ":"),
            year=fields.year(date),
            date=date,
            event=text(node, "journal_ref"),
            topics=tuple((t.split(".")[0], t) if "." in t else (t,) for t in dict.fromkeys(filter(None, terms))),
            links=code_links(text(node, "comment")),
            url=address,
        )


FORMAT = ArxivAtom()

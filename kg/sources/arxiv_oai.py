"""arXiv records harvested over OAI-PMH (formats `arXiv`, `arXivRaw` and `oai_dc`)."""

from __future__ import annotations

from typing import Any

from kg.model import Author, Paper
from kg.sources import fields
from kg.sources.arxiv_snapshot import categories, code_links
from kg.sources.part import Part
from kg.sources.xmlformat import XmlFormat
from kg.sources.xmlscan import text, texts


class ArxivOai(XmlFormat):
    """A collaboration that the source split into forename and surname is put together again; a bare `:`
    between collaboration and members is dropped; deleted records are passed over.
    """

    key = "arxiv-oai"
    title = "arXiv OAI-PMH"
    tags = ("record",)

    def matches(self, root: str, part: Part) -> float:
        return 0.95 if root in ("OAI-PMH", "ListRecords", "GetRecord") else 0.0

    def paper(self, node: Any) -> Paper | None:
        header = node.find("{*}header")
        if header is not None and header.get("status") == "deleted":
            return None
        found = node.find("{*}metadata")
        if found is None or not len(found):
            raise ValueError("the record holds no metadata")
        inner = found[0]
        own = text(inner, "id") or text(node, "header", "identifier").rpartition(":")[2]
        if inner.tag.endswith("}dc"):
            return _dublin_core(inner, own)
        date = text(inner, "created") or text(inner, "version", "date")
        return Paper(
            key=own,
            ids=fields.arxiv(own) + fields.doi(text(inner, "doi")),
            title=text(inner, "title"),
            abstract=text(inner, "abstract"),
            authors=_authors(inner) or fields.authors(text(inner, "authors")),
            year=fields.year(date),
            date=date if len(date) == 10 else "",
            event=text(inner, "journal-ref"),
            topics=categories(text(inner, "categories")),
            links=code_links(text(inner, "comments")),
            url=f"https://arxiv.org/abs/{own}",
        )


def _authors(inner: Any) -> tuple[Author, ...]:
    found = []
    for author in inner.findall("{*}authors/{*}author"):
        parts = [text(author, "forenames"), text(author, "keyname"), text(author, "suffix")]
        name = " ".join(p for p in parts if p)
        if name.strip(" :,;"):
            found.append(Author(name=name, affiliations=tuple(texts(author, "affiliation"))))
    return fields.once(found)


def _dublin_core(inner: Any, own: str) -> Paper:
    dates, said = texts(inner, "date"), texts(inner, "description")
    places = texts(inner, "identifier")
    return Paper(
        key=own,
        ids=fields.arxiv(own) + tuple(d for p in places for d in fields.doi(p)),
        title=text(inner, "title"),
        abstract=said[0] if said else "",
        authors=fields.authors(texts(inner, "creator")),
        year=fields.year(min(dates, default="")),
        date=min(dates, default="")[:10],
        keywords=tuple(texts(inner, "subject")),
        url=places[0] if places else "",
    )


FORMAT = ArxivOai()

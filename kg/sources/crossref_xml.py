"""Crossref works as XML (query results, `unixref`, `crossref` deposits)."""

from __future__ import annotations

from typing import Any

from kg.model import Author, Paper
from kg.sources import fields
from kg.sources.part import Part
from kg.sources.xmlformat import XmlFormat
from kg.sources.xmlscan import names, text, texts

_RECORDS = ("journal_article", "conference_paper", "posted_content", "content_item", "dissertation", "report-paper")


class CrossrefXml(XmlFormat):
    """One record per article, conference paper, preprint, chapter or thesis."""

    key = "crossref-xml"
    title = "Crossref works (XML)"
    tags = _RECORDS

    def matches(self, root: str, part: Part) -> float:
        mine = root in ("crossref_result", "doi_records", "doi_record", "crossref", "doi_batch")
        return 0.95 if mine or {"doi_data", "journal_article"} <= names(part) else 0.0

    def paper(self, node: Any) -> Paper:
        doi = text(node, "doi_data", "doi")
        titles = node.find("{*}titles")
        title, more = text(titles, "title"), text(titles, "subtitle")
        day = next(iter(node.findall("{*}publication_date") + node.findall("{*}posted_date")), None)
        year = fields.year(text(day, "year")) if day is not None else None
        month, dom = text(day, "month"), text(day, "day")
        return Paper(
            key=doi,
            ids=fields.doi(doi),
            title=f"{title}: {more}" if more else title,
            abstract=_abstract(node),
            authors=fields.once(_people(node)),
            year=year,
            date=f"{year}-{int(month):02}-{int(dom):02}" if year and month.isdigit() and dom.isdigit() else "",
            venue=_venue(node),
            url=text(node, "doi_data", "resource"),
            cites=tuple(
                dict.fromkeys(d for c in texts(node, "citation_list", "citation", "doi") for d in fields.doi(c))
            ),
        )


def _abstract(node: Any) -> str:
    found = node.find("{*}abstract")
    if found is None:
        return ""
    return "\n".join(texts(found, "p") or texts(found, "sec")) or text(found)


def _people(node: Any) -> list[Author]:
    people = []
    for one in node.findall("{*}contributors/*"):
        if one.get("contributor_role", "author") != "author":
            continue
        name = " ".join(p for p in (text(one, "given_name"), text(one, "surname"), text(one, "suffix")) if p)
        name = name or text(one)  # an organisation
        places = texts(one, "affiliation") or texts(one, "affiliations", "institution", "institution_name")
        if name:
            people.append(
                Author(name=name, affiliations=fields.institutions(places), ids=fields.orcid(text(one, "ORCID")))
            )
    return people


def _venue(node: Any) -> str:
    outer = node.getparent()
    while outer is not None:
        for path in (("journal_metadata", "abbrev_title"), ("journal_metadata", "full_title"),
                     ("event_metadata", "conference_acronym"), ("proceedings_metadata", "proceedings_title"),
                     ("book_metadata", "titles", "title")):  # fmt: skip
            if found := text(outer, *path):
                return found
        outer = outer.getparent()
    return ""


FORMAT = CrossrefXml()

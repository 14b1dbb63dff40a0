"""JATS articles (PubMed Central, bioRxiv, many publishers)."""

from __future__ import annotations

from typing import Any

from kg.model import Author, Paper
from kg.sources import fields
from kg.sources.part import Part
from kg.sources.xmlformat import XmlFormat
from kg.sources.xmlscan import text, texts


class Jats(XmlFormat):
    """The front matter of each article; of several abstracts the main one (without an `abstract-type`)."""

    key = "jats"
    title = "JATS article XML"
    suffixes = (".nxml", ".xml", ".jats")
    tags = ("article",)

    def matches(self, root: str, part: Part) -> float:
        jats = b"<article-meta" in part.head or b"//NLM//DTD" in part.head[:2000]
        return 0.9 if root in ("article", "pmc-articleset", "articles") and jats else 0.0

    def paper(self, node: Any) -> Paper | None:
        meta = node.find("{*}front/{*}article-meta")
        if meta is None:
            meta = node.find("{*}front-stub")
        if meta is None:
            raise ValueError("the article has no front matter")
        own = {i.get("pub-id-type"): text(i) for i in meta.findall("{*}article-id")}
        ids = [*fields.doi(own.get("doi"))] + ([f"pubmed:{own['pmid']}"] if own.get("pmid") else [])
        year, date = _date(meta)
        titles = meta.find("{*}title-group")
        title, more = text(titles, "article-title"), text(titles, "subtitle")
        return Paper(
            key=own.get("doi") or own.get("pmid") or next(iter(own.values()), ""),
            ids=tuple(ids),
            title=f"{title}: {more}" if more else title,
            abstract=_abstract(meta),
            authors=fields.once(_people(meta)),
            year=year,
            date=date,
            venue=text(node, "front", "journal-meta", "journal-title")
            or text(node, "front", "journal-meta", "journal-title-group", "journal-title"),
            topics=tuple(dict.fromkeys(tuple(s.split("/")) for s in _subjects(meta))),
            keywords=tuple(dict.fromkeys(texts(meta, "kwd-group", "kwd"))),
            url=f"https://doi.org/{own['doi']}" if own.get("doi") else "",
            cites=_cited(node),
        )


def _subjects(meta: Any) -> list[str]:
    groups = meta.findall("{*}article-categories/{*}subj-group")
    return [s for g in groups if g.get("subj-group-type") != "heading" for s in texts(g, "subject")]


def _abstract(meta: Any) -> str:
    found = [a for a in meta.findall("{*}abstract") if a.get("abstract-type") in (None, "section", "summary")]
    if not found:
        return ""
    blocks = []
    for part in found[0].iter("{*}title", "{*}p"):
        plain = text(part)
        if plain and not (part.tag.endswith("title") and plain.casefold() in ("abstract", "summary")):
            blocks.append(plain)
    return "\n".join(blocks) or text(found[0])


def _people(meta: Any) -> list[Author]:
    places = {a.get("id"): _place(a) for a in meta.iter("{*}aff")}
    people = []
    for one in meta.findall("{*}contrib-group/{*}contrib"):
        if one.get("contrib-type", "author") != "author":
            continue
        box = one.find("{*}name")
        box = one.find("{*}name-alternatives/{*}name") if box is None else box
        if box is not None:
            name = " ".join(p for p in (text(box, "given-names"), text(box, "surname"), text(box, "suffix")) if p)
        else:
            name = text(one, "collab") or text(one, "string-name")
        refs = [r for x in one.findall("{*}xref") if x.get("ref-type") == "aff" for r in (x.get("rid") or "").split()]
        mine = [places[r] for r in refs if places.get(r)] + [_place(a) for a in one.findall("{*}aff")]
        orcid = [i for c in one.findall("{*}contrib-id") for i in fields.orcid(text(c))]
        if name:
            people.append(Author(name=name, affiliations=tuple(dict.fromkeys(mine)), ids=tuple(orcid)))
    return people


def _place(aff: Any) -> str:
    """An affiliation without its label ("1")."""
    plain = text(aff)
    label = text(aff, "label") or text(aff, "sup")
    return plain.removeprefix(label).strip() if label else plain


def _date(meta: Any) -> tuple[int | None, str]:
    order = ("epub", "ppub", "pub", "collection")
    days = sorted(
        meta.findall("{*}pub-date"),
        key=lambda d: order.index(t) if (t := d.get("pub-type") or d.get("date-type")) in order else len(order),
    )
    for day in days:
        if year := fields.year(text(day, "year")):
            month, dom = text(day, "month"), text(day, "day")
            full = month.isdigit() and dom.isdigit()
            return year, f"{year}-{int(month):02}-{int(dom):02}" if full else ""
    return None, ""


def _cited(node: Any) -> tuple[str, ...]:
    found = node.findall("{*}back/{*}ref-list/{*}ref//{*}pub-id")
    ids = []
    for one in found:
        if one.get("pub-id-type") == "doi":
            ids += fields.doi(text(one))
        elif one.get("pub-id-type") == "pmid" and text(one):
            ids.append(f"pubmed:{text(one)}")
    return tuple(dict.fromkeys(ids))


FORMAT = Jats()

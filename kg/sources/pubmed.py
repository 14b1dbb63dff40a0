"""PubMed/MEDLINE XML (search results and the yearly baseline)."""

from __future__ import annotations

from typing import Any

from kg.model import Author, Paper
from kg.sources import fields
from kg.sources.part import Part
from kg.sources.xmlformat import XmlFormat
from kg.sources.xmlscan import text, texts

_MONTHS = {
    m: i for i, m in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1)
}


class PubMed(XmlFormat):
    """Articles and book chapters. Parts of a structured abstract keep their labels ("METHODS: …")."""

    key = "pubmed"
    title = "PubMed/MEDLINE XML"
    tags = ("PubmedArticle", "PubmedBookArticle")

    def matches(self, root: str, part: Part) -> float:
        return 0.95 if root in ("PubmedArticleSet", "PubmedArticle", "PubmedBookArticle", "MedlineCitationSet") else 0.0

    def paper(self, node: Any) -> Paper:
        citation = node.find("MedlineCitation")
        citation = node.find("BookDocument") if citation is None else citation
        article = citation.find("Article")
        article = citation if article is None else article
        own = text(citation, "PMID")
        ids = [f"pubmed:{own}"] if own else []
        for one in node.findall("PubmedData/ArticleIdList/ArticleId") + article.findall("ELocationID"):
            if "doi" in (one.get("IdType"), one.get("EIdType")):
                ids += fields.doi(text(one))
        day = article.find("Journal/JournalIssue/PubDate")
        year = fields.year(text(day, "Year") or text(day, "MedlineDate")) or fields.year(
            text(article, "ArticleDate", "Year")
        )
        return Paper(
            key=own,
            ids=tuple(dict.fromkeys(ids)),
            title=text(article, "ArticleTitle") or text(article, "VernacularTitle") or text(article, "BookTitle"),
            abstract=_abstract(article),
            authors=fields.once(_people(article)),
            year=year,
            date=_date(day, year),
            venue=text(article, "Journal", "ISOAbbreviation") or text(article, "Journal", "Title"),
            topics=tuple((t,) for t in texts(citation, "MeshHeadingList", "MeshHeading", "DescriptorName")),
            keywords=tuple(dict.fromkeys(texts(citation, "KeywordList", "Keyword"))),
            url=f"https://pubmed.ncbi.nlm.nih.gov/{own}/" if own else "",
            cites=_cited(node),
        )


def _cited(node: Any) -> tuple[str, ...]:
    found = node.findall(".//ReferenceList/Reference/ArticleIdList/ArticleId")
    return tuple(dict.fromkeys(f"pubmed:{text(i)}" for i in found if i.get("IdType") == "pubmed"))


def _abstract(article: Any) -> str:
    parts = []
    for one in article.findall("Abstract/AbstractText"):
        label = (one.get("Label") or "").strip()
        if plain := text(one):
            parts.append(f"{label}: {plain}" if label and label != "UNLABELLED" else plain)
    return "\n".join(parts)


def _people(article: Any) -> list[Author]:
    people = []
    for one in article.findall("AuthorList/Author"):
        given = text(one, "ForeName") or text(one, "Initials")
        parts = (given, text(one, "LastName"), text(one, "Suffix"))
        name = " ".join(p for p in parts if p) or text(one, "CollectiveName")
        ids = [i for n in one.findall("Identifier") if n.get("Source") == "ORCID" for i in fields.orcid(text(n))]
        # One string may list the places of all authors, split by "; ": it is kept whole, as printed.
        places = texts(one, "AffiliationInfo", "Affiliation") or texts(one, "Affiliation")
        if name:
            people.append(Author(name=name, affiliations=tuple(dict.fromkeys(places)), ids=tuple(ids)))
    return people


def _date(day: Any, year: int | None) -> str:
    month, dom = text(day, "Month").casefold(), text(day, "Day")
    number = int(month) if month.isdigit() else _MONTHS.get(month[:3], 0)
    return f"{year:04}-{number:02}-{int(dom):02}" if year and number and dom.isdigit() else ""


FORMAT = PubMed()

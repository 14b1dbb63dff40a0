"""OpenAlex works: one, a list, a page of results, or the parts of a snapshot."""

from __future__ import annotations

from typing import Any

from kg.model import Author, Paper
from kg.sources import fields
from kg.sources.base import JsonFormat


class OpenAlex(JsonFormat):
    """The abstract is put together from its inverted index, words joined by single blanks."""

    key = "openalex"
    title = "OpenAlex works"
    lists = ("results",)

    def matches(self, record: dict[str, Any], top: frozenset[str]) -> float:
        mine = {"display_name", "authorships", "abstract_inverted_index", "publication_year", "referenced_works"}
        if len(mine & record.keys()) >= 2:
            return 0.95
        return 0.9 if str(record.get("id", "")).startswith("https://openalex.org/W") else 0.0

    def papers(self, record: Any) -> Paper:
        own = _tail(record.get("id"))
        given = record.get("ids") or {}
        ids = [f"openalex:{own}"] if own else []
        ids += fields.doi(record.get("doi") or given.get("doi"))
        if pmid := _tail(given.get("pmid")):
            ids.append(f"pubmed:{pmid}")
        home = record.get("primary_location") or {}
        for place in record.get("locations") or [home]:
            ids += fields.ids_in(fields.text(place.get("landing_page_url")), fields.text(place.get("pdf_url")))
        source = home.get("source") or {}
        year = record.get("publication_year")
        return Paper(
            key=own,
            ids=tuple(i for i in ids if not i.startswith("doi:") or i in ids[:3]),
            title=fields.text(record.get("title") or record.get("display_name")),
            abstract=unfold(record.get("abstract_inverted_index")),
            authors=fields.once(a for a in map(_author, record.get("authorships") or ()) if a.name),
            year=fields.year(year),
            date=fields.text(record.get("publication_date")),
            venue=fields.text(source.get("display_name")),
            topics=_topics(record),
            keywords=tuple(
                k.get("display_name") or k.get("keyword") or "" if isinstance(k, dict) else str(k)
                for k in record.get("keywords") or ()
            ),
            url=fields.text(home.get("landing_page_url")) or fields.text(record.get("doi")),
            cites=tuple(f"openalex:{_tail(w)}" for w in record.get("referenced_works") or ()),
        )


def unfold(index: dict[str, list[int]] | None) -> str:
    """Text of an inverted index {word: [positions]}; words at gaps are lost in the source already."""
    if not index:
        return ""
    places = sorted((at, word) for word, where in index.items() for at in where)
    return " ".join(word for _, word in places)


def _tail(address: Any) -> str:
    return fields.text(address).rstrip("/").rsplit("/", 1)[-1]


def _author(record: dict[str, Any]) -> Author:
    who = record.get("author") or {}
    name = fields.text(record.get("raw_author_name")) or fields.text(who.get("display_name"))
    printed = record.get("raw_affiliation_strings") or record.get("raw_affiliation_string")
    own = _tail(who.get("id"))
    ids = (f"openalex:{own}",) if own else ()
    return Author(
        name=name.strip(),
        affiliations=fields.institutions(
            [i for i in record.get("institutions") or () if i.get("display_name")] or printed
        ),
        ids=(*fields.orcid(who.get("orcid")), *ids),
    )


def _topics(record: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Domain, field, subfield and topic of each topic, from broad to narrow."""
    paths = []
    for topic in record.get("topics") or ():
        steps = [(topic.get(level) or {}).get("display_name") for level in ("domain", "field", "subfield")]
        path = (*steps, topic.get("display_name"))
        paths.append(tuple(dict.fromkeys(p for p in path if p)))
    return tuple(dict.fromkeys(p for p in paths if p))


FORMAT = OpenAlex()

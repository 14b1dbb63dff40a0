"""Which field of a record means what: one table of usual names for JSON, CSV, spreadsheets and Parquet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from kg.model import Paper
from kg.sources import fields

# Field of a paper -> names that upstream lists use for it, best first; compared without case and signs.
NAMES: dict[str, tuple[str, ...]] = {
    "id": ("openreview_id", "id", "paper_id", "source_id", "uid", "key", "citation_key", "forum", "number"),
    "title": ("title", "paper_title", "article_title", "item_title", "document_title", "name", "canonical_title", "ti", "paper", "titel", "titre", "titulo", "título", "titolo", "标题", "题目", "论文标题", "论文题目"),
    "abstract": ("abstract", "abstract_text", "abstract_note", "summary", "description", "ab", "zusammenfassung", "resume", "résumé", "resumen", "摘要"),
    "authors": ("authors", "author", "author_full_names", "author_names", "creators", "au", "author_list", "author_s", "autoren", "autor", "autor_en", "auteurs", "autores", "autori", "verfasser", "作者"),
    "author_ids": ("authorids", "author_ids"),
    "affiliations": ("author_affiliations", "affiliations", "affiliation", "aff"),
    "year": ("year", "publication_year", "pub_year", "py", "published_year", "jahr", "annee", "année", "ano", "año", "anno", "年份", "年"),
    "date": ("date", "publication_date", "published", "date_published"),
    "venue": ("venue", "conference", "publication_title", "journal", "journal_book", "source_title", "booktitle",
              "publication", "container_title", "proceedings", "where", "published_in", "konferenz", "zeitschrift", "revue", "会议", "期刊"),
    "event": ("event",),
    "topics": ("topic", "topics", "primary_area", "subject_area", "area", "track_name"),
    "keywords": ("keywords", "author_keywords", "keyword", "tags", "manual_tags", "index_keywords", "schlagworter", "schlagwörter", "schlüsselwörter", "mots_cles", "palabras_clave", "关键词"),
    "doi": ("doi", "item_doi"),
    "arxiv": ("arxiv", "arxiv_id"),
    "pubmed": ("pmid", "pubmed_id"),
    "s2": ("s2_id", "corpusid"),
    "acl": ("acl_id", "acl_anthology_id"),
    "code": ("code", "code_url", "github", "github_url", "repository", "software", "code_link", "official_code"),
    "project": ("project", "project_page", "project_url", "website"),
    "url": ("url", "paper_url", "openreview_url", "site", "link", "landing_page", "openreview", "paper_link"),
    "pdf": ("pdf", "pdf_url", "paper_pdf_url"),
}  # fmt: skip


def plain(name: str) -> str:
    """A column's name without case, blanks and signs: "Publication Year" -> "publicationyear"."""
    return re.sub(r"[\W_]+", "", name.casefold())


_MEANING = {plain(n): (field, rank) for field, names in NAMES.items() for rank, n in enumerate(names)}


def guess(columns: Iterable[str]) -> Mapping[str, str]:
    """Field of a paper -> column that holds it, by the names of the columns."""
    return _guess(tuple(columns))


@lru_cache(maxsize=256)
def _guess(columns: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, tuple[int, str]] = {}
    for column in columns:
        field, rank = _MEANING.get(plain(column), ("", 0))
        if field and (field not in found or rank < found[field][0]):
            found[field] = (rank, column)
    return {field: column for field, (_, column) in found.items()}


def paper(row: Mapping[str, Any], columns: Mapping[str, str]) -> Paper:
    """The paper in one record; its `key` holds the source's own id for the caller.

    Raises ValueError when a field holds what it cannot ("title" a list of records, say).
    """

    def get(field: str) -> Any:
        column = columns.get(field)
        return None if column is None else _none(row.get(column))

    title, abstract = fields.text(get("title")), fields.text(get("abstract"))
    url, pdf = fields.text(get("url")), fields.text(get("pdf"))
    own = fields.text(get("id")).strip()
    name, named_year, event = fields.venue(get("venue"))
    date = _iso_date(get("date"))
    ids = [*fields.ids_in(url, pdf), *fields.doi(get("doi")), *fields.arxiv(get("arxiv"))]
    if plain(columns.get("id", "")) == "openreviewid" and own:
        ids.append(f"openreview:{own}")
    for scheme in ("pubmed", "s2", "acl"):
        if value := fields.text(get(scheme)).strip():
            ids.append(f"{scheme}:{value}")
    people = fields.authors(get("authors"), get("author_ids"), get("affiliations"))
    return Paper(
        key=own,
        ids=tuple(ids),
        title=title,
        abstract=abstract,
        authors=people,
        year=fields.year(get("year")) or named_year or fields.year(date),
        date=date,
        venue=name,
        event=fields.text(get("event")) or event,
        topics=fields.topics(get("topics")),
        keywords=fields.strings(get("keywords")),
        links=fields.links(get("code"), "code") + fields.links(get("project"), "project-page"),
        url=url if url.startswith("http") else "",
        affiliations=() if any(a.affiliations for a in people) else fields.institutions(get("affiliations")),
    )


def _none(value: Any) -> Any:
    """None for the ways in which tables say "nothing"."""
    if isinstance(value, str) and value.strip().casefold() in ("", "nan", "null", "none", "n/a", "<na>"):
        return None
    return value


def _iso_date(value: Any) -> str:
    found = re.match(r"\s*(\d{4}-\d{2}-\d{2})\b", str(value)) if value else None
    return found[1] if found else ""

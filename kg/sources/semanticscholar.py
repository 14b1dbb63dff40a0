"""Semantic Scholar: papers of the graph API (one, search, batch) and lines of the bulk data sets."""

from __future__ import annotations

from typing import Any

from kg.model import Author, Paper
from kg.sources import fields
from kg.sources.base import JsonFormat

# Scheme of an identifier here -> its name in `externalIds`, compared in lower case.
_SCHEMES = {"acl": "acl", "dblp": "dblp", "pubmed": "pubmed"}


class SemanticScholar(JsonFormat):
    """Bulk lines of the data sets `papers` and `abstracts` share `corpusid`; linking joins the two."""

    key = "semantic-scholar"
    title = "Semantic Scholar papers (API and bulk data sets)"
    lists = ("data", "recommendedPapers")

    def matches(self, record: dict[str, Any], top: frozenset[str]) -> float:
        if record.keys() & {"paperId", "citingPaper", "citedPaper"}:
            return 0.9
        return 0.9 if "corpusid" in record and record.keys() & {"externalids", "abstract", "title"} else 0.0

    def papers(self, record: Any) -> Paper:
        record = record.get("citedPaper") or record.get("citingPaper") or record
        external = {k.lower(): v for k, v in (record.get("externalIds") or record.get("externalids") or {}).items()}
        own = fields.text(record.get("paperId"))
        corpus = fields.text(record.get("corpusId") or record.get("corpusid") or external.get("corpusid"))
        ids = [f"s2:{own}"] if own else []
        ids += [f"s2:CorpusId:{corpus}"] if corpus else []
        ids += [*fields.doi(external.get("doi")), *fields.arxiv(external.get("arxiv"))]
        ids += [f"{scheme}:{external[name]}" for scheme, name in _SCHEMES.items() if external.get(name)]
        address = fields.text(record.get("url"))
        venue = fields.text(record.get("venue")) or fields.text((record.get("journal") or {}).get("name"))
        return Paper(
            key=own or corpus,
            ids=tuple(ids),
            title=fields.text(record.get("title")),
            abstract=fields.text(record.get("abstract")),
            authors=fields.once(a for a in map(_author, record.get("authors") or ()) if a.name),
            year=fields.year(record.get("year")),
            date=fields.text(record.get("publicationDate") or record.get("publicationdate")),
            venue=venue,
            topics=tuple(
                dict.fromkeys((t["category"],) for t in record.get("s2FieldsOfStudy") or () if t.get("category"))
            ),
            url=address,
            cites=tuple(f"s2:{r['paperId']}" for r in record.get("references") or () if r.get("paperId")),
        )


def _author(record: dict[str, Any]) -> Author:
    own = fields.text(record.get("authorId"))
    return Author(
        name=fields.text(record.get("name")).strip(),
        affiliations=fields.institutions(record.get("affiliations")),
        ids=(*fields.orcid((record.get("externalIds") or {}).get("ORCID")), *((f"s2:{own}",) if own else ())),
    )


FORMAT = SemanticScholar()

"""YAML records of one paper a file: posts of a proceedings site (PMLR) and CITATION.cff."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kg.model import Author, Paper, Rejected
from kg.sources import fields, latex
from kg.sources.base import located, reject
from kg.sources.crossref import csl_author, issued
from kg.sources.part import Part

_MATTER = re.compile(r"^---\s*\n(.*?)\n(?:---|\.\.\.)\s*(?:\n|$)", re.S)
_MOST = 1 << 20


class FrontMatter:
    """The front matter of a Jekyll post, or a citation file; text below the front matter is not read."""

    key = "front-matter"
    title = "YAML front matter (PMLR posts) and CITATION.cff"
    suffixes = (".md", ".cff", ".yaml", ".yml")

    def sniff(self, part: Part) -> float:
        text = part.text[:_MOST]
        if re.search(r"(?m)^cff-version:", text):
            return 0.95
        found = _MATTER.match(text)
        return (
            0.9
            if found and re.search(r"(?m)^title:", found[1]) and re.search(r"(?m)^(authors?|abstract):", found[1])
            else 0.0
        )

    def read(self, part: Part) -> Iterator[Paper | Rejected]:
        import srsly

        text = "\n".join(part.lines())[:_MOST]
        found = _MATTER.match(text)
        try:
            record = srsly.yaml_loads(found[1] if found else text)
            if not isinstance(record, dict):
                raise ValueError("no record")
            paper = _paper(record)
        except Exception as why:  # the YAML library raises many kinds
            yield reject(part, "line 1", f"not valid YAML ({' '.join(str(why).split())[:200]})", text)
            return
        yield located(paper, part, "line 1", self)


FORMAT = FrontMatter()


def _paper(record: dict[str, Any]) -> Paper:
    people = [a for r in record.get("author") or record.get("authors") or () if (a := _author(r))]
    note = fields.text(record.get("openreview"))
    address = fields.text(record.get("url") or record.get("pdf") or record.get("repository-code"))
    date = str(record.get("date") or record.get("date-released") or "")[:10]
    when = issued(record) or {"year": fields.year(date)}
    outer = fields.text(record.get("container-title") or record.get("booktitle"))
    code = [record.get(k) for k in ("software", "code", "repository-code") if record.get(k)]
    return Paper(
        key=fields.text(record.get("id") or record.get("doi")),
        ids=(
            *fields.doi(record.get("doi")),
            *((f"openreview:{note}",) if re.fullmatch(r"[\w-]{8,14}", note) else fields.ids_in(note)),
        ),
        title=latex.decode(fields.text(record.get("title"))),
        abstract=fields.text(record.get("abstract")),
        authors=fields.once(people),
        year=when.get("year"),
        date=when.get("date") or (date if re.fullmatch(r"\d{4}-\d\d-\d\d", date) else ""),
        venue=fields.text(record.get("shortname")) or outer,
        keywords=fields.strings(record.get("keywords")),
        links=fields.links(code, "code"),
        url=address if address.startswith("http") else "",
    )


def _author(record: Any) -> Author | None:
    if isinstance(record, dict) and "family-names" in record:
        name = f"{record.get('given-names', '')} {record['family-names']}".strip()
        return Author(
            name=name,
            affiliations=fields.institutions(record.get("affiliation")),
            ids=fields.orcid(record.get("orcid")),
        )
    return csl_author(record)

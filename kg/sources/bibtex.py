"""BibTeX of any origin: reference managers, publishers, the ACL Anthology, PMLR, DBLP."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator

from kg.model import Author, Paper, Rejected
from kg.sources import fields, latex
from kg.sources.base import located, reject
from kg.sources.part import Part
from kg.sources.tags import plain_text

_ENTRY = re.compile(r"(?m)^\s*@\s*([A-Za-z]+)\s*[{(]")
_BATCH = 1 << 19  # characters parsed at once
_NO_PAPERS = {"proceedings", "string", "comment", "preamble", "periodical", "collection"}
_MONTHS = {
    m: i for i, m in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1)
}
_ACRONYM = re.compile(r"\(([A-Z][A-Za-z&]*[A-Z][\w&-]*)(?:[\s',-]*(?:19|20)?\d\d)?\)")


class BibTeX:
    """Entries with their escapes decoded (`Rodr\\'{\\i}guez` is Rodríguez) and protective braces gone.

    The file is parsed some hundred entries at a time by bibtexparser, `@string` names included. An entry
    that cannot be parsed is rejected alone. Volumes (`@proceedings`) are no papers; the papers that follow
    without a book title, or name it by `crossref`, take venue and year from them.
    """

    key = "bibtex"
    title = "BibTeX"
    suffixes = (".bib", ".bibtex")

    def sniff(self, part: Part) -> float:
        found = [m.lower() for m in _ENTRY.findall(part.text)]
        if not found or part.head.lstrip()[:1] in (b"{", b"[", b"<"):
            return 0.0
        known = {"article", "inproceedings", "misc", "book", "phdthesis", "techreport", "incollection", "string",
                 "conference", "inbook", "proceedings", "mastersthesis", "unpublished", "online", "comment"}  # fmt: skip
        return 0.9 if known & set(found) else 0.3

    def read(self, part: Part) -> Iterator[Paper | Rejected]:
        strings: dict[str, str] = {}
        volumes: dict[str, dict[str, str]] = {}
        for text, line in _batches(part):
            yield from self._batch(text, line, strings, volumes, part)

    def _batch(
        self, text: str, first: int, strings: dict[str, str], volumes: dict[str, dict[str, str]], part: Part
    ) -> Iterator[Paper | Rejected]:
        import bibtexparser
        from bibtexparser.model import DuplicateBlockKeyBlock, DuplicateFieldKeyBlock, Entry, ParsingFailedBlock, String

        logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)  # what it tells there is told below
        for block in bibtexparser.parse_string(text, parse_stack=[]).blocks:
            place = f"line {first + (block.start_line or 0)}"
            if isinstance(block, String):
                strings[block.key.lower()] = _value(block.value, strings)
                continue
            if isinstance(block, (DuplicateBlockKeyBlock, DuplicateFieldKeyBlock)):
                block = block.ignore_error_block  # two entries may share a key; a field may stand twice
            if isinstance(block, ParsingFailedBlock) and not isinstance(block, Entry):
                if part.damage:
                    yield reject(part, place, "the data end inside it", block.raw or "")
                elif str(block.raw or "").lstrip().startswith("@"):
                    yield reject(part, place, "not valid BibTeX (a brace, quote or comma is missing)", block.raw or "")
                continue
            if not isinstance(block, Entry):
                continue
            values: dict[str, str] = {}
            for field in block.fields:
                values.setdefault(field.key.lower(), _value(str(field.value), strings))
            if block.entry_type.lower() in _NO_PAPERS:
                volumes[block.key.strip()] = volumes[""] = values
                continue
            try:
                home = volumes.get(values.get("crossref") or ("" if "booktitle" not in values else "-"), {})
                paper = _paper(block.key.strip(), block.entry_type.lower(), values, home)
            except (ValueError, TypeError, KeyError, IndexError) as why:
                yield reject(part, place, str(why), block.raw or "")
                continue
            yield located(paper, part, place, self)


def _batches(part: Part) -> Iterator[tuple[str, int]]:
    """Pieces of the file that end before an entry, and the number of the line each begins with."""
    held: list[str] = []
    size, first = 0, 1
    for number, line in enumerate(part.lines(), 1):
        if size > _BATCH and line.lstrip().startswith("@"):
            yield "\n".join(held), first
            held, size, first = [], 0, number
        held.append(line)
        size += len(line) + 1
    if held:
        yield "\n".join(held) + "\n", first


def _value(raw: str, strings: dict[str, str]) -> str:
    """A raw field value without its braces or quotes; `name # " 2020"` put together."""
    raw = raw.strip()
    if raw[:1] == "{" and raw[-1:] == "}" or raw[:1] == '"' and raw[-1:] == '"' and raw.count('"') == 2:
        return raw[1:-1]
    parts = re.split(r"\s*#\s*", raw) if "#" in raw and not raw.startswith("{") else [raw]
    return "".join(strings.get(p.lower(), p.strip('"{}') if p[:1] in '"{' else p) for p in parts)


def _paper(key: str, kind: str, values: dict[str, str], volume: dict[str, str]) -> Paper:
    """The paper of an entry; what it does not say about its volume comes from the `@proceedings` entry."""
    if volume and kind in ("inproceedings", "conference", "incollection"):
        outer = {"booktitle": volume.get("booktitle") or volume.get("title", ""), "year": volume.get("year", "")}
        values = {**outer, **values, "shortname": volume.get("shortname", "")}

    def get(*names: str) -> str:
        return next((v for n in names if (v := values.get(n, "").strip())), "")

    date = get("date")
    year = fields.year(get("year") or date or get("urldate", "issue_date"))
    address = latex.decode(get("url", "howpublished", "link")).replace("\\", "")
    address = m[0] if (m := re.search(r"https?://[^\s}]+", address)) else ""
    ids = [*fields.doi(get("doi") or (address if "doi.org/" in address else ""))]
    ids += [*fields.ids_in(address, get("pdf")), *fields.arxiv(get("arxiv", "arxivid"))]
    if get("archiveprefix", "eprinttype").lower() == "arxiv" or re.match(r"(?i)arxiv:", get("eprint")):
        ids += fields.arxiv(get("eprint"))
    if found := re.search(r"(?i)arxiv(?:\s*preprint)?(?:\s*arxiv)?:\s*(\d{4}\.\d{4,5})", get("journal", "note")):
        ids.append(f"arxiv:{found[1]}")
    if note := get("openreview"):
        ids += fields.ids_in(note) if "/" in note else [f"openreview:{note}"]
    if pmid := re.search(r"\d+", get("pmid")) or re.match(r"PMID:(\d+)", key):
        ids.append(f"pubmed:{pmid[pmid.lastindex or 0]}")
    if key.startswith("DBLP:"):
        ids.append("dblp:" + key.removeprefix("DBLP:"))
    orcids = _orcids(get("orcid-numbers", "orcid"))
    return Paper(
        key=key,
        ids=tuple(ids),
        title=_text(get("title")),
        abstract=_text(get("abstract", "annote", "annotation")),
        authors=_authors(get("author", "authors"), orcids, get("affiliation", "affiliations")),
        year=year,
        date=_date(date, get("month"), get("day"), year),
        venue=_text(get("shortname"))
        or _venue(get("journal", "journaltitle", "booktitle", "series", "school", "institution")),
        event=_text(get("booktitle")) if kind in ("inproceedings", "conference") else "",
        keywords=fields.strings(_text(get("keywords", "author_keywords", "keyword")) or None),
        links=fields.links(latex.decode(get("software", "code", "github", "repository")), "code"),
        url=address,
    )


def _text(value: str) -> str:
    """A field decoded; tags and entities that databases leave in it decoded too."""
    decoded = latex.decode(value).strip()
    return plain_text(decoded) if "<" in decoded or "&" in decoded else decoded


def _authors(value: str, orcids: dict[str, str], places: str) -> tuple[Author, ...]:
    """Names separated by `and` outside braces; a name all in braces is a group."""
    found = []
    for raw in _split_and(value):
        group = raw.startswith("{") and raw.endswith("}") and raw.count("{") == 1
        name = " ".join(latex.decode(raw).split())
        if not group:
            name = fields.natural(name)
        if name and not re.fullmatch(r"(?i)others|et\.? al\.?|[\W_]*", name):
            key = re.sub(r"\W+", "", name.casefold())
            found.append(Author(name=name, ids=(f"orcid:{orcids[key]}",) if key in orcids else ()))
    if len(found) == 1 and re.search(r"[;]|,.*,.*,", found[0].name):
        return fields.authors(found[0].name)  # a list that no `and` separates
    if len(found) == 1 and places:
        return (Author(name=found[0].name, affiliations=fields.institutions(latex.decode(places)), ids=found[0].ids),)
    return fields.once(found)


def _split_and(value: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for token in re.finditer(r"(?<!\\)[{}]|\s+and\s+", value, re.I):
        if token[0] == "{":
            depth += 1
        elif token[0] == "}":
            depth -= 1
        elif depth == 0:
            parts.append(value[start : token.start()])
            start = token.end()
    return [p.strip() for p in (*parts, value[start:]) if p.strip()]


def _orcids(value: str) -> dict[str, str]:
    """Name (letters only) -> ORCID, from "Last, First/0000-…" lists."""
    found = re.findall(r"([^/\n;]+)/\s*(\d{4}-\d{4}-\d{4}-\d{3}[\dX])", value)
    return {re.sub(r"\W+", "", fields.natural(" ".join(n.split())).casefold()): number for n, number in found}


def _venue(value: str) -> str:
    plain = _text(value)
    if found := _ACRONYM.search(plain):
        return found[1]
    name, _, _ = fields.venue(plain)
    return name


def _date(date: str, month: str, day: str, year: int | None) -> str:
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", date):
        return date
    word = re.match(r"\s*([A-Za-z]{3}|\d{1,2})[A-Za-z]*\W*(\d{1,2})?\s*$", month)
    if not (year and word):
        return ""
    number = int(word[1]) if word[1].isdigit() else _MONTHS.get(word[1].casefold(), 0)
    dom = day.strip() or word[2] or ""
    return f"{year:04}-{number:02}-{int(dom):02}" if 1 <= number <= 12 and dom.isdigit() and int(dom) <= 31 else ""


FORMAT = BibTeX()

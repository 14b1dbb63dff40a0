"""BibTeX, RIS and CSL-JSON of the graph's papers, for reference managers.

A name is split into given and family name by BibTeX's own rule (Oren Patashnik, "BibTeXing", 1988).
RIS: https://en.wikipedia.org/wiki/RIS_(file_format). CSL-JSON: https://citeproc-js.readthedocs.io.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, BinaryIO

from kg.display import display
from kg.export.elements import Elements
from kg.text import fold, squeeze

Record = dict[str, Any]
_ESCAPED = re.compile(r"(?<!\\)([%&#_])")


def write_bibliography(out: BinaryIO, suffix: str, elements: Elements) -> None:
    """Writes "bib", "ris" or "csl.json": an entry for each paper that has a title, by IRI."""
    for piece in WRITERS[suffix](records(elements)):
        out.write(piece.encode("utf-8"))


def records(elements: Elements) -> Iterator[Record]:
    """What a reference needs of each titled paper; `key` is author, year and first word of the title."""
    taken: set[str] = set()
    for node in elements.nodes():
        v = node.values
        if v["kind"] == "paper" and v.get("title"):
            key = _key(v.get("authors", []), v.get("year"), v["title"], taken)
            yield {**v, "iri": node.id, "key": key, "authors": v.get("authors", [])}


def _key(names: list[str], year: int | None, title: str, taken: set[str]) -> str:
    last = fold(names[0]).split()[-1:] if names else []
    word = next((w for w in fold(title).split() if len(w) > 3), "paper")
    base = re.sub(r"\W", "", "".join([*last, str(year or ""), word])) or "paper"
    key, n = base, 1
    while key in taken:
        n += 1
        key = f"{base}{n}"
    taken.add(key)
    return key


@lru_cache(maxsize=1 << 16)
def split_name(name: str) -> tuple[str, str]:
    """Given and family name; a name of one word, or one that the rule cannot read, is a family name.

    >>> split_name("Ludwig van Beethoven")
    ('Ludwig', 'van Beethoven')
    """
    from bibtexparser.middlewares.names import InvalidNameError, parse_single_name_into_parts

    try:
        parts = parse_single_name_into_parts(name)
    except InvalidNameError:
        return "", name
    return " ".join(parts.first), " ".join([*parts.von, *parts.last, *parts.jr]) or name


def _bibtex(papers: Iterable[Record]) -> Iterator[str]:
    from bibtexparser.entrypoint import write_string
    from bibtexparser.library import Library
    from bibtexparser.model import Entry, Field

    for number, p in enumerate(papers):
        values = {
            "title": "{" + _tex(p["title"]) + "}",
            "author": _tex(" and ".join(p["authors"])),
            "booktitle": _tex(p.get("venue", "")),
            "year": str(p.get("year", "")),
            "doi": p.get("doi", ""),
            "url": p.get("url", ""),
        }
        fields = [Field(name, value) for name, value in values.items() if value]
        entry = Entry("inproceedings" if p.get("venue") else "misc", p["key"], fields)
        yield ("\n" if number else "") + write_string(Library([entry])).strip() + "\n"


def _tex(value: str) -> str:
    return _ESCAPED.sub(r"\\\1", squeeze(value))


def _ris(papers: Iterable[Record]) -> Iterator[str]:
    for p in papers:
        lines = [("TY", "CPAPER" if p.get("venue") else "GEN"), ("ID", p["key"]), ("TI", p["title"])]
        for name in p["authors"]:
            given, family = split_name(squeeze(name))
            lines.append(("AU", f"{family}, {given}" if given else family))
        lines += [("PY", p.get("year")), ("T2", p.get("venue")), ("DO", p.get("doi")), ("UR", p.get("url"))]
        lines += [("AB", p.get("abstract")), *(("KW", word) for word in p.get("keywords", ()))]
        shown = "".join(f"{tag}  - {squeeze(str(value))}\r\n" for tag, value in lines if value)
        yield f"{shown}ER  - \r\n\r\n"


def _csl(papers: Iterable[Record]) -> Iterator[str]:
    yield "["
    for number, p in enumerate(papers):
        item: Record = {"id": p["key"], "type": "paper-conference" if p.get("venue") else "article"}
        item["title"] = display(p["title"])
        names = (split_name(squeeze(name)) for name in p["authors"])
        item["author"] = [
            {"family": family, "given": given} if given else {"literal": family} for given, family in names
        ]
        if p.get("year"):
            item["issued"] = {"date-parts": [[p["year"]]]}
        for ours, theirs in (("venue", "container-title"), ("doi", "DOI"), ("url", "URL"), ("abstract", "abstract")):
            if p.get(ours):
                item[theirs] = squeeze(p[ours])
        if p.get("keywords"):
            item["keyword"] = ", ".join(p["keywords"])
        yield (",\n" if number else "\n") + json.dumps(item, ensure_ascii=False)
    yield "\n]\n"


WRITERS: dict[str, Callable[[Iterable[Record]], Iterator[str]]] = {"bib": _bibtex, "ris": _ris, "csl.json": _csl}

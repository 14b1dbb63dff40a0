"""Tables drawn with bars, as Markdown has them: a head line, a line of dashes, one paper a row."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.model import Paper, Rejected
from kg.sources.base import reject
from kg.sources.part import Part
from kg.sources.tables import Table, knows

_DASHES = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_BAR = re.compile(r"(?<!\\)\|")
_LINK = re.compile(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)[^)]*\)")
_MARKS = re.compile(r"(\*\*\*|\*\*|\*|__)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_BREAK = re.compile(r"(?i)<br\s*/?>")
_LINK_WORDS = re.compile(
    r"(?i)\W*(?:paper|pdf|link|arxiv|url|abs|html|openreview|here|code|github|project|page|website)?\W*"
)


class PipeTable(Table):
    """Every table of a Markdown file whose head names a title or an abstract; links in cells become addresses."""

    key = "markdown-table"
    title = "Markdown table"
    suffixes = (".md", ".markdown")

    def sniff(self, part: Part) -> float:
        if part.binary or "|" not in part.text:
            return 0.0
        lines = part.text.splitlines()
        heads = [a for a, b in zip(lines, lines[1:], strict=False) if _DASHES.match(b) and "|" in b]
        return max((knows(_cells(h)) for h in heads), default=0.0) and 0.9

    def read(self, part: Part) -> Iterator[Paper | Rejected]:
        names: list[str] = []
        before, meaning = "", {}
        for number, line in enumerate(part.lines(), 1):
            if "|" in line and _DASHES.match(line):
                names = _cells(before)
                meaning = self._meaning(names) if knows(names) or self.mapping else {}
            elif names and "|" not in line:
                names = []  # the table is over
            elif names and meaning:
                yield self._one(_cells(line), names, meaning, part, f"line {number}")
            before = line

    def _one(
        self, cells: list[str], names: list[str], meaning: dict[str, str], part: Part, place: str
    ) -> Paper | Rejected:
        if len(cells) > len(names):
            return reject(
                part, place, f"has {len(cells)} cells where the head line has {len(names)}", " | ".join(cells)
            )
        row: dict[str, str] = {}
        links: list[tuple[str, str]] = []
        for name, cell in zip(names, cells, strict=False):
            found = _LINK.findall(cell)
            links += [(name, url) for _, url in found]
            text = _text(cell)
            # A cell with nothing but a link, such as [pdf](…), means the address.
            row[name] = found[0][1] if found and _LINK_WORDS.fullmatch(text) else text
        title = meaning.get("title", "")
        if row.get(title, "").startswith("http"):
            row[title] = ""
        if "url" not in meaning and (address := next((u for n, u in links if n in (title, meaning.get("pdf"))), "")):
            meaning, row = {**meaning, "url": "\0link"}, {**row, "\0link": address}
        return self._row(row, meaning, part, place)


def _cells(line: str) -> list[str]:
    line = line.strip()
    cells = _BAR.split(line.removeprefix("|"))
    if line.endswith("|") and not line.endswith("\\|"):
        cells.pop()
    return [c.replace("\\|", "|").strip() for c in cells]


def _text(cell: str) -> str:
    text = _BREAK.sub(", ", _LINK.sub(lambda m: m[1], cell))
    return _MARKS.sub(lambda m: m[2], text).replace("`", "").strip()


FORMAT = PipeTable()

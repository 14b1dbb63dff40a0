"""Lists with one paper a line: references (`Authors. Title. Venue, Year.`), or titles and nothing else."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import islice

from kg.model import Paper, Rejected
from kg.sources.base import located, reject
from kg.sources.part import Part
from kg.sources.references import reference
from kg.sources.textunits import is_names

_PROBE = 200  # lines that tell what the list is
_NUMBER = re.compile(r"^\s*(?:\[[\w+-]{1,12}\]|[(（]\d{1,5}[)）]|#?\d{1,5}[.)、．:：](?=\s|\D)|[-*+•‣▪◦–—](?=\s))\s*")
_HEADING = re.compile(
    r"(?i)^#{1,6}\s|^\W*(?:references|bibliography|reading list|papers?|publications|titles?|contents)\W*$|"
    r"\b(?:accepted|proceedings|list of|papers (?:of|at|from))\b|论文|列表|目录|^\W*[A-Z][\w-]+\s+(?:19|20)\d\d\W*$|:\s*$"
)
_NO_TITLE = re.compile(r"https?://|@|[{}=<>\\]{2}|[;,]$|\(\)|^\s{4,}|\t|[.!]\s+[A-Z]|[^.]\.$")
_TITLE_FIRST = re.compile(r"\s*(?:(?:[-*+]|\d+[.)])\s+(?:\*\*|__|\[[^\]]+\]\(|\*\[)\S|#{1,6}\s)")
_RULE = re.compile(r"^\s*(?:[-=_*~#·.]\s*){3,}$")
_CAPITAL = re.compile(r"^\W*[^\Wa-z_]|[A-Z]")
Line = tuple[int, str]


class _Lines(ABC):
    """What the two kinds share: entries with their line, headings left out, the rest rejected with a reason."""

    key: str
    title: str
    suffixes: tuple[str, ...] = (".txt", ".text", ".md", ".markdown")
    missing: str

    def _probe(self, part: Part) -> list[Line]:
        """The first lines with words; none where the content is surely something else."""
        if part.binary or part.head.lstrip()[:1] in (b"{", b"<", b"|") or re.match(rb"\s*@\w+\s*[{(]", part.head):
            return []
        lines = part.text.splitlines()
        whole = lines if len(part.head) < 1 << 17 else lines[:-1]
        return list(islice(_filled(whole), _PROBE))

    @abstractmethod
    def sniff(self, part: Part) -> float:
        """How surely the content is of this kind, 0 to 1."""

    @abstractmethod
    def paper(self, text: str) -> Paper | None:
        """The paper of one entry; None where there is none in it."""

    def entries(self, part: Part) -> Iterator[Line]:
        return _filled(part.lines())

    def read(self, part: Part) -> Iterator[Paper | Rejected]:
        any_yet = False
        for line, text in self.entries(part):
            found = self.paper(text)
            if found:
                any_yet = True
                yield located(found, part, f"line {line}", self)
            elif not _HEADING.search(text) and (any_yet or len(text) > 60):  # words before the list are of the page
                yield reject(part, f"line {line}", self.missing, text)


class References(_Lines):
    """One reference a line, or a paragraph a reference where lines are broken at the margin."""

    key = "references"
    title = "list of references, one a line or paragraph"
    missing = "no authors and title found in the line"

    def sniff(self, part: Part) -> float:
        lines = self._probe(part)
        if 2 * sum(bool(_TITLE_FIRST.match(t)) for _, t in lines) > len(lines):
            return 0.0  # bullets that begin with a linked or bold title are the business of `markdown`
        if len(lines) >= 2 and _share(lines, self.paper) >= 0.7:
            return 0.6
        blocks = list(_joined(lines, part.text))
        return 0.6 if 2 <= len(blocks) < len(lines) and _share(blocks, self.paper) >= 0.75 else 0.0

    def paper(self, text: str) -> Paper | None:
        return reference(text)

    def entries(self, part: Part) -> Iterator[Line]:
        lines = self._probe(part)
        blocks = list(_joined(lines, part.text))
        numbered = 2 * sum(bool(_NUMBER.match(text)) for _, text in blocks) > len(blocks)
        if not numbered and _share(lines, self.paper) >= 0.7:
            return _filled(part.lines())
        return _paragraphs(enumerate(part.lines(), 1))


class TitleLines(_Lines):
    """A title a line, with numbers or bullets or without; lines that read like sentences are none."""

    key = "titles"
    title = "list of titles, one a line"
    missing = "the line does not look like a title"

    def sniff(self, part: Part) -> float:
        lines = [t for t in self._probe(part) if not _HEADING.search(t[1])]
        if len(lines) < 3 or _share(lines, self.paper) < 0.85:
            return 0.0
        words = [w for _, t in lines for w in _NUMBER.sub("", t).split() if len(w) > 3]
        size = sum(len(t.split()) for _, t in lines) / len(lines)
        capital = sum(bool(_CAPITAL.search(w)) for w in words) / max(1, len(words))
        # Titles in sentence case look like notes; only a long list of them is taken for what it is.
        return 0.35 if size >= 4 and (capital >= 0.6 or len(lines) >= 10 and size >= 6) else 0.0

    def paper(self, text: str) -> Paper | None:
        text = re.sub(r"^\*\*(.+)\*\*$|^[\"“](.+)[\"”]$", r"\1\2", _NUMBER.sub("", text, count=1).strip())
        if not 2 <= len(text.split()) <= 35 or len(text) > 300 or _NO_TITLE.search(text) or _HEADING.search(text):
            return None
        if not _CAPITAL.match(text) and not re.match(r"[\d$\"“‘'(\\]", text) and not re.match(r"\w*[A-Z]", text):
            return None
        return None if is_names(text) else Paper(title=text)


def _filled(lines: Iterable[str]) -> Iterator[Line]:
    return (
        (n, line.strip(" \r\n\u3000\ufeff"))
        for n, line in enumerate(lines, 1)
        if line.strip(" \t\r\n\u3000") and not _RULE.match(line)
    )


def _joined(lines: list[Line], text: str) -> Iterator[Line]:
    last = lines[-1][0] if lines else 0
    return _paragraphs(islice(enumerate(text.splitlines(), 1), last))


def _paragraphs(lines: Iterable[Line]) -> Iterator[Line]:
    """Lines joined up to the next blank line or number."""
    begin, held = 0, ""
    for number, line in lines:
        blank = not line.strip() or bool(_RULE.match(line))
        if held and (blank or _NUMBER.match(line)):
            yield begin, held
            held = ""
        if not blank:
            glue = "" if re.search(r"\w-$", held) else " "  # broken at the hyphen of a compound
            begin, held = (begin, held + glue + line.strip()) if held else (number, line.strip())
    if held:
        yield begin, held


def _share(lines: list[Line], paper: object) -> float:
    counted = [t for _, t in lines if not _HEADING.search(t) or len(t) > 60]
    return sum(paper(t) is not None for t in counted) / max(1, len(counted))  # type: ignore[operator]


REFERENCES, TITLES = References(), TitleLines()

r"""Abstracts as people read them: LaTeX, Markdown, HTML and scraping residue taken out, offsets kept.

`strip_markup` gives the readable text and the way back: every position in it maps to a position in
the source, so that evidence can always be quoted from the source text itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from kg.extract.repositories import address_spans

_STYLE = (
    "text(?:bf|tt|it|sc|rm|sf|sl|up|md|normal)?|emph|math(?:rm|bf|tt|sf|it|cal|bb|scr|frak|normal|bs)"
    "|boldsymbol|bm|underline|uline|mbox|algname|operatorname|href|url|small|large|Large|ensuremath|xspace"
    "|b?f?seriesbf|tsc|sc|bf|it|tt|sf|em|rm|texttrademark|textregistered"
)
_NOISE = re.compile(
    r"(?P<cite>~?\\(?:cite[a-zA-Z]*|ref|eqref|label|footnote)\*?\s?(?:\[[^\]]{0,40}\])?\{[^{}]{0,200}\})"
    r"|(?P<bracket>\[\s?[A-Z][A-Za-z+]{0,6}\d{2}[a-z]?(?:[,;]\s?[A-Z][A-Za-z+]{0,6}\d{2}[a-z]?)*\s?\])"
    r"|(?P<colour>\\(?:text)?color\{[^{}]{1,20}\})"
    rf"|(?P<style>\\(?:{_STYLE})(?![A-Za-z])\s?)"
    r"|(?P<html></?(?:em|i|b|strong|sub|sup|span|tt|code|u|p|br)(?:\s[^<>]{0,80})?\s?/?>)"
    r"|(?P<escape>\\(?=[%&_#$]))"
    r"|(?P<stars>\*\*\*?|(?<![\w)*])\*(?=[\w(\\$])|(?<=[\w.!?)])(?<!\b[A-Z])\*(?![\w*])|(?<!\w)__(?=\w)|(?<=\w)__(?!\w))"
    r"|(?P<braces>[{}`]|\u00ad|[\u200b-\u200f\u2060-\u2064\ufeff])"
    r"|(?P<hyphen>(?<=[a-z]{2})-\s(?=[a-z]{2})(?!\s?(?:and|or|to|but|nor|versus|as|in)\b))"
    r"|(?P<math>\$)"
)
_EMPHASIS = re.compile(r"\\(?:text(?:bf|tt|it|sc|sf|sl)|emph|uline|underline|math(?:rm|bf|tt|sf|it)|algname)\s?")
_LONGEST_EMPHASIS = 80  # characters; what is longer is a sentence
# Possessive: a separator before each further word leaves one way only to read a string, so that no
# sentence in a formula can make the match try them all.
# Where noise can start; everything else is passed over at the speed of one character class.
_START = re.compile(r"[\\~\[<*_{}`$\u00ad\u200b-\u200f\u2060-\u2064\ufeff]|-(?=\s)")
_NAME_IN_MATH = re.compile(r"[A-Z][A-Za-z\d]*+(?:[-+^_ ]++[A-Za-z\d]++)*+\s*+")
_STYLED_NAME = re.compile(r"\$\\(?:text|math)\w{0,6}\{[^{}\s]{2,30}\}(?:[\^_]?[\w+*-]{1,9})?\$")
_STYLED_MATH = re.compile(r"\\(?:text\w*|math(?:rm|bf|tt|sf|it))(?![A-Za-z])|[{}$]")


class Source:
    """A text without its markup, and the way back to the source.

    Attributes:
        text: the readable text; emphasised: what the author set off from it (bold, italics, typewriter), as
            slices of the readable text.
    """

    __slots__ = ("text", "emphasised", "_source", "_clean_at", "_source_at")

    def __init__(
        self,
        source: str,
        text: str,
        clean_at: list[int],
        source_at: list[int],
        emphasised: list[tuple[int, int]],
    ) -> None:
        self.text, self.emphasised = text, emphasised
        self._source, self._clean_at, self._source_at = source, clean_at, source_at

    def quote(self, start: int, end: int) -> str:
        """The source text at source offsets."""
        return self._source[start:end]

    def _back(self, position: int) -> int:
        k = bisect_right(self._clean_at, position) - 1
        return self._source_at[k] + position - self._clean_at[k]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Source offsets of the readable slice; grown over a marker that the slice cuts in two."""
        a, b = self._back(start), self._back(end - 1) + 1
        return _balanced(self._source, a, b)


def _balanced(source: str, a: int, b: int) -> tuple[int, int]:
    """Take in the opening (or closing) half of markup whose other half stands inside the slice."""
    piece = source[a:b]
    if not ("{" in piece or "}" in piece or "*" in piece or "$" in piece):
        return a, b
    depth = low = 0
    for c in piece:
        depth += (c == "{") - (c == "}")
        low = min(low, depth)
    for _ in range(-low):
        head = re.search(r"(?:\\[A-Za-z]+\s?)?\{$", source[max(0, a - 24) : a])
        a -= len(head.group()) if head else 0
    for _ in range(depth - low):
        b += source[b : b + 1] == "}"
    for mark in ("**", "$"):
        if source[a:b].count(mark) % 2:
            if a >= len(mark) and source[a - len(mark) : a] == mark:
                a -= len(mark)
            elif source[b : b + len(mark)] == mark:
                b += len(mark)
    if "\\" in source[a:b] and source[a - 1 : a] == "$" == source[b : b + 1]:
        a, b = a - 1, b + 1
    return a, b


def strip_markup(source: str) -> Source:
    """Readable text of `source` with the map back to it. Linear in the length of the text."""
    pieces: list[str] = []
    clean_at, source_at = [0], [0]
    size = done = 0
    keep_math, dropped = -1, set()
    emphasis = _Emphasis()
    for a, b, kind in _noise(source):
        if a < done:
            continue
        new = ""
        emphasis.meet(kind, source[a:b], size + a - done)
        if kind == "url":
            new = "URL"
        elif kind == "html" and source.startswith(("<p", "</p", "<br"), a):
            new = " "
        elif kind == "math" and a not in dropped:
            if a == keep_math:
                continue
            styled = _STYLED_NAME.match(source, a)
            close = styled.end() - 1 if styled else source.find("$", a + 1, a + 60)
            if close < 0 or not (styled or _is_name(source, a, close)):
                keep_math = close
                continue
            dropped.update(i for i in range(a + 1, close + 1) if source[i] == "$")
        pieces.append(source[done:a])
        size += a - done
        if new:
            pieces.append(new)
            clean_at.append(size)
            source_at.append(a)
            size += len(new)
        clean_at.append(size)
        source_at.append(b)
        done = b
    if not pieces:
        return Source(source, source, [0], [0], [])
    pieces.append(source[done:])
    return Source(source, "".join(pieces), clean_at, source_at, emphasis.found)


class _Emphasis:
    """Follows markers through a text and keeps the slices between an opening and its closing one."""

    def __init__(self) -> None:
        self.found: list[tuple[int, int]] = []
        self._styled = False  # a style command has been read, its brace not yet
        self._braces: list[int] = []  # where each open brace begins an emphasis; -1 where it does not
        self._marks: dict[str, int] = {}

    def meet(self, kind: str, marker: str, at: int) -> None:
        """The next marker, before the readable position `at`."""
        if kind == "style":
            self._styled = _EMPHASIS.fullmatch(marker) is not None
        elif marker == "{":
            self._braces.append(at if self._styled else -1)
            self._styled = False
        elif marker == "}" and self._braces:
            self._close(self._braces.pop(), at)
        elif kind == "stars":
            self._close(self._marks.pop(marker, -1), at) if marker in self._marks else self._marks.update({marker: at})
        elif kind == "html" and marker[1:2] != "/":
            self._marks["<"] = at
        elif kind == "html":
            self._close(self._marks.pop("<", -1), at)

    def _close(self, start: int, end: int) -> None:
        if 0 <= start < end <= start + _LONGEST_EMPHASIS:
            self.found.append((start, end))


def _noise(source: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and kind of everything that is no readable text, in order."""
    end = 0
    for a, b in [*address_spans(source), (len(source), len(source))]:
        for hit in _START.finditer(source, end, a):
            m = _NOISE.match(source, hit.start())
            if m and m.end() <= a:
                yield m.start(), m.end(), m.lastgroup or ""
        if b > a:
            yield a, b, "url"
        end = b


def _is_name(source: str, a: int, close: int) -> bool:
    r"""Does this `$` open a name set as mathematics (`$\texttt{SPARQ}$`, `D$^3$epth`), not a formula?"""
    inner = source[a + 1 : close]
    bare = _STYLED_MATH.sub("", inner)
    letters = sum(c.isalpha() for c in bare)
    if letters >= 3 and "\\" not in bare and _NAME_IN_MATH.fullmatch(bare):
        return True
    before, after = source[a - 1 : a], source[close + 1 : close + 2]
    glued = before.isalnum() or after.isalnum() or after == "-" or before == "-"
    return (
        glued
        and bool(re.fullmatch(r"[\^_]?[A-Za-z\d+*]{1,6}(?:\^[\dA-Za-z+*])?", bare))
        and not (bare.islower() and len(bare) == 1)
    )

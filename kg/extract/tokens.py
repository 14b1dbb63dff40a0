"""One pass over title and abstract: tokens, their shapes, sentences."""

from __future__ import annotations

import re

from kg.extract.markup import Source, strip_markup
from kg.text import fold

# Names are looked for in the first part of very long texts only: a bound that is the same everywhere.
MAX_TITLE = 1_000
MAX_ABSTRACT = 20_000

_JOIN = "\n\n"
_TOKEN = re.compile(
    r"\$[^$\s]{1,14}\$(?:[-\w/+.^]*\w)?"
    r"|\b(?:i\.e|e\.g)\b"
    r"|\\?\w+(?:[-–‐‑/+'’&@_^]\w+|\.(?=\d)\w+|(?<=\b[A-Z]\w)\.(?=[A-Z]{2})\w+|\.(?:jl|py|js|ai|cpp)\b|\+{1,2}(?=[\s,.;:)(-]|$)|[*⋆](?=[\s,.;:)]))*"
    r"|[^\w\s]"
)
_NOT_KEY = re.compile(r"[^a-z0-9+]+")
_SIZE = re.compile(r"\d+(?:\.\d+)?[BMKkDxX]|[vV]\d[\w.]*")
_MATH_NAME = re.compile(r"\$\\pi[\^_]|\$[A-Z]\^")
_SENTENCE_END = frozenset(".!?")


def key(name: str) -> str:
    """Comparison form of a name inside one paper: folded, without blanks, hyphens and plural s."""
    text = name.lower() if name.isascii() else fold(name)
    k = _NOT_KEY.sub("", text)
    if "+" in k and k.rstrip("+").find("+") >= 0:
        k = k.replace("+", "")
    return k[:-1] if k.endswith("s") and len(k) > 3 else k


def split_words(text: str) -> tuple[str, ...]:
    """Tokens of a text without markup."""
    return tuple(_TOKEN.findall(text))


class _Shapes(dict):
    def __missing__(self, token: str) -> str:
        shape = self[token] = _shape(token)
        if len(self) > 200_000:  # a cache, not a store: bounded memory in long runs
            self.clear()
        return shape


def _shape(t: str) -> str:
    """One letter for how a token looks.

    p punctuation or formula · N number · S single capital · l lower case · d lower case with digits ·
    C Capitalised · H Capitalised-Parts · U anything else with capitals (a name-like token) · M LaTeX macro
    """
    c = t[0]
    if len(t) == 1:
        return ("N" if c.isdigit() else "S" if c.isupper() else "l") if c.isalnum() else "p"
    if c == "\\":
        return "M"
    if c == "$":
        named = (len(t) > 3 and t[-1] != "$" and any(x.isupper() for x in t)) or _MATH_NAME.match(t)
        return "U" if named else "p"
    upper = sum(map(str.isupper, t))
    digits = sum(map(str.isdigit, t))
    if not upper:
        if not digits:
            return "l"
        return "d" if c.isalpha() else "N"
    if _SIZE.fullmatch(t):
        return "N"
    if upper == 1 and c.isupper():
        return "U" if digits else "C"
    if "-" in t or "–" in t:
        parts = [p for p in re.split("[-–]", t) if p]
        if all((p[0].isupper() and p[1:].islower() and len(p) > 2) or p.islower() for p in parts):
            return "H"
    if t[-2:] in ("’s", "'s") and t[:1].isupper() and t[1:-2].islower():
        return "C"
    return "U"


SHAPES = _Shapes()


class Tokens:
    """Title and abstract as tokens of one readable text.

    Attributes:
        text: readable title, a blank line, readable abstract.
        words, lower, shapes: per token; start, end: its place in `text`.
        title_end: number of tokens of the title.
        sentence: number of the token's sentence; first: first token of each sentence.
        abstract_at: where the readable abstract starts in `text`.
    """

    __slots__ = (
        "text", "words", "lower", "shapes", "start", "end", "title_end", "sentence", "first", "abstract_at",
        "title_source", "abstract_source",
    )  # fmt: skip

    def __init__(self, title: str, abstract: str) -> None:
        self.title_source: Source = strip_markup(title[:MAX_TITLE])
        self.abstract_source: Source = strip_markup(abstract[:MAX_ABSTRACT])
        head = self.title_source.text
        self.text = text = head + _JOIN + self.abstract_source.text if head else self.abstract_source.text
        self.abstract_at = at = len(head) + len(_JOIN) if head else 0
        spans = [m.span() for m in _TOKEN.finditer(text)]
        words = [text[a:b] for a, b in spans]
        start, end = [a for a, _ in spans], [b for _, b in spans]
        self.words, self.start, self.end = words, start, end
        self.lower = [w.lower() for w in words]
        self.shapes = [SHAPES[w] for w in words]
        n, k = len(words), 0
        while k < n and start[k] < at:
            k += 1
        self.title_end = k
        self._sentences()

    def _sentences(self) -> None:
        words, start, end, shapes, title_end = self.words, self.start, self.end, self.shapes, self.title_end
        n = len(words)
        sentence, first, s = [0] * n, [0], 0
        for i in range(n):
            sentence[i] = s
            if i == title_end - 1 and i + 1 < n:
                s += 1
                first.append(i + 1)
            elif i >= title_end and words[i] in _SENTENCE_END and i + 1 < n:
                apart = start[i + 1] > end[i]
                glued = not apart and i > 0 and shapes[i + 1] == "C" and shapes[i - 1] == "l"
                if glued or (apart and shapes[i + 1] != "l"):
                    s += 1
                    first.append(i + 1)
        self.sentence, self.first = sentence, first

    def emphasised(self) -> list[tuple[int, int]]:
        """Slices of the readable abstract that its author set off."""
        return [(a + self.abstract_at, b + self.abstract_at) for a, b in self.abstract_source.emphasised]

    def slice(self, i: int, j: int) -> str:
        """Readable text of tokens i..j-1."""
        return self.text[self.start[i] : self.end[j - 1]]

    def locate(self, a: int, b: int) -> tuple[str, int, int]:
        """Field and source offsets of the readable slice a..b."""
        if a < self.abstract_at:
            return ("title", *self.title_source.span(a, min(b, self.abstract_at)))
        return ("abstract", *self.abstract_source.span(a - self.abstract_at, b - self.abstract_at))

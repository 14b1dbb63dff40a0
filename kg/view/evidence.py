"""Where a name stands in a paper's text, and the sentence around it, in the page's offsets.

The graph counts in code points; JavaScript strings count in UTF-16 units. Everything that leaves
this module is in UTF-16 units.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Any

# A full stop, an optional closing quote or bracket, blanks, and something that can start a sentence.
_END = re.compile(r"""[.!?]["'”’)\]]*\s+(?=[^\sa-z,;:.)\]])|[。！？]["'”’」』）]*|\n\s*\n""")
_SHORT = re.compile(r"(?:\b(?:al|e\.g|i\.e|cf|vs|Fig|Figs|Eq|Eqs|Sec|Tab|No|resp|approx|Dr|Prof|St|ca)|\b[A-Z])\.$")


def sentence_starts(text: str) -> list[int]:
    """Code point offsets at which the sentences of `text` start; the first is 0.

    >>> sentence_starts("We follow Li et al. Then we stop. Done!")
    [0, 34]
    """
    starts = [0]
    for end in _END.finditer(text):
        if end[0][0] == "." and _SHORT.search(text, max(0, end.start() - 8), end.start() + 1):
            continue
        if end.end() < len(text):
            starts.append(end.end())
    return starts


class Text:
    """One text of a paper, with its sentences and its offsets in UTF-16 units."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = sentence_starts(text)
        astral = any(c > "\uffff" for c in text)
        self._units = [0, *accumulate(2 if c > "\uffff" else 1 for c in text)] if astral else None

    def unit(self, offset: int) -> int:
        """The UTF-16 offset of a code point offset."""
        return self._units[offset] if self._units else offset

    def place(self, start: int, end: int, exact: str) -> tuple[int, int, int, int] | None:
        """UTF-16 offsets (start, end, start and end of the sentence or sentences around it).

        None when `exact` stands neither at these offsets nor anywhere else in the text.
        """
        text = self.text
        if not (0 <= start < end <= len(text)) or (exact and text[start:end] != exact):
            start = text.find(exact) if exact else -1
            if start < 0:
                return None
            end = start + len(exact)
        first = self._starts[bisect_right(self._starts, start) - 1]
        following = bisect_right(self._starts, end - 1)
        last = self._starts[following] if following < len(self._starts) else len(text)
        last -= len(text[first:last]) - len(text[first:last].rstrip())
        return self.unit(start), self.unit(end), self.unit(first), self.unit(max(last, end))


@lru_cache(maxsize=4096)
def prepared(text: str) -> Text:
    """`Text` of a string; the edges of one paper ask for the same one many times."""
    return Text(text)


def places(items: Iterable[Mapping[str, Any]], title: str, abstract: str) -> list[list[Any]]:
    """Evidence items as rows for the page.

    A row is `[field, start, end, sentence start, sentence end]` with field "t" or "a", or
    `["x", exact]` where the quoted words are not in the text at hand.
    """
    rows: list[list[Any]] = []
    for item in items:
        in_title = item.get("field") == "title"
        exact = str(item.get("exact") or "")
        try:
            start, end = int(item.get("start", -1)), int(item.get("end", -1))
        except (TypeError, ValueError):
            start = end = -1
        found = prepared(title if in_title else abstract).place(start, end, exact)
        if found:
            rows.append(["t" if in_title else "a", *found])
        elif exact:
            rows.append(["x", exact])
    return rows

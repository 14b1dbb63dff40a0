"""Word statistics of the corpus: the vocabulary, capitalised words, long forms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from multiprocessing import get_context
from typing import NamedTuple

from kg.extract.abbreviations import find_abbreviations
from kg.extract.flags import all_words
from kg.extract.tokens import Tokens

VOCABULARY = 20_000
_MIDDLE = re.compile(r"(?<=[a-z,] )([A-Za-z][a-z]+)\b(?![-\w])")


class Statistics(NamedTuple):
    """words: by document frequency; capital: share of capitals inside sentences; phrases: long forms."""

    words: list[str]
    capital: dict[str, float]
    phrases: list[str]


class _Counts(NamedTuple):
    words: Counter[str]
    upper: Counter[str]
    lower: Counter[str]
    long: Counter[str]


def _count(papers: Sequence[tuple[str, str]]) -> _Counts:
    c = _Counts(Counter(), Counter(), Counter(), Counter())
    for title, abstract in papers:
        t = Tokens(title, abstract)
        c.words.update(set(t.lower))
        for w in set(_MIDDLE.findall(abstract)):
            (c.upper if w[0].isupper() else c.lower)[w.lower()] += 1
        for a in find_abbreviations(t):
            if 2 <= a.long[1] - a.long[0] <= 6:
                c.long[" ".join(t.lower[slice(*a.long)])] += 1
    return c


def collect(corpus: Sequence[tuple[str, str]], processes: int) -> Statistics:
    """Statistics of the whole corpus."""
    parts = [corpus[k :: processes * 4] for k in range(processes * 4)]
    total = _Counts(Counter(), Counter(), Counter(), Counter())
    with get_context("spawn").Pool(processes) as pool:
        for part in pool.map(_count, parts):
            for have, more in zip(total, part, strict=True):
                have.update(more)
    fixed = all_words()
    frequent = sorted((w for w in total.words if w not in set(fixed)), key=lambda w: (-total.words[w], w))
    capital = {}
    for w, n in sorted(total.upper.items()):
        share = n / (n + total.lower[w])
        if n >= 3 and share > 0.02:
            capital[w] = round(share, 3)
    phrases = sorted(p for p, n in total.long.items() if n >= 2)
    return Statistics((fixed + frequent)[:VOCABULARY], capital, phrases)

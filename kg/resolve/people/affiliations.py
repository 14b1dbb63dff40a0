"""How alike two printed affiliations are, whatever their order, spelling details and extra lines."""

from __future__ import annotations

import html
import json
import math
import re
from functools import cache, lru_cache
from importlib.resources import files

import numpy as np
from scipy import sparse

from kg.resolve.people.table import Table
from kg.text import fold

_ADDRESS = re.compile(r"\S+@\S+")
_SEEN_ONCE = 2
_LETTERS = re.compile(r"(?<=[a-z])\d+$")  # footnote marks glued to a word


def affiliation_words(text: str) -> list[str]:
    """Comparison words of an affiliation; addresses of people are dropped.

    >>> affiliation_words("Texas A&amp;M University1")
    ['texas', 'a', 'm', 'university']
    """
    found = [_LETTERS.sub("", w) for w in fold(_ADDRESS.sub(" ", html.unescape(text))).split()]
    return [w for w in found if not w.isdigit()]


@cache
def _word_counts() -> tuple[int, dict[str, int]]:
    text = files(__package__).joinpath("data/affiliation_words.json").read_text(encoding="utf-8")
    document = json.loads(text)
    return document["texts"], {w: int(n) for n, words in document["words"].items() for w in words.split()}


class Affiliations:
    """Affiliations as weighted words, and how alike those of two mentions or of two papers are.

    Attributes:
        of: per mention, the row of its own affiliation text; -1 where none is printed.
        around: per mention, the row of all affiliations its paper names; -1 where it names none.
    """

    def __init__(self, table: Table) -> None:
        self._rows: dict[tuple[str, ...], int] = {}
        self.of = np.array([self._row(a.affiliations) for a in table.authors], np.int64)
        of_paper = []
        for paper in table.papers:
            stated = {place for author in paper.authors for place in author.affiliations}
            of_paper.append(self._row(tuple(sorted(stated.union(paper.affiliations)))))
        self.around = np.array(of_paper, np.int64)[table.paper] if of_paper else np.zeros(0, np.int64)
        self._weigh()

    def _row(self, places: tuple[str, ...]) -> int:
        return self._rows.setdefault(places, len(self._rows)) if places else -1

    def _weigh(self) -> None:
        total, counts = _word_counts()
        used = [sorted({w for place in places for w in _place_words(place)}) for places in self._rows]
        # Numbered by the alphabet: sums then run in one order, and are the same to the last bit, whatever
        # other affiliations there are.
        words = {word: i for i, word in enumerate(sorted(set().union(*used)))}
        weights = np.array([math.log(total / (counts.get(w, _SEEN_ONCE) + 1)) for w in words] or [0.0])
        columns = np.array([words[w] for row in used for w in row], np.int64)
        rows = np.repeat(np.arange(len(used)), [len(row) for row in used])
        values = weights[columns]
        shape = (len(self._rows), max(len(words), 1))
        self.matrix = sparse.csr_matrix((values, (rows, columns)), shape=shape)
        self.weight = np.asarray(self.matrix.multiply(self.matrix).sum(axis=1)).ravel()
        for column in (self.of, self.around):
            printed = column >= 0
            column[printed] = np.where(self.weight[column[printed]] > 0, column[printed], -1)

    def compare(self, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Cosine and containment (0..1) of the texts in rows x and y; -1 where a row is -1."""
        cosine, inside = np.full(len(x), -1.0), np.full(len(x), -1.0)
        both = np.flatnonzero((x >= 0) & (y >= 0))
        if not len(both):
            return cosine, inside
        size = len(self._rows)
        distinct, inverse = np.unique(x[both] * size + y[both], return_inverse=True)
        p, q = np.divmod(distinct, size)
        common = np.asarray(self.matrix[p].multiply(self.matrix[q]).sum(axis=1)).ravel()
        cosine[both] = (common / np.sqrt(self.weight[p] * self.weight[q]))[inverse]
        inside[both] = (common / np.minimum(self.weight[p], self.weight[q]))[inverse]
        return np.minimum(cosine, 1), np.minimum(inside, 1)


@lru_cache(maxsize=1 << 16)
def _place_words(place: str) -> tuple[str, ...]:
    return tuple(affiliation_words(place))

"""How alike two printed affiliations are, whatever their order, spelling details and extra lines."""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import numpy as np
from scipy import sparse

from kg.model import Author
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
    """The affiliations of all mentions, as weighted words.

    Attributes:
        of: per mention, the row of its affiliation text; -1 where none is printed.
    """

    def __init__(self, authors: Sequence[Author]) -> None:
        texts: dict[tuple[str, ...], int] = {}
        self.of = np.array(
            [texts.setdefault(a.affiliations, len(texts)) if a.affiliations else -1 for a in authors], np.int64
        )
        total, counts = _word_counts()
        words: dict[str, int] = {}
        rows, columns, values = [], [], []
        for row, parts in enumerate(texts):
            for word in sorted(set(affiliation_words(" ".join(parts)))):
                rows.append(row)
                columns.append(words.setdefault(word, len(words)))
                values.append(math.log(total / (counts.get(word, _SEEN_ONCE) + 1)))
        shape = (len(texts), max(len(words), 1))
        self.matrix = sparse.csr_matrix((values, (rows, columns)), shape=shape)
        self.weight = np.asarray(self.matrix.multiply(self.matrix).sum(axis=1)).ravel()
        self.of[self.of >= 0] = np.where(self.weight[self.of[self.of >= 0]] > 0, self.of[self.of >= 0], -1)

    def compare(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Cosine and containment (0..1) of the affiliations of mentions a and b; -1 where one has none."""
        cosine, inside = np.full(len(a), -1.0), np.full(len(a), -1.0)
        both = np.flatnonzero((self.of[a] >= 0) & (self.of[b] >= 0))
        if not len(both):
            return cosine, inside
        code = self.of[a[both]] * self.matrix.shape[0] + self.of[b[both]]
        distinct, inverse = np.unique(code, return_inverse=True)
        x, y = np.divmod(distinct, self.matrix.shape[0])
        common = np.asarray(self.matrix[x].multiply(self.matrix[y]).sum(axis=1)).ravel()
        cosine[both] = (common / np.sqrt(self.weight[x] * self.weight[y]))[inverse]
        inside[both] = (common / np.minimum(self.weight[x], self.weight[y]))[inverse]
        return np.clip(cosine, -1, 1), np.clip(inside, -1, 1)

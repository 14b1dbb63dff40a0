"""How well a title fits an abstract beyond the words they share: a learned measure of likeness.

Each word has a vector as a word of a title and one as a word of an abstract; a text is the direction of the sum
of its words, and the likeness of a title and an abstract is the cosine of the two. The vectors were trained to
tell the title of an abstract from those of other papers (`python -m kg.records.train`). Words it does not know count for
nothing, so it says little about a field it was not trained on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]
_MODEL = Path(__file__).parent / "data" / "likeness.npz"


class Likeness:
    """The word vectors, and how often each word stands in papers at large."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._at = {w: i for i, w in enumerate(str(data["words"]).split("\n"))}
        self._count, self._total = data["count"], int(data["total"])
        self._title = data["title"].astype(np.float32) * data["title_scale"][:, None]
        self._abstract = data["abstract"].astype(np.float32) * data["abstract_scale"][:, None]

    def title(self, words: Iterable[str]) -> Vector:
        """Direction of a title, given its stems (`kg.records.words.words`)."""
        return self._direction(words, self._title)

    def abstract(self, words: Iterable[str]) -> Vector:
        """Direction of an abstract, given its stems."""
        return self._direction(words, self._abstract)

    def usual(self, size: float) -> dict[str, float]:
        """How often each known word stands in so many words of papers at large."""
        return {w: float(self._count[i]) * size / self._total for w, i in self._at.items()}

    def _direction(self, words: Iterable[str], vectors: Vector) -> Vector:
        times = Counter(i for w in words if (i := self._at.get(w)) is not None)
        if not times:
            return np.zeros(vectors.shape[1], np.float32)
        weights = 1 + np.log(np.fromiter(times.values(), np.float32))
        found: Vector = weights @ vectors[list(times)]
        return found / (np.linalg.norm(found) + 1e-6)


@lru_cache(maxsize=1)
def likeness() -> Likeness:
    """The trained measure that comes with the package."""
    with np.load(_MODEL) as data:
        return Likeness(dict(data))

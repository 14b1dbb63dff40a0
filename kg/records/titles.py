"""An index of titles that finds and scores those an abstract may belong to."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kg.model import Paper
from kg.records import clues
from kg.records.likeness import Likeness, likeness
from kg.records.scorer import scorer
from kg.records.words import PREFIX, STOP, coined, words
from kg.text import fold

CANDIDATES = 40
_USUAL = 200_000  # the language at large counts as so many words beside those of the lists
_FOUND_PART = 0.3


class Scored(NamedTuple):
    """A title by its index, and its score as log odds against the other titles."""

    score: float
    head: int


class Titles:
    """Titles with their words, the statistics of both lists, and the scores of titles for an abstract.

    The score comes from `scorer` and is made of the `clues` each title gives.
    """

    def __init__(
        self,
        papers: Sequence[Paper],
        bodies: list[int],
        heads: list[int],
        model: Likeness | None = None,
    ) -> None:
        self.papers, self.heads = papers, heads
        self.model = model or likeness()
        self.texts = {b: words(papers[b].abstract) for b in bodies}
        self.titles = [words(papers[h].title) for h in heads]
        self.place = {h: i for i, h in enumerate(heads)}
        self.directions = np.stack([self.model.title(t) for t in self.titles])
        self.content = [[w for w in dict.fromkeys(t) if w not in STOP] for t in self.titles]
        self.plain = [fold(papers[h].title).split() for h in heads]
        self.coined = [coined(papers[h].title) for h in heads]
        self._count()
        self._hold()
        self._cache: dict[int, list[Scored]] = {}

    def _count(self) -> None:
        """How likely and how rare each word is."""
        spread = Counter(w for t in self.titles for w in set(t))
        often: dict[str, float] = defaultdict(float, self.model.usual(_USUAL))
        for found in (*self.titles, *self.texts.values()):
            for word in found:
                often[word] += 1
        total, many = sum(often.values()), len(self.titles)
        self.likely = {w: (c + 0.5) / total for w, c in often.items()}
        self.rare = {w: math.log(many / (spread[w] + 0.5)) if w in spread else math.log(2 * many) for w in often}
        self.part_likely: dict[str, float] = defaultdict(float)
        for word, n in often.items():
            self.part_likely[word[:PREFIX]] += n / total
        self.norm = np.array([math.sqrt(sum(self.rare[w] ** 2 for w in c)) or 1.0 for c in self.content])

    def _hold(self) -> None:
        """Which titles hold a word, the start of a word, or words with given initials."""
        self.holding: dict[str, list[int]] = defaultdict(list)
        self.holding_part: dict[str, list[int]] = defaultdict(list)
        self.initials: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
        for i, content in enumerate(self.content):
            for word in content:
                self.holding[word].append(i)
            for part in {w[:PREFIX] for w in content}:
                self.holding_part[part].append(i)
            for start, end, letters in clues.runs(self.plain[i], 5):
                self.initials[letters].append((i, start, end))

    def best(self, body: int) -> list[Scored]:
        """The best titles for an abstract, best first."""
        if body not in self._cache:
            text = clues.Text(self, body)
            self._cache[body] = sorted(self._scored(text, self.candidates(text)), reverse=True)
        return self._cache[body]

    def scores(self, body: int, heads: list[int]) -> list[Scored]:
        """Scores of given titles."""
        return self._scored(clues.Text(self, body), [self.place[h] for h in heads])

    def typical(self, body: int) -> float:
        """What a title of another paper scores: the median of the candidates."""
        ranked = self.best(body)
        return ranked[len(ranked) // 2].score if len(ranked) > 2 else 0.0

    def _scored(self, text: clues.Text, places: list[int]) -> list[Scored]:
        # Rounded, so that the last bits of the arithmetic of this machine decide nothing.
        values = np.round(scorer().scores(clues.clues(self, text, places)), 3)
        return [Scored(float(v), self.heads[i]) for v, i in zip(values, places, strict=True)]

    def candidates(self, text: clues.Text) -> list[int]:
        """Places of the titles worth scoring: alike, or sharing words that are not everywhere."""
        many = len(self.titles)
        gain, near = np.zeros(many), np.zeros(many)
        for word, times in text.count.items():
            holders = self.holding.get(word)
            if holders and word not in STOP and len(holders) <= 0.3 * max(20, many):
                gain[holders] += text.odds(times, self.likely[word])
                near[holders] += (1 + math.log(times)) * self.rare[word] ** 2
        for part, times in text.parts.items():
            holders = self.holding_part.get(part)
            if holders and len(holders) < 0.05 * max(20, many) + 5:
                gain[holders] += _FOUND_PART * text.odds(times, self.part_likely[part])
        chosen = (_top(gain, CANDIDATES), _top(near / self.norm, CANDIDATES // 2), _top(text.alike, CANDIDATES))
        return list(dict.fromkeys(int(i) for top in chosen for i in top))


def _top(values: Any, size: int) -> Any:
    """Places of the highest values, in order."""
    return np.argsort(-np.round(values, 4), kind="stable")[:size]

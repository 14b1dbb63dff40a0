"""Titles scored against an abstract by what the two say."""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kg.model import Paper
from kg.records.likeness import Vector, likeness
from kg.records.words import STOP, acronyms, coined, spelled_out, words
from kg.text import fold

# Weights of the evidence, fitted by conditional logistic regression on 1,500 abstracts of machine
# learning conferences (2018-2025) against 3,500 titles; `tests/benchmarks/bench_linking.py` measures them elsewhere.
_WEIGHTS = {
    "hit": 0.474, "often": 1.039, "acronym": -0.077, "part": 0.661, "missing": -0.639, "missing_rare": 0.133,
    "phrase": 0.457, "coined": 6.0, "not_coined": -0.695, "cosine": -0.257, "cover": 0.447, "length": -0.739,
    "alike": 0.75, "told": 0.251,
}  # fmt: skip
_CANDIDATES = 40
_PREFIX = 6  # words that share so many letters count in part
_MIX = 0.4 / 0.6  # weight of the abstract against the language at large, as odds
_USUAL = 200_000  # the language at large counts as so many words beside those of the lists
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_TELLS = re.compile(r"(?i)\b(?:we|our|this (?:paper|work|study|article|position paper))\b")


class Scored(NamedTuple):
    """A title by its index, and its score as log odds against the other titles."""

    score: float
    head: int


class Titles:
    """An index of the titles that scores them against an abstract.

    The score adds up, per word of the title, how much more likely the word is in this abstract than in
    the language at large, with phrases, word parts, acronyms, the coined name, what is missing, and how much
    title and abstract are alike beyond their words.
    """

    def __init__(self, papers: Sequence[Paper], bodies: list[int], heads: list[int]) -> None:
        self.papers, self.heads = papers, heads
        self.titles = {h: words(papers[h].title) for h in heads}
        self.texts = {b: words(papers[b].abstract) for b in bodies}
        model = likeness()
        self.bodies = {b: model.abstract(found) for b, found in self.texts.items()}
        self.directions = np.stack([model.title(self.titles[h]) for h in heads])
        self.place = {h: i for i, h in enumerate(heads)}
        count: Counter[str] = Counter()
        spread: Counter[str] = Counter()
        for found in self.titles.values():
            count.update(found)
            spread.update(set(found))
        for found in self.texts.values():
            count.update(found)
        many = len(heads)
        often: dict[str, float] = defaultdict(float, likeness().usual(_USUAL))
        for word, c in count.items():
            often[word] += c
        total = sum(often.values())
        self.likely = {w: (c + 0.5) / total for w, c in often.items()}
        self.rare = {w: math.log(many / (spread[w] + 0.5)) if w in spread else math.log(2 * many) for w in often}
        self.part_likely: dict[str, float] = defaultdict(float)
        for word, n in often.items():
            self.part_likely[word[:_PREFIX]] += n / total
        self.content = {h: [w for w in dict.fromkeys(t) if w not in STOP] for h, t in self.titles.items()}
        self.norm = {h: math.sqrt(sum(self.rare[w] ** 2 for w in c)) or 1.0 for h, c in self.content.items()}
        self.holding: dict[str, list[int]] = defaultdict(list)
        self.holding_part: dict[str, list[int]] = defaultdict(list)
        for head, content in self.content.items():
            for word in content:
                self.holding[word].append(head)
            for part in {w[:_PREFIX] for w in content}:
                self.holding_part[part].append(head)
        self._cache: dict[int, list[Scored]] = {}

    def best(self, body: int) -> list[Scored]:
        """The best titles for an abstract, best first."""
        if body not in self._cache:
            text = self._text(body)
            near = np.argsort(-text.alike, kind="stable")[:_CANDIDATES]
            heads = dict.fromkeys([*self._candidates(text), *(self.heads[i] for i in near)])
            self._cache[body] = sorted((self._score(text, h) for h in heads), reverse=True)
        return self._cache[body]

    def scores(self, body: int, heads: list[int]) -> list[Scored]:
        """Scores of given titles."""
        text = self._text(body)
        return [self._score(text, h) for h in heads]

    def _text(self, body: int) -> _Text:
        # Rounded, so that the last bits of the arithmetic of this machine decide nothing.
        alike = np.round(self.directions @ self.bodies[body], 4)
        return _Text(self.texts[body], self.papers[body].abstract, self.rare, alike)

    def typical(self, body: int) -> float:
        """What a title of another paper scores: the median of the candidates."""
        ranked = self.best(body)
        return ranked[len(ranked) // 2].score if len(ranked) > 2 else 0.0

    def _candidates(self, text: _Text) -> list[int]:
        """Titles worth scoring, through the words they share with the abstract; common words find nobody."""
        gain: dict[int, float] = defaultdict(float)
        near: dict[int, float] = defaultdict(float)
        many = max(20, len(self.heads))
        for word, times in text.count.items():
            holders = self.holding.get(word, ())
            if word in STOP or not holders or len(holders) > 0.3 * many:
                continue
            value = math.log1p(_MIX * times / text.length / self.likely[word])
            share = (1 + math.log(times)) * self.rare[word] ** 2
            for head in holders:
                gain[head] += value
                near[head] += share
        for part, times in text.parts.items():
            holders = self.holding_part.get(part, ())
            if holders and len(holders) < 0.05 * many + 5:
                value = 0.3 * math.log1p(_MIX * times / text.length / self.part_likely[part])
                for head in holders:
                    gain[head] += value
        first = heapq.nlargest(_CANDIDATES, gain, key=lambda h: (gain[h], -h))
        second = heapq.nlargest(_CANDIDATES // 2, near, key=lambda h: (near[h] / self.norm[h], -h))
        return list(dict.fromkeys(first + second))

    def _score(self, text: _Text, head: int) -> Scored:
        value: dict[str, float] = defaultdict(float)
        title, content = self.titles[head], self.content[head]
        spelled = spelled_out(fold(self.papers[head].title).split(), text.acronyms) if text.acronyms else set()
        product = 0.0
        for word in content:
            times = text.count.get(word, 0)
            part = word[:_PREFIX]
            if times:
                value["hit"] += math.log1p(_MIX / text.length / self.likely[word])
                value["often"] += math.log(times) * min(1.0, self.rare[word] / 5)
                product += (1 + math.log(times)) * self.rare[word] ** 2
                if word in text.told:
                    value["told"] += min(1.0, self.rare[word] / 5)
            elif word in spelled:
                value["acronym"] += math.log1p(_MIX * 0.7 / text.length / self.likely[word])
            elif len(word) >= _PREFIX and part in text.parts:
                value["part"] += math.log1p(_MIX * text.parts[part] / text.length / self.part_likely[part])
            else:
                value["missing"] += 1
                value["missing_rare"] += self.rare[word]
        for pair in zip(title, title[1:], strict=False):
            if pair in text.pairs and pair[0] not in STOP and pair[1] not in STOP:
                surprise = -0.5 * (math.log(self.likely[pair[0]]) + math.log(self.likely[pair[1]]))
                value["phrase"] += min(2.0, 1 + 0.3 * (text.pairs[pair] - 1)) * surprise / 6
        if name := coined(self.papers[head].title):
            there = re.search(r"(?<!\w)" + re.escape(name) + r"(?!\w)", text.raw)
            value["coined" if there else "not_coined"] = 1.0
        size = len(content) or 1
        value["cosine"] = 10 * product / text.norm / self.norm[head]
        value["cover"] = 10 * (size - value["missing"]) / size
        value["length"] = size
        value["alike"] = 10 * float(text.alike[self.place[head]])
        return Scored(sum(_WEIGHTS[k] * v for k, v in value.items()), head)


class _Text:
    """An abstract, counted; `told` are the words of the sentences that say what the paper does."""

    def __init__(self, found: list[str], raw: str, rare: dict[str, float], alike: Vector) -> None:
        self.raw, self.alike = raw, alike
        self.told = set(words(" ".join(s for s in _SENTENCE.split(raw) if _TELLS.search(s))))
        self.length = max(60, len(found))
        self.count = Counter(found)
        self.parts = Counter(w[:_PREFIX] for w in found if len(w) >= _PREFIX)
        self.pairs = Counter(zip(found, found[1:], strict=False))
        self.acronyms = acronyms(raw)
        self.norm = (
            math.sqrt(sum(((1 + math.log(c)) * rare[w]) ** 2 for w, c in self.count.items() if w not in STOP)) or 1.0
        )

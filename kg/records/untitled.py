"""Abstracts without a title find their title: by the authors, else by the words of the title in the text.

A list of abstracts and a list of titles of the same papers share at most the authors. Without authors the
words decide, with the care that takes: the best title must beat the second best by a clear margin, and must
itself prefer this abstract to all others. An abstract that finds no such title stays as it is.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kg.model import Paper
from kg.records.compare import name_parts
from kg.records.evidence import Pair, venues_differ
from kg.records.words import STOP, acronyms, coined, spelled_out, words
from kg.text import fold

# Weights of the evidence, fitted by conditional logistic regression on 1,000 abstracts of machine learning
# conferences (2018-2025) against 3,500 titles; `tests/benchmarks/bench_linking.py` measures them elsewhere.
_WEIGHTS = {
    "hit": 0.511, "part": 0.478, "acronym": 0.136, "missing": -0.411, "missing_rare": 0.088, "phrase": 0.356,
    "coined": 0.991, "not_coined": -0.167, "cosine": 0.764, "cover": 0.417, "length": -0.629, "often": 0.94,
}  # fmt: skip
# By words alone, the best title must lead the second by this much (odds of e^2).
MARGIN = 2.0
# With authors that agree in part, or with several papers by the same people, the words must not speak against it.
_AUTHOR_MARGIN = 1.0
_CANDIDATES = 40
_PREFIX = 6  # words that share so many letters count in part
_MIX = 0.4 / 0.6  # weight of the abstract against the language at large, as odds


class _Scored(NamedTuple):
    score: float
    head: int


def by_text(papers: Sequence[Paper], grouped: Sequence[int]) -> Iterator[Pair]:
    """Pairs of an abstract without title and a title without abstract.

    `grouped[i]` is the group that stronger evidence put record `i` in: a group that already has both is left
    alone.
    """
    titled = {grouped[i] for i, p in enumerate(papers) if p.title}
    told = {grouped[i] for i, p in enumerate(papers) if len(p.abstract) >= 200}
    bodies = _one_each((i for i, p in enumerate(papers) if p.abstract and grouped[i] not in titled), grouped)
    heads = _one_each((i for i, p in enumerate(papers) if p.title and grouped[i] not in told), grouped)
    if not bodies or not heads:
        return
    index = _Titles(papers, bodies, heads)
    claimed: set[int] = set()
    joined: set[int] = set()
    for pair in _by_authors(papers, bodies, heads, index):
        joined.add(pair.a)
        claimed.add(pair.b)
        yield pair
    # An abstract with authors that no title shares is of another paper, whatever its words.
    rest = [b for b in bodies if b not in joined]
    yield from _by_words(papers, rest, claimed, index)


def _one_each(members: Iterator[int], grouped: Sequence[int]) -> list[int]:
    return list({grouped[i]: i for i in members}.values())


def _people(paper: Paper) -> frozenset[str]:
    """Authors as comparable keys: family name and first initial, or all words of a single-word order."""
    keys = []
    for author in paper.authors:
        family, initials = name_parts(author.name)
        keys.append(f"{family} {initials[:1]}")
    return frozenset(keys)


def _by_authors(papers: Sequence[Paper], bodies: list[int], heads: list[int], index: _Titles) -> Iterator[Pair]:
    """Pairs whose author lists agree; several papers by the same people are told apart by their words."""
    people = {i: _people(papers[i]) for i in (*bodies, *heads) if papers[i].authors}
    by_name: dict[str, list[int]] = defaultdict(list)
    for head in heads:
        for name in people.get(head, ()):
            by_name[name].append(head)
    best: dict[int, list[tuple[float, float, int, int]]] = defaultdict(list)
    for body in bodies:
        if not people.get(body):
            continue
        seen = Counter(h for name in people[body] for h in by_name.get(name, ()))
        options = []
        for head, shared in seen.items():
            union = len(people[body] | people[head])
            alike = shared / union
            if alike >= 0.5 and (shared > 1 or union == 1) and not venues_differ(papers[body], papers[head]):
                options.append((alike, head))
        if not options:
            continue
        scores = {s.head: s.score for s in index.scores(body, [h for _, h in options])}
        ranked = sorted(((2 * alike + _squash(scores[h]), alike, h) for alike, h in options), reverse=True)
        total, alike, head = ranked[0]
        lead = total - ranked[1][0] if len(ranked) > 1 else 9.0
        surely = alike == 1 and len(people[body]) > 1 and len(ranked) == 1
        if surely or lead >= _AUTHOR_MARGIN / 2 and scores[head] > index.typical(body):
            best[head].append((total, alike, body, head))
    for options in best.values():
        options.sort(reverse=True)
        if len(options) == 1 or options[0][0] - options[1][0] > 0.1:
            yield Pair(options[0][2], options[0][3], "authors and words of the title")


def _squash(score: float) -> float:
    return score / 10


def _by_words(papers: Sequence[Paper], bodies: list[int], claimed: set[int], index: _Titles) -> Iterator[Pair]:
    """Pairs by the words of the title alone: clear margin, mutual best, no author list against it."""
    found: dict[int, list[_Scored]] = {}
    for body in bodies:
        ranked = [s for s in index.best(body) if s.head not in claimed]
        if papers[body].authors:  # other people's titles are out; titles without authors stay
            ranked = [s for s in ranked if not papers[s.head].authors]
        if ranked:
            found[body] = ranked
    wanted: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for body, ranked in found.items():
        for one in ranked[:3]:
            wanted[one.head].append((one.score, body))
    for body, ranked in found.items():
        lead = ranked[0].score - (ranked[1].score if len(ranked) > 1 else index.typical(body))
        if lead >= MARGIN and max(wanted[ranked[0].head])[1] == body:
            yield Pair(body, ranked[0].head, "words of the title")


class _Titles:
    """An index of the titles that scores them against an abstract.

    The score adds up, per word of the title, how much more likely the word is in this abstract than in
    the language at large, with phrases, word parts, acronyms, the coined name, and what is missing.
    """

    def __init__(self, papers: Sequence[Paper], bodies: list[int], heads: list[int]) -> None:
        self.papers, self.heads = papers, heads
        self.titles = {h: words(papers[h].title) for h in heads}
        self.texts = {b: words(papers[b].abstract) for b in bodies}
        count: Counter[str] = Counter()
        spread: Counter[str] = Counter()
        for found in self.titles.values():
            count.update(found)
            spread.update(set(found))
        for found in self.texts.values():
            count.update(found)
        total, many = sum(count.values()), len(heads)
        self.likely = {w: (c + 0.5) / total for w, c in count.items()}
        self.rare = {w: math.log(many / (spread[w] + 0.5)) if w in spread else math.log(2 * many) for w in count}
        self.part_likely: dict[str, float] = defaultdict(float)
        for word, c in count.items():
            self.part_likely[word[:_PREFIX]] += c / total
        self.content = {h: [w for w in dict.fromkeys(t) if w not in STOP] for h, t in self.titles.items()}
        self.norm = {h: math.sqrt(sum(self.rare[w] ** 2 for w in c)) or 1.0 for h, c in self.content.items()}
        self.holding: dict[str, list[int]] = defaultdict(list)
        self.holding_part: dict[str, list[int]] = defaultdict(list)
        for head, content in self.content.items():
            for word in content:
                self.holding[word].append(head)
            for part in {w[:_PREFIX] for w in content}:
                self.holding_part[part].append(head)
        self._cache: dict[int, list[_Scored]] = {}

    def best(self, body: int) -> list[_Scored]:
        """The best titles for an abstract, best first."""
        if body not in self._cache:
            text = _Text(self.texts[body], self.papers[body].abstract, self.rare)
            self._cache[body] = sorted((self._score(text, h) for h in self._candidates(text)), reverse=True)
        return self._cache[body]

    def scores(self, body: int, heads: list[int]) -> list[_Scored]:
        """Scores of given titles."""
        text = _Text(self.texts[body], self.papers[body].abstract, self.rare)
        return [self._score(text, h) for h in heads]

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

    def _score(self, text: _Text, head: int) -> _Scored:
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
        return _Scored(sum(_WEIGHTS[k] * v for k, v in value.items()), head)


class _Text:
    """An abstract, counted."""

    def __init__(self, found: list[str], raw: str, rare: dict[str, float]) -> None:
        self.raw = raw
        self.length = max(60, len(found))
        self.count = Counter(found)
        self.parts = Counter(w[:_PREFIX] for w in found if len(w) >= _PREFIX)
        self.pairs = Counter(zip(found, found[1:], strict=False))
        self.acronyms = acronyms(raw)
        self.norm = (
            math.sqrt(sum(((1 + math.log(c)) * rare[w]) ** 2 for w, c in self.count.items() if w not in STOP)) or 1.0
        )

"""What speaks for a title being that of an abstract, as numbers that `scorer` weighs.

Each word of a title gives a row of numbers (is it in the abstract, how often, where, how rare; if it is not: a
form of it, a compound, an acronym, and how near its meaning is), and each title as a whole one more row (phrases,
the coined name before the colon, likeness to parts of the abstract). Each number is about 0 to 3.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kg.records.words import PREFIX, STOP, acronyms, words
from kg.text import fold

if TYPE_CHECKING:
    from kg.records.titles import Titles

WORD_CLUES = 26
TITLE_CLUES = 25
_MIX = 0.4 / 0.6  # weight of the abstract against the language at large, as odds
_NEAR = 4  # words between two that stand together
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_TELLS = re.compile(r"(?i)\b(?:we|our|this (?:paper|work|study|article|position paper))\b")
_ARGUES = re.compile(r"(?i)\bposition paper\b|\b(?:we|paper) (?:argues?|call|calls|advocates?)\b|\bthe position that\b")


class Clues(NamedTuple):
    """The evidence for some titles of one abstract.

    Attributes:
        words: a row of numbers for each word any of the titles holds.
        which: rows of `words`, title after title.
        start: where each title begins in `which`.
        titles: a row of numbers for each title.
    """

    words: Any
    which: Any
    start: Any
    titles: Any


class Text:
    """An abstract, read: its words, where they stand, and how much each title of the index is alike."""

    def __init__(self, index: Titles, body: int) -> None:
        self.raw = index.papers[body].abstract
        self.found = index.texts[body]
        self.length = max(60, len(self.found))
        self.count = Counter(self.found)
        self.parts = Counter(w[:PREFIX] for w in self.found if len(w) >= PREFIX)
        self.pairs = Counter(zip(self.found, self.found[1:], strict=False))
        self.threes = set(zip(self.found, self.found[1:], self.found[2:], strict=False))
        self.at: dict[str, list[int]] = defaultdict(list)
        for i, word in enumerate(self.found):
            self.at[word].append(i)
        sentences = _SENTENCE.split(self.raw)
        read = [words(s) for s in sentences]
        telling = [w for s, found in zip(sentences, read, strict=True) if _TELLS.search(s) for w in found]
        self.told, self.first, self.last = set(telling), set(read[0]), set(read[-1])
        self.plain = fold(self.raw).split()
        self.joined = "".join(self.plain)
        self.initials = {letters for _, _, letters in runs(self.plain, 6)}
        self.acronyms = acronyms(self.raw)
        self.argues = bool(_ARGUES.search(self.raw))
        model = index.model
        self.direction = model.abstract(self.found)
        self.sides = np.stack([model.abstract(part) for part in (telling, read[0], read[-1])])
        self.sentences = np.stack([model.abstract(s) for s in read])
        # Rounded, so that the last bits of the arithmetic of this machine decide nothing.
        self.alike = np.round(index.directions @ self.direction, 4)
        salient = {w: (1 + math.log(c)) * index.rare[w] for w, c in self.count.items() if w not in STOP}
        self.norm = math.sqrt(sum(v * v for v in salient.values())) or 1.0
        self.salient = set(sorted(salient, key=lambda w: (-salient[w], w))[:6])

    def odds(self, times: float, likely: float) -> float:
        """How much likelier a word is here than in the language at large, as a logarithm."""
        return math.log1p(_MIX * times / self.length / likely)


def runs(plain: Sequence[str], most: int) -> Iterator[tuple[int, int, str]]:
    """Start, end and initials of each run of two words or more."""
    letters = "".join(w[0] for w in plain)
    for size in range(2, most + 1):
        for start in range(len(plain) - size + 1):
            yield start, start + size, letters[start : start + size]


def clues(index: Titles, text: Text, places: list[int]) -> Clues:
    """The evidence for the titles at some places of the index."""
    row = {w: i for i, w in enumerate(dict.fromkeys(w for i in places for w in index.content[i]))}
    rows = [[row[w] for w in index.content[i]] or [len(row)] for i in places]  # a title of small words: an empty row
    found = _words(index, text, list(row))
    sizes = np.array([len(r) for r in rows])
    start = np.append(0, np.cumsum(sizes)[:-1])
    which = np.fromiter((i for r in rows for i in r), np.int64)
    near = np.add.reduceat(found[which, 20], start) / sizes
    whole = _titles(index, text, places)
    whole[:, 4] = near
    return Clues(found, which, start, whole)


def _words(index: Titles, text: Text, row: list[str]) -> Any:
    model = index.model
    known = np.array([model.at.get(w, -1) for w in row] + [-1])
    vectors = np.where(known[:, None] >= 0, model.in_titles[known], 0)
    close = vectors @ text.direction
    sentence = (vectors @ text.sentences.T).max(1)
    inside = sorted({i for w in text.count if (i := model.at.get(w)) is not None})
    other = model.in_abstracts[inside]
    similar = (_unit(vectors) @ _unit(other).T).max(1, initial=0)
    found = np.zeros((len(row) + 1, WORD_CLUES), np.float32)
    for i, word in enumerate(row):
        times, rare, part, line = text.count.get(word, 0), index.rare[word] / 8, word[:PREFIX], found[i]
        if times:
            often = math.log(times)
            line[:5] = 1, often, text.odds(1, index.likely[word]) / 5, rare, often * rare
            told = word in text.told
            line[5:9] = told, told * rare, word in text.first, word in text.last
            line[9:11] = 1 - text.at[word][0] / len(text.found), close[i]
        else:
            line[11:13] = 1, rare
            if len(word) >= PREFIX and part in text.parts:
                line[13] = text.odds(text.parts[part], index.part_likely[part]) / 5
            else:
                line[14] = len(word) >= 5 and word in text.joined
            line[15] = 2 <= len(word) <= 6 and word in text.initials
            line[16:20] = close[i], similar[i], -math.log(index.likely[word]) / 10, sentence[i]
        line[20:24] = close[i], similar[i], known[i] >= 0, any(c.isdigit() for c in word)
        line[24:26] = sentence[i], word in text.salient
    return found


def _titles(index: Titles, text: Text, places: list[int]) -> Any:
    spelled: dict[int, set[int]] = defaultdict(set)
    for acronym in text.acronyms:
        for i, start, end in index.initials.get(acronym, ()):
            spelled[i].update(range(start, end))
    found = np.zeros((len(places), TITLE_CLUES), np.float32)
    for line, i in zip(found, places, strict=True):
        title, content = index.titles[i], index.content[i]
        hits = [w for w in content if w in text.count]
        shared = sum((1 + math.log(text.count[w])) * index.rare[w] ** 2 for w in hits)
        size = len(content) or 1
        line[:4] = 10 * shared / text.norm / index.norm[i], 1 - len(hits) / size, size / 8, 10 * text.alike[i]
        line[5:9] = _phrases(index, text, title)
        line[9] = sum(t in text.threes for t in zip(title, title[1:], title[2:], strict=False))
        if name := index.coined[i]:
            line[10 + _coined(text, name)] = 1
        missing = [words(index.plain[i][k]) for k in spelled.get(i, ())]
        line[14] = sum(bool(w) and w[0] not in text.count for w in missing)
        position = index.papers[index.heads[i]].title.lower().startswith("position")
        line[15:17] = position and text.argues, position and not text.argues
        line[17:20] = sum(index.rare[w] for w in content if w not in text.count) / 20, "?" in title, shared / 20
        line[20] = len(text.salient.intersection(content)) / 3
    directions = index.directions[places]
    found[:, 21:24] = 5 * directions @ text.sides.T
    found[:, 24] = 5 * (directions @ text.sentences.T).max(1)
    return found


def _phrases(index: Titles, text: Text, title: list[str]) -> tuple[float, int, int, int]:
    """Pairs of words of the title that stand in the abstract: as they are (weighed), as one word, near, apart."""
    phrase, joined, near, apart = 0.0, 0, 0, 0
    for pair in zip(title, title[1:], strict=False):
        if pair[0] in STOP or pair[1] in STOP:
            continue
        if times := text.pairs.get(pair):
            surprise = -0.5 * (math.log(index.likely[pair[0]]) + math.log(index.likely[pair[1]]))
            phrase += min(2.0, 1 + 0.3 * (times - 1)) * surprise / 6
        elif "".join(pair) in text.count:
            joined += 1
        elif pair[0] in text.count and pair[1] in text.count:
            close = any(abs(a - b) <= _NEAR for a in text.at[pair[0]] for b in text.at[pair[1]])
            near, apart = near + close, apart + (not close)
    return phrase, joined, near, apart


def _coined(text: Text, name: str) -> int:
    """How a coined name stands in the abstract: 0 as it is, 1 in another spelling, 2 as initials, 3 not at all."""
    if re.search(r"(?<!\w)" + re.escape(name) + r"(?!\w)", text.raw):
        return 0
    flat = fold(name).replace(" ", "")
    if len(flat) >= 3 and flat in text.joined:
        return 1
    return 2 if flat in text.initials else 3


def _unit(vectors: Any) -> Any:
    return vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-6)

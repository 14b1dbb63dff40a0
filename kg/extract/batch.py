"""Several papers as arrays: tokens, candidates, and the places where candidates stand.

Everything that features look at is found here once; after this no Python loop runs over words.
Papers are kept apart by more padding than any window reaches over, so a batch never changes a result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from zlib import crc32

import numpy as np

from kg.extract.analysis import Analysis
from kg.extract.candidates import Candidate, K
from kg.extract.flags import flags_of
from kg.extract.words import DATA_NARROW, METHOD_NOUNS

PAD = 16  # tokens between papers; windows reach at most 14
UNKNOWN = {shape: k for k, shape in enumerate("plCHUdNSM")}
OPENING, CLOSING, CUT = 9, 10, 11  # ids for sentence start, sentence end, rest of a cut token
FIRST_WORD = 12
MAX_GRAMS = 40  # bytes of a name that are read in threes
MAX_PLACES = 6  # places of one candidate that are looked at closely

BIGRAMS, GRAMS, WORDS = 1 << 16, 1 << 16, 1 << 17
_BENCH = re.compile(
    r"(bench|qa|eval|arena|set|corpus|gym|db|data|env|world|zoo|bank|suite|v\d|\d+k|\d+m|test|exam|score)$"
)
_FAMILY = re.compile(r"[^\W\d_]+")


class Vocabulary:
    """Word ids and the bits of each id.

    Attributes:
        ids: lower-case word -> id; flags: bits by id; size: number of ids.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.ids = {w: k for k, w in enumerate(words, FIRST_WORD)}
        self.size = FIRST_WORD + len(words)
        self.flags = np.array([0] * FIRST_WORD + [flags_of(w) for w in words], np.int64)


class Name:
    """What a name looks like, apart from any text: dense values and hashed columns."""

    __slots__ = ("dense", "columns", "family")

    FIELDS = ("length", "tokens", "capitals", "digits", "capital_share", "no_lower", "hyphen", "lower_first", "blank",
              "lower_last", "bench_ending", "data_last", "method_last", "capital_word", "vowels",
              "capital_mean", "capital_most", "capitalised")  # fmt: skip

    def __init__(self, surface: str, k: str, capital: Mapping[str, float]) -> None:
        parts = surface.split()
        n = len(surface)
        pieces = surface.replace("-", " ").split() or [surface]
        usual = [capital.get(p.lower(), 0.0) for p in pieces if p[0].isupper()]
        up = sum(map(str.isupper, surface))
        digits = sum(map(str.isdigit, surface))
        low = surface.lower()
        last = parts[-1].lower()
        self.dense = (
            n, len(parts), up, digits, up / n, float(up + digits == n), float("-" in surface), float(surface[0].islower()),
            float(" " in surface), float(parts[-1].islower()), float(bool(_BENCH.search(low))), float(last in DATA_NARROW),
            float(last in METHOD_NOUNS), capital.get(parts[0].lower(), 0.0), sum(c in "aeiou" for c in low) / n,
            sum(usual) / len(usual) if usual else -1.0, max(usual, default=-1.0), len(usual) / len(pieces),
        )  # fmt: skip
        whole = low.encode("utf-8", "surrogatepass")[:MAX_GRAMS]
        folded = k.encode("utf-8", "surrogatepass")
        outline = _outline(surface).encode("utf-8", "surrogatepass")
        # The second argument of crc32 is its seed: it keeps the kinds of features apart.
        grams = [crc32(whole[i : i + 3], 3) for i in range(len(whole) - 2)]
        grams += [crc32(folded[-3:], 5), crc32(folded[-4:], 7), crc32(folded[:3], 11), crc32(outline, 13)]
        words = [crc32(p.encode("utf-8", "surrogatepass"), 17) for p in low.split()[:6]]
        words += [crc32(last.encode("utf-8", "surrogatepass"), 19), crc32(folded, 23)]
        self.columns = [g % GRAMS for g in grams] + [GRAMS + w % WORDS for w in words]
        m = _FAMILY.match(surface)
        self.family = m.group().lower() if m and len(m.group()) < n else ""


def _outline(text: str) -> str:
    out = ""
    for c in text[:12]:
        x = "X" if c.isupper() else "x" if c.islower() else "9" if c.isdigit() else c
        if not out or out[-1] != x:
            out += x
    return out


class Batch:
    """Arrays over the tokens, candidates and places of several papers.

    Attributes (one value a token, candidate c, or place p):
        ids, bits, sentence, lower: tokens; sentence is -1 in padding; lower marks lower-case words.
        first, last, owner, cut: places: token span (half-open), candidate, whether the name is cut out of it.
        titled: places in a title; papers: candidate -> paper; candidates: the objects; surfaces: their text.
        title_end, token_start, sentence_start: per paper.
    """

    def __init__(self, analyses: Sequence[Analysis], vocabulary: Vocabulary) -> None:
        ids: list[int] = [0] * PAD
        sentence: list[int] = [-1] * PAD
        lower: list[bool] = [False] * PAD
        first, last, owner, cut, titled = [], [], [], [], []
        papers: list[int] = []
        self.candidates: list[Candidate] = []
        self.surfaces: list[str] = []
        self.token_start, self.title_end, self.sentence_start = [], [], []
        get, sentences = vocabulary.ids.get, 0
        for p, a in enumerate(analyses):
            t = a.tokens
            base = len(ids)
            self.token_start.append(base)
            self.title_end.append(base + t.title_end)
            self.sentence_start.append(sentences)
            ids += [get(w) or UNKNOWN[s] for w, s in zip(t.lower, t.shapes, strict=True)]
            lower += [s == "l" for s in t.shapes]
            sentence += [s + sentences for s in t.sentence]
            sentences += len(t.first) if t.words else 0
            ids += [0] * PAD
            sentence += [-1] * PAD
            lower += [False] * PAD
            text, title_end = t.text, t.title_end
            for c in a.candidates.values():
                k = len(self.candidates)
                self.candidates.append(c)
                papers.append(p)
                shown, places = "", 0
                spans = c.spans if len(c.spans) == 1 else dict(sorted(c.spans.items()))
                for (i, j), (x, y) in spans.items():
                    in_title = i < title_end
                    if not in_title:
                        places += 1
                        if not shown:
                            shown = text[x:y]
                    if places > MAX_PLACES:
                        break
                    first.append(base + i)
                    last.append(base + j)
                    owner.append(k)
                    cut.append(y != t.end[j - 1])
                    titled.append(in_title)
                if not shown:
                    x, y = next(iter(spans.values()))
                    shown = text[x:y]
                self.surfaces.append(shown)
        self.sentence_start.append(sentences)
        self.ids = np.array(ids, np.int64)
        self.bits = vocabulary.flags[self.ids]
        self.sentence = np.array(sentence, np.int64)
        self.lower = np.array(lower, bool)
        self.first = np.array(first, np.int64)
        self.last = np.array(last, np.int64)
        self.owner = np.array(owner, np.int64)
        self.cut = np.array(cut, bool)
        self.titled = np.array(titled, bool)
        self.papers = np.array(papers, np.int64)
        self.kinds = np.array([c.kinds for c in self.candidates], np.int64)
        self.vocabulary_size = vocabulary.size

    def neighbours(self, offset: int) -> np.ndarray:
        """Word ids at an offset from each place (-1 the word before, +1 the word after), sentence bound."""
        at = self.first + offset if offset < 0 else self.last + (offset - 1)
        inside = self.sentence[at] == self.sentence[self.first]
        out = np.where(inside, self.ids[at], OPENING if offset < 0 else CLOSING)
        if offset > 0:
            out = np.where(self.cut, CUT, out)
        return out

    def columns(self, names: Sequence[Name]) -> tuple[np.ndarray, np.ndarray]:
        """Sparse features as (candidate, column) pairs; duplicates count twice."""
        v = self.vocabulary_size
        before = {o: self.neighbours(o) for o in (-1, -2, -3)}
        after = {o: self.neighbours(o) for o in (1, 2, 3)}
        body = ~self.titled
        rows, cols = [], []

        def put(ids: np.ndarray, base: int, where: np.ndarray) -> None:
            rows.append(self.owner[where])
            cols.append(ids[where] + base)

        put(before[-1], 0, self.titled)
        put(after[1], v, self.titled)
        for k, ids in enumerate((before[-1], before[-2], before[-3], after[1], after[2], after[3])):
            put(ids, (2 + k) * v, body)
        base = 10 * v
        for pair in ((before[-2], before[-1]), (after[1], after[2]), (before[-1], after[1])):
            put((pair[0] * 1000003 + pair[1] * 29) % BIGRAMS, base, body)
            base += BIGRAMS
        three = (before[-3] * 1000003 + before[-2] * 10007 + before[-1] * 31) % BIGRAMS
        put(three, base, body)
        base += BIGRAMS
        here = self.sentence[self.first]
        for side, reach, start in ((-1, 9, self.first - 1), (1, 7, self.last)):
            for d in range(reach):
                at = start + side * d
                ok = body & (self.sentence[at] == here) & self.lower[at]
                put(self.ids[at], (8 if side < 0 else 9) * v, ok)
        sizes = [len(n.columns) for n in names]
        rows.append(np.repeat(np.arange(len(names)), sizes))
        cols.append(np.array([c for n in names for c in n.columns], np.int64) + base)
        base += GRAMS + WORDS
        bit = np.nonzero((self.kinds[:, None] >> np.arange(len(K))) & 1)
        rows.append(bit[0])
        cols.append(bit[1] + base)
        return np.concatenate(rows), np.concatenate(cols)


def width(vocabulary_size: int) -> int:
    """Number of columns `Batch.columns` may name."""
    return 10 * vocabulary_size + 4 * BIGRAMS + GRAMS + WORDS + len(K)


def word_columns(vocabulary_size: int) -> slice:
    """The columns that say which name it is, not what it looks like."""
    start = 10 * vocabulary_size + 4 * BIGRAMS + GRAMS
    return slice(start, start + WORDS)

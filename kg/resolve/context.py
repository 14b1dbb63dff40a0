"""What a paper is about, as weighted words: does a mention fit the paper that coined the name?"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from kg.model import Paper
from kg.resolve.forms import stem
from kg.text import fold

_WORD = re.compile(r"[a-z][a-z]{2,}")
# Words of every text, and of every paper.
_STOP = frozenset(
    [
        "about",
        "after",
        "all",
        "also",
        "and",
        "any",
        "are",
        "based",
        "because",
        "been",
        "before",
        "between",
        "both",
        "but",
        "can",
        "could",
        "during",
        "each",
        "existing",
        "extensive",
        "first",
        "for",
        "from",
        "has",
        "have",
        "how",
        "however",
        "into",
        "its",
        "many",
        "may",
        "method",
        "methods",
        "model",
        "models",
        "more",
        "most",
        "much",
        "new",
        "not",
        "novel",
        "of",
        "often",
        "on",
        "one",
        "only",
        "other",
        "our",
        "over",
        "paper",
        "propose",
        "proposed",
        "performance",
        "problem",
        "problems",
        "results",
        "several",
        "show",
        "shows",
        "since",
        "some",
        "such",
        "than",
        "that",
        "the",
        "their",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "through",
        "thus",
        "two",
        "under",
        "use",
        "used",
        "using",
        "very",
        "was",
        "we",
        "well",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "will",
        "with",
        "without",
        "work",
        "would",
        "approach",
        "approaches",
        "data",
        "demonstrate",
        "experiments",
        "learning",
        "state",
        "art",
        "task",
        "tasks",
        "further",
    ]
)
_COMMON = 0.2  # words in a larger share of the papers say nothing
_PROFILE = 60  # papers whose words describe a widely used name


class Contexts:
    """Word weights of papers, made when first asked for.

    Attributes:
        papers: by index, as given.
    """

    def __init__(self, papers: Sequence[Paper], needed: Iterable[int]) -> None:
        """`needed`: indexes of the papers that will be compared; the rarity of words is taken over them."""
        self.papers = papers
        self._words = {i: frozenset(_WORD.findall(self._text(i))) - _STOP for i in sorted(set(needed))}
        counts: Counter[str] = Counter()
        for words in self._words.values():
            counts.update(words)
        n = len(self._words)
        self._idf = {w: math.log((n + 1) / c) for w, c in counts.items() if c > 1 and (c <= _COMMON * n or n < 50)}
        self._norm: dict[int, float] = {}
        self._authors: dict[int, frozenset[str]] = {}
        self._stems: dict[int, frozenset[str]] = {}

    def _text(self, i: int) -> str:
        paper = self.papers[i]
        more = " ".join((*paper.keywords, *(part for path in paper.topics for part in path)))
        return f"{paper.title} {paper.abstract} {more}".lower()

    def _length(self, i: int) -> float:
        if i not in self._norm:
            weights = [self._idf[w] for w in self._words[i] if w in self._idf]
            self._norm[i] = math.sqrt(math.fsum(x * x for x in weights)) or 1.0
        return self._norm[i]

    def profile(self, members: Sequence[int]) -> dict[str, float]:
        """Weights of the words of several papers, as a vector of length 1."""
        counts: Counter[str] = Counter()
        for i in members[:_PROFILE]:
            counts.update(self._words[i])
        weights = {w: n * self._idf[w] for w, n in counts.items() if w in self._idf}
        length = math.sqrt(math.fsum(x * x for x in weights.values())) or 1.0
        return {w: x / length for w, x in weights.items()}

    def fits(self, i: int, profile: dict[str, float], without: frozenset[str] = frozenset()) -> float:
        """Cosine of a paper's words and a profile (0..1).

        Sums are exact (`fsum`), so that the order of a set of words, which differs from run to run, cannot show.
        """
        words = (self._words[i] & profile.keys()) - without
        return math.fsum(profile[w] * self._idf[w] for w in words) / self._length(i)

    def authors(self, i: int) -> frozenset[str]:
        """Comparison forms of the names of a paper's authors."""
        found = self._authors.get(i)
        if found is None:
            found = self._authors[i] = frozenset(fold(a.name) for a in self.papers[i].authors)
        return found

    def titled(self, i: int, long: tuple[str, ...]) -> bool:
        """Whether a paper's title holds every stem of a long form."""
        return set(long) <= set(map(stem, fold(self.papers[i].title).split()))

    def spells_out(self, i: int, long: tuple[str, ...]) -> float:
        """Share of the stems of a long form that occur in a paper's text."""
        stems = self._stems.get(i)
        if stems is None:
            stems = self._stems[i] = frozenset(map(stem, self._words[i]))
        return sum(s in stems for s in long) / len(long)

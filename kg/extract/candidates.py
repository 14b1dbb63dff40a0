"""Everything in a paper that could be the name of a method or data set.

Meant to miss next to nothing: what a candidate is, or that it is nothing, is decided later. All
places with the same folded name form one candidate.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from enum import IntFlag, auto

from kg.extract.abbreviations import Abbreviation
from kg.extract.tokens import SHAPES, Tokens, key
from kg.extract.words import BEFORE_NAME, CONNECTORS, FUNCTION, HEADS, MACRO_NAMES, MODIFIERS, NAMING, PROPOSE, word_set


class Kind(IntFlag):
    """Ways a candidate was found."""

    TOKEN = auto()
    STEM = auto()
    PART = auto()
    CAPITAL = auto()
    CAPITAL_FIRST = auto()
    RUN = auto()
    RUN_TAIL = auto()
    RUN_HEAD = auto()
    RUN_STEM = auto()
    HEADED = auto()
    HEADED2 = auto()
    JOINED = auto()
    TITLE_PREFIX = auto()
    TITLE_CHUNK = auto()
    SHORT = auto()
    LONG = auto()
    LEXICON = auto()
    COINED = auto()
    COINED_LESS = auto()
    COINED_MORE = auto()
    MACRO = auto()
    EMPHASISED = auto()
    MODIFIED = auto()


# The flags as plain integers: enum arithmetic would cost a fifth of the whole run time.
K = {kind.name: int(kind) for kind in Kind}
TOKEN, STEM, PART, CAPITAL = K["TOKEN"], K["STEM"], K["PART"], K["CAPITAL"]
WEAK = sum(K[k] for k in ("TITLE_CHUNK", "RUN_TAIL", "RUN_HEAD", "COINED", "COINED_LESS", "COINED_MORE"))


class Candidate:
    """One possible name.

    Attributes:
        key: folded name; spans: {(first token, end token): (start, end) in the readable text};
        kinds: `Kind` flags.
    """

    __slots__ = ("key", "spans", "kinds")

    def __init__(self, k: str) -> None:
        self.key = k
        self.spans: dict[tuple[int, int], tuple[int, int]] = {}
        self.kinds = 0


MAX_NAME = 120  # characters; what is longer is no name
_STEM = re.compile(r"(.*[A-Z0-9].*?)[-–]([a-z]{3,}(?:-[a-z]+)*)$")
_DESCRIBES = word_set(
    "method framework approach algorithm model strategy mechanism dataset benchmark technique architecture system "
    "paradigm pipeline network module"
)
_POSSESSIVE = ("'s", "’s")
_STARS = frozenset("*⋆")
_MAX_EMPHASISED = 7  # words
_QUOTES = frozenset("\"“”‘’'")
_STOPS_NAME = (FUNCTION | frozenset(",.;:()[]!?\"'")) - {"of"}
_RELATES = word_set("and on in with from by to at as or")
_TITLE_BREAK = frozenset(":—–")


class Lexicon:
    """What candidates need to know beforehand.

    Attributes:
        by_two: known names as token tuples by their first two tokens, lower-case ("" where there is one token).
        capital: lower-case word -> share of its mid-sentence occurrences that are capitalised.
    """

    def __init__(self, phrases: dict[str, list[tuple[str, ...]]], capital: dict[str, float]) -> None:
        """`phrases`: lower-case first token -> token tuples of known names, in the order they are tried."""
        self.capital = capital
        # Not by the first alone: some words begin hundreds of names.
        self.by_two: dict[str, dict[str, list[tuple[str, ...]]]] = {}
        for first, names in phrases.items():
            seconds = self.by_two.setdefault(first, {})
            for name in names:
                seconds.setdefault(name[1] if len(name) > 1 else "", []).append(name)


def find_candidates(t: Tokens, abbreviations: list[Abbreviation], lexicon: Lexicon) -> dict[str, Candidate]:
    """Candidates by key, in order of first finding."""
    return _Finder(t, lexicon).run(abbreviations)


class _Finder:
    def __init__(self, t: Tokens, lexicon: Lexicon) -> None:
        self.t, self.lexicon = t, lexicon
        self.found: dict[str, Candidate] = {}

    def run(self, abbreviations: list[Abbreviation]) -> dict[str, Candidate]:
        self._capitalised()
        if self.t.title_end:
            self._title()
        for a in abbreviations:
            self.add(*a.short, K["SHORT"])
            self.add(*a.long, K["LONG"])
        self._known()
        self._coined()
        self._emphasised()
        self._macros()
        return self.found

    def add(self, i: int, j: int, kind: int, a: int = -1, b: int = -1) -> None:
        t = self.t
        if a < 0:
            a, b = t.start[i], t.end[j - 1]
        if t.text[b - 2 : b] in _POSSESSIVE and b - a > 3:
            b -= 2
        if b - a > MAX_NAME:
            return
        k = key(t.text[a:b])
        if (len(k) < 2 and t.text[b - 1] not in _STARS) or k.isdigit() or not k:
            return
        c = self.found.get(k)
        if c is None:
            c = self.found[k] = Candidate(k)
        c.spans.setdefault((i, j), (a, b))
        c.kinds |= kind

    def _capitalised(self) -> None:
        t = self.t
        lower, shapes, start, end, sentence = t.lower, t.shapes, t.start, t.end, t.sentence
        n, i = len(lower), 0
        while i < n:
            shape = shapes[i]
            if shape not in "UCHdS" or (shape in "CS" and lower[i] in FUNCTION):
                i += 1
                continue
            if shape == "S" and not (i + 1 < n and shapes[i + 1] in "CHU" and start[i + 1] - end[i] <= 1):
                i += 1
                continue
            j = i + 1
            while (
                j < n
                and (shapes[j] in "UCHNS" or (shapes[j] == "d" and len(lower[j]) < 4))
                and not (shapes[j] == "C" and lower[j] in FUNCTION)
                and start[j] - end[j - 1] <= 1
                and sentence[j] == sentence[i]
            ):
                j += 1
            self._run(i, j)
            i = j

    def _emphasised(self) -> None:
        """What stands in bold, italics or typewriter, as a whole."""
        t = self.t
        for a, b in t.emphasised():
            i = bisect_left(t.start, a, t.title_end)
            j = bisect_left(t.start, b, i)
            while i < j and (t.shapes[i] == "p" or t.lower[i] in FUNCTION):
                i += 1
            while i < j and t.shapes[j - 1] == "p":
                j -= 1
            whole = 1 <= j - i <= _MAX_EMPHASISED and t.end[j - 1] <= b
            if whole and t.sentence[i] == t.sentence[j - 1]:
                self.add(i, j, K["EMPHASISED"])

    def _macros(self) -> None:
        r"""Author macros (`\alg`) are places of the name that the title coins; without one they are nothing."""
        t = self.t
        at = [i for i in range(t.title_end, len(t.words)) if t.shapes[i] == "M"]
        if not at or not t.title_end:
            return
        in_title = [c for c in self.found.values() if min(c.spans)[0] < t.title_end]
        named = [c for c in in_title if c.kinds & K["TITLE_PREFIX"]] or [c for c in in_title if c.kinds & TOKEN]
        if not named:
            return
        name = min(named, key=lambda c: (len(c.spans), min(c.spans)[1] - min(c.spans)[0]))
        for i in at:
            macro = t.lower[i][1:]
            if macro in MACRO_NAMES or key(macro) == name.key:
                name.spans[i, i + 1] = (t.start[i], t.end[i])
                name.kinds |= K["MACRO"]

    def _run(self, i: int, j: int) -> None:
        """Candidates from the capitalised tokens i..j-1 and what they are joined to."""
        t, n = self.t, len(self.t.words)
        shapes, lower, words = t.shapes, t.lower, t.words
        in_title = i < t.title_end
        single = j - i == 1
        opening = t.first[t.sentence[i]]
        capital = self.lexicon.capital
        for q in range(i, j):
            shape = shapes[q]
            if shape in "Ud":
                self.add(q, q + 1, TOKEN)
                self._parts(q)
            elif shape in "CH":
                share = capital.get(lower[q], 0.0)
                if q != opening or share > 0.3:
                    if single or share > 0.6:
                        self.add(q, q + 1, CAPITAL)
                elif single and not in_title:
                    self.add(q, q + 1, K["CAPITAL_FIRST"])
        if i > t.title_end and shapes[i - 1] == "l" and lower[i - 1] in MODIFIERS and t.start[i] - t.end[i - 1] == 1:
            two = i > t.title_end + 1 and lower[i - 2] in MODIFIERS and t.start[i - 1] - t.end[i - 2] == 1
            self.add(i - 1 - two, j, K["MODIFIED"])
        if in_title and j - i > 5:
            return
        if 2 <= j - i <= 8:
            self.add(i, j, K["RUN"])
            if len(words[j - 1]) < MAX_NAME and (m := _STEM.match(words[j - 1])):
                self.add(i, j, K["RUN_STEM"], t.start[i], t.start[j - 1] + m.end(1))
            if j - i >= 3:
                self.add(i + 1, j, K["RUN_TAIL"])
                self.add(i, j - 1, K["RUN_HEAD"])
        if j < n and shapes[j] == "l" and t.start[j] - t.end[j - 1] == 1 and j - i <= 5:
            if lower[j] in HEADS:
                self.add(i, j + 1, K["HEADED"])
            if j + 1 < n and lower[j + 1] in HEADS and lower[j] not in FUNCTION and shapes[j + 1] == "l":
                self.add(i, j + 2, K["HEADED2"])
        if j + 1 < n and lower[j] in CONNECTORS and (shapes[j] == "l" or words[j] == "&"):
            q = j + 1
            while q < n and q < j + 3 and lower[q] in CONNECTORS:
                q += 1
            if q < n and shapes[q] in "CHU" and lower[q] not in FUNCTION:
                r = q + 1
                while r < n and shapes[r] in "UCHN":
                    r += 1
                if r - i <= 9 and not self._lists(j, q):
                    self.add(i, r, K["JOINED"])

    def _lists(self, j: int, q: int) -> bool:
        """Do the words j..q-1 list or relate two names ("ImageNet and CIFAR-10") rather than stand inside one?

        A word that is a name by its letters (an acronym, capitals inside) is rarely joined to another by "and" or "on".
        """
        left, right = self.t.shapes[j - 1] == "U", self.t.shapes[q] == "U"
        between = self.t.lower[j:q]
        return (left or right) and any(w in _RELATES for w in between) or (left and right and "for" in between)

    def _parts(self, q: int) -> None:
        """Names inside one token: before a joined ending, around a slash."""
        t, w = self.t, self.t.words[q]
        a = t.start[q]
        if len(w) > MAX_NAME:
            return
        if "-" in w or "–" in w:
            m = _STEM.match(w)
            if m and m.end(1) > 1:
                self.add(q, q + 1, STEM, a, a + m.end(1))
        if "/" in w:
            at = 0
            for part in w.split("/"):
                if len(part) > 1 and SHAPES[part] in "UCH":
                    self.add(q, q + 1, PART, a + at, a + at + len(part))
                at += len(part) + 1

    def _title(self) -> None:
        t = self.t
        words, lower, shapes, e = t.words, t.lower, t.shapes, t.title_end
        i = 0
        while i < e:
            if lower[i] in FUNCTION or shapes[i] == "p":
                i += 1
                continue
            j = i
            while j < e and lower[j] not in FUNCTION and (shapes[j] != "p" or words[j] in "$\\^+&"):
                j += 1
            j = max(j, i + 1)
            if j - i <= 6:
                prefix = j < e and i <= 1 and self._breaks(j)
                self.add(i, j, K["TITLE_PREFIX"] if prefix else K["TITLE_CHUNK"])
            i = j
        for j in range(1, min(e, 9)):
            if self._breaks(j):
                first = 1 if words[0] in "[(" and j > 1 else 0
                self.add(first, j, K["TITLE_PREFIX"])
                break
        if e > 3 and words[0] == "[" and "]" in words[1:6]:
            self.add(1, words.index("]"), K["TITLE_PREFIX"])

    def _breaks(self, j: int) -> bool:
        """Does token j part the title: a colon, a dash, a hyphen between blanks?"""
        t = self.t
        if t.words[j] in _TITLE_BREAK:
            return True
        return t.words[j] == "-" and 0 < j < t.title_end - 1 and t.start[j] > t.end[j - 1] and t.start[j + 1] > t.end[j]

    def _known(self) -> None:
        lower, by_two = self.t.lower, self.lexicon.by_two
        last = len(lower) - 1
        for i, w in enumerate(lower):
            seconds = by_two.get(w)
            if seconds is None:
                continue
            for phrase in seconds.get(lower[i + 1], ()) if i < last else ():
                m = len(phrase)
                if m == 2 or tuple(lower[i : i + m]) == phrase:
                    self.add(i, i + m, K["LEXICON"])
            if "" in seconds:
                self.add(i, i + 1, K["LEXICON"])

    def _coined(self) -> None:
        """Lower-case phrases that a naming verb coins ("which we call patch dropping")."""
        t = self.t
        words, lower, shapes, n = t.words, t.lower, t.shapes, len(t.words)
        for i in range(t.title_end, n - 2):
            if lower[i] not in PROPOSE:
                continue
            j = i + 1
            while j < n and j < i + 9 and (lower[j] in BEFORE_NAME or words[j] in _QUOTES):
                j += 1
            q = described = j
            while q < n and q < j + 8 and lower[q] not in _STOPS_NAME and shapes[q] != "p":
                q += 1
                if lower[q - 1] in NAMING:  # "a data set called X": the name starts here
                    j = q
            named = words[j - 1] in _QUOTES or lower[i] in NAMING
            if 2 <= q - j <= 7 or (q - j == 1 and named):
                self.add(j, q, K["COINED"])
                if q - j >= 3 and lower[q - 1] in _DESCRIBES:
                    self.add(j, q - 1, K["COINED_LESS"])
            if j > i + 1 and j == described:
                k = i + 1
                while k < j and (lower[k] in ("a", "an", "the", "our", "new", "novel") or lower[k] in NAMING):
                    k += 1
                if k < j and 2 <= q - k <= 7:
                    self.add(k, q, K["COINED_MORE"])

"""Short and long forms of one name, after Schwartz & Hearst (2003), read in both directions.

Besides `long form (SHORT)` and `SHORT (long form)` it reads what abstracts also write:
`long form, dubbed SHORT`, `long form, or SHORT,` and `SHORT, short for long form`.
"""

from __future__ import annotations

from typing import NamedTuple

from kg.extract.tokens import Tokens
from kg.extract.words import FUNCTION, word_set

MAX_SHORT = 16  # characters of a short form


class Abbreviation(NamedTuple):
    """Token spans (half-open) of a short form and of the long form it stands for."""

    short: tuple[int, int]
    long: tuple[int, int]


_OPEN, _CLOSE = frozenset("(["), frozenset(")],;:")
_SAID = word_set("dubbed called termed named abbreviated denoted coined or i.e namely")


def long_form_start(short: str, words: list[str]) -> int | None:
    """Index of the word where the long form of `short` starts, if `words` end with one.

    Letters of the short form are looked for from the right; the first must open a word.
    """
    letters = [c for c in short.lower() if c.isalnum()]
    text = " ".join(words).lower()
    p = len(text) - 1
    for i in range(len(letters) - 1, -1, -1):
        c = letters[i]
        p = text.rfind(c, 0, p + 1)
        while i == 0 and p > 0 and text[p - 1].isalnum():
            p = text.rfind(c, 0, p)
        if p < 0:
            return None
        p -= 1
    return text.count(" ", 0, p + 1)


def capitals_start(short: str, words: list[str]) -> int | None:
    """Index of the word from which the capitals of `words` spell `short` exactly; None where none do.

    Looking for letters from the right, as Schwartz & Hearst do, stops inside "contrastive" for the C of
    "Causality-Aware contrastive learning for RObust … (CAROTS)"; what authors set in capitals is plainer.
    """
    wanted = "".join(c for c in short if c.isalpha()).upper()
    # A digit counts letters ("S2DM": two S), so its capitals alone do not spell it.
    if len(wanted) < 3 or not short[:1].isupper() or any(map(str.isdigit, short)):
        return None
    spelled = ""
    for i in range(len(words) - 1, -1, -1):
        spelled = "".join(c for c in words[i] if c.isupper()) + spelled
        if spelled == wanted and words[i][:1].isupper():
            return i
        if not wanted.endswith(spelled):
            return None
    return None


def find_abbreviations(t: Tokens) -> list[Abbreviation]:
    """All pairs of short and long form, in text order."""
    words, lower, n = t.words, t.lower, len(t.words)
    found: list[Abbreviation] = []
    for p in range(1, n - 1):
        w = words[p]
        if w in _OPEN:
            pair = _in_brackets(t, p) or _before_brackets(t, p)
        elif w == "," and lower[p + 1] in _SAID:
            q = p + 2
            while q < n and lower[q] in ("as", "the", "it", '"', "“", "'"):
                q += 1
            pair = _long_before(t, q, p) if q < n and t.shapes[q] in "UH" else None
        elif lower[p] == "short" and lower[p + 1] == "for":
            pair = _short_for(t, p)
        else:
            continue
        if pair:
            found.append(pair)
    return found


def _in_brackets(t: Tokens, p: int) -> Abbreviation | None:
    """`long form (SHORT)`, the bracket at p."""
    n, q = len(t.words), p + 1
    if t.lower[q] in ("i.e", "called", "dubbed", "termed"):
        q += 1
        while q + 1 < n and t.words[q] in ".,":
            q += 1
    if t.lower[q] == "or" and q + 1 < n:
        q += 1
    return _long_before(t, q, p, closed=True)


def _long_before(t: Tokens, q: int, p: int, *, closed: bool = False) -> Abbreviation | None:
    words, shapes, n = t.words, t.shapes, len(t.words)
    shape = shapes[q]
    if shape in "pN" or (shape == "l" and len(words[q]) < 3):
        return None
    r = q + 1
    if r < n and shapes[r] in "UN" and t.start[r] - t.end[r - 1] == 1:
        r += 1
    if closed and not (r < n and words[r] in _CLOSE):
        return None
    short = t.slice(q, r)
    core = short[:-1] if short.endswith("s") and len(short) > 2 and short[:-1].isupper() else short
    if not 2 <= len(short) <= MAX_SHORT or not any(map(str.isalpha, short)):
        return None
    limit = min(len(core) + 5, 2 * len(core))
    low = max(0, p - limit, t.first[t.sentence[p]])
    b = capitals_start(core, words[low:p])
    if b is None:
        b = long_form_start(core, words[low:p])
    if b is None:
        return None
    b += low
    first = next(c for c in core if c.isalnum()).lower()
    while b < p - 1 and t.lower[b] in FUNCTION and t.lower[b][0] != first:
        b += 1
    if b >= p or (p - b == 1 and len(words[b]) <= len(short)) or words[b] == short:
        return None
    return Abbreviation((q, r), (b, p))


def _before_brackets(t: Tokens, p: int) -> Abbreviation | None:
    """`SHORT (long form)`, the bracket at p."""
    words, n = t.words, len(t.words)
    if t.shapes[p - 1] not in "UC":
        return None
    q = r = p + 1
    while r < n and words[r] not in "()[];." and r - q < 12:
        r += 1
    if r >= n or words[r] not in (")", "]", ";") or r - q < 2:
        return None
    return _spelled_out(t, p - 1, q, r)


def _short_for(t: Tokens, p: int) -> Abbreviation | None:
    """`SHORT, short for long form`, the word "short" at p."""
    s = p - 1
    while s > 0 and t.words[s] in ",(":
        s -= 1
    q = r = p + 2
    while r < len(t.words) and t.words[r] not in "(),;." and r - q < 12:
        r += 1
    return _spelled_out(t, s, q, r) if t.shapes[s] in "UC" and r > q else None


def _spelled_out(t: Tokens, s: int, q: int, r: int) -> Abbreviation | None:
    short = t.words[s]
    words = t.words[q:r]
    if 0 in (capitals_start(short, words), long_form_start(short, words)) and t.lower[q][0] == short[0].lower():
        return Abbreviation((s, s + 1), (q, r))
    return None

"""Words of titles and abstracts as they are matched: markup gone, endings cut, common words known."""

from __future__ import annotations

import re

from kg.text import fold

STOP = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "but",
        "by",
        "can",
        "do",
        "does",
        "for",
        "from",
        "has",
        "have",
        "how",
        "in",
        "into",
        "is",
        "it",
        "its",
        "not",
        "of",
        "on",
        "or",
        "over",
        "our",
        "than",
        "that",
        "the",
        "their",
        "them",
        "these",
        "they",
        "this",
        "to",
        "toward",
        "towards",
        "under",
        "using",
        "via",
        "was",
        "we",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "why",
        "with",
        "within",
        "without",
        "you",
        "your",
        "s",
        "between",
        "through",
        "both",
        "each",
        "more",
        "most",
        "new",
        "novel",
        "paper",
        "propose",
        "proposed",
        "show",
        "approach",
        "based",
    ]
)
_MACRO = re.compile(r"\\[a-zA-Z]+\*?")
_MARK = re.compile(r"[*_{}$\\^~`]")
_ENDINGS = (
    "ization", "isation", "ational", "iveness", "fulness", "ousness", "ations", "ation", "ators", "ator", "ities",
    "ility", "ments", "ment", "ness", "ings", "ing", "ized", "ised", "izing", "ising", "ize", "ise", "able", "ible",
    "ally", "ical", "ists", "ist", "ies", "ers", "ors", "ive", "ion", "ity", "ous", "ed", "er", "or", "al", "ic",
    "ly", "es", "s", "e", "y",
)  # fmt: skip
_ACRONYM = re.compile(r"\b[A-Z][A-Za-z]*[A-Z]s?\b")
_COINED = re.compile(r"^\W*([^:]{2,40}?)\s*:\s")
_NOT_COINED = {"position", "a note", "supplementary", "part i", "part ii"}


def stem(word: str) -> str:
    """A word without its endings; at least four letters stay.

    >>> stem("interpretability") == stem("interpretable"), stem("networks")
    (True, 'network')
    """
    if len(word) <= 4:
        return word[:-1] if len(word) == 4 and word.endswith("s") and not word.endswith("ss") else word
    for _ in range(3):
        ending = next((e for e in _ENDINGS if word.endswith(e) and len(word) - len(e) >= 4), "")
        if not ending:
            break
        word = word[: len(word) - len(ending)]
    return word


def words(text: str) -> list[str]:
    """Stems of a text in order. `**S**ubgroup` and `\\textbf{S}ubgroup` are one word each."""
    if _MARK.search(text):
        text = _MARK.sub("", _MACRO.sub("", text) if "{" in text else _MACRO.sub(" ", text))
    return [stem(w) for w in fold(text).split()]


def acronyms(text: str) -> set[str]:
    """Acronyms in a text, in lower case and without a plural s."""
    return {a.rstrip("s").lower() for a in _ACRONYM.findall(text)}


def spelled_out(title: list[str], known: set[str]) -> set[str]:
    """Words of a title (not stemmed) whose initials are an acronym of the abstract: "RL" covers
    "reinforcement learning"."""
    found: set[str] = set()
    for start in range(len(title)):
        for size in (2, 3, 4):
            run = title[start : start + size]
            if len(run) == size and "".join(w[0] for w in run) in known:
                found.update(map(stem, run))
    return found


def coined(title: str) -> str:
    """The name before the colon of a title ("CoDy: …" -> "CoDy"), or ""."""
    found = _COINED.match(title)
    name = found[1] if found else ""
    return name if name and len(name.split()) <= 3 and name.casefold() not in _NOT_COINED else ""

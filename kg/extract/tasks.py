"""Tasks and problems that a paper is about, by a list of their names: simple, and marked as such.

A task counts where the title names it, or the abstract does so in more than one sentence; of names inside each
other the longest. No classifier stands behind it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from kg.extract.lexicon import read_list
from kg.extract.tokens import Tokens
from kg.model import Mention, Named
from kg.text import fold

# Found right by hand: 95 of 100 titles and 46 of 60 abstracts of the corpus, drawn at random.
TITLE_CONFIDENCE, ABSTRACT_CONFIDENCE = 0.95, 0.75
_LEAST_SENTENCES = 2
_LONGEST = 7  # words of a name
_REMEMBERED = 100_000  # a cache, not a store: bounded memory in long runs
_WORD = re.compile(r"[a-z0-9]+")


class Task(NamedTuple):
    """A task of the list.

    Attributes:
        name: as the list has it; others: its further names and acronyms; broader: name of the task above, or "".
    """

    name: str
    others: tuple[str, ...]
    broader: str


class _Forms(NamedTuple):
    words: dict[tuple[str, ...], str]  # words of a name -> task
    acronyms: dict[str, str]
    first: frozenset[str]


@cache
def tasks() -> dict[str, Task]:
    """The tasks of the list by name."""
    rows = [[x.strip() for x in line.split("|")] for line in read_list("tasks.txt")]
    words = {row[0]: _split(row[0]) for row in rows}
    by_words = {w: name for name, w in words.items()}
    found = {}
    for name, *others in rows:
        own = words[name]
        above = (by_words[own[k:]] for k in range(1, len(own)) if own[k:] in by_words)
        found[name] = Task(name, tuple(others), next(above, ""))
    return found


def task_named(text: str) -> str:
    """The task of the list that a keyword names, or ""."""
    forms = _forms()
    return forms.words.get(_split(text)) or forms.acronyms.get(text.strip(), "")


def find_tasks(tokens: Tokens) -> tuple[Named, ...]:
    """Tasks that the paper is about, in the order of the text, each with the places that name it."""
    places = _places(tokens)
    found = []
    for name, spans in places.items():
        titled = any(i < tokens.title_end for i, _ in spans)
        sentences = {tokens.sentence[i] for i, _ in spans if i >= tokens.title_end}
        if not titled and len(sentences) < _LEAST_SENTENCES:
            continue
        mentions = []
        for i, j in spans:
            field, start, end = tokens.locate(tokens.start[i], tokens.end[j - 1])
            source = tokens.title_source if field == "title" else tokens.abstract_source
            mentions.append(Mention(field, start, end, source.quote(start, end)))
        found.append(
            Named(
                name,
                "addressed",
                TITLE_CONFIDENCE if titled else ABSTRACT_CONFIDENCE,
                cue="task named in the title" if titled else "task named in several sentences",
                mentions=tuple(mentions),
            )
        )
    return tuple(found)


def _places(t: Tokens) -> dict[str, list[tuple[int, int]]]:
    """Task -> token spans; a span inside a longer one is left out."""
    forms, lower = _forms(), t.lower
    places: dict[str, list[tuple[int, int]]] = {}
    short: dict[str, list[tuple[int, int]]] = {}
    if not forms.acronyms.keys().isdisjoint(t.words):
        for i, word in enumerate(t.words):
            if word in forms.acronyms:
                short.setdefault(forms.acronyms[word], []).append((i, i + 1))
    done = 0
    for i in [i for i, begins in enumerate(map(_BEGINS.__getitem__, lower)) if begins]:
        if i < done:
            continue
        words: tuple[str, ...] = ()
        best = ""
        for j in range(i, min(len(lower), i + _LONGEST)):
            part = _PARTS[lower[j]]
            if not part or t.sentence[j] != t.sentence[i]:
                break
            words += part
            if name := forms.words.get(words):
                best, done = name, j + 1
        if best:
            places.setdefault(best, []).append((i, done))
    for name, spans in short.items():
        if name in places or spans[0][0] < t.title_end:
            places[name] = sorted([*places.get(name, []), *spans])
    return dict(sorted(places.items(), key=lambda x: x[1][0]))


@cache
def _forms() -> _Forms:
    words: dict[tuple[str, ...], str] = {}
    acronyms: dict[str, str] = {}
    for task in tasks().values():
        for form in (task.name, *task.others):
            if form.isupper() or re.fullmatch(r"[A-Z]\w*[A-Z]\w*", form):
                acronyms[form] = task.name
            else:
                words.setdefault(_split(form), task.name)
    return _Forms(words, acronyms, frozenset(w[0] for w in words))


def _split(text: str) -> tuple[str, ...]:
    return _PARTS[fold(text)]


class _Parts(dict[str, tuple[str, ...]]):
    """Token -> its words in the singular, remembered."""

    def __missing__(self, token: str) -> tuple[str, ...]:
        if len(self) > _REMEMBERED:
            self.clear()
        found = self[token] = tuple(map(_singular, _WORD.findall(token)))
        return found


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "sis", "us", "is")) else word


class _Begins(dict[str, bool]):
    """Token -> whether a name begins with it, remembered."""

    def __missing__(self, token: str) -> bool:
        if len(self) > _REMEMBERED:
            self.clear()
        words = _PARTS[token]
        found = self[token] = bool(words) and words[0] in _forms().first
        return found


_PARTS, _BEGINS = _Parts(), _Begins()

"""The word lists that candidates start from, read once a process."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files

from kg.extract.candidates import Lexicon
from kg.extract.tokens import key, split_words
from kg.text import digest


def read_list(name: str) -> list[str]:
    """Lines of a list in `kg/extract/data`, without comments."""
    lines = files("kg.extract").joinpath("data", name).read_text("utf-8").splitlines()
    return [x for x in map(str.strip, lines) if x and not x.startswith("#")]


def make_lexicon(phrases: Iterable[str], capital: dict[str, float]) -> Lexicon:
    """Lexicon of the techniques list and more lower-case phrases; each also with a plural s."""
    table: dict[str, set[tuple[str, ...]]] = {}
    for line in [*read_list("techniques.txt"), *known_phrases(capital), *phrases]:
        for form in (line, line + "s") if not line.endswith("s") else (line,):
            phrase = split_words(form)
            table.setdefault(phrase[0], set()).add(phrase)
    return Lexicon({w: sorted(p, key=lambda x: (-len(x), x)) for w, p in sorted(table.items())}, capital)


KNOWN_KINDS = ("data", "method", "other", "technique")


@cache
def known_names() -> dict[str, int]:
    """Name keys whose kind the text has no say in -> index in `KNOWN_KINDS`."""
    techniques = {key(name): KNOWN_KINDS.index("technique") for name in read_list("techniques.txt")}
    return techniques | {key(name): KNOWN_KINDS.index(kind) for kind, name in _known_lines()}


def _known_lines() -> list[tuple[str, str]]:
    return [
        (kind, name.strip())
        for kind, _, rest in (line.partition(": ") for line in read_list("known.txt"))
        for name in rest.split(",")
    ]


def known_phrases(capital: Mapping[str, float]) -> list[str]:
    """Known data sets and methods to look for in lower case too: those that are no plain word."""
    return [
        name
        for kind, name in _known_lines()
        if kind != "other" and len(name) > 3 and (not name.isalpha() or capital.get(name, 0.0) > 0.4)
    ]


@cache
def load_lexicon() -> Lexicon:
    """The lexicon that ships with the package."""
    from kg.extract.model import load_model

    model = load_model()
    return make_lexicon(model.phrases, model.capital)


@cache
def data_digest() -> str:
    """Digest of every file in `kg/extract/data`."""
    parts = sorted(files("kg.extract").joinpath("data").iterdir(), key=lambda p: p.name)
    return digest(*(f"{p.name}:{sha256(p.read_bytes()).hexdigest()}" for p in parts if p.is_file()))

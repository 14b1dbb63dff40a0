"""The word lists that candidates start from, read once a process."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files

from kg.extract.candidates import Lexicon
from kg.extract.tokens import Tokens
from kg.text import digest


def read_data(name: str) -> str:
    """Text of a file in `kg/extract/data`."""
    return files("kg.extract").joinpath("data", name).read_text("utf-8")


def phrase_table(lines: list[str]) -> dict[str, list[tuple[str, ...]]]:
    """First token -> token tuples, each phrase also with a plural s; longest first."""
    table: dict[str, list[tuple[str, ...]]] = {}
    for line in lines:
        for form in (line, line + "s") if not line.endswith("s") else (line,):
            phrase = tuple(Tokens("", form).lower)
            table.setdefault(phrase[0], []).append(phrase)
    for phrases in table.values():
        phrases.sort(key=lambda p: (-len(p), p))
    return table


@cache
def load_lexicon() -> Lexicon:
    """The lexicon that ships with the package."""
    lines = [x.strip() for x in read_data("techniques.txt").splitlines()]
    return Lexicon(phrase_table([x for x in lines if x and not x.startswith("#")]), {})


@cache
def data_digest() -> str:
    """Digest of every file in `kg/extract/data`."""
    parts = sorted(files("kg.extract").joinpath("data").iterdir(), key=lambda p: p.name)
    return digest(*(f"{p.name}:{sha256(p.read_bytes()).hexdigest()}" for p in parts if p.is_file()))

"""The pieces of a plain text list: which lines belong together and what each piece looks like."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from kg.sources import fields

_NUMBER = re.compile(
    r"^\s*(?:\[\d{1,5}\]|[(（]\d{1,5}[)）]|#?\d{1,5}[.)、．:：](?=\s|\D)|#\d{1,5}\b|[-*•‣▪◦–—](?=\s))\s*"
)
_LABEL = re.compile(
    r"(?i)^\s*[*_]*(?P<label>title|authors?|abstract|summary|topics?|areas?|primary area|track|keywords?|venue|conference|"
    r"url|link|标题|题目|作者|摘要|主题|领域|关键词|链接)[*_]*\s*[:：][*_]*\s*"
)
_KINDS = {
    "title": "title:", "标题": "title:", "题目": "title:",
    "author": "authors:", "authors": "authors:", "作者": "authors:",
    "abstract": "body", "summary": "body", "摘要": "body",
    "topic": "topic:", "topics": "topic:", "area": "topic:", "areas": "topic:", "primary area": "topic:",
    "track": "topic:", "主题": "topic:", "领域": "topic:",
    "keyword": "keywords:", "keywords": "keywords:", "关键词": "keywords:",
    "venue": "venue:", "conference": "venue:", "url": "url:", "link": "url:", "链接": "url:",
}  # fmt: skip
_RULE = re.compile(r"^\s*(?:[-=_*~#·.]\s*){3,}$")
_ENDS = re.compile(r"[.!?。！？…]['\"”’)\]}*_]*\s*$")
_TOPIC = re.compile(r"^[^.!?。]{2,60}?\s(?:·|->|→|»|›|>)\s[^.!?。]{2,80}$")
_NAME_TOKEN = re.compile(
    r"^[^\W\d_][\w.'’‘`\-–­‐·]*[*†‡§¶\d]*$|^\(?[\"“(]?[^\W\d_][\w.'’-]*[\")”]?\)?$|^[*†‡§¶\d,]+$|^\([^)]*\)$"
)
_SMALL = {"of", "the", "for", "in", "on", "with", "via", "to", "from", "by", "is", "are", "we", "an", "as", "at", "using",
          "and", "or", "can", "how", "towards", "toward", "learning", "networks", "models", "a"}  # fmt: skip
_WIDE = re.compile("[\u3400-\u9fff]")
_BLANK = " \t\r\n\f\v\u00a0\u3000\ufeff\u200b"
# "10." or "Paper 10" on a line of its own: it counts, and says nothing.
_ONLY_NUMBER = re.compile(r"(?i)\s*(?:(?:paper|abstract|no|nr)\b[.:]?\s*)?[#(\[]?\d{1,5}[.):\]]{0,2}\s*$")
_URL_ENDS = re.compile(r"(?i)(?:https?://|www\.|\b(?:github|gitlab|huggingface)\.\w+/)\S+\s*$")
_TWO_SENTENCES = re.compile(r"[^.!?]{12}[.!?]\s+[A-Z]\S*\s+[a-z]")
_SENTENCES = re.compile(r"[.!?]\s+[A-Z][a-z]+ [a-z]+ [a-z]+")
_NAME_SEPARATOR = re.compile(r"\s*[,;，；、]\s*(?:and\s+)?|\s+(?:and|&)\s+", re.I)


@dataclass(frozen=True)
class Unit:
    """A piece of a list.

    Attributes:
        text: the source text, without number and label. line: where it begins (from 1).
        kind: "topic", "authors", "short", "body", or a labelled "title:", "authors:", "topic:", "keywords:",
            "venue:", "url:".
        maybe_name: a short line that could be a single person's name.
    """

    text: str
    line: int
    kind: str
    maybe_name: bool = False

    @property
    def place(self) -> str:
        return f"line {self.line}"


_LOOK_AHEAD = 400  # lines that tell whether blank lines separate the pieces


def units(lines: Iterable[str]) -> Iterator[Unit]:
    """The pieces of a list in order; a paragraph broken at the margin is one piece."""
    stream = iter(lines)
    known = list(islice(stream, _LOOK_AHEAD))
    spaced = sum(1 for _ in _blocks(known)) >= max(3, len(known) / 25)
    held: Unit | None = None
    for block in _blocks(chain(known, stream)):
        for unit in _pieces(block, spaced):
            # A blank line inside an abstract: the text goes on in mid-sentence.
            if held and held.kind == unit.kind == "body" and _goes_on(held.text, unit.text):
                held = Unit(held.text + "\n\n" + unit.text, held.line, "body")
                continue
            if held:
                yield held
            held = unit
    if held:
        yield held


def _blocks(lines: Iterable[str]) -> Iterator[list[tuple[int, str]]]:
    block: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if line.strip(_BLANK) and not _RULE.match(line) and not _ONLY_NUMBER.match(line):
            block.append((number, line))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _pieces(block: list[tuple[int, str]], spaced: bool) -> Iterator[Unit]:
    """Leading one-line pieces of a block, then its paragraphs (one only where blank lines separate them)."""
    at = 0
    width = max(len(line.strip()) for _, line in block)
    while at < len(block):
        number, line = block[at]
        unit = _unit(line, number)
        at += 1
        if unit.kind == "body" or (unit.kind == "short" and at < len(block) and _wrapped(block, at - 1)):
            text = line
            while at < len(block) and _continues(block, at, width, spaced):
                text += "\n" + block[at][1]
                at += 1
            unit = _unit(text, number, multi="\n" in text)
        elif unit.kind == "authors":
            text = line
            while at + (not spaced) < len(block) and _more_names(block, at):
                text += " " + block[at][1].strip()
                at += 1
            unit = _unit(text, number)
        yield unit


def _wrapped(block: list[tuple[int, str]], at: int) -> bool:
    """True when the line breaks at the margin of a paragraph rather than being a line of its own."""
    line, following = block[at][1].strip(), block[at + 1][1].strip()
    if not 50 <= len(line) <= 130 or _ENDS.search(line) or len(line.split()) < 7:
        return False
    return following[:1].islower() or len(line.split()) >= 9 and _looks(following)[0] not in ("authors", "topic")


def _continues(block: list[tuple[int, str]], at: int, width: int, spaced: bool) -> bool:
    """True when line `at` goes on with the paragraph before it."""
    before, line = block[at - 1][1].strip(), block[at][1].strip()
    if _LABEL.match(line) or _NUMBER.match(line) and _ENDS.search(before):
        return False
    kind, _ = _looks(line)
    if kind == "topic" or kind == "authors" and not spaced and _ENDS.search(before):
        return False
    if spaced or _goes_on(before, line):
        return True
    if len(before) > 160:  # not broken at a margin: each line is a piece
        return False
    fits = len(before) + 1 + len(line.split()[0]) <= width  # the break was not forced by the margin
    return not (fits and _ENDS.search(before))


def _more_names(block: list[tuple[int, str]], at: int) -> bool:
    """True when an author line broken at the margin goes on in line `at`."""
    before, line = block[at - 1][1].rstrip(), block[at][1].strip()
    kind, name = _looks(line)
    if before.endswith((",", ";", " and", "&")):
        return kind == "authors" or name
    return len(before) >= 55 and (kind == "authors" or name)


def _goes_on(before: str, after: str) -> bool:
    return not _ENDS.search(before) and after.lstrip()[:1].islower()


def _unit(text: str, number: int, multi: bool = False) -> Unit:
    plain = text.strip(_BLANK)
    bare = _NUMBER.sub("", plain, count=1) or plain
    label = _LABEL.match(bare)
    if label and label.end() < len(bare):
        return Unit(bare[label.end() :].strip(), number, _KINDS[label["label"].casefold()])
    kind, name = ("body", False) if multi else _looks(bare)
    return Unit(bare, number, kind, name)


def _looks(text: str) -> tuple[str, bool]:
    """Kind of a line by its look alone, and whether it could be one person's name."""
    if "@" in text:  # an author line with addresses is an author line
        text = re.sub(r"[<(\[]\s*[>)\]]", "", fields.EMAIL.sub("", text)).strip(" ,;")
    if len(text) <= 140 and _TOPIC.match(text):
        return "topic", False
    if is_names(text):
        return "authors", False
    words = len(text.split())
    wide = 0 if text.isascii() else len(_WIDE.findall(text))
    if len(text) >= 300 or words >= 40 or wide >= 60 or (words >= 12 or wide >= 30) and _ENDS.search(text):
        return "body", False
    if words >= 12 and _URL_ENDS.search(text):  # "… Code: https://github.com/a/b"
        return "body", False
    if words >= 8 and _TWO_SENTENCES.search(text) and text.rstrip()[-1:] == ".":  # two sentences, however short
        return "body", False
    return "short", _is_name(text)


def is_names(text: str) -> bool:
    """True when a line is a list of two or more names."""
    if not any(map(_is_name, _NAME_SEPARATOR.split(text[:300])[:3])):  # no abstract goes further
        return False
    people = [p for p in _NAME_SEPARATOR.split(text) if p.strip()]
    good = sum(_is_name(p) for p in people)
    return len(people) > 1 and good >= max(2, 0.8 * len(people)) and not _SENTENCES.search(text)


def _is_name(part: str) -> bool:
    """True for what can be one printed name: one to six name-like words, not a phrase."""
    tokens = part.split()
    if not 1 <= len(tokens) <= 6 or fields.EMAIL.search(part):
        return False
    # "Bo An", "Anthony To": behind a given name a capital makes a surname; in front, "An Overview" is a phrase.
    small = tokens[:1] + [t for t in tokens[1:] if not t.istitle()]
    if any(t.casefold() in _SMALL for t in small) or not all(_NAME_TOKEN.match(t) for t in tokens):
        return False
    if len(tokens) == 1:
        return len(part) <= 30 and (part[0].isupper() or not part.isascii())
    capital = sum(t[:1].isupper() or not t[:1].isascii() for t in tokens)
    return 2 * capital >= len(tokens) or len(tokens) <= 3 and part.islower()

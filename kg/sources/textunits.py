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
_CUT = re.compile(  # how no title and no name begins: the middle of a sentence
    r"(?:and|or|but|that|which|who|whose|where|when|while|of|the|for|in|on|with|via|to|from|by|is|are|was|were|be|"
    r"we|our|an|as|at|it|its|this|these|than|then|also|such|can|not)\s"
)
_MARKS = re.compile(  # notes behind names: ¹, *, $^{1,2}$, ^1, and "Fox1,2"
    r"\$?\^(?:\{[^{}]{1,16}\}|[\w*†‡§¶])\$?(?=[\s,;]|$)|[*†‡§¶∗⋆✉♠♣♦♥⁎#]+(?:\s*,\s*[*†‡§¶∗⋆]+)*"
    r"|[¹²³⁰⁴-⁹]+(?:[,˒‚ ]?[¹²³⁰⁴-⁹]+)*|(?<=[^\W\d_])\d{1,2}(?:,\d{1,2})*(?=\s*(?:[,;*†‡]|and\b|&|$))"
)
_BRACKETS = re.compile(r"\s*\([^()]*\)(?=\s*(?:[,;]|and\b|&|$))")
_PHRASE = re.compile(  # words that stand behind "An", "The", "On" in titles, hardly in names
    r"(?i)(?:ing|tion|sion|sis|ment|view|vey|work|study|ity|ness|ism|ive|ics?|ed|ory|ogy|ance|ence|less|ful|ble|ary|"
    r"case|cost|role|power|art|look|note|guide|model|data|deep|large|neural|graph|language|method|theor\w*|tale|path|"
    r"limits|effects?|benchmark|dataset|problem|perspective)s?$"
)
_AND_PHRASE = re.compile(
    r"(?:[tsm]ion|ment|[^aeiou]ity|ology|ance|ence|works?|sfers?|metry|ributions?|earning|tracking|based|models?|"
    r"methods?|graphs?|systems?|networks?|theory)\b"
)
PAGE_WORDS = re.compile(  # lines of buttons and links
    r"(?i)\W*(?:(?:show|load|read|view)\s+(?:more|less|all)|back to top|(?:the )?end(?: of .{1,30})?|next|previous|home|"
    r"login|sign in|search|menu|download(?: pdf)?|pdf|bibtex|abstract|摘要|skip to (?:main )?content|poster|oral|spotlight|"
    r"(?:spotlight|oral|poster) (?:poster|presentation|session)|privacy policy|terms of (?:use|service)|"
    r"(?:pdf|openreview|code|video|slides|project page|arxiv)(?:\s*[|·/]\s*\w+)+|showing \d.* of [\d,]+.*)\W*$"
)
_WIDE = re.compile("[\u3400-\u9fff]")
_BLANK = " \t\r\n\f\v\u00a0\u3000\ufeff\u200b"
# "10." or "Paper 10" on a line of its own: it counts, and says nothing.
_ONLY_NUMBER = re.compile(r"(?i)\s*(?:(?:paper|abstract|no|nr)\b[.:]?\s*)?[#(\[]?\d{1,5}[.):\]]{0,2}\s*$")
_URL_ENDS = re.compile(r"(?i)(?:https?://|www\.|\b(?:github|gitlab|huggingface)\.\w+/)\S+\s*$")
_TWO_SENTENCES = re.compile(r"[^.!?]{12}[.!?]\s+[A-Z]\S*\s+[a-z]")
_SENTENCES = re.compile(r"[.!?]\s+[A-Z][a-z]+ [a-z]+ [a-z]+")
_NAME_SEPARATOR = re.compile(r"\s*[,;，；、⋅]\s*(?:and\s+)?|\s+(?:and|&)\s+", re.I)


@dataclass(frozen=True)
class Unit:
    """A piece of a list.

    Attributes:
        text: the source text, without number and label. line: where it begins (from 1).
        kind: "topic", "authors", "short", "body", "cut" (begins in mid-sentence), or a labelled "title:", "authors:", "topic:", "keywords:",
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


_TITLE_LINES = 3  # a title is not longer
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
            if held and held.kind == "body" and unit.kind in ("body", "cut") and _goes_on(held.text, unit.text):
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
        if (size := _title_lines(block, at)) > 1:  # a title broken at the margin
            yield _unit("\n".join(text for _, text in block[at : at + size]), number, "short")
            at += size
            continue
        unit = _unit(line, number)
        at += 1
        if unit.kind == "body" or (unit.kind == "short" and at < len(block) and _wrapped(block, at - 1)):
            text = line
            while at < len(block) and _continues(block, at, width, spaced):
                text += "\n" + block[at][1]
                at += 1
            unit = _unit(text, number, "body" if "\n" in text else "")
        elif unit.kind == "authors":
            text = line
            while at + (not spaced) < len(block) and _more_names(block, at):
                text += " " + block[at][1].strip()
                at += 1
            unit = _unit(text, number)
        yield unit


def _title_lines(block: list[tuple[int, str]], at: int) -> int:
    """How many lines from `at` on are the title above an author line; 0 when they are not."""
    for size in range(1, min(_TITLE_LINES, len(block) - at - 1) + 1):
        line, after = block[at + size - 1][1].strip(), block[at + size][1].strip()
        broken = size == 1 or len(block[at + size - 2][1].strip()) >= 45
        if not broken or line.endswith(".") or _LABEL.match(line) or _looks(line)[0] not in ("short", "cut"):
            return 0
        if _looks(after)[0] == "authors":
            return 0 if block[at][1].strip()[:1].islower() else size
    return 0


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
    if PAGE_WORDS.match(line) and _ENDS.search(before):
        return False
    kind, _ = _looks(line)
    if not spaced and _ENDS.search(before) and _title_lines(block, at):
        return False
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


def _unit(text: str, number: int, known: str = "") -> Unit:
    plain = text.strip(_BLANK)
    bare = _NUMBER.sub("", plain, count=1) or plain
    label = _LABEL.match(bare)
    if label and label.end() < len(bare):
        return Unit(bare[label.end() :].strip(), number, _KINDS[label["label"].casefold()])
    kind, name = (known, False) if known else _looks(bare)
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
    if _CUT.match(text):
        return "cut", False
    return "short", _is_name(without_marks(text), alone=True)


def without_marks(text: str) -> str:
    """A line of names without the notes that point to affiliations and footnotes.

    >>> without_marks("Ada Lovelace¹*, Bo Li$^{1,2}$, Eve Fox1,2")
    'Ada Lovelace, Bo Li, Eve Fox'
    """
    return _MARKS.sub("", text)


def is_names(text: str) -> bool:
    """True when a line is a list of two or more names."""
    if not any(map(_is_name, _NAME_SEPARATOR.split(text[:300])[:3])) and not any(
        _is_name(p, alone=True) for p in _NAME_SEPARATOR.split(without_marks(text[:300]))[:3]
    ):  # no abstract goes further
        return False
    text = _BRACKETS.sub("", without_marks(text))
    people = [p for p in _NAME_SEPARATOR.split(text) if p.strip()]
    if len(people) == 2 and any(map(_AND_PHRASE.search, people)):  # "Optical Flow Boosts X and Segmentation"
        return False
    small = all(len(p.split()) > 1 for p in people)  # "An Tran, A Jung Moon", not "An Overview, Revisited"
    good = sum(_is_name(p, alone=small) for p in people)
    return len(people) > 1 and good >= max(2, 0.8 * len(people)) and not _SENTENCES.search(text)


def _is_name(part: str, alone: bool = False) -> bool:
    """True for what can be one printed name: one to six name-like words, not a phrase.

    `alone`: a first word such as "An" or "Do" may be a given name, as far as the words behind it tell.
    """
    tokens = part.split()
    if not 1 <= len(tokens) <= 6 or fields.EMAIL.search(part):
        return False
    # "Bo An", "Anthony To": behind a given name a capital makes a surname; in front, "An Overview" is a phrase.
    small = tokens[:1] + [t for t in tokens[1:] if not t.istitle()]
    if alone and 2 <= len(tokens) <= 4 and tokens[0].istitle() and not any(map(_PHRASE.search, tokens[1:])):
        small = small[1:]
    if any(t.casefold() in _SMALL for t in small) or not all(_NAME_TOKEN.match(t) for t in tokens):
        return False
    if len(tokens) == 1:
        return len(part) <= 30 and (part[0].isupper() or not part.isascii())
    capital = sum(t[:1].isupper() or not t[:1].isascii() for t in tokens)
    return 2 * capital >= len(tokens) or len(tokens) <= 3 and part.islower()

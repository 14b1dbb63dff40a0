"""Printed names of people: cleaned for display, reduced to a key for comparison.

Nothing here decides who is who. `block_key` gathers spellings that differ only in case, accents,
word order, hyphens or gluing; everything looser is `variants`' business.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from kg.text import fold, squeeze, visible

Kind = Literal["person", "collaboration", "nobody"]

_COLLECTIVE = re.compile(
    r"\b(?:collaborations?|consortium|consortia|team|working group|task force|initiative|committee|"
    r"contributors|foundation|university|institute|institut|laboratory|laboratories)\b",
    re.I,
)
_NOBODY = re.compile(r"(?:et\.? ?al\.?|others|and others|anonymous(?: authors?)?|unknown|n/?a)\.?", re.I)
_DEGREE = (
    r"ph\.?\s?d\.?|m\.?d\.?|m\.?sc\.?|b\.?sc\.?|d\.?phil\.?|mba|dr\.?(?:-ing\.?)?|prof\.?|professor|"
    r"(?:student|senior|life)?\s*(?:member|fellow),?\s*(?:ieee|acm)?|ieee|acm"
)
_IN_BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|（[^（）]*）")
_QUOTED = re.compile(r"(?<!\w)[\"“”„«»‘]([^\"“”„«»’]{1,30})[\"“”«»’](?!\w)|(?<=\s)'([^']{2,20})'(?=\s)")
_LEADING_TITLE = re.compile(r"^(?:prof(?:essor)?\.?|dr\.?(?:-ing\.?)?|mrs?\.|ms\.|sir)\s+(?=\w)", re.I)
_TRAILING_DEGREE = re.compile(rf",\s*(?:{_DEGREE})\s*$", re.I)
_MARKERS = re.compile(r"[*†‡§¶‖#∗✉∥⋆★♠♣♦♥⁎¹²³⁰-⁹₀-₉{}^~$|\\]+|(?<=\w)\d+(?:,\d+)*(?!\w)|(?<=\s)\d+$")
_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv)\.?", re.I)
_HYPHENS = re.compile(r"(?<=\w)['’‘`´ʼ\u2010-\u2015\u2212-]+(?=\w)")
_GLUED = re.compile(r"(?<=[a-zà-ÿ])(?=[A-Z])")
_PLAIN = re.compile(r"[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ.-]*(?: [A-Za-zÀ-ÿ][A-Za-zÀ-ÿ.-]*)*")
_CJK = re.compile("[\u3400-\u9fff\uac00-\ud7af\u3040-\u30ff\uf900-\ufaff]")


@lru_cache(maxsize=1 << 18)
def clean(printed: str) -> str:
    """A printed name for display: no markers, degrees, bracketed nicknames, zero-width characters.

    >>> clean("Shiori Sagawa*"), clean("Müller, Jan"), clean('Chiyu "Max" Jiang'), clean("Lena Krieger 0001")
    ('Shiori Sagawa', 'Jan Müller', 'Chiyu Jiang', 'Lena Krieger')
    """
    if _PLAIN.fullmatch(printed) and not _LEADING_TITLE.match(printed):
        return printed
    name = squeeze(visible(html.unescape(printed)).replace("_", " "))
    # A dotless i under an accent is how TeX prints í; no composed form exists, so give it its dot.
    name = re.sub("ı(?=[\u0300-\u036f])", "i", name)
    name = re.sub("ı\\s?([´`¨^])", r"i", name)
    name = unicodedata.normalize("NFC", name)
    name = _MARKERS.sub("", _IN_BRACKETS.sub(" ", _QUOTED.sub(" ", name)))
    name = _LEADING_TITLE.sub("", _TRAILING_DEGREE.sub("", squeeze(name)))
    name = squeeze(name.strip(" ,;:&-"))
    head, comma, tail = name.partition(",")
    if comma and "," not in tail and tail.strip():
        name = f"{head} {tail.strip()}" if _SUFFIX.fullmatch(tail.strip()) else f"{tail.strip()} {head.strip()}"
    return squeeze(name)


def nicknames(printed: str) -> tuple[str, ...]:
    """Bracketed or quoted call names in a printed name, folded.

    >>> nicknames("King Kuok (Mimi) Hii")
    ('mimi',)
    """
    found = [m[1:-1] for m in _IN_BRACKETS.findall(printed)]
    found += [a or b for a, b in _QUOTED.findall(printed)]
    return tuple(f for f in map(fold, found) if f and not re.fullmatch(_DEGREE, f) and len(f.split()) == 1)


@lru_cache(maxsize=1 << 18)
def words(printed: str) -> tuple[str, ...]:
    """Comparison words of a name in printed order; hyphenated parts and apostrophes count as one word.

    >>> words("Jun-Yan Zhu"), words("NAN YANG"), words("YusakuNakajima")
    (('junyan', 'zhu'), ('nan', 'yang'), ('yusaku', 'nakajima'))
    """
    name = clean(printed)
    if " " not in name and "-" not in name:
        parts = _GLUED.split(name)
        if len(parts) == 2 and all(len(p) > 2 for p in parts):
            name = " ".join(parts)
    found = fold(_HYPHENS.sub("", name)).split()
    return tuple(w for w in found if not _SUFFIX.fullmatch(w)) or tuple(found)


@lru_cache(maxsize=1 << 18)
def block_key(printed: str) -> str:
    """Key shared by spellings that differ only in case, accents, word order, hyphens or gluing.

    >>> block_key("Zhu Junyan") == block_key("Jun-Yan ZHU")
    True
    """
    return " ".join(sorted(words(printed)))


@lru_cache(maxsize=1 << 16)
def kind_of(printed: str) -> Kind:
    """Whether the printed name is a person, a body of people, or nobody at all (``:``, ``et al.``)."""
    name = clean(printed)
    if not any(c.isalpha() for c in name) or _NOBODY.fullmatch(name):
        return "nobody"
    return "collaboration" if len(name.split()) > 1 and _COLLECTIVE.search(name) else "person"


def preferred(printed: Iterable[str]) -> str:
    """The best name to show among printed variants: long, accents kept, in normal case.

    >>> preferred(["remi munos", "Rémi Munos*", "R. MUNOS", "Remi Munos"])
    'Rémi Munos'
    """
    names = {clean(p) or squeeze(p) for p in printed}
    if len(names) == 1:
        return names.pop()
    return max(sorted(names), key=_worth)


def _worth(name: str) -> tuple[bool, int, int, int, int]:
    letters = [c for c in name if c.isalpha()]
    upper = sum(c.isupper() for c in letters)
    parts = name.split()
    full = sum(len(fold(p)) > 1 for p in parts)
    cased = bool(_CJK.search(name)) or (0 < upper < max(2, len(letters)) and name[:1] != name[:1].lower())
    accents = sum(unicodedata.decomposition(c) != "" or ord(c) > 127 for c in letters)
    return cased, min(full, 4), len(parts) > 1, accents, len(name)

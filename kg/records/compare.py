"""What two records are compared by: titles, names, abstracts in a form that typing does not change."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from kg.model import Paper
from kg.text import fold

# Shorter texts are placeholders ("Abstract Unavailable", "Part of") or cut off; they prove nothing.
LEAST_ABSTRACT = 100
_MARKUP = re.compile(r"\\(?:text|math)?(?:tt|bf|it|rm|sc|sf|cal|bb|emph)?\s*(?=\{)|</?[a-zA-Z][^<>]{0,40}>|[{}$\\^_~]")
_LABEL = re.compile(r"(?i)\s*(?:abstract|summary)\b\s*[:.—–-]*\s*")
_TAIL = re.compile(r"(?i)\s*(?:show (?:more|less)|read more)\s*$")
_TITLE_TAG = re.compile(
    r"(?i)\s*[\[(]\s*(?:abstract reprint|extended abstract|poster|oral|spotlight|reprint|invited)\s*[\])]\s*$"
)
_MARKED = re.compile(r"[\\<]")
_DELETE = bytes(c for c in range(128) if not chr(c).isalnum())
_SIGNS = str.maketrans({"+": " plus ", "*": " star ", "#": " sharp ", "′": " prime ", "&": " and "})
_MARKS = re.compile(r"\([^)]*\)|\[[^\]]*\]|[*†‡§¶\d]+|\b(?:jr|sr|ii|iii|iv|phd)\b\.?", re.I)


def title_key(title: str) -> str:
    """Comparison form of a title: words only, markup gone, `+`, `*` and digits kept.

    >>> title_key("CALM : A Multi-task Study.") == title_key("CALM: a multi-task  study")
    True
    >>> title_key("Hyperbolic Neural Networks") == title_key("Hyperbolic Neural Networks++")
    False
    """
    return letters(_MARKUP.sub(" ", _TITLE_TAG.sub("", title)).translate(_SIGNS))


def letters(text: str) -> str:
    """Letters and digits of a text, folded; quick, since it sees every abstract."""
    plain = text if text.isascii() else unicodedata.normalize("NFKD", text)
    bare = plain.encode("ascii", "ignore").lower().translate(None, _DELETE).decode()
    # Letters of other scripts carry the text where ASCII ones do not.
    return bare if 3 * len(bare) > len(text) else fold(text).replace(" ", "")


def abstract_key(abstract: str) -> str:
    """Comparison form of an abstract; "" when it is too short to tell papers apart."""
    label = _LABEL.match(abstract)
    start = label.end() if label else 0
    bare = abstract[start:-20] + _TAIL.sub("", abstract[max(start, len(abstract) - 20) :])
    if len(bare) < LEAST_ABSTRACT:
        return ""
    return letters(_MARKUP.sub("", bare) if _MARKED.search(bare) else bare)


@lru_cache(maxsize=1 << 17)
def name_parts(name: str) -> tuple[str, str]:
    """Family name and initials of a printed name, folded: ("turing", "am").

    >>> name_parts("Alan M. Turing") == name_parts("Turing, Alan M.")
    True
    """
    last, comma, given = _MARKS.sub(" ", name).partition(",")
    if comma and given.strip():
        family, first = fold(last).replace(" ", ""), fold(given).split()
    else:
        words = fold(last).split()
        family, first = (words[-1], words[:-1]) if words else (fold(name).replace(" ", ""), [])
        if len(family) == 1 and first:  # "Turing A": initials behind
            family, first = first[-1], [*first[:-1], family]
    return family, "".join(w[0] for w in first)


def same_person(a: str, b: str) -> bool:
    """True when two printed names can be the same person on one paper."""
    (family, first), (other, second) = name_parts(a), name_parts(b)
    if family == other:
        return not first or not second or first[0] == second[0]
    return sorted(fold(a).split()) == sorted(fold(b).split())  # family name first


def shared_authors(a: Paper, b: Paper) -> float:
    """Share of the shorter author list found in the other; -1 when a list is missing."""
    if not a.authors or not b.authors:
        return -1.0
    few, many = sorted((a.authors, b.authors), key=len)
    left = {name_parts(x.name)[0] for x in many}
    tokens = {t for x in many for t in fold(x.name).split()}
    hits = sum(name_parts(x.name)[0] in left or all(t in tokens for t in fold(x.name).split()) for x in few)
    return hits / len(few)

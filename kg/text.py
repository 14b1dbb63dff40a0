"""Text as people see it and as keys compare it. Nothing here changes stored source text."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_NOT_WORD = re.compile(r"[\W_]+")
_SPACES = re.compile(r"\s+")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")
_DOTLESS = str.maketrans({"ı": "i", "ȷ": "j", "ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D"})


def squeeze(text: str) -> str:
    """Text with every run of white space as one blank, and none outside."""
    return _SPACES.sub(" ", text).strip()


def visible(text: str) -> str:
    """Text without zero-width and directional characters."""
    return _INVISIBLE.sub("", text)


def fold(text: str) -> str:
    """Comparison form: compatibility-decomposed, no accents, case-folded, words joined by one blank.

    >>> fold("Álvaro  Rodrı́guez-Abella")
    'alvaro rodriguez abella'
    """
    if text.isascii():  # most text; the same result, much sooner
        return _NOT_WORD.sub(" ", text.lower()).strip()
    decomposed = unicodedata.normalize("NFKD", visible(text).translate(_DOTLESS))
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    return _NOT_WORD.sub(" ", bare.casefold()).strip()


def slug(text: str, limit: int = 60) -> str:
    """ASCII-leaning words joined by hyphens, safe in an IRI path; "" when nothing is left."""
    words = fold(text.replace("+", " plus ").replace("*", " star ")).split()
    return "-".join(words)[:limit].strip("-")


def digest(*parts: str, length: int = 12) -> str:
    """Hexadecimal SHA-256 prefix of the parts, unambiguous in where one part ends."""
    data = "".join(f"{len(p)}:{p}" for p in parts)
    return hashlib.sha256(data.encode("utf-8", "surrogatepass")).hexdigest()[:length]

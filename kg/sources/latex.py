"""What BibTeX says with LaTeX, as the characters it means: accents, escaped signs, protective braces.

Mathematics stays as written, and so does every macro that is not a character.
"""

from __future__ import annotations

import re
import unicodedata

_COMBINING = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "d": "\u0323", "b": "\u0331",
    "r": "\u030a",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø", "l": "ł",
    "L": "Ł", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ",
    "textendash": "–", "textemdash": "—", "textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“",
    "textquotedblright": "”", "textasciitilde": "~", "textbackslash": "\\", "textunderscore": "_",
    "textregistered": "®", "texttrademark": "™", "textdegree": "°", "ldots": "…", "dots": "…", "slash": "/",
}  # fmt: skip
_ACCENT = re.compile(
    r"""\{?\\(?:(?P<sign>['`^"~=.])\s*|(?P<word>[uvHckdbr])(?:\s+|(?=\{)|(?=\\[ij])))"""
    r"""(?:\{\s*(?P<braced>\\?[^\W\d_])\s*\}|(?P<macro>\\[ij])(?![A-Za-z])\s?|(?P<bare>[^\W\d_]))(?P<close>\})?"""
)
_LETTER = re.compile(r"\\(" + "|".join(sorted(_LETTERS, key=len, reverse=True)) + r")(?:\{\}|\s+|(?![A-Za-z]))")
_SIGN = re.compile(r"\\([&%$#_{}])")
_MATH = re.compile(r"(?<!\\)(\$\$?.+?(?<!\\)\$\$?)", re.S)
_BRACES = re.compile(r"(?<!\\)[{}]")
_KEPT_MACRO = re.compile(r"\\[A-Za-z]+\*?\s*(?:\[[^\]]*\])?\{[^{}]*\}")


def unaccent(text: str) -> str:
    r"""The text with accent macros as letters: "Rodr\'{\i}guez" -> "Rodríguez", "Ze\v{c}evi\'c" -> "Zečević"."""
    if "\\" not in text:
        return text
    return _LETTER.sub(lambda m: _LETTERS[m[1]], _ACCENT.sub(_compose, text))


def _compose(found: re.Match[str]) -> str:
    letter = (found["braced"] or found["macro"] or found["bare"]).lstrip("\\")
    mark = _COMBINING[found["sign"] or found["word"]]
    opened, closed = found[0].startswith("{"), bool(found["close"])
    kept = ("{" if opened and not closed else ""), ("}" if closed and not opened else "")
    return kept[0] + unicodedata.normalize("NFC", letter + mark) + kept[1]


def decode(value: str) -> str:
    r"""A BibTeX field as text: braces that only protect capitals go, `\&` becomes `&`, math stays.

    >>> decode(r"{BERT} \& the {\'e}lan of $\{x\}$")
    'BERT & the élan of $\\{x\\}$'
    """
    if not re.search(r"[\\{}~]|``|''|--", value):
        return value
    parts = _MATH.split(value)
    return "".join(part if at % 2 else _outside(part) for at, part in enumerate(parts))


def _outside(text: str) -> str:
    text = unaccent(text)
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:  # `\emph{x}` and the like keep their braces
        held.append(found[0])
        return f"\0{len(held) - 1}\0"

    if "\\" in text:
        text = _KEPT_MACRO.sub(hold, text)
    text = _SIGN.sub(r"\1", _BRACES.sub("", text))
    text = text.replace("``", "“").replace("''", "”").replace("---", "—").replace("--", "–")
    text = re.sub(r"(?<![\\/:\w])~|(?<=\w)~(?=\w)", " ", text) if "://" not in text else text
    return re.sub("\0(\\d+)\0", lambda m: held[int(m[1])], text)

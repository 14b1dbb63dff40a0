"""One printed reference, taken apart: authors, title and where it appeared, in the orders people write them."""

from __future__ import annotations

import re
from typing import NamedTuple

from kg.model import Paper
from kg.sources import fields
from kg.sources.textunits import is_names, without_marks

_LEAD = re.compile(r"^\s*(?:\[[\w+-]{1,12}\]|[(（]\d{1,5}[)）]|#?\d{1,5}[.)](?=\s)|#{1,6}(?=\s)|[-*+•‣▪◦–—](?=\s))\s*")
_LINK = re.compile(r"!?\[+([^\[\]]*)\]+\(([^()\s]+)[^)]*\)")
_URL = re.compile(r"<?https?://[^\s<>]+[^\s<>.,;)\]]>?")
_QUOTED = re.compile(r"[\"“„«]\s*(?P<title>[^\"“”„«»]{8,300}?)[.,]?\s*[\"”“»][.,]?")
_STRONG = re.compile(
    r"(?<![\w*_])(?P<mark>\*\*\*|\*\*|\*|__|_)(?=\S)(?P<title>[^*_\n]{8,300}?)(?<=\S)(?P=mark)(?!\w)[.,]?"
)
_YEAR = r"\(?(?P<year>(?:19|20)\d\d)[a-z]?(?:,\s*[A-Z][a-z]+(?:\s\d+)?)?\)?"
_THEN_YEAR = re.compile(r"^(?P<names>.{3,}?)[.,]?\s*" + _YEAR + r"\s*[.:,]\s+(?P<rest>\S.+)$", re.S)
_STOP = re.compile(r"(?<!\bvs)(?<!\bNo)(?<!\bVol)[.?!](?=\s+[\"“]?[^\Wa-z]|\s*$)")
_INVERTED = re.compile(  # "Lovelace, A., Li, B. C., & Fox, E."
    r"^(?:[^\W\d][\w'’ -]{1,30}, (?:[A-ZÀ-Þ]\.[ -]?){1,4}(?:, et al\.?)?(?:,? (?:&|and) |, |; |$))+(?:\.\.\. ?.*)?$"
)
_INITIAL = re.compile(r"(?:[^\W\d_a-z]\.?-?){0,3}")
_SPLIT = re.compile(r"\s+[-–—]\s+|\s*;?\s+\bby:?\s+(?=[^\Wa-z])")
_TAIL_MARKS = re.compile(r"(?i)^\W*(?:in|appears in|published in|to appear in)?:?\s+(?=\w)|^\W+")
_EXTRAS = re.compile(
    r"(?i),?\s*(?:pp?\.|pages?|vol(?:ume)?\.?|no\.|arxiv:|doi:|isbn|editors?).*$|[,\s]+\d[\d():–-]*\s*$"
)


class _Parts(NamedTuple):
    names: str
    title: str
    tail: str


def reference(line: str) -> Paper | None:
    """The paper a reference names, or None when the line is none.

    >>> found = reference("[3] Ada Lovelace and Bo Li. Loaves that Rise by Themselves. ICLR, 2026.")
    >>> found.title, [a.name for a in found.authors], found.venue, found.year
    ('Loaves that Rise by Themselves', ['Ada Lovelace', 'Bo Li'], 'ICLR', 2026)
    """
    if len(line) > 1500:
        return None
    links = [url for _, url in _LINK.findall(line)] + [u.strip("<>") for u in _URL.findall(_LINK.sub("", line))]
    text = _URL.sub("", _LINK.sub(lambda m: "" if len(m[1].split()) < 3 else m[1], _LEAD.sub("", line, count=1)))
    text = re.sub(r"\[\s*\]|\(\s*\)", "", text).strip()
    parts = _divided(text) or _marked(text) or _dated(text) or _pointed(text)
    if not parts or not 2 <= len(parts.title.split()) <= 40:
        return None
    venue, year = _where(parts.tail)
    numbers = re.findall(r"(?i)arxiv[:\s]*(\d{4}\.\d{4,5})|\b(10\.\d{4,9}/\S+)", line)
    ids = [i for a, d in numbers for i in (*fields.arxiv(a), *fields.doi(d))]
    web = [u for u in links if u.startswith("http")]
    code = [u for u in web if re.search(r"//(?:github|gitlab)\.com/[^/]+/[^/]+", u)]
    return Paper(
        ids=fields.same_ids([*ids, *fields.ids_in(*links)]),
        title=parts.title,
        authors=fields.authors(without_marks(_plain(parts.names))),
        venue=venue,
        year=year,
        url=next((u for u in web if u not in code), ""),
        links=fields.links(code, "code"),
    )


def _marked(text: str) -> _Parts | None:
    """A title in quotes or emphasis, the authors before or behind it."""
    for pattern in (_QUOTED, _STRONG):
        for found in pattern.finditer(text):
            before, after = _trim(text[: found.start()]), text[found.end() :].strip()
            before = re.sub(r"[\s,.]*\(?(?:19|20)\d\d[a-z]?\)?$", "", before)
            title = _trim(_plain(found["title"]))
            if before and _names(before):
                return _Parts(before, title, f"{after} {text[: found.start()]}" if not fields.year(after) else after)
            after = after.lstrip(" -–—|,.:;(")
            if not before and (cut := _until_venue(_trim(after)) or _names_first(after)):
                return _Parts(cut[0], title, cut[1])
    return None


def _dated(text: str) -> _Parts | None:
    """Authors, then the year, then the title: `Lovelace, A., & Li, B. (2026). Title. Venue.`"""
    found = _THEN_YEAR.match(text)
    if not found or re.search(r"\w{3}\.\s", found["names"]) or not _names(found["names"]):
        return None
    title, tail = _sentence(_plain(found["rest"]))
    return _Parts(found["names"], title, f"{tail} {found['year']}") if title else None


def _pointed(text: str) -> _Parts | None:
    """`Authors. Title. Venue, Year.`, or the title first."""
    plain = _plain(text)
    if cut := _names_first(plain):
        title, tail = _sentence(cut[1])
        if title and not is_names(title):
            return _Parts(cut[0], title, tail)
    title, rest = _sentence(plain)
    if title and rest and not is_names(title) and (cut := _names_first(rest)):
        return _Parts(cut[0], title, cut[1])
    return None


def _divided(text: str) -> _Parts | None:
    """Title and authors with a tab, a dash, a bar or "by" between them, in either order."""
    if len(cells := [c for c in re.split(r"\t+|\s+\|\s+", text) if c.strip()]) > 1:
        cells = [_plain(c) for c in cells]
        names = next((c for c in cells if _names(c) and not fields.year(c)), "")
        title = next((c for c in cells if c != names and not is_names(c) and len(c.split()) > 1), "")
        rest = [c for c in cells if c not in (names, title)]
        return _Parts(names, _trim(title), " ".join(rest)) if names and title else None
    if _QUOTED.search(text):
        return None
    found = list(_SPLIT.finditer(text))
    for cut in reversed(found):
        left, right = _plain(text[: cut.start()]), _plain(text[cut.end() :])
        if re.search(r"\w{3}\.\s+\S", left):
            break
        if len(left.split()) >= 3 and not is_names(left) and _names(right):
            return _Parts(right, _trim(left), "")
    if (
        found
        and not re.search(r"\w{3}\.\s", text[: found[0].start()])
        and _names(left := _plain(text[: found[0].start()]))
    ):
        right = _plain(text[found[0].end() :])
        if len(right.split()) >= 3 and not is_names(right):
            return _Parts(left, _trim(right), "")
    return None


def _names_first(text: str) -> tuple[str, str] | None:
    """Authors at the beginning, and what follows the full stop (or colon) behind them."""
    for stop in re.finditer(r"[.:]\s+|\.?\s*$", text[:900]):
        head = text[: stop.start()].strip()
        last = head.split()[-1] if head.split() else ""
        if _INITIAL.fullmatch(last) and stop.end() < len(text):  # an initial does not end the list…
            if _inverted(head):  # …except where initials stand behind the names
                return head + ".", text[stop.end() :].strip()
            continue
        if _names(head) and (is_names(head) or stop[0][:1] == "." and stop.end() < len(text)):
            return head, text[stop.end() :].strip()
        if stop[0][:1] == "." and (cut := _until_venue(head)):
            return cut[0], f"{cut[1]}. {text[stop.end() :]}"
        if len(head.split()) > 3 and not is_names(", ".join(head.split(", ")[:2])) and not _INVERTED.match(head + ","):
            return None
    return None


def _until_venue(text: str) -> tuple[str, str] | None:
    """Names with a venue behind their last comma: `Ada Lovelace, Bo Li, ICLR 2026`."""
    head, comma, tail = text.rpartition(",")
    if not comma and (found := re.search(r"\s*\([^()]*\d{4}\)$|\s+[A-Z]{3,}\w*\s*(?:19|20)\d\d$", text)):
        head, tail = text[: found.start()], found[0]
    if re.fullmatch(r"\W*(?:19|20)\d\d\W*", tail) and "," in head:  # ", ICLR, 2026"
        head, _, more = head.rpartition(",")
        tail = more + tail
    return (head, tail.strip()) if fields.year(tail) and _names(head) else None


def _inverted(text: str) -> bool:
    """True for "Lovelace, A., Li, B. C."; "Ada Lovelace, B." is the beginning of another list."""
    one_word = len(text.split(",")[0].split()) == 1
    return bool(_INVERTED.match(text.rstrip(".") + ".")) and (one_word or text.count(",") > 1)


def _names(text: str) -> bool:
    text = re.sub(r"(?i)[,\s]+et\.?\s+al\.?|[,\s]+and others", "", _trim(_plain(text)))
    if _inverted(text):
        return True
    alone = 2 <= len(text.split()) <= 4 and "," not in text and text.split()[0][:1].isupper()
    return bool(text) and (is_names(text) or alone and is_names(f"{text}, {text}"))


def _sentence(text: str) -> tuple[str, str]:
    """The first sentence without its full stop, and the rest."""
    found = _STOP.search(text)
    if found and found[0] != ".":  # "Ask or Not? Finding What Is Missing. Venue": the title goes on
        more = _STOP.search(text, found.end())
        between = text[found.end() : more.start()] if more else ""
        if len(between.split()) > 3 and not fields.year(between) and not re.match(r"\s*(?:In|Proc)\b", between):
            found = more
    if not found:
        return _trim(text), ""
    end = found.end() if found[0] != "." else found.start()
    return _trim(text[:end]), text[found.end() :].strip()


def _where(tail: str) -> tuple[str, int | None]:
    """Venue and year in what stands behind the title."""
    plain = _trim(_plain(tail))
    years = re.findall(r"(?<![\d.:/])((?:19|20)\d\d)(?![\d.:/])", plain)
    if not years:
        return ("", None) if not plain or len(plain.split()) > 14 else (fields.venue(_tidy(plain))[0], None)
    name = _tidy(re.sub(r"[\s,.'’(]*(?<!\d)(?:19|20)\d\d(?!\d)[)a-z]?", " ", plain))
    return (fields.venue(name)[0] if len(name.split()) <= 14 else ""), int(years[-1])


def _tidy(venue: str) -> str:
    venue = _EXTRAS.sub("", _TAIL_MARKS.sub("", f" {venue}"))
    return re.sub(r"(?i)^proceedings of (?:the )?(?:\d+\w* )?", "", venue).strip(" .,;:()[]–-")


def _plain(text: str) -> str:
    return re.sub(r"(?<![\w*])(\*{1,3}|_{1,2})(?=\S)(.+?)(?<=\S)\1(?!\w)", r"\2", text).replace("`", "").strip()


def _trim(text: str) -> str:
    return text.strip().rstrip(",;:–—-|( ").removesuffix(".").strip() if not text.strip().endswith("...") else text

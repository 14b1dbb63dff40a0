"""How values of upstream fields become values of a `Paper`: names, years, identifiers, venues, topics."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from kg.ids import ids_from_url
from kg.model import Author, Link

# Also the end of a group that was split at its commas: "{ada, bo}@x.org" leaves "bo}@x.org".
EMAIL = re.compile(
    r"(?<![\w.+-])(?!git@)[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\b|\{?[^{}@\s]*\}@[\w.-]+|\{[^{}@]*\}@[\w.-]+"
)
_NO_ADDRESS = re.compile(r"[<(]?(?:" + EMAIL.pattern + r")[>)]?")
_NOT_A_NAME = re.compile(
    r"(?i)^(?:[\W_]*|et\.?\s*al\.?|and others|others|n/?a|none|null|nan|unknown|anonymous authors?)$"
)
_PLAIN_NAME = re.compile(r"\s*[^\W\d_][\w.'’ -]*\s*$")
_PLAIN_DOUBT = re.compile(r"(?i)\b(?:and|und|et|al|others|unknown|none|null|nan|anonymous)\b")
_TAIL = re.compile(r"(?i)[\s,;]*\b(?:et\.?\s*al\b\.?|and others)\s*$")
_SUFFIX = re.compile(r"(?i)^(?:jr|sr|ii|iii|iv|ph\.?\s?d|m\.?d|esq)\.?$")
_INITIALS = re.compile(r"^(?:[A-ZÀ-ÞĀ-Ž]\.?[\s-]?){1,4}$")
_PARTICLE = re.compile(r"(?i)^(?:van|von|de|da|del|della|di|der|den|la|le|el|al|dos|du|bin|ibn|ter|ten|af|zu|st\.?)$")
_AND = re.compile(r"\s+(?:and|und|et|&)\s+|\s+&\s*|\s*\\and\s*", re.I)
_ORGANISATION = re.compile(
    r"(?i)\b(?:universit\w*|institut\w*|colla\w*boration|consortium|team|group|cent(?:er|re)|department|"
    r"school|agency|laborator\w*|lab|inc|society|association|council|ministry|office|committee|of|for|the)\b"
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d|2100)(?!\d)")
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>]+")
_ORCID = re.compile(r"(\d{4}-\d{4}-\d{4}-\d{3}[\dX])", re.I)
_ARXIV = re.compile(r"(?i)^(?:oai:arxiv\.org:|arxiv:|https?://(?:www\.)?arxiv\.org/(?:abs|pdf)/)?"
                    r"(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?(?:\.pdf)?(?:\s*\[[\w.-]+\])?$")  # fmt: skip


def text(value: Any) -> str:
    """A string of a loosely typed field: the value, the first of a list, "" for nothing.

    Raises ValueError when the field holds something that is not text.
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return text(value[0]) if value else ""
    if isinstance(value, dict) and "value" in value:
        return text(value["value"])
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    raise ValueError(f"text expected, found {type(value).__name__}")


def strings(value: Any, separators: str = r"\s*[;,]\s*") -> tuple[str, ...]:
    """Each entry of a list, or of a string split at `separators`; blanks stripped, doubles dropped."""
    if value is None:
        return ()
    parts: Iterable[Any] = value if isinstance(value, (list, tuple)) else re.split(separators, text(value))
    return tuple(dict.fromkeys(s for p in parts if (s := text(p).strip(" \t\r\n;,"))))


def _parts(name: str) -> list[str]:
    """The people in one slot: usually one, several when a source glued them."""
    if _PLAIN_NAME.match(name) and not _PLAIN_DOUBT.search(name):  # nearly all
        return [name.strip()]
    name = _TAIL.sub("", _NO_ADDRESS.sub("", html.unescape(name))).strip().strip(",;").strip()
    name = re.sub(r"(?i)^(?:and|&)\s+|\s+(?:and|&)$", "", name)
    if _NOT_A_NAME.match(name):
        return []
    if ";" in name:
        return [p for part in name.split(";") for p in _parts(part)]
    if "," in name or "、" in name or "，" in name:
        return _split_commas(name)
    sides = _AND.split(name)
    if (
        len(sides) > 1
        and not any(map(_organisation, sides))
        and all(len(s.split()) > 1 or _CJK.search(s) for s in sides)
    ):
        return [p for side in sides for p in _parts(side)]
    return [name]


def _organisation(name: str) -> bool:
    """True for what only an organisation is called; "The Anh Le" is a person."""
    return bool(_ORGANISATION.search(name.removeprefix("The ")))


def _split_commas(name: str) -> list[str]:
    parts = [p.strip() for p in re.split(r"[,，、]", name) if p.strip()]
    if len(parts) == 1:
        return _parts(parts[0])
    if _SUFFIX.match(parts[-1]) and len(parts) <= 3:
        return [name]
    if _AND.match(" " + parts[-1]):
        parts[-1] = _AND.sub("", " " + parts[-1], count=1)
    # "Smith, J., Doe, A." : every second part holds initials only.
    if len(parts) % 2 == 0 and all(_INITIALS.match(p) for p in parts[1::2]):
        return [f"{last}, {given}" for last, given in zip(parts[::2], parts[1::2], strict=True)]
    if len(parts) == 2 and not _CJK.search(parts[0]):
        # "van Gogh, Vincent Willem" is one person; "Le Cui, Eric Marchand" are two: a capital makes a given name.
        before = parts[0].split()
        particle = _PARTICLE.match(before[0]) and not (before[0].istitle() and len(parts[1].split()) > 1)
        one_word = len(before) == 1 or particle or len(parts[1].split()) == 1
        if one_word and not (_AND.search(parts[1]) and not _ORGANISATION.search(parts[1])):
            return [name]
    if len(parts) < 4 and _ORGANISATION.search(name) and not all(2 <= len(p.split()) <= 4 for p in parts):
        return [name]
    return [p for part in parts for p in _parts(part)]


def split_names(value: str) -> list[str]:
    """The names in a string of authors, whatever separates them.

    >>> split_names("Ada Lovelace, Alan M. Turing and Grace Hopper")
    ['Ada Lovelace', 'Alan M. Turing', 'Grace Hopper']
    >>> split_names("Lovelace, Ada; Turing, Alan")
    ['Lovelace, Ada', 'Turing, Alan']
    """
    value = value.strip().strip(";,").strip()
    if ";" not in html.unescape(value) and "," in value and len(_AND.split(value)) > 1:
        sides = _AND.split(value)
        if all(s.count(",") == 1 for s in sides):  # "Last, First and Last, First"
            return [p for s in sides for p in _parts(s)]
    return _parts(value)


def authors(names: Any, ids: Any = None, affiliations: Any = None) -> tuple[Author, ...]:
    """Authors in order from a list of names or of records, or from one string.

    `ids` and `affiliations`, when they run parallel to `names`, give each author's profile
    ("~Ada_Lovelace1"; e-mail addresses are dropped) and affiliation.
    """
    if names is None or names == "":
        return ()
    if isinstance(names, str):
        return once(Author(name=n) for n in split_names(names))
    if isinstance(names, Mapping):
        names = [names]
    if not isinstance(names, (list, tuple)):
        raise ValueError(f"authors expected, found {type(names).__name__}")
    parallel_ids = ids if isinstance(ids, list) and len(ids) == len(names) else [None] * len(names)
    parallel = affiliations if isinstance(affiliations, list) and len(affiliations) == len(names) else None
    found: list[Author] = []
    for i, slot in enumerate(names):
        places = institutions(parallel[i]) if parallel else ()
        own = profile(parallel_ids[i])
        if isinstance(slot, Mapping):
            record = person(slot)
            if record is None:
                continue
            slot, places, own = record.name, record.affiliations or places, record.ids or own
        people = _parts(text(slot))
        for name in people:
            found.append(Author(name=name, affiliations=places, ids=own if len(people) == 1 else ()))
    return once(found)


def once(found: Iterable[Author]) -> tuple[Author, ...]:
    """The list, halved when a scraper printed it twice (A B C A B C); a double name alone stays."""
    people = tuple(found)
    half = len(people) // 2
    names = [a.name for a in people]
    if half > 1 and len(people) % 2 == 0 and names[:half] == names[half:]:
        return people[:half]
    return people


def person(record: Mapping[str, Any]) -> Author | None:
    """An author from a record with the usual keys; None when it names nobody."""
    if record.keys() <= {"name", "affiliation"} and isinstance(record.get("name"), str):
        where = record.get("affiliation")
        return (
            Author(name=record["name"], affiliations=institutions(where) if where else ()) if record["name"] else None
        )
    name = text(record.get("name") or record.get("fullname") or record.get("full_name") or record.get("display_name"))
    given, family = text(record.get("given") or record.get("first")), text(record.get("family") or record.get("last"))
    name = name or f"{given} {family}".strip() or text(record.get("literal"))
    ids = [*profile(record.get("openreview_id") or record.get("profile") or record.get("authorid"))]
    ids += orcid(record.get("orcid") or record.get("ORCID"))
    where = record.get("affiliation") or record.get("affiliations") or record.get("institution")
    return Author(name=name, affiliations=institutions(where), ids=tuple(ids)) if name.strip() else None


def institutions(value: Any) -> tuple[str, ...]:
    """Affiliations as printed: entities decoded, e-mail addresses dropped, `A+B` and `A; B` split."""
    if isinstance(value, str):
        return _institutions(value)
    if not value:
        return ()
    parts = value if isinstance(value, (list, tuple)) else [value]
    return tuple(dict.fromkeys(p for part in parts for p in _institutions(_institution(part))))


def _institution(part: Any) -> str:
    return text(part.get("name") or part.get("display_name")) if isinstance(part, Mapping) else text(part)


@lru_cache(maxsize=1 << 15)
def _institutions(printed: str) -> tuple[str, ...]:
    plain = html.unescape(printed)
    if "@" in plain:
        plain = re.sub(r"(?i)\(?(?:electronic address|e-?mail)?:?\s*(?:" + EMAIL.pattern + r")\)?", "", plain)
    parts = (p.strip(" ,;\t\r\n") for p in re.split(r"\s*\+\s*(?=\w)|;\s*", plain))
    return tuple(dict.fromkeys(p for p in parts if p))


def profile(value: Any) -> tuple[str, ...]:
    """CURIE of an OpenReview profile or a DBLP page; () for blanks, e-mail addresses and the rest."""
    plain = text(value).strip() if value else ""
    if plain.startswith("~") and "@" not in plain:
        return (f"openreview:{plain}",)
    if "dblp.org/pid/" in plain:
        return (f"dblp:{plain.split('/pid/')[1].removesuffix('.html')}",)
    return ()


def orcid(value: Any) -> tuple[str, ...]:
    """CURIE of an ORCID in any spelling, or ()."""
    found = _ORCID.search(text(value)) if value else None
    return (f"orcid:{found[1].upper()}",) if found else ()


def year(value: Any) -> int | None:
    """The year in a number or a text ("2018/04", "Mar. 2017"), or None."""
    if isinstance(value, bool) or value in (None, ""):
        return None
    found = _YEAR.search(str(text(value)))
    return int(found[1]) if found else None


def doi(value: Any) -> tuple[str, ...]:
    """CURIE of the DOI in a text or address ("https://doi.org/10.1/X" -> "doi:10.1/x"), or ()."""
    found = _DOI.search(text(value).replace("\\_", "_").replace("\\", "")) if value else None
    return (f"doi:{found[0].lower().rstrip('.,;)}')}",) if found else ()


def arxiv(value: Any) -> tuple[str, ...]:
    """CURIE of an arXiv number in any spelling, without its version, or ()."""
    found = _ARXIV.match(text(value).strip()) if value else None
    return (f"arxiv:{found[1]}",) if found else ()


def same_ids(ids: Iterable[str]) -> tuple[str, ...]:
    """Sorted CURIEs; a DOI that only repeats an arXiv number counts as that number."""
    found = set(ids)
    for one in tuple(found):
        if one.startswith("doi:10.48550/arxiv."):
            found.discard(one)
            found.update(arxiv(one.removeprefix("doi:10.48550/arxiv.")))
    return tuple(sorted(found))


def ids_in(*values: Any) -> tuple[str, ...]:
    """Identifiers carried by addresses (landing page, PDF)."""
    return same_ids(i for v in values if isinstance(v, str) and v for i in ids_from_url(v))


def venue(value: Any) -> tuple[str, int | None, str]:
    """Short venue, year and event of what a source prints as venue.

    >>> venue("ICLR 2026 Oral")
    ('ICLR', 2026, 'ICLR 2026 Oral')
    >>> venue("ICML")
    ('ICML', None, '')
    """
    printed = " ".join(text(value).split())
    if printed in ("DV",):  # a list whose scraper took "3DV" for a number and a name
        printed = "3DV"
    found = re.match(r"^(?P<name>\S{1,14}(?:\s\S{1,10})?)[\s',_-]*(?P<year>(?:19|20)\d\d)\b(?P<rest>.*)$", printed)
    if found and not found["name"].endswith(("of", "the")):
        name = found["name"].strip(" ',_-")
        return name, int(found["year"]), printed if found["rest"].strip() else ""
    return printed, year(printed), ""


def topic(value: Any) -> tuple[str, ...]:
    """A path from broad to narrow: "Applications · Time Series" or "A->B".

    >>> topic("Applications · Time Series")
    ('Applications', 'Time Series')
    """
    return tuple(p for part in re.split(r"\s*(?:·|->|→|»|›)\s*|\s+>\s+", text(value)) if (p := part.strip()))


def topics(value: Any) -> tuple[tuple[str, ...], ...]:
    """One path or several."""
    if not value:
        return ()
    values = value if isinstance(value, (list, tuple)) else [value]
    return tuple(dict.fromkeys(path for v in values if v and (path := topic(v))))


_URL = re.compile(r"https?://\S+|(?:www\.|github\.com/|gitlab\.com/|huggingface\.co/)\S+", re.I)


def links(value: Any, kind: str = "") -> tuple[Link, ...]:
    """Addresses in a field that states links, as printed."""
    if not value:
        return ()
    values = value if isinstance(value, (list, tuple)) else [value]
    found = [u.rstrip(".,;") for v in values if v for u in re.findall(_URL, text(v))]
    return tuple(Link(url=u, kind=kind) for u in dict.fromkeys(found))


def natural(name: str) -> str:
    """A name given as "Last, First" in the order people say it; other names as they are.

    >>> natural("van Gogh, Vincent"), natural("Lovelace, III, Ada"), natural("Ada Lovelace")
    ('Vincent van Gogh', 'Ada Lovelace III', 'Ada Lovelace')
    """
    parts = [p.strip() for p in name.split(",") if p.strip()]
    if len(parts) == 2 and _SUFFIX.match(parts[1]):
        return " ".join(parts)
    if len(parts) == 2:
        return f"{parts[1]} {parts[0]}"
    if len(parts) == 3:
        suffix = next((p for p in parts[1:] if _SUFFIX.match(p)), "")
        given = next((p for p in parts[1:] if p != suffix), "")
        return " ".join(p for p in (given, parts[0], suffix) if p)
    return name.strip()

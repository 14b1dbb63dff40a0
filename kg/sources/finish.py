"""What every paper passes before it leaves a source: no e-mail address, no broken text, no empty record."""

from __future__ import annotations

from msgspec.json import encode
from msgspec.structs import replace

from kg.model import Author, Paper, Rejected
from kg.sources.fields import EMAIL, same_ids

# No abstract is this long (the longest of 100,000 real ones has 16,262 characters); a lost separator is.
MAX_TEXT = 200_000
_SUPPLIED = tuple(f for f in Paper.__struct_fields__ if f not in ("key", "origins"))


def finish(paper: Paper) -> Paper | Rejected:
    """The paper, its origin telling which fields it supplied, or why it is none.

    An e-mail address inside a title or abstract is masked by as many dots, so that offsets still agree
    with the source text.
    """
    where = paper.origins[0]
    reason = _fault(paper)
    if reason:
        return Rejected(
            file=where.file, place=where.place, reason=reason, head=_printable(paper.title or paper.abstract)[:200]
        )
    if "@" in paper.title or "@" in paper.abstract:
        paper = replace(paper, title=_mask(paper.title), abstract=_mask(paper.abstract))
    if any("@" in a.name or "@" in str(a.affiliations) or "@" in str(a.ids) for a in paper.authors):
        paper = replace(paper, authors=tuple(b for a in paper.authors if (b := _no_address(a))))
    if "@" in str(paper.affiliations):
        paper = replace(paper, affiliations=tuple(EMAIL.sub("", a).strip(" <>(),;") for a in paper.affiliations))
    fields = tuple(f for f in _SUPPLIED if getattr(paper, f))
    return replace(paper, ids=same_ids(paper.ids), origins=(replace(where, fields=fields),))


def _fault(paper: Paper) -> str:
    if not paper.title.strip() and not paper.abstract.strip():
        return "has neither a title nor an abstract"
    for name in ("title", "abstract"):
        if len(getattr(paper, name)) > MAX_TEXT:
            return f"the {name} has {len(getattr(paper, name)):,} characters; no {name} is that long (a lost line end?)"
    try:
        encode(paper)
    except UnicodeEncodeError:
        return "not valid UTF-8 (if the file has another encoding, convert it to UTF-8 first)"
    return ""


def _printable(text: str) -> str:
    return text[:1000].encode("utf-8", "replace").decode()


def _mask(text: str) -> str:
    return EMAIL.sub(lambda m: "•" * len(m[0]), text) if "@" in text else text


def _no_address(author: Author) -> Author | None:
    name = EMAIL.sub("", author.name).strip(" <>(),;")
    if not name:
        return None
    places = tuple(p for a in author.affiliations if (p := EMAIL.sub("", a).strip(" <>(),;")))
    return Author(name=name, affiliations=places, ids=tuple(i for i in author.ids if "@" not in i))

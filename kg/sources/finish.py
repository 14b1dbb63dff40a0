"""What every paper passes before it leaves a source: no e-mail address, no broken text, no empty record."""

from __future__ import annotations

from msgspec import ValidationError
from msgspec.json import Decoder, encode
from msgspec.structs import replace

from kg.model import Author, Paper, Rejected
from kg.sources.fields import EMAIL, same_ids

# No abstract is this long (the longest of 100,000 real ones has 16,262 characters); a lost separator is.
MAX_TEXT = 200_000
_typed = Decoder(Paper).decode  # refuses a field of the wrong type
_SUPPLIED = tuple(f for f in Paper.__struct_fields__ if f not in ("key", "origins"))


def finish(paper: Paper) -> Paper | Rejected:
    """The paper, its origin telling which fields it supplied, or why it is none.

    An e-mail address inside a title or abstract is masked by as many dots, so that offsets still agree
    with the source text.
    """
    where = paper.origins[0]
    reason, data = _fault(paper)
    if reason:
        return Rejected(
            file=where.file, place=where.place, reason=reason, head=_printable(paper.title or paper.abstract)[:200]
        )
    if b"@" in data:
        paper = _no_addresses(paper)
        where = paper.origins[0]
        if not paper.title.strip("• ") and not paper.abstract.strip("• "):
            return Rejected(file=where.file, place=where.place, reason="has nothing but an e-mail address")
    fields = tuple(f for f in _SUPPLIED if getattr(paper, f))
    return replace(paper, ids=same_ids(paper.ids), origins=(replace(where, fields=fields),))


def _fault(paper: Paper) -> tuple[str, bytes]:
    """Why the record is no paper ("" when it is one), and the record as bytes."""
    for name in ("title", "abstract"):
        text = getattr(paper, name)
        if not isinstance(text, str):
            return f"the {name} is no text", b""
        if len(text) > MAX_TEXT:
            return f"the {name} has {len(text):,} characters; no {name} is that long (a lost line end?)", b""
    if not paper.title.strip() and not paper.abstract.strip():
        return "has neither a title nor an abstract", b""
    try:
        data = encode(paper)
        _typed(data)
    except UnicodeEncodeError:
        return "not valid UTF-8 (if the file has another encoding, convert it to UTF-8 first)", b""
    except (ValidationError, OverflowError) as why:
        return f"a field holds what it cannot ({why})", b""
    return "", data


def _no_addresses(paper: Paper) -> Paper:
    """The paper with e-mail addresses masked in its texts and taken out of everything else.

    "https://host/@name" is none; a landing page with one in its address is left out.
    """

    def free(values: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(v for value in values if (v := EMAIL.sub("", value).strip(" <>(),;")))

    def known(ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(i for i in ids if not any(map(EMAIL.fullmatch, i.split(":"))))

    origin = paper.origins[0]
    return replace(
        paper,
        title=_mask(paper.title),
        abstract=_mask(paper.abstract),
        ids=known(paper.ids),
        authors=tuple(b for a in paper.authors if (b := _no_address(a))),
        venue=EMAIL.sub("", paper.venue),
        event=EMAIL.sub("", paper.event),
        topics=tuple(t for path in paper.topics if (t := free(path))),
        keywords=free(paper.keywords),
        affiliations=free(paper.affiliations),
        cites=known(paper.cites),
        url="" if paper.url.startswith("mailto:") or EMAIL.search(paper.url) else paper.url,
        links=tuple(k for k in paper.links if not k.url.startswith("mailto:") and not EMAIL.fullmatch(k.url)),
        origins=(replace(origin, source_id=EMAIL.sub("", origin.source_id)),),
    )


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

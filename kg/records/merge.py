"""One paper from the records of a group: which value of each field is kept, and who supplied it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from kg.model import Author, Link, Origin, Paper
from kg.records.compare import LEAST_ABSTRACT, same_person
from kg.records.keys import key_of
from kg.text import digest, fold


def merge(group: Sequence[Paper], key: str) -> Paper:
    """One paper with its key. `group` is in canonical order; `key` is that of its first record alone."""
    if len(group) == 1:
        return replace(group[0], key=key)
    ranked = sorted(group, key=_rank, reverse=True)
    chosen: dict[str, Any] = {
        "ids": tuple(sorted({i for p in group for i in p.ids})),
        "title": _best(ranked, "title", _title_quality),
        "abstract": _best(
            ranked, "abstract", lambda text, votes: (len(fold(text)) >= LEAST_ABSTRACT, votes, len(text))
        ),
        "authors": _authors(ranked),
        **{f: _first(ranked, f) for f in ("year", "date", "venue", "event", "url")},
        **{f: _union(ranked, f) for f in ("topics", "keywords", "cites", "affiliations")},
        "links": _links(ranked),
    }
    if chosen["venue"]:  # year and event belong to the record that names the venue
        home = next(p for p in ranked if p.venue)
        chosen["year"], chosen["event"] = home.year or chosen["year"], home.event
    paper = Paper(**chosen)
    origins = {o: None for p in group for o in _origins(p, chosen)}
    return replace(paper, key=key_of(paper), origins=tuple(sorted(origins, key=_place)))


def _rank(paper: Paper) -> tuple[Any, ...]:
    """Records that say more come first; equal ones keep the canonical order."""
    kinds = {i.partition(":")[0] for i in paper.ids}
    return (bool(paper.venue), bool(kinds & {"openreview", "doi", "acl", "pubmed"}), len(kinds), bool(paper.title))


def _best(ranked: Sequence[Paper], field: str, quality: Callable[[str, int], tuple[Any, ...]]) -> str:
    values = [getattr(p, field) for p in ranked if getattr(p, field)]
    return max(values, key=lambda v: quality(v, values.count(v)), default="")


def _title_quality(title: str, votes: int) -> tuple[Any, ...]:
    return (not title.isupper(), votes)


def _first(ranked: Sequence[Paper], field: str) -> Any:
    return next((v for p in ranked if (v := getattr(p, field))), getattr(Paper(), field))


def _union(ranked: Sequence[Paper], field: str) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(v for p in ranked for v in getattr(p, field)))


def _links(ranked: Sequence[Paper]) -> tuple[Link, ...]:
    return tuple({link.url: link for p in reversed(ranked) for link in reversed(p.links)}.values())[::-1]


def _authors(ranked: Sequence[Paper]) -> tuple[Author, ...]:
    """The fullest list; identifiers and affiliations of the others join the same names in it."""
    lists = [p.authors for p in ranked if p.authors]
    if not lists:
        return ()
    best = max(lists, key=lambda people: (len(people), sum(len(fold(a.name)) for a in people)))
    found = list(best)
    for other in lists:
        if other is best:
            continue
        for position, author in enumerate(other):
            at = _position(found, author, position)
            if at is None or not (author.ids or author.affiliations):
                continue
            mine = found[at]
            found[at] = Author(
                name=mine.name,
                affiliations=tuple(dict.fromkeys(mine.affiliations + author.affiliations)),
                ids=tuple(sorted({*mine.ids, *author.ids})),
            )
    return tuple(found)


def _position(people: list[Author], author: Author, position: int) -> int | None:
    """Where the same person stands: at the same place, else the only place with that name."""
    if position < len(people) and same_person(people[position].name, author.name):
        return position
    places = [i for i, p in enumerate(people) if same_person(p.name, author.name)]
    return places[0] if len(places) == 1 else None


def _origins(paper: Paper, chosen: dict[str, Any]) -> list[Origin]:
    """The record's origins, each with the fields whose kept value it supplied."""

    def supplied(field: str) -> bool:
        value = getattr(paper, field)
        if field in ("ids", "topics", "keywords", "cites", "links", "affiliations"):
            return bool(value)
        if field == "authors":
            return bool(value) and [a.name for a in value] == [a.name for a in chosen["authors"]]
        return bool(value) and value == chosen[field]

    return [replace(o, fields=tuple(f for f in o.fields if supplied(f))) for o in paper.origins]


def _place(origin: Origin) -> tuple[Any, ...]:
    return (origin.file, origin.format, len(origin.place), origin.place, origin.source_id)


def distinct_keys(papers: Sequence[Paper]) -> list[Paper]:
    """The papers in their order, no key twice: of several under one key, all but the fullest are told apart
    by content."""
    groups: dict[str, list[int]] = {}
    for i, paper in enumerate(papers):
        groups.setdefault(paper.key, []).append(i)
    found = list(papers)
    for key, group in groups.items():
        if len(group) == 1:
            continue
        group.sort(key=lambda i: (-len(papers[i].ids), -len(papers[i].origins), _content(papers[i])))
        for i in group[1:]:
            found[i] = replace(papers[i], key=f"{key}-{digest(_content(papers[i]), length=6)}")
    return found


def _content(paper: Paper) -> str:
    sources = sorted(f"{o.format} {o.source_id}" for o in paper.origins)
    return "\n".join(
        [paper.title, paper.abstract, *(a.name for a in paper.authors), paper.venue, str(paper.year), *sources]
    )

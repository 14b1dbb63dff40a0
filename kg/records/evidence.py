"""Pairs of records that are one paper by an identifier, by title and authors, or by abstract."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kg.model import Paper
from kg.records.compare import abstract_key, shared_authors, title_key
from kg.records.keys import Keys

# More records than this under one key mean that the key says nothing ("Editorial", a proceedings' DOI).
_MOST = 40


class Pair(NamedTuple):
    """Two records (by index) that are one paper, and why."""

    a: int
    b: int
    why: str


def by_identifier(papers: Sequence[Paper]) -> Iterator[Pair]:
    """Records that share an identifier, unless title and authors both speak against it."""
    groups: dict[str, list[int]] = defaultdict(list)
    for i, paper in enumerate(papers):
        for own in paper.ids:
            groups[own].append(i)
    for own, members in groups.items():
        for a, b in _neighbours(members):
            if not contradict(papers[a], papers[b]):
                yield Pair(a, b, f"identifier {own.partition(':')[0]}")


def contradict(a: Paper, b: Paper) -> bool:
    """True when both have titles and authors and neither has anything in common."""
    if not a.title or not b.title or shared_authors(a, b) != 0:
        return False
    from rapidfuzz.fuzz import token_set_ratio

    return token_set_ratio(a.title.lower(), b.title.lower()) < 60


def by_title(papers: Sequence[Paper], keys: Sequence[Keys]) -> Iterator[Pair]:
    """Records with one title whose authors, venues and abstracts can be those of one paper."""
    groups: dict[int, list[int]] = defaultdict(list)
    for i, key in enumerate(keys):
        if key.title:
            groups[key.title].append(i)
    for members in groups.values():
        if len(members) > _MOST:
            continue
        for n, a in enumerate(members):
            for b in members[n + 1 :]:
                if one_paper(papers[a], papers[b]):
                    yield Pair(a, b, "title")


def one_paper(a: Paper, b: Paper) -> bool:
    """Whether two records with one title are one paper.

    At two different venues they are one only when the abstracts agree too: an extended abstract or a
    journal version is a paper of its own.
    """
    shared = shared_authors(a, b)
    if 0 <= shared < 0.5:
        return False
    alike = same_abstract(a.abstract, b.abstract)
    if ids_differ(a, b):
        return False
    if shared < 0:  # an author list is missing: the title alone must be telling
        if len(a.title.split()) < 4 and not alike:
            return False
        return not venues_differ(a, b) if alike is None else alike
    if venues_differ(a, b):
        return bool(alike)
    return alike is not False or shared == 1 and a.year == b.year


def same_abstract(a: str, b: str) -> bool | None:
    """Whether two abstracts are versions of one; None when one is missing or too short."""
    first, second = abstract_key(a), abstract_key(b)
    if not first or not second:
        return None
    if first == second or first.startswith(second[:400]) or second.startswith(first[:400]):
        return True
    from rapidfuzz.fuzz import ratio

    return ratio(first, second) >= 60


def ids_differ(a: Paper, b: Paper) -> bool:
    """True when both carry an identifier of one scheme that gives a paper only one, and it differs."""
    for scheme in ("openreview:", "acl:", "pubmed:"):
        mine = {i for i in a.ids if i.startswith(scheme)}
        other = {i for i in b.ids if i.startswith(scheme)}
        if mine and other and not mine & other:
            return True
    return False


def venues_differ(a: Paper, b: Paper) -> bool:
    """True when both name a venue or year and these cannot be the same event."""
    if a.year and b.year and abs(a.year - b.year) > 1:
        return bool(a.venue and b.venue)
    if not a.venue or not b.venue:
        return False
    if title_key(a.venue) == title_key(b.venue):
        return a.year != b.year and bool(a.year and b.year)
    return names_differ(a.venue, b.venue)


def names_differ(a: str, b: str) -> bool:
    """True when two names of venues cannot mean one; of a long name and its acronym that cannot be told."""
    first, second = title_key(a), title_key(b)
    short, long = sorted((len(first), len(second)))
    return first != second and (short > 12 or long <= 12)


_COINED = re.compile(r"\b(?:[A-Z][a-z]+[A-Z]\w*|[A-Z]{3,}\w*)")


def by_abstract(papers: Sequence[Paper], keys: Sequence[Keys]) -> Iterator[Pair]:
    """Records with one abstract (edited or cut versions included), unless titles or authors differ."""
    groups: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i, key in enumerate(keys):
        if key.start:
            groups[(0, key.start)].append(i)
            groups[(1, key.end)].append(i)
    done: set[tuple[int, int]] = set()
    for members in groups.values():
        if not 1 < len(members) <= _MOST:
            continue
        for pair in _neighbours(members):
            if pair not in done:
                done.add(pair)
                if _one_abstract(papers[pair[0]], papers[pair[1]]):
                    yield Pair(*pair, "abstract")


def _one_abstract(a: Paper, b: Paper) -> bool:
    titled = a.title and b.title and title_key(a.title) != title_key(b.title)
    shared = shared_authors(a, b)
    if titled and shared < 0.5 or 0 <= shared < 0.34 or ids_differ(a, b):
        return False
    first, second = abstract_key(a.abstract), abstract_key(b.abstract)
    if first == second or first.startswith(second) or second.startswith(first):
        return True
    mine, other = (set(_COINED.findall(p.abstract)) for p in (a, b))
    if not (a.title and b.title) and mine - other and other - mine:
        return False  # each speaks of a name of its own: one text about two things
    from rapidfuzz.fuzz import ratio

    return ratio(first, second) >= 85


def _neighbours(members: list[int]) -> Iterator[tuple[int, int]]:
    """Every pair of a small group, the chain of a large one."""
    if len(members) > _MOST:
        yield from zip(members, members[1:], strict=False)
        return
    for n, a in enumerate(members):
        yield from ((a, b) for b in members[n + 1 :])

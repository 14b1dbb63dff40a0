"""Abstracts without a title find their title: by the authors, else by the words of the title in the text.

A list of abstracts and a list of titles of the same papers share at most the authors. Without authors the
words decide, with the care that takes: the best title must beat the second best by a clear margin, and must
itself prefer this abstract to all others. An abstract that finds no such title stays as it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from kg.model import Paper
from kg.records.compare import name_parts
from kg.records.evidence import Pair, venues_differ
from kg.records.titles import Scored, Titles

# By words alone, the best title must lead the second by this much (odds of 6 to 1).
MARGIN = 1.75
# With authors that agree in part, or with several papers by the same people, the words must not speak against it.
_AUTHOR_MARGIN = 1.0


def by_text(papers: Sequence[Paper], grouped: Sequence[int]) -> Iterator[Pair]:
    """Pairs of an abstract without title and a title without abstract.

    `grouped[i]` is the group that stronger evidence put record `i` in: a group that already has both is left
    alone.
    """
    titled = {grouped[i] for i, p in enumerate(papers) if p.title}
    told = {grouped[i] for i, p in enumerate(papers) if len(p.abstract) >= 200}
    bodies = _one_each((i for i, p in enumerate(papers) if p.abstract and grouped[i] not in titled), grouped)
    heads = _one_each((i for i, p in enumerate(papers) if p.title and grouped[i] not in told), grouped)
    if not bodies or not heads:
        return
    index = Titles(papers, bodies, heads)
    claimed: set[int] = set()
    joined: set[int] = set()
    for pair in _by_authors(papers, bodies, heads, index):
        joined.add(pair.a)
        claimed.add(pair.b)
        yield pair
    # An abstract with authors that no title shares is of another paper, whatever its words.
    rest = [b for b in bodies if b not in joined]
    yield from _by_words(papers, rest, claimed, index)


def _one_each(members: Iterator[int], grouped: Sequence[int]) -> list[int]:
    return list({grouped[i]: i for i in members}.values())


def _people(paper: Paper) -> frozenset[str]:
    """Authors as comparable keys: family name and first initial, or all words of a single-word order."""
    keys = []
    for author in paper.authors:
        family, initials = name_parts(author.name)
        keys.append(f"{family} {initials[:1]}")
    return frozenset(keys)


def _by_authors(papers: Sequence[Paper], bodies: list[int], heads: list[int], index: Titles) -> Iterator[Pair]:
    """Pairs whose author lists agree; several papers by the same people are told apart by their words."""
    people = {i: _people(papers[i]) for i in (*bodies, *heads) if papers[i].authors}
    by_name: dict[str, list[int]] = defaultdict(list)
    for head in heads:
        for name in people.get(head, ()):
            by_name[name].append(head)
    best: dict[int, list[tuple[float, float, int, int]]] = defaultdict(list)
    for body in bodies:
        if not people.get(body):
            continue
        seen = Counter(h for name in people[body] for h in by_name.get(name, ()))
        options = []
        for head, shared in seen.items():
            union = len(people[body] | people[head])
            alike = shared / union
            if alike >= 0.5 and (shared > 1 or union == 1) and not venues_differ(papers[body], papers[head]):
                options.append((alike, head))
        if not options:
            continue
        scores = {s.head: s.score for s in index.scores(body, [h for _, h in options])}
        ranked = sorted(((2 * alike + _squash(scores[h]), alike, h) for alike, h in options), reverse=True)
        total, alike, head = ranked[0]
        lead = total - ranked[1][0] if len(ranked) > 1 else 9.0
        surely = alike == 1 and len(people[body]) > 1 and len(ranked) == 1
        if surely or lead >= _AUTHOR_MARGIN / 2 and scores[head] > index.typical(body):
            best[head].append((total, alike, body, head))
    for claims in best.values():
        claims.sort(reverse=True)
        if len(claims) == 1 or claims[0][0] - claims[1][0] > 0.1:
            yield Pair(claims[0][2], claims[0][3], "authors and words of the title")


def _squash(score: float) -> float:
    return score / 10


def _by_words(papers: Sequence[Paper], bodies: list[int], claimed: set[int], index: Titles) -> Iterator[Pair]:
    """Pairs by the words of the title alone: clear margin, mutual best, no author list against it."""
    found: dict[int, list[Scored]] = {}
    for body in bodies:
        ranked = [s for s in index.best(body) if s.head not in claimed]
        if papers[body].authors:  # other people's titles are out; titles without authors stay
            ranked = [s for s in ranked if not papers[s.head].authors]
        if ranked:
            found[body] = ranked
    wanted: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for body, ranked in found.items():
        for one in ranked[:3]:
            wanted[one.head].append((one.score, body))
    for body, ranked in found.items():
        lead = ranked[0].score - (ranked[1].score if len(ranked) > 1 else index.typical(body))
        if lead >= MARGIN and max(wanted[ranked[0].head])[1] == body:
            yield Pair(body, ranked[0].head, "words of the title")

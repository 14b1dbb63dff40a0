"""Abstracts without a title find their title: by the authors, else by the words of the title in the text.

A list of abstracts and a list of titles of the same papers share at most the authors. Without authors the
words decide, with the care that takes: a title is taken only where it is sure in view of the other titles
and of the other abstracts that want it. An abstract that finds no such title stays as it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from kg.model import Paper
from kg.records.assignment import claims
from kg.records.compare import name_parts
from kg.records.evidence import Pair, venues_differ
from kg.records.likeness import model
from kg.records.titles import CANDIDATES, Scored, Titles

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
    for wanting in best.values():
        wanting.sort(reverse=True)
        if len(wanting) == 1 or wanting[0][0] - wanting[1][0] > 0.1:
            yield Pair(wanting[0][2], wanting[0][3], "authors and words of the title")


def _squash(score: float) -> float:
    return score / 10


def _by_words(papers: Sequence[Paper], bodies: list[int], claimed: set[int], index: Titles) -> Iterator[Pair]:
    """Pairs by the words of the title alone: sure, each title once, no author list against it."""
    ranked: dict[int, list[Scored]] = {}
    for body in bodies:
        ranked[body] = [s for s in index.best(body) if s.head not in claimed]
        if papers[body].authors:  # other people's titles are out; titles without authors stay
            ranked[body] = [s for s in ranked[body] if not papers[s.head].authors]
        if len(ranked[body]) < CANDIDATES:  # a short list: what the best wrong title of a long one scores stands in
            ranked[body] = sorted([*ranked[body], Scored(float(model()["decoy"]), -1 - body)], reverse=True)
    weights, least = model()["sure"], float(model()["sure_least"])
    best: dict[int, tuple[float, int]] = {}
    for claim in claims(ranked):
        sure = float(weights[:-1] @ claim.signs + weights[-1])
        if sure >= least and claim.head >= 0:
            best[claim.head] = max(best.get(claim.head, (sure, claim.body)), (sure, claim.body))
    for head, (_, body) in best.items():
        yield Pair(body, head, "words of the title")

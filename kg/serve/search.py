"""Search over all names, with facets that count what was found."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from kg.display import display
from kg.links.lenses import Choice, edges_of, papers_of
from kg.links.network import EDGE_TYPES, STATED
from kg.query.index import KINDS, key_of
from kg.serve.ask import ROLES, choice_of, whole
from kg.serve.snapshot import Snapshot
from kg.serve.things import entity
from kg.text import fold

_RANKED = 400  # of the found, those that are put in order by how well they match
_VALUES = 30  # values of a facet that are listed
_CONFIDENCES = (0.5, 0.6, 0.7, 0.8, 0.9)
_CELLS = 64_000_000  # bytes of a table that counts a facet
_NOTED = 3  # authors named with a paper


def search(snapshot: Snapshot, given: Mapping[str, str]) -> dict[str, Any]:
    """Answers `/api/search.json`."""
    began = time.perf_counter()
    question = given.get("q", "").strip()
    chosen = choice_of(snapshot, given)
    limit = whole(given, "limit", 20, 1, 200) or 20
    offset = whole(given, "offset", 0, 0, 1_000_000) or 0
    found, understood = _found(snapshot, question)
    passing = _passing(snapshot, found, chosen)
    kinds = [KINDS.index(k) for k in chosen.kinds]
    shown = passing[np.isin(snapshot.network.kind[passing], kinds)] if kinds else passing
    if question:
        shown = _ordered(snapshot, shown, question, understood)
    items = [_item(snapshot, int(n), question, understood) for n in shown[offset : offset + limit]]
    return {
        "q": question,
        "total": len(shown),
        "items": items,
        "facets": _facets(snapshot, passing, shown, chosen),
        "suggestion": understood or None,
        "took_ms": round((time.perf_counter() - began) * 1000, 1),
    }


def complete(snapshot: Snapshot, given: Mapping[str, str]) -> list[dict[str, str]]:
    """Answers `/api/complete.json`: up to ten names that begin like what was typed."""
    kind = given.get("kind", "")
    wanted = {"q": given.get("q", ""), "limit": "10", **({"kind": kind} if kind in KINDS else {})}
    question = wanted["q"].strip()
    found, understood = _found(snapshot, question)
    if kind in KINDS:
        found = found[snapshot.network.kind[found] == KINDS.index(kind)]
    if question:
        found = _ordered(snapshot, found, question, understood)
    return [{"value": e["id"], "label": e["label"], "kind": e["kind"], "note": e["note"]}
            for e in (_item(snapshot, int(n), question, understood) for n in found[:10])]  # fmt: skip


def _found(snapshot: Snapshot, question: str) -> tuple[np.ndarray, str]:
    """Numbers of what a question finds, the most likely first; without a question, of everything."""
    if not question:
        return snapshot.words.everything, ""
    exact = [m.id for m in snapshot.lookup.all(question)[:50]]
    found, understood = snapshot.words.find(question)
    if exact:
        found = np.concatenate([np.array(exact, dtype=np.int32), found[~np.isin(found, exact)]])
        understood = ""
    return found, understood


def _passing(snapshot: Snapshot, found: np.ndarray, chosen: Choice) -> np.ndarray:
    """Those found that pass a filter: papers themselves, anything else through one of its papers."""
    if not chosen:
        return found
    network = snapshot.network
    good = np.zeros(network.size, dtype=bool)
    edges = edges_of(network, chosen)
    good[network.entity[edges]] = True
    if chosen.role or chosen.min_confidence > 0:
        good[network.paper[edges]] = True
    else:
        good |= papers_of(network, chosen)
        good[np.unique(network.venue[papers_of(network, chosen)])] = True
    return found[good[found]]


def _ordered(snapshot: Snapshot, found: np.ndarray, question: str, understood: str) -> np.ndarray:
    """The first of the found by how well their label matches, then as they were."""
    first = found[:_RANKED]
    if not len(first):
        return found
    key, asked = key_of(question), fold(understood or question)
    marks = ",".join("?" * len(first))
    rows = dict(snapshot.db.execute(f"SELECT id, label FROM thing WHERE id IN ({marks})", first.tolist()))
    exact = {m.id for m in snapshot.lookup.all(question)}

    def rank(place: int) -> tuple[int, int]:
        number = int(first[place])
        label = fold(rows[number])
        if key_of(rows[number]) == key:
            return 0, place
        if number in exact:
            return 1, place
        return (2 if label.startswith(asked) else 3 if f" {asked}" in label else 4), place

    order = sorted(range(len(first)), key=rank)
    return np.concatenate([first[order], found[_RANKED:]])


def _item(snapshot: Snapshot, number: int, question: str, understood: str) -> dict[str, Any]:
    match = snapshot.lookup.by_number(number)
    return entity(
        match,
        matched=_matched(snapshot, number, match.label, understood or question),
        note=note(snapshot, number, match.kind, match.papers),
        year=int(snapshot.network.year[number]) or None,
    )


def _matched(snapshot: Snapshot, number: int, label: str, question: str) -> str:
    """The name that matched, where it is not the label."""
    words = fold(question).split()
    if not words or all(f" {w}" in f" {fold(label)}" for w in words):
        return display(label)
    rows = snapshot.atlas.execute("SELECT name FROM alias WHERE entity = ?", (number,))
    best = max(((sum(f" {w}" in f" {fold(name)}" for w in words), name) for (name,) in rows), default=(0, label))
    return display(best[1]) if best[0] else display(label)


def note(snapshot: Snapshot, number: int, kind: str, papers: int) -> str:
    """One line about an entity: its authors and where it appeared, or on how many papers it stands."""
    if kind != "paper":
        return f"{papers:,} paper{'' if papers == 1 else 's'}" if kind != "venue" else "venue"
    rows = snapshot.db.execute(
        "SELECT e.label FROM member m JOIN thing e ON e.id = m.entity WHERE m.paper = ? AND m.relation = 'coauthors' "
        "ORDER BY e.papers DESC, e.id LIMIT ?", (number, _NOTED + 1),
    ).fetchall()  # fmt: skip
    people = ", ".join(label for (label,) in rows[:_NOTED]) + (" …" if len(rows) > _NOTED else "")
    year, venue = snapshot.db.execute("SELECT year, venue FROM thing WHERE id = ?", (number,)).fetchone()
    where = " ".join(str(x) for x in (venue, year) if x)
    return " · ".join(x for x in (people, where) if x)


def _facets(snapshot: Snapshot, passing: np.ndarray, shown: np.ndarray, chosen: Choice) -> dict[str, Any]:
    """Counts of what was found, by each facet; those of kinds as if no kind were chosen."""
    network = snapshot.network
    kinds = np.bincount(network.kind[passing], minlength=len(KINDS))
    member = np.zeros(network.size, dtype=bool)
    member[shown] = True
    edges = np.flatnonzero(member[network.entity] | member[network.paper])
    if chosen:
        edges = edges[edges_of(network, chosen)[edges]]
    return {
        "kind": [{"value": k, "label": k, "count": int(kinds[i])} for i, k in enumerate(KINDS) if kinds[i]],
        **_by_paper(snapshot, member, edges),
        **_by_statement(snapshot, member, edges),
    }


def _by_paper(snapshot: Snapshot, member: np.ndarray, edges: np.ndarray) -> dict[str, Any]:
    """Facets of the papers: each of the found counts once for every year, venue and topic of its papers."""
    network = snapshot.network
    size = np.int64(network.size)
    ends = _ends(snapshot, member, edges)
    years = _known(ends, network.year, size)
    venues = _known(ends, network.venue, size)
    topics = _once(*_topics(snapshot, ends), size)
    coded = np.zeros(network.size, dtype=bool)
    coded[network.paper[np.isin(network.type, _types("code"))]] = True
    with_code = _different(ends[0][coded[ends[1]]], network.size)
    return {
        "year": [{"value": int(v), "label": str(v), "count": int(n)} for v, n in sorted(years, reverse=True)],
        "venue": _named(snapshot, venues),
        "topic": _named(snapshot, topics),
        "has_code": [{"value": 1, "label": "with code", "count": with_code}] if with_code else [],
    }


def _known(ends: tuple[np.ndarray, np.ndarray], column: np.ndarray, size: np.int64) -> list[tuple[int, int]]:
    """Counts of a column over papers, those left out for which it is not known."""
    value = column[ends[1]].astype(np.int64)
    known = value != 0
    return _once(ends[0][known], value[known], size)


def _ends(snapshot: Snapshot, member: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(found, paper) pairs: an entity with each of its papers, a paper with itself."""
    network = snapshot.network
    paper, other = network.paper[edges], network.entity[edges]
    own = member[other]
    papers = np.flatnonzero(member & (network.kind == KINDS.index("paper")))
    return np.concatenate([other[own], papers]).astype(np.int64), np.concatenate([paper[own], papers]).astype(np.int64)


def _topics(snapshot: Snapshot, ends: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """(found, topic) through the papers."""
    network = snapshot.network
    about = np.isin(network.type, _types("topics"))
    paper, topic = network.paper[about], network.entity[about].astype(np.int64)
    begin = np.searchsorted(paper, ends[1], "left")
    count = np.searchsorted(paper, ends[1], "right") - begin
    place = np.repeat(begin - np.concatenate([[0], np.cumsum(count)[:-1]]), count) + np.arange(count.sum())
    return np.repeat(ends[0], count), topic[place] if len(place) else np.zeros(0, dtype=np.int64)


def _by_statement(snapshot: Snapshot, member: np.ndarray, edges: np.ndarray) -> dict[str, Any]:
    """Facets of the statements by which the found are joined to papers."""
    network = snapshot.network
    size = np.int64(network.size)
    number = np.where(member[network.entity[edges]], network.entity[edges], network.paper[edges]).astype(np.int64)
    role_of = np.array([ROLES.index(role) for _, role, _ in EDGE_TYPES], dtype=np.int64)
    roles = dict(_once(number, role_of[network.type[edges]], size))
    sure = network.confidence[edges]
    extracted = sure != STATED
    return {
        "role": [{"value": r, "label": r, "count": int(roles[i])} for i, r in enumerate(ROLES) if i in roles],
        "confidence": [
            {"value": c, "label": f"at least {c:.1f}", "count": n}
            for c in _CONFIDENCES
            if (n := _different(number[extracted & (sure >= round(100 * c))], network.size))
        ],
    }


def _once(number: np.ndarray, value: np.ndarray, size: np.int64) -> list[tuple[int, int]]:
    """(value, how many different numbers have it)."""
    if not len(value):
        return []
    low, high = int(value.min()), int(value.max())
    if (high - low + 1) * size <= _CELLS:  # a table of yes and no is several times faster than sorting pairs
        has = np.zeros((high - low + 1, size), dtype=bool)
        has[value - low, number] = True
        counts = has.sum(axis=1)
        return [(low + i, int(n)) for i, n in enumerate(counts.tolist()) if n]
    pairs = np.unique(value * size + number)
    values, counts = np.unique(pairs // size, return_counts=True)
    return list(zip(values.tolist(), counts.tolist(), strict=True))


def _different(numbers: np.ndarray, size: int) -> int:
    """How many different numbers there are."""
    has = np.zeros(size, dtype=bool)
    has[numbers] = True
    return int(has.sum())


def _named(snapshot: Snapshot, counted: list[tuple[int, int]]) -> list[dict[str, Any]]:
    best = sorted(counted, key=lambda c: (-c[1], c[0]))[:_VALUES]
    found = ((snapshot.lookup.by_number(number), count) for number, count in best)
    return [{"value": m.iri.rsplit("/id/", 1)[-1], "label": display(m.label), "count": n} for m, n in found]


def _types(relation: str) -> list[int]:
    return [i for i, (r, _, _) in enumerate(EDGE_TYPES) if r == relation]

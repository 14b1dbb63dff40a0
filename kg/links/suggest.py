"""Links that are not there yet: people who should know each other, data sets and methods that fit, whom to ask.

People for a person: everyone who never wrote with them, by the things they share (co-authors, data sets,
methods, repositories), each counted 1/k where k people have it: the resource allocation index of Zhou, Lü
and Zhang ("Predicting missing links via local information", European Physical Journal B 71, 2009). A
data set of thousands says nothing, a co-author of few says much.

Data sets for a method (methods for a data set; either for a person or a paper): what is named with the
things that share its data sets, without being named with it. One unit starts on each of its data sets,
is divided evenly over what uses that data set, and then over the data sets of those: mass diffusion (Zhou
et al., "Bipartite network projection and personal recommendation", Physical Review E 76, 2007).

People for a data set, method, topic or paper, for whom to ask: the authors of papers that name it, 1/n
for each paper of n authors. A paper stands for its methods and data sets, each counted 1/k where k papers
name it; its own authors and those who wrote with them are left out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from kg.errors import QueryError
from kg.links.filters import Filter
from kg.query.lookup import Lookup, Match

KINDS = {"people": "person", "datasets": "dataset", "methods": "method"}
_REASONS = 6
_OWN = {"person": "coauthors", "method": "methods", "dataset": "datasets", "repository": "code", "topic": "topics"}


class Suggestion(Struct, frozen=True):
    """An entity, its score, and what speaks for it: (entity, share of the score), most first, and how many there are."""

    entity: Match
    score: float
    reasons: tuple[tuple[Match, float], ...]
    count: int


def suggest(
    db: sqlite3.Connection,
    what: str,
    of: Match,
    limit: int,
    where: Filter | None = None,
    not_with: Iterable[Match] = (),
) -> list[Suggestion]:
    """Suggests "people", "datasets" or "methods" for an entity; see the module for how each is found.

    Args:
        not_with: people who are left out, with all who wrote with them (conflicts of interest).

    Raises:
        QueryError: such things cannot be suggested for such an entity.
    """
    where = where or Filter()
    if what not in KINDS:
        raise QueryError(f"no {what!r} can be suggested", hint=f"use {', '.join(KINDS)}")
    out = {p for person in not_with for p in (person.id, *_coauthors(db, person.id, Filter()))}
    if what == "people" and of.kind == "person":
        return _made(db, _acquaintances(db, of, where, out), limit)
    if what == "people" and of.kind in ("paper", "method", "dataset", "topic", "repository"):
        return _made(db, _experts(db, of, where, out), limit)
    if what != "people" and of.kind in ("person", "paper", "method", "dataset") and of.kind != KINDS[what]:
        return _fitting(db, what, of, limit, where)
    able = {"people": "person, paper, method, data set, topic or repository", "datasets": "method, person or paper"}
    raise QueryError(
        f"no {what} are suggested for a {of.kind}",
        hint=f"name a {able.get(what, 'data set, person or paper')}",
    )


Reasons = dict[int, dict[int, float]]  # candidate -> reason -> weight


def _acquaintances(db: sqlite3.Connection, of: Match, where: Filter, out: set[int]) -> Reasons:
    """People who share co-authors or entities with a person, and never wrote with them (whatever the filter)."""
    found: Reasons = {}
    known = _coauthors(db, of.id, Filter()) | {of.id} | out
    for between in sorted(_coauthors(db, of.id, where)):
        others = _coauthors(db, between, where)
        for other in others - known:
            found.setdefault(other, {})[between] = 1 / len(others)
    m = where.members(db)
    things = f"""SELECT DISTINCT x.relation, x.entity FROM {m} own JOIN {m} x ON x.paper = own.paper
                 WHERE own.relation = 'coauthors' AND own.entity = :e AND x.relation IN ('methods', 'datasets', 'code')"""
    people = f"""SELECT DISTINCT o.entity FROM {m} x JOIN {m} o ON o.paper = x.paper AND o.relation = 'coauthors'
                 WHERE x.relation = :r AND x.entity = :e"""
    for relation, thing in sorted(db.execute(things, {**where.values, "e": of.id}).fetchall()):
        others = {o for (o,) in db.execute(people, {**where.values, "r": relation, "e": thing})}
        for other in others - known:
            found.setdefault(other, {})[thing] = 1 / len(others)
    return found


def _experts(db: sqlite3.Connection, of: Match, where: Filter, out: set[int]) -> Reasons:
    """Authors of papers that name an entity, with these papers; for a paper, with the entities they share."""
    m = where.members(db)
    writers = f"""SELECT o.paper, o.entity, COUNT(*) OVER (PARTITION BY o.paper)
                  FROM (SELECT DISTINCT paper FROM {m} WHERE relation = :r AND entity = :e) x
                  JOIN member o ON o.paper = x.paper AND o.relation = 'coauthors'"""
    found: Reasons = {}
    if of.kind != "paper":
        for paper, person, n in db.execute(writers, {**where.values, "r": _OWN[of.kind], "e": of.id}):
            if person not in out:
                found.setdefault(person, {})[paper] = 1 / n
        return found
    own = [p for (p,) in db.execute("SELECT entity FROM member WHERE relation = 'coauthors' AND paper = ?", (of.id,))]
    out = out | {p for person in own for p in (person, *_coauthors(db, person, Filter()))}
    named = """SELECT DISTINCT m.relation, m.entity, t.papers FROM member m JOIN thing t ON t.id = m.entity
               WHERE m.paper = ? AND m.relation IN ('methods', 'datasets', 'code') AND t.papers > 1"""
    for relation, thing, k in sorted(db.execute(named, (of.id,)).fetchall()):
        for paper, person, n in db.execute(writers, {**where.values, "r": relation, "e": thing}):
            if person not in out and paper != of.id:
                reasons = found.setdefault(person, {})
                reasons[thing] = reasons.get(thing, 0.0) + 1 / n / k
    return found


def _coauthors(db: sqlite3.Connection, person: int, where: Filter) -> set[int]:
    m = where.members(db)
    query = f"""SELECT DISTINCT y.entity FROM {m} x JOIN member y ON y.paper = x.paper AND y.relation = 'coauthors'
                WHERE x.relation = 'coauthors' AND x.entity = :e AND y.entity != :e"""
    return {other for (other,) in db.execute(query, {**where.values, "e": person})}


def _made(db: sqlite3.Connection, found: Reasons, limit: int) -> list[Suggestion]:
    scores = {candidate: round(sum(sorted(reasons.values())), 9) for candidate, reasons in found.items()}
    best = sorted(scores, key=lambda c: (-scores[c], c))[:limit]
    lookup = Lookup(db)
    suggestions = []
    for candidate in best:
        reasons = sorted(found[candidate].items(), key=lambda r: (-r[1], r[0]))
        shown = tuple((lookup.by_number(r), round(w, 4)) for r, w in reasons[:_REASONS])
        suggestions.append(Suggestion(lookup.by_number(candidate), round(scores[candidate], 4), shown, len(reasons)))
    return suggestions


def _fitting(db: sqlite3.Connection, what: str, of: Match, limit: int, where: Filter) -> list[Suggestion]:
    """Mass diffusion between things like `of` and the data sets (or methods) they are named with."""
    import numpy as np

    papers = _columns(db, what, where)
    if of.kind == "paper":
        joined = papers  # a paper is named with what stands in it
    else:
        joined = (_columns(db, _OWN[of.kind], where).T @ papers).tocsr()
        joined.data[:] = 1
    if of.id >= joined.shape[0]:
        return []
    mine = joined[[of.id]].indices
    if not len(mine):
        return []
    users = joined[:, mine]  # of each of its data sets
    received = users @ (1.0 / users.sum(axis=0))
    received[of.id] = 0.0
    degree = np.maximum(joined.sum(axis=1), 1)
    passed = received / degree
    scores = (passed @ joined).round(9)
    scores[mine] = 0.0
    best = np.lexsort((np.arange(len(scores)), -scores))[:limit]
    back = joined.T.tocsr()
    lookup = Lookup(db)
    found = []
    for candidate in best[scores[best] > 0].tolist():
        through = back[[candidate]].indices
        through = through[passed[through] > 0]
        order = through[np.lexsort((through, -passed[through]))]
        reasons = tuple((lookup.by_number(i), round(float(passed[i]), 4)) for i in order[:_REASONS].tolist())
        found.append(Suggestion(lookup.by_number(candidate), round(float(scores[candidate]), 4), reasons, len(order)))
    return found


def _columns(db: sqlite3.Connection, relation: str, where: Filter) -> Any:
    """Papers by entities as a sparse 0/1 matrix whose rows and columns are numbers of the index."""
    import numpy as np
    from scipy.sparse import csr_array  # type: ignore[import-untyped]

    from kg.links.top import incidence

    matrix, papers, entities = incidence(db, relation, where)
    cells = matrix.tocoo()
    size = db.execute("SELECT MAX(id) FROM thing").fetchone()[0] + 1
    ones = np.ones(cells.nnz)
    return csr_array((ones, (papers[cells.row], entities[cells.col])), shape=(size, size))

"""Suggestions equal the indices they are named after, computed by networkx and numpy from the same graph."""

from __future__ import annotations

from collections import Counter
from typing import Any

import networkx as nx
import numpy as np
import pytest

from kg.api import Graph
from kg.errors import QueryError
from kg.links.filters import Filter
from kg.links.suggest import _acquaintances, suggest
from kg.query.lookup import Lookup


def rows(graph: Graph, relations: tuple[str, ...]) -> dict[int, set[int]]:
    """Paper -> entities."""
    found: dict[int, set[int]] = {}
    for relation, entity, paper in graph.lookup._db.execute("SELECT relation, entity, paper FROM member"):
        if relation in relations:
            found.setdefault(paper, set()).add(entity)
    return found


def coauthors(graph: Graph) -> nx.Graph:
    network = nx.Graph()
    for people in rows(graph, ("coauthors",)).values():
        network.add_nodes_from(people)
        network.add_edges_from((a, b) for a in people for b in people if a < b)
    return network


def test_shared_coauthors_count_as_the_resource_allocation_index(any_graph: Graph) -> None:
    db, network = any_graph.lookup._db, coauthors(any_graph)
    lookup, compared = Lookup(db), 0
    for person in sorted(network)[:25]:
        apart = [(person, other) for other in network if other != person and not network.has_edge(person, other)]
        expected = {b: score for _, b, score in nx.resource_allocation_index(network, apart) if score}
        found = _acquaintances(db, lookup.by_number(person), Filter(), set())
        by_people = {c: sum(w for r, w in reasons.items() if r in network) for c, reasons in found.items()}
        assert {c: score for c, score in by_people.items() if score} == pytest.approx(expected)
        compared += len(expected)
    assert compared > 20


def test_shared_things_count_by_how_many_people_have_them(any_graph: Graph) -> None:
    db, network = any_graph.lookup._db, coauthors(any_graph)
    people, things = rows(any_graph, ("coauthors",)), rows(any_graph, ("methods", "datasets", "code"))
    of: dict[int, set[int]] = {}
    for paper, named in things.items():
        for thing in named:
            of.setdefault(thing, set()).update(people.get(paper, ()))
    person = max(network, key=lambda p: sum(p in have for have in of.values()))
    expected: Counter[int] = Counter()
    for have in of.values():
        if person in have:
            expected.update({other: 1 / len(have) for other in have})
    apart = {p: s for p, s in expected.items() if p != person and not network.has_edge(person, p)}
    found = _acquaintances(db, Lookup(db).by_number(person), Filter(), set())
    by_things = {c: sum(w for r, w in reasons.items() if r not in network) for c, reasons in found.items()}
    assert {c: s for c, s in by_things.items() if s} == pytest.approx(apart)


def test_missing_links_equal_the_catalogue(any_graph: Graph) -> None:
    db, network = any_graph.lookup._db, coauthors(any_graph)
    person = Lookup(db).by_number(max(network, key=lambda p: (network.degree(p), p)))
    found = _acquaintances(db, person, Filter(), set())
    shared = {c: sum(r in network for r in reasons) for c, reasons in found.items()}
    answers = any_graph.rows("author-missing-links", person=person.iri, least=2)
    ours = sorted((n for n in shared.values() if n >= 2), reverse=True)
    assert [r["shared"] for r in answers] == ours[: len(answers)]
    assert all(shared[any_graph.find(r["other"]).id] == r["shared"] for r in answers)


def test_nobody_is_suggested_who_is_known_or_left_out(random_graph: Graph) -> None:
    db, network = random_graph.lookup._db, coauthors(random_graph)
    lookup = Lookup(db)
    for person in sorted(network, key=lambda p: (-network.degree(p), p))[5:10]:
        found = suggest(db, "people", lookup.by_number(person), 10**6)
        ids = {s.entity.id for s in found}
        assert not ids & {person, *network[person]}
        assert [s.score for s in found] == sorted((s.score for s in found), reverse=True)
        assert all(s.reasons and s.count >= len(s.reasons) for s in found)
        if ids:
            out = lookup.by_number(min(ids))
            rest = {s.entity.id for s in suggest(db, "people", lookup.by_number(person), 10**6, not_with=[out])}
            assert rest == ids - {out.id, *network[out.id]}


def test_whom_to_ask_is_counted_by_share_of_papers(any_graph: Graph) -> None:
    db, people = any_graph.lookup._db, rows(any_graph, ("coauthors",))
    of = Lookup(db).by_number(
        db.execute("SELECT id FROM thing WHERE kind = 'dataset' ORDER BY papers DESC, id").fetchone()[0]
    )
    expected: Counter[int] = Counter()
    for paper, named in rows(any_graph, ("datasets",)).items():
        if of.id in named:
            expected.update({person: 1 / len(people[paper]) for person in people.get(paper, ())})
    found = suggest(db, "people", of, 10**6)
    assert {s.entity.id: s.score for s in found} == pytest.approx(dict(expected), abs=1e-4)
    assert expected


def test_reviewers_of_a_paper_have_no_conflict_of_interest(random_graph: Graph) -> None:
    db, network = random_graph.lookup._db, coauthors(random_graph)
    people = rows(random_graph, ("coauthors",))
    asked = 0
    for paper in sorted(rows(random_graph, ("datasets",)))[:20]:
        of = Lookup(db).by_number(paper)
        near = {p for author in people[paper] for p in (author, *network[author])}
        found = suggest(db, "people", of, 10**6)
        assert not near & {s.entity.id for s in found}
        assert {m.kind for s in found for m, _ in s.reasons} <= {"method", "dataset", "repository"}
        asked += bool(found)
    assert asked


@pytest.mark.parametrize(("what", "kind"), [("datasets", "method"), ("methods", "dataset"), ("datasets", "person")])
def test_what_fits_equals_mass_diffusion(any_graph: Graph, what: str, kind: str) -> None:
    """Zhou et al. 2007, equation 3, with dense matrices."""
    db = any_graph.lookup._db
    own = {"method": "methods", "dataset": "datasets", "person": "coauthors"}[kind]
    left, right = rows(any_graph, (own,)), rows(any_graph, (what,))
    size = db.execute("SELECT MAX(id) FROM thing").fetchone()[0] + 1
    joined = np.zeros((size, size))
    for paper, users in left.items():
        for thing in right.get(paper, ()):
            joined[list(users), thing] = 1
    degree = joined.sum(axis=1)
    suggested = 0
    for number in np.flatnonzero(degree)[:40].tolist():
        mine = joined[number] > 0
        received = joined[:, mine] @ (1 / joined[:, mine].sum(axis=0))
        received[number] = 0
        scores: Any = (received / np.maximum(degree, 1)) @ joined
        scores[mine] = 0
        found = suggest(db, what, Lookup(db).by_number(number), 10**6)
        expected = {int(i): scores[i] for i in np.flatnonzero(scores > 1e-9)}
        assert {s.entity.id: s.score for s in found} == pytest.approx(expected, abs=1e-4)
        suggested += len(found)
    assert suggested


def test_what_cannot_be_suggested_is_said(random_graph: Graph) -> None:
    db, lookup = random_graph.lookup._db, random_graph.lookup
    dataset = lookup.one("ImageNet", "dataset")
    for what, of in (("datasets", dataset), ("venues", dataset), ("people", lookup.one("ICML", "venue"))):
        with pytest.raises(QueryError, match="suggested"):
            suggest(db, what, of, 5)

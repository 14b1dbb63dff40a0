"""Communities: planted ones are found, the same each time, and bridges are what joins them."""

from __future__ import annotations

import itertools
import os
import sqlite3
import subprocess
import sys

import pytest

from kg.api import Graph
from kg.errors import QueryError
from kg.links.filters import Filter
from kg.links.groups import find_groups, list_communities, members, rank
from kg.query.index import _SCHEMA


def planted() -> sqlite3.Connection:
    """Three circles of seven people who wrote in pairs, and one person (199) who wrote with two of each circle."""
    db = sqlite3.connect(":memory:")
    db.executescript(_SCHEMA)
    circles = [range(100 + 10 * c, 107 + 10 * c) for c in range(3)]
    pairs = [pair for circle in circles for pair in itertools.combinations(circle, 2)]
    pairs += [(199, person) for circle in circles for person in circle[:2]]
    for paper, authors in enumerate(pairs, 1):
        db.execute("INSERT INTO thing VALUES (?, ?, 'paper', ?, 2020, NULL, 0)", (paper, f"p{paper}", f"P{paper}"))
        rows = [("coauthors", person, paper, "author") for person in authors]
        db.executemany("INSERT INTO member (relation, entity, paper, role) VALUES (?, ?, ?, ?)", rows)
    for person in sorted({p for pair in pairs for p in pair}):
        n = sum(person in pair for pair in pairs)
        db.execute(
            "INSERT INTO thing VALUES (?, ?, 'person', ?, NULL, NULL, ?)", (person, f"a{person}", f"A{person}", n)
        )
    return db


def test_planted_circles_are_found_and_the_bridge_between_them() -> None:
    groups = find_groups(planted(), "people")
    found: dict[int, set[int]] = {}
    for number, community in zip(groups.numbers.tolist(), groups.community.tolist(), strict=True):
        found.setdefault(community, set()).add(number)
    circles = [set(range(100 + 10 * c, 107 + 10 * c)) for c in range(3)]
    assert sorted(sorted(c - {199}) for c in found.values()) == [sorted(c) for c in circles]
    first, *_ = rank(groups, "bridges", 5)
    assert first.entity.label == "A199"
    assert len({c for _, _, c in first.partners}) == len(first.partners) == 3
    assert [r.score for r in rank(groups, "pagerank", 22)] == sorted(groups.pagerank.tolist(), reverse=True)


def test_communities_are_described_by_their_own_papers(random_graph: Graph) -> None:
    groups = find_groups(random_graph.lookup._db, "people", Filter(first=2019))
    found = list_communities(groups, 10**6)
    assert sum(c.members for c in found) == len(groups.numbers)
    assert sum(c.papers for c in found) == len(groups.papers)
    assert [c.members for c in found] == sorted((c.members for c in found), reverse=True)
    largest = found[0]
    inside = members(groups, 1, 10**6)
    assert len(inside) == largest.members and {r.community for r in inside} == {1}
    assert [r.entity for r in inside][: len(largest.central)] == list(largest.central)
    assert largest.typical and {m.kind for m in largest.typical} <= {"method", "dataset"}


def test_groups_are_the_same_each_time(random_graph: Graph) -> None:
    code = (
        "import sys; from kg.api import Graph; from kg.links.groups import find_groups, rank\n"
        "g = find_groups(Graph(sys.argv[1]).lookup._db, 'people')\n"
        "print(g.community.tolist(), g.pagerank.tolist(), rank(g, 'bridges', 30))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code, str(random_graph.path)],
            capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(outputs) == 1 and len(outputs.pop()) > 100


def test_what_is_no_group_is_said(random_graph: Graph) -> None:
    db = random_graph.lookup._db
    with pytest.raises(QueryError, match="no groups are made of 'venues'"):
        find_groups(db, "venues")
    groups = find_groups(db, "people")
    with pytest.raises(QueryError, match="is not among the people"):
        groups.position(random_graph.lookup.one("ImageNet", "dataset"))
    with pytest.raises(QueryError, match="ranked by 'fame'"):
        rank(groups, "fame", 3)
    empty = find_groups(db, "people", Filter(first=2090))
    assert list_communities(empty, 5) == [] and rank(empty, "pagerank", 5) == rank(empty, "bridges", 5) == []

"""Paths: the cheapest by networkx's Dijkstra, then others that pass through other things."""

from __future__ import annotations

import itertools
import math
import random
import sqlite3
from typing import Any

import networkx as nx
import pytest

from kg.api import Graph
from kg.errors import QueryError
from kg.links.paths import RELATION_OF, paths
from kg.query.index import _SCHEMA
from kg.query.lookup import Lookup

KIND_OF = {relation: kind for kind, relation in RELATION_OF.items()}


def network(db: Any) -> nx.Graph:
    """Papers and entities with the toll of each, straight from the tables."""
    graph = nx.Graph()
    for relation, entity, paper in db.execute("SELECT relation, entity, paper FROM member"):
        graph.add_edge(paper, entity, kind=KIND_OF[relation])
    for node in graph:
        kind = db.execute("SELECT kind FROM thing WHERE id = ?", (node,)).fetchone()[0]
        others = [n for n in graph[node] if kind != "paper" or graph[node][n]["kind"] == "person"]
        graph.nodes[node].update(kind=kind, toll=math.log2(max(len(others) - 1, 1)))
    return graph


def dearest(graph: nx.Graph, a: int, b: int) -> Any:
    """Cost of the cheapest path by networkx: half of a thing's toll on the way in, half on the way out."""

    def cost(u: int, v: int, _: Any) -> float:
        return 1 + sum(graph.nodes[n]["toll"] / 2 for n in (u, v) if n not in (a, b))

    return nx.dijkstra_path_length(graph, a, b, weight=cost)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_first_path_is_as_cheap_as_dijkstras(any_graph: Graph, seed: int) -> None:
    db = any_graph.lookup._db
    graph, lookup = network(db), Lookup(db)
    nodes = sorted(max(nx.connected_components(graph), key=len))
    draw = random.Random(seed)
    for _ in range(25):
        a, b = draw.sample(nodes, 2)
        found = paths(db, lookup.by_number(a), lookup.by_number(b), 4)
        assert found[0].cost == pytest.approx(dearest(graph, a, b), abs=1e-3)
        assert [p.cost for p in found] == sorted(p.cost for p in found)
        inner = []
        for path in found:
            walked = [path.start.id, *(s.to.id for s in path.steps)]
            assert (walked[0], walked[-1]) == (a, b) and len(set(walked)) == len(walked)
            assert all(graph.has_edge(x, y) for x, y in itertools.pairwise(walked))
            own = sum(graph.nodes[n]["toll"] for n in walked[1:-1])
            assert path.cost == pytest.approx(len(path.steps) + own, abs=1e-3)
            inner.append(set(walked[1:-1]))
        assert all(len(x & y) <= max(len(x), len(y)) / 2 for x, y in itertools.combinations(inner, 2))
        assert paths(db, lookup.by_number(a), lookup.by_number(b), 4) == found


def test_paths_through_some_kinds_only(random_graph: Graph) -> None:
    db, lookup = random_graph.lookup._db, random_graph.lookup
    graph = network(db)
    graph = graph.edge_subgraph([(u, v) for u, v, kind in graph.edges(data="kind") if kind == "person"])
    people = sorted(n for n in max(nx.connected_components(graph), key=len) if graph.nodes[n]["kind"] == "person")
    a, b = people[0], people[-1]
    (found,) = paths(db, lookup.by_number(a), lookup.by_number(b), 1, through=["person"])
    assert {s.to.kind for s in found.steps} == {"person", "paper"}
    assert found.cost == pytest.approx(dearest(graph, a, b), abs=1e-3)
    with pytest.raises(QueryError, match="no path goes through a 'venue'"):
        paths(db, lookup.by_number(a), lookup.by_number(b), through=["venue"])


def small(things: list[tuple[str, int]], members: list[tuple[str, int, int, str]]) -> sqlite3.Connection:
    """An index of few things (kind, papers), numbered in order, papers first."""
    db = sqlite3.connect(":memory:")
    db.executescript(_SCHEMA)
    rows = [(i, f"e{i}", kind, f"E{i}", None, None, n) for i, (kind, n) in enumerate(things)]
    db.executemany("INSERT INTO thing VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    db.executemany("INSERT INTO member (relation, entity, paper, role) VALUES (?, ?, ?, ?)", members)
    return db


def test_a_paper_of_hundreds_is_no_short_cut() -> None:
    """Two people stand on one paper of 300 authors, and wrote with the same third person."""
    things = [("paper", 0)] * 3 + [("person", 2)] * 3 + [("person", 1)] * 297
    crowd = [("coauthors", person, 0, "author") for person in range(3, 303) if person != 5]
    close = [("coauthors", person, paper, "author") for person, paper in ((3, 1), (5, 1), (5, 2), (4, 2))]
    db = small(things, crowd + close)
    lookup = Lookup(db)
    first, second = paths(db, lookup.by_number(3), lookup.by_number(4), 2)
    assert [s.to.id for s in first.steps] == [1, 5, 2, 4]
    assert [s.to.id for s in second.steps] == [0, 4]
    assert second.cost == pytest.approx(2 + math.log2(298), abs=1e-3)
    assert first.words() == "E3 wrote “E1”, which was written by E5, which wrote “E2”, which was written by E4"


def test_no_path_and_no_way() -> None:
    db = small([("paper", 0), ("paper", 0), ("person", 1), ("person", 1)],
               [("coauthors", 2, 0, "author"), ("coauthors", 3, 1, "author")])  # fmt: skip
    lookup = Lookup(db)
    assert paths(db, lookup.by_number(2), lookup.by_number(3)) == []
    assert paths(db, lookup.by_number(2), lookup.by_number(2)) == []

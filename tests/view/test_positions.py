"""The layout: everything has a place of its own, and the same place every time."""

from __future__ import annotations

import math
import random

import networkx as nx
import numpy as np
import pytest
from graphs import conference, small

from kg.view import layout
from kg.view.positions import SPACING, even


def shuffled(graph: nx.MultiDiGraph, seed: int) -> nx.MultiDiGraph:
    """The same graph, made in another order."""
    r = random.Random(seed)
    nodes, edges = list(graph.nodes(data=True)), list(graph.edges(keys=True, data=True))
    r.shuffle(nodes)
    r.shuffle(edges)
    other = nx.MultiDiGraph()
    other.add_nodes_from(nodes)
    other.add_edges_from(edges)
    return other


@pytest.mark.parametrize("papers", [3, 60])
def test_the_order_of_making_and_the_global_random_state_do_not_matter(papers):
    graph = conference(papers)
    random.seed(1)
    first = layout(graph)
    random.seed(2)
    state = random.getstate()
    assert layout(shuffled(graph, 5)) == first
    assert random.getstate() == state


@pytest.mark.parametrize(
    "graph",
    [
        nx.MultiDiGraph(),
        nx.MultiDiGraph([("a", "a")]),
        nx.MultiDiGraph([("a", "b")]),
        nx.MultiDiGraph([("a", "b"), ("b", "a"), ("b", "c")]),
        nx.MultiDiGraph([("hub", f"leaf{i}") for i in range(700)]),
        nx.MultiDiGraph([(f"n{i}", f"n{i + 1}") for i in range(400)]),
        nx.MultiDiGraph([(i, j) for i in "abcdefgh" for j in "abcdefgh" if i < j]),
        nx.MultiDiGraph([(f"a{i}", f"b{i}") for i in range(90)]),
        small(),
        conference(80),
    ],
    ids=["empty", "loop", "pair", "chain", "star", "path", "clique", "pairs", "small", "conference"],
)
def test_every_node_has_a_finite_place_apart_from_the_others(graph):
    spots = layout(graph)
    assert set(spots) == set(graph)
    if len(graph) < 2:
        return
    points = np.array(list(spots.values()))
    assert np.isfinite(points).all()
    difference = points[:, None] - points[None]
    distance = np.hypot(difference[..., 0], difference[..., 1]) + np.eye(len(points)) * 1e9
    assert np.median(distance.min(axis=1)) > 0.3 * SPACING
    assert distance.min() > 1


def test_components_stand_side_by_side():
    graph = nx.MultiDiGraph()
    for part in range(30):
        for i in range(2 + part % 9):
            graph.add_edge(f"{part}-0", f"{part}-{i + 1}")
    graph.add_nodes_from(f"single{i}" for i in range(40))
    spots = layout(graph)
    boxes = []
    for part in nx.weakly_connected_components(graph):
        xs, ys = zip(*(spots[n] for n in part), strict=True)
        boxes.append((min(xs), min(ys), max(xs), max(ys)))
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]
    width = max(b[2] for b in boxes) - min(b[0] for b in boxes)
    height = max(b[3] for b in boxes) - min(b[1] for b in boxes)
    assert 0.6 < width / height < 3.5


def test_positions_from_elsewhere_are_scaled_to_the_page_and_good_ones_kept():
    r = random.Random(3)
    unit = {str(i): (r.random(), r.random()) for i in range(400)}
    scaled = even(unit, unit)
    xs = [x for x, _ in scaled.values()]
    assert math.isclose(max(xs) - min(xs), SPACING * 20, rel_tol=0.1)
    assert even(scaled, scaled) == scaled
    assert even({"a": (0.0, 0.0), "b": (0.0, 0.0)}, ["a", "b"]) == {"a": (0.0, 0.0), "b": (0.0, 0.0)}


@pytest.mark.parametrize("nodes", [2, 3, 10, 200])
def test_a_chain_keeps_its_layout(nodes):
    spots = layout(nx.MultiDiGraph([(f"n{i:03}", f"n{i + 1:03}") for i in range(nodes)]))
    assert even(spots, spots) == spots
    flat = {f"n{i}": (i * SPACING, 0.0) for i in range(nodes)}
    assert even(flat, flat) == flat

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


def planted(groups: int, members: int, seed: int = 1) -> tuple[nx.MultiDiGraph, dict[str, int]]:
    """Groups with many edges inside and a few hubs that everyone is joined to; and who is in which group."""
    r = random.Random(seed)
    graph, home = nx.MultiDiGraph(), {}
    for group in range(groups):
        names = [f"g{group}n{i}" for i in range(members)]
        home |= dict.fromkeys(names, group)
        graph.add_edges_from(zip(names, names[1:], strict=False))
        graph.add_edges_from((r.choice(names), r.choice(names)) for _ in range(2 * members))
    everyone = sorted(home)
    for group in range(groups):
        graph.add_edges_from((f"g{group}n0", r.choice(everyone)) for _ in range(members // 4))
    return graph, home


def test_communities_of_a_large_component_stand_apart():
    graph, home = planted(20, 200)
    spots = layout(graph)
    names = sorted(home)
    points, group = np.array([spots[n] for n in names]), np.array([home[n] for n in names])
    middles = np.array([np.median(points[group == g], axis=0) for g in range(20)])
    nearest = np.hypot(*(points[:, None] - middles[None]).transpose(2, 0, 1)).argmin(axis=1)
    assert (nearest == group).mean() > 0.9
    # Water between them: around a node of the rim, the next node of another group is farther than one of its own.
    difference = points[:, None] - points[None]
    distance = np.hypot(difference[..., 0], difference[..., 1]) + np.eye(len(points)) * 1e9
    same = group[:, None] == group[None]
    own, foreign = np.where(same, distance, 1e9).min(axis=1), np.where(same, 1e9, distance).min(axis=1)
    assert (foreign > own).mean() > 0.95
    assert np.percentile(foreign, 5) > SPACING


def test_a_large_layout_is_the_same_every_time_and_wide():
    graph, _ = planted(12, 250, seed=4)
    first = layout(graph)
    random.seed(7)
    assert layout(shuffled(graph, 9)) == first
    width, height = np.ptp(np.array(list(first.values())), axis=0)
    assert 1 < width / height < 2.2


def test_a_large_community_is_islands_too():
    from kg.view.positions import arrange

    graph, home = planted(16, 200, seed=2)
    names = sorted(graph)
    index = {n: i for i, n in enumerate(names)}
    pairs = sorted({tuple(sorted((index[u], index[v]))) for u, v in graph.edges() if u != v})
    halves = np.array([home[n] % 2 for n in names])
    points = arrange(len(names), pairs, halves)
    inner = np.array([home[n] for n in names])
    left, right = (np.median(points[halves == h], axis=0) for h in (0, 1))
    side = np.hypot(*(points - left).T) > np.hypot(*(points - right).T)
    assert (side == (halves == 1)).mean() > 0.95
    spread = [np.hypot(*(points[inner == g] - np.median(points[inner == g], axis=0)).T).mean() for g in range(16)]
    whole = [np.hypot(*(points[halves == h] - np.median(points[halves == h], axis=0)).T).mean() for h in (0, 1)]
    assert np.mean(spread) < 0.6 * np.mean(whole)

"""Neighbourhoods."""

from __future__ import annotations

import networkx as nx
import pytest
from graphs import conference, iri, small

from kg.errors import QueryError
from kg.view import select

PAPER, METHOD = iri("paper", "openreview-a1"), iri("method", "driftnet")
SECOND = iri("paper", "openreview-b2")


def test_hops_go_in_both_directions_and_bring_every_edge_among_them():
    graph = small()
    assert set(select(graph, [METHOD], 0, None)) == {METHOD}
    one = select(graph, [METHOD], 1, None)
    assert set(one) == {METHOD, PAPER, SECOND}
    assert set(one.edges(keys=True)) == {(PAPER, METHOD, "proposesMethod"), (SECOND, METHOD, "usesMethod")}
    assert one.nodes[PAPER] == graph.nodes[PAPER]
    two = select(graph, [METHOD], 2, None)
    assert len(two) == len(graph) - 1  # all but the unconnected topic
    assert two.number_of_edges() == graph.number_of_edges()


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_it_agrees_with_networkx(hops):
    graph = conference(40)
    start = iri("paper", "p3")
    expected = nx.ego_graph(graph, start, radius=hops, undirected=True)
    assert set(select(graph, [start], hops, None)) == set(expected)


def test_kinds_are_followed_and_kept_and_the_start_stays():
    part = select(small(), [METHOD], 2, {"paper", "person"})
    assert {part.nodes[n]["kind"] for n in part} == {"method", "paper", "person"}
    assert {n for n in select(small(), [], 1, {"topic"})} == {iri("topic", "time-series"), iri("topic", "alone")}
    assert len(select(small(), [], 3, None)) == 10


def test_hubs_are_listed_but_not_followed_and_the_graph_says_so():
    graph = nx.MultiDiGraph()
    graph.add_node("hub", kind="dataset", label="ImageNet")
    graph.add_node("me", kind="paper", label="Me")
    graph.add_edge("me", "hub", key="usesDataset")
    for i in range(600):
        graph.add_node(f"p{i}", kind="paper", label=f"P{i}")
        graph.add_edge(f"p{i}", "hub", key="usesDataset")
    part = select(graph, ["me"], 3, None)
    assert set(part) == {"me", "hub"}
    assert part.nodes["hub"]["unexpanded"] == 601
    assert "ImageNet (601 neighbours)" in part.graph["notes"][0]
    assert "unexpanded" not in graph.nodes["hub"] and "notes" not in graph.graph
    assert len(select(graph, ["hub"], 1, None)) == 602  # asked for by name: followed
    assert len(select(graph, ["me"], 2, None, hub_limit=700)) == 602


def test_what_is_not_there_is_an_error_with_its_name():
    with pytest.raises(QueryError, match="https://nowhere"):
        select(small(), ["https://nowhere"], 1, None)
    with pytest.raises(QueryError, match="negative"):
        select(small(), [METHOD], -1, None)

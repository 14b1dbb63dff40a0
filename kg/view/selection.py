"""Part of a graph: what lies within some hops of some entities."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from kg.errors import QueryError

if TYPE_CHECKING:
    import networkx as nx

HUB_LIMIT = 500


def select(
    graph: nx.MultiDiGraph,
    entities: Iterable[str],
    hops: int,
    kinds: set[str] | None = None,
    *,
    hub_limit: int = HUB_LIMIT,
) -> nx.MultiDiGraph:
    """The entities, what lies within `hops` of them in either direction, and every edge among these.

    Args:
        graph: the graph as `kg.view.write_html` takes it.
        entities: IRIs to start from; without any, the whole graph is taken.
        hops: how many edges to follow, 0 or more.
        kinds: follow and keep only these kinds; the starting entities are kept whatever their kind.
        hub_limit: an entity with more neighbours than this is listed but not followed, unless it is
            a starting entity.

    Returns:
        A new graph. `graph["notes"]` holds a sentence for people about each hub that was not
        followed; the node attribute `unexpanded` its number of neighbours.

    Raises:
        QueryError: an entity is not in the graph, or `hops` is negative.
    """
    if hops < 0:
        raise QueryError(f"the number of hops cannot be negative ({hops})", place="--hops", hint="--hops 1")
    roots = list(dict.fromkeys(entities))
    for root in roots:
        if root not in graph:
            raise QueryError("no such entity in the graph", place=root, hint="kg show NAME finds its IRI")

    def wanted(node: str) -> bool:
        return kinds is None or graph.nodes[node].get("kind") in kinds

    hubs: dict[str, int] = {}
    if roots:
        kept, edge = set(roots), roots
        for _ in range(hops):
            following: list[str] = []
            for node in edge:
                around = {n for n in (*graph.succ[node], *graph.pred[node]) if wanted(n)} - {node}
                if len(around) > hub_limit and node not in roots:
                    hubs[node] = len(around)
                    continue
                fresh = around - kept
                kept |= fresh
                following.extend(fresh)
            edge = following
    else:
        kept = {n for n in graph if wanted(n)}

    part = graph.__class__()
    part.graph.update(graph.graph)
    part.add_nodes_from((n, dict(d)) for n, d in graph.nodes(data=True) if n in kept)
    part.add_edges_from(
        (u, v, k, dict(d)) for u, v, k, d in graph.edges(keys=True, data=True) if u in kept and v in kept
    )
    for node, size in hubs.items():
        part.nodes[node]["unexpanded"] = size
    part.graph["notes"] = [*graph.graph.get("notes", ()), *_hub_notes(part, hubs)]
    return part


def _hub_notes(graph: nx.MultiDiGraph, hubs: dict[str, int]) -> list[str]:
    """One sentence that names the largest hubs which were listed but not followed."""
    if not hubs:
        return []
    ordered = sorted(hubs.items(), key=lambda hub: (-hub[1], hub[0]))
    names = [f"{graph.nodes[node].get('label') or node} ({size:,} neighbours)" for node, size in ordered[:3]]
    more = f" and {len(ordered) - 3} more" if len(ordered) > 3 else ""
    return [f"Shown but not followed, because too much hangs on them: {', '.join(names)}{more}."]

"""Maps: the nodes and edges of a lens, of a filter of it, or around one entity, in columns."""

from __future__ import annotations

import sqlite3
from typing import Any

import msgspec
import numpy as np

from kg.links.lenses import COAUTHOR, LENSES, TYPES, Choice, Edges, sizes, through
from kg.query.index import KINDS
from kg.query.lookup import Match
from kg.serve.snapshot import Snapshot
from kg.serve.things import labels
from kg.view.atlas import DRAWN, SPAN, most_connected, unique_pairs, whole_numbers
from kg.view.positions import arrange

_CROWD = 500  # neighbours above which an entity is shown but not followed
_FRESH = 1500  # nodes up to which a neighbourhood gets a picture of its own
_LEAST = 5  # nodes of a community that is listed
_LISTED = 200  # communities listed


class Picture(msgspec.Struct):
    """What a map shows.

    Attributes:
        node: numbers of the entities, the most important first. place: their coordinates.
        size, community: one for each node; a community is -1 where the lens did not draw the node.
        edges: among these nodes. nodes_in_all, edges_in_all: before the cut. cut: what was left out, for people.
    """

    lens: str
    node: np.ndarray
    place: np.ndarray
    size: np.ndarray
    community: np.ndarray
    edges: Edges
    nodes_in_all: int
    edges_in_all: int
    cut: str | None = None


def draw(snapshot: Snapshot, lens: str, chosen: Choice, limit: int = DRAWN) -> Picture:
    """The picture of a lens, or of what passes a filter."""
    edges = _edges(snapshot, lens, chosen)
    size = sizes(snapshot.network, lens, edges)
    if chosen.kinds and lens != "all":
        edges, size = _only(snapshot, edges, size, chosen.kinds)
    total = int((size > 0).sum())
    node = most_connected(snapshot.network, size, min(limit, DRAWN))
    cut = None
    if len(node) < total:
        cut = f"only the {len(node):,} most connected of {total:,} are drawn, because more can be neither told apart nor drawn fast; filter to see the others"
    return _picture(snapshot, lens, node, size[node], edges, total, cut)


def around(
    snapshot: Snapshot, lens: str, chosen: Choice, start: Match, hops: int, limit: int, *, fresh: bool = True
) -> Picture:
    """What lies within some hops of an entity, and every edge among these.

    Args:
        fresh: lay it out anew; otherwise the nodes stand where the whole lens has them.
    """
    edges = _edges(snapshot, lens, chosen)
    a, b = edges.source, edges.target
    kept = np.zeros(snapshot.network.size, dtype=bool)
    kept[start.id] = True
    degree = np.bincount(a, minlength=len(kept)) + np.bincount(b, minlength=len(kept))
    edge = kept.copy()
    for _ in range(hops):
        edge &= (degree <= _CROWD) | (np.arange(len(kept)) == start.id)
        near = np.zeros_like(kept)
        near[b[edge[a]]] = True
        near[a[edge[b]]] = True
        edge = near & ~kept
        kept |= near
    allowed = [KINDS.index(k) for k in chosen.kinds] or range(len(KINDS))
    kept &= np.isin(snapshot.network.kind, allowed)
    kept[start.id] = True
    total = int(kept.sum())
    size = np.where(kept, np.maximum(degree, 1), 0)
    size[start.id] = max(int(size.max()), 1) + 1  # first, and never cut
    node = most_connected(snapshot.network, size, limit)
    size[start.id] = max(int(degree[start.id]), 1)
    cut = f"only the {len(node):,} most connected of {total:,} around it are drawn" if len(node) < total else None
    picture = _picture(snapshot, lens, node, size[node], _among(edges, kept), total, cut)
    if fresh and len(node) <= _FRESH:
        pairs, _ = unique_pairs(node, picture.edges, snapshot.network.size)
        picture.place = whole_numbers(arrange(len(node), pairs))
    return picture


def to_json(snapshot: Snapshot, picture: Picture) -> dict[str, Any]:
    """A picture as the interface gives it."""
    network, node, edges = snapshot.network, picture.node, picture.edges
    place = np.full(network.size, -1, dtype=np.int64)
    place[node] = np.arange(len(node))
    used = np.unique(edges.type)
    new_type = np.zeros(len(TYPES), dtype=np.int64)
    new_type[used] = np.arange(len(used))
    names = labels(snapshot, node.tolist())
    lens = LENSES[picture.lens]
    years = network.year[node].tolist()
    return {
        "lens": picture.lens,
        "node": lens.node,
        "edge": lens.edge,
        "nodes": {
            "id": [tail for tail, _ in names],
            "label": [label for _, label in names],
            "kind": [KINDS[k] for k in network.kind[node]],
            "x": picture.place[:, 0].tolist(),
            "y": picture.place[:, 1].tolist(),
            "size": picture.size.tolist(),
            "community": [c if c >= 0 else None for c in picture.community.tolist()],
            "year": [year or None for year in years],
        },
        "edges": {
            "source": place[edges.source].tolist(),
            "target": place[edges.target].tolist(),
            "weight": _weights(edges),
            "type": new_type[edges.type].tolist(),
        },
        "edge_types": [TYPES[t] for t in used],
        "communities": _communities(snapshot.atlas, picture),
        "total": {"nodes": picture.nodes_in_all, "edges": picture.edges_in_all},
        "cut": picture.cut,
        "empty": None if len(node) else lens.empty,
    }


def _weights(edges: Edges) -> list[float]:
    """Whole numbers of papers, or confidences with two digits."""
    if len(edges.type) and edges.type[0] == COAUTHOR:
        return edges.weight.astype(np.int64).tolist()
    return [round(w, 2) for w in edges.weight.tolist()]


def _edges(snapshot: Snapshot, lens: str, chosen: Choice) -> Edges:
    if lens == "coauthors" and not chosen:
        pair = snapshot.columns("pair")
        kind = np.full(len(pair["source"]), COAUTHOR, dtype=np.uint8)
        return Edges(pair["source"], pair["target"], pair["weight"].astype(np.float32), kind)
    return through(snapshot.network, lens, chosen)


def _only(snapshot: Snapshot, edges: Edges, size: np.ndarray, kinds: tuple[str, ...]) -> tuple[Edges, np.ndarray]:
    good = np.isin(snapshot.network.kind, [KINDS.index(k) for k in kinds])
    return _among(edges, good), np.where(good, size, 0)


def _among(edges: Edges, kept: np.ndarray) -> Edges:
    inside = kept[edges.source] & kept[edges.target]
    return Edges(edges.source[inside], edges.target[inside], edges.weight[inside], edges.type[inside])


def _picture(
    snapshot: Snapshot, lens: str, node: np.ndarray, size: np.ndarray, edges: Edges, total: int, cut: str | None
) -> Picture:
    shown = np.zeros(snapshot.network.size, dtype=bool)
    shown[node] = True
    kept = _among(edges, shown)
    place, community = _placed(snapshot, lens, node, kept)
    return Picture(lens, node, place, size, community, kept, total, len(edges.source), cut)


def _placed(snapshot: Snapshot, lens: str, node: np.ndarray, edges: Edges) -> tuple[np.ndarray, np.ndarray]:
    """Places and communities as the lens was drawn; a node it left out stands amid its neighbours."""
    columns = snapshot.columns(lens)
    where = np.full(snapshot.network.size, -1, dtype=np.int64)
    where[columns["node"]] = np.arange(len(columns["node"]))
    spots = np.full((snapshot.network.size, 2), -1.0)
    spots[columns["node"]] = np.column_stack([columns["x"], columns["y"]])
    missing = node[where[node] < 0]
    if len(missing):
        _beside(spots, missing, edges)
    drawn = where[node]
    community = np.where(drawn >= 0, columns["community"][drawn] if len(columns["node"]) else -1, -1)
    return np.clip(np.rint(spots[node]), 0, SPAN).astype(np.int64), community


def _beside(spots: np.ndarray, missing: np.ndarray, edges: Edges) -> None:
    """Gives each missing node the mean place of its neighbours, a little aside; without any, a place at the rim."""
    for ends, others in ((edges.source, edges.target), (edges.target, edges.source)):
        good = (spots[others, 0] >= 0) & (spots[ends, 0] < 0)
        count = np.bincount(ends[good], minlength=len(spots))
        for axis in (0, 1):
            total = np.bincount(ends[good], spots[others[good], axis], len(spots))
            found = missing[count[missing] > 0]
            spots[found, axis] = total[found] / count[found]
    turn = missing * 2.399963  # golden angle: nodes of one place part in all directions
    alone = spots[missing, 0] < 0
    spots[missing[alone]] = SPAN / 2
    placed = spots[spots[:, 0] >= 0]
    rim = np.abs(placed - SPAN / 2).max(axis=0, initial=0)  # the whole is wider than high
    reach = np.where(alone[:, None], np.where(rim > 0, rim, SPAN * 0.49), SPAN * 0.004)
    spots[missing] += np.column_stack([np.cos(turn), np.sin(turn)]) * reach


def _communities(atlas: sqlite3.Connection, picture: Picture) -> list[dict[str, Any]]:
    names = dict(atlas.execute("SELECT id, label FROM community WHERE lens = ?", (picture.lens,)))
    found, counts = np.unique(picture.community[picture.community >= 0], return_counts=True)
    rows = [(int(n), int(c)) for c, n in zip(found, counts, strict=True) if n >= _LEAST]
    rows.sort(key=lambda r: (-r[0], r[1]))
    return [{"id": c, "label": names.get(c, ""), "size": n} for n, c in rows[:_LISTED]]

"""Communities side by side: a large component as islands with water between them.

A force layout of a whole graph with hubs ends in one ball. Here each community is laid out by itself, and
the communities are then placed like discs: linked ones pull each other until they touch, none overlaps, and
each is turned so that its links to the others are short. A community that is itself large is made of islands too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kg.links.communities import communities, seeded

if TYPE_CHECKING:
    import igraph
    import numpy as np

_LARGE = 900  # nodes of an island above which it is divided once more
_EVEN = 0.62  # radius of an even disc, in units of the spacing and of the root of its nodes
_ROUNDS = 240  # of placing
_WATER = 0.12  # of the radius of the smaller island, between two
_WIDER = 1.3  # how much the middles may be drawn apart to fill a wide screen
_DENSE = 0.8  # share of the area that placed discs cover at first

Lay = Callable[["igraph.Graph"], "np.ndarray"]


def archipelago(part: igraph.Graph, group: np.ndarray, lay: Lay, spacing: float, aspect: float = 1.0) -> np.ndarray:
    """Coordinates of a connected graph, its communities apart from each other.

    Args:
        group: number of each node's community. lay: lays out a connected graph around any point.
        spacing: mean distance of neighbouring nodes, the unit of the water. aspect: width to height of the whole.
    """
    import igraph
    import numpy as np

    ends = np.array(part.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    inside = group[ends[:, 0]] == group[ends[:, 1]]
    whole = igraph.Graph(part.vcount(), ends[inside].tolist())
    members = [np.array(m) for m in whole.connected_components()]
    if len(members) == 1:
        return _divided(part, lay, spacing)
    home = np.empty(part.vcount(), dtype=np.int64)
    spots = np.zeros((part.vcount(), 2))
    radius = np.zeros(len(members))
    for number, nodes in enumerate(members):
        home[nodes] = number
        if len(nodes) > 1:
            block = _divided(part.induced_subgraph(nodes.tolist()), lay, spacing)
            spots[nodes] = block - (block.min(axis=0) + block.max(axis=0)) / 2
            radius[number] = np.hypot(*spots[nodes].T).max()
    radius += spacing / 2
    across = np.sort(home[ends[~inside]], axis=1)
    key, weight = np.unique(across[:, 0] * len(members) + across[:, 1], return_counts=True)
    links = np.column_stack([key // len(members), key % len(members)])
    middle = _placed(radius, links, weight.astype(float), spacing, aspect)
    width, height = np.ptp(middle, axis=0)
    middle *= [min(max(aspect * height / max(width, 1e-9), 1.0), _WIDER), 1.0]  # more water, where a screen has room
    _turn(spots, home, middle, ends)
    return spots + middle[home]


def _divided(part: igraph.Graph, lay: Lay, spacing: float) -> np.ndarray:
    """One island; islands again where it is large and falls into parts."""
    if part.vcount() <= _LARGE:
        return _round(lay(part), spacing)
    pairs = [tuple(sorted(pair)) for pair in part.get_edgelist()]
    group = communities(part.vcount(), pairs, [1.0] * len(pairs))
    return archipelago(part, group, lay, spacing) if group.max() > 0 else _round(lay(part), spacing)


def _round(spots: np.ndarray, spacing: float) -> np.ndarray:
    """An island with bays filled: nodes keep their direction from the middle, their distance nears that in an even disc."""
    import numpy as np

    if len(spots) < 20:
        return spots
    spots = spots - np.median(spots, axis=0)
    distance = np.maximum(np.hypot(*spots.T), 1e-9)
    rank = np.empty(len(spots))
    rank[np.argsort(distance, kind="stable")] = np.arange(len(spots)) + 0.5
    disc = spacing * _EVEN * np.sqrt(rank)
    return spots * ((0.25 * np.minimum(distance, 1.5 * disc) + 0.75 * disc) / distance)[:, None]


def _placed(radius: np.ndarray, links: np.ndarray, weight: np.ndarray, spacing: float, aspect: float) -> np.ndarray:
    """Middles of discs: near those they are linked to, and no two of them overlapping."""
    import igraph
    import numpy as np

    count = len(radius)
    graph = igraph.Graph(count, links.tolist())
    size = radius**2
    pull = weight / np.sqrt(size[links[:, 0]] * size[links[:, 1]])
    grid = "nogrid" if count < 1000 else "grid"
    with seeded():
        flat = graph.layout_fruchterman_reingold(niter=400, grid=grid, weights=(pull / pull.mean()).tolist())
    place = np.array(flat.coords)
    place -= np.average(place, axis=0, weights=size)
    width, height = np.maximum(np.ptp(place, axis=0), 1e-9)
    area = np.pi * size.sum() / _DENSE
    place *= [np.sqrt(area * aspect) / width, np.sqrt(area / aspect) / height]
    total = np.bincount(links.ravel("F"), np.tile(weight, 2), count)
    for turn in range(_ROUNDS):
        warm = 1 - turn / _ROUNDS
        difference = place[links[:, 1]] - place[links[:, 0]]
        distance = np.maximum(np.hypot(*difference.T), 1e-9)
        reach = radius[links[:, 0]] + radius[links[:, 1]]
        step = difference * (np.maximum(distance - reach, 0) / distance * weight)[:, None]
        move = np.zeros_like(place)
        for axis in (0, 1):
            move[:, axis] += np.bincount(links[:, 0], step[:, axis], count)
            move[:, axis] -= np.bincount(links[:, 1], step[:, axis], count)
        place += 0.25 * warm * move / np.maximum(total, 1)[:, None]
        place *= [1 - 0.06 * warm / aspect**2, 1 - 0.06 * warm * aspect**2]
        _part(place, radius, spacing)
    for _ in range(_ROUNDS):
        if not _part(place, radius, spacing):
            break
    return place


def _part(place: np.ndarray, radius: np.ndarray, spacing: float) -> bool:
    """Moves overlapping discs apart, the smaller the farther; whether there were any."""
    import numpy as np

    order = np.argsort(place[:, 0] - radius, kind="stable")
    left, right = (place[:, 0] - radius)[order], (place[:, 0] + radius)[order]
    last = np.searchsorted(left, right + spacing, "right")
    ahead = np.maximum(last - np.arange(len(order)) - 1, 0)
    first = np.repeat(np.arange(len(order)), ahead)
    second = first + 1 + np.arange(len(first)) - np.repeat(np.cumsum(ahead) - ahead, ahead)
    a, b = order[first], order[second]
    difference = place[a] - place[b]
    distance = np.maximum(np.hypot(*difference.T), 1e-9)
    water = spacing + _WATER * np.minimum(radius[a], radius[b])
    lack = radius[a] + radius[b] + water - distance
    close = lack > 0.01 * spacing
    if not close.any():
        return False
    a, b, lack = a[close], b[close], lack[close]
    way = difference[close] / distance[close, None] * (0.6 * lack)[:, None]
    share = radius[b] ** 2 / (radius[a] ** 2 + radius[b] ** 2)
    for axis in (0, 1):
        place[:, axis] += np.bincount(a, way[:, axis] * share, len(place))
        place[:, axis] -= np.bincount(b, way[:, axis] * (1 - share), len(place))
    return True


def _turn(spots: np.ndarray, home: np.ndarray, middle: np.ndarray, ends: np.ndarray) -> None:
    """Turns each island about its middle so that its nodes face what they are linked to."""
    import numpy as np

    across = ends[home[ends[:, 0]] != home[ends[:, 1]]]
    near, far = np.concatenate([across, across[:, ::-1]]).T
    aim = middle[home[far]] - middle[home[near]]
    aim /= np.maximum(np.hypot(*aim.T), 1e-9)[:, None]
    own = spots[near]
    count = len(middle)
    dot = np.bincount(home[near], (own * aim).sum(axis=1), count)
    cross = np.bincount(home[near], own[:, 0] * aim[:, 1] - own[:, 1] * aim[:, 0], count)
    angle = np.arctan2(cross, dot)[home]
    x, y = spots[:, 0].copy(), spots[:, 1].copy()
    spots[:, 0] = x * np.cos(angle) - y * np.sin(angle)
    spots[:, 1] = x * np.sin(angle) + y * np.cos(angle)

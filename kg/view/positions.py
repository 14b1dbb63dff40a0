"""Where the nodes stand: a force layout in native code with a fixed seed, computed once.

Each connected component is laid out by igraph's Fruchterman-Reingold (1991) implementation, scaled
to an even density, a large one community by community (`kg.view.islands`); the largest stands in the
middle, the others in rings around it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from kg.links.communities import communities, seeded
from kg.view.islands import archipelago

if TYPE_CHECKING:
    import igraph
    import networkx as nx
    import numpy as np

SPACING = 80.0  # mean distance between neighbouring nodes, in the page's units
_SMALL = 150  # nodes up to which a component gets the finer, slower layout
_ASPECT = 1.5  # width to height of the whole, near that of a screen
_LARGE = 2500  # nodes of a component above which its communities stand apart


def layout(graph: nx.MultiDiGraph) -> dict[str, tuple[float, float]]:
    """Position of each node, in the page's units; the same for the same nodes and edges.

    The order in which nodes and edges were added, and their attributes, do not matter. 25,000 nodes
    with 60,000 edges take a few seconds.
    """
    import numpy as np

    names = sorted(graph)
    if not names:
        return {}
    index = {name: i for i, name in enumerate(names)}
    pairs = sorted({tuple(sorted((index[u], index[v]))) for u, v in graph.edges() if u != v})
    placed = arrange(len(names), pairs)
    return {name: (float(x), float(y)) for name, (x, y) in zip(names, np.round(placed, 1), strict=True)}


def arrange(size: int, pairs: Sequence[tuple[int, int]], group: np.ndarray | None = None) -> np.ndarray:
    """Coordinates of `size` nodes, one row each, from their edges (sorted, each pair once), around the origin.

    Args:
        group: number of each node's community, where the caller has found them; they shape what is large.
    """
    import igraph
    import numpy as np

    whole = igraph.Graph(size, pairs)
    members = sorted(whole.connected_components(), key=lambda part: (-len(part), part))
    if group is None and len(members[0]) > _LARGE:
        group = communities(size, pairs, [1.0] * len(pairs))

    blocks = []
    for part in members:
        if len(part) > _LARGE and group is not None:
            blocks.append(archipelago(whole.induced_subgraph(part), group[part], _component, SPACING, _ASPECT))
        elif len(part) > 1:
            blocks.append(_component(whole.induced_subgraph(part)))
    blocks += [np.zeros((1, 2))] * (len(members) - len(blocks))

    placed = np.zeros((size, 2))
    for part, block, middle in zip(members, blocks, _pack(blocks), strict=True):
        placed[part] = block - (block.min(axis=0) + block.max(axis=0)) / 2 + middle
    return placed - (placed.min(axis=0) + placed.max(axis=0)) / 2


def even(positions: Mapping[str, tuple[float, float]], names: Iterable[str]) -> dict[str, tuple[float, float]]:
    """Positions from elsewhere, scaled so that the page's sizes fit, unless they already do."""
    given = {name: positions[name] for name in names}
    xs, ys = zip(*given.values(), strict=True)
    area = _area(max(xs) - min(xs), max(ys) - min(ys), len(given))
    factor = SPACING / math.sqrt(area / len(given)) if len(given) > 2 else 1.0
    if 0.4 <= factor <= 2.5:
        return given
    return {name: (x * factor, y * factor) for name, (x, y) in given.items()}


def _area(width: float, height: float, nodes: int) -> float:
    """Area that nodes take up; a line of them is as wide as one of them."""
    return max(width, height / nodes, 1e-6) * max(height, width / nodes, 1e-6)


def _component(part: igraph.Graph) -> np.ndarray:
    """Coordinates of one connected component of two nodes or more.

    A small one is laid out by Kamada and Kawai's method (1989). In a large one, nodes with one
    neighbour only are left out of the force layout and put around that neighbour; links of
    much-linked nodes pull less, or everything would end up in one ball around the hubs.
    """
    import numpy as np

    size = part.vcount()
    if size == 2:
        return np.array([[0.0, 0.0], [SPACING * 1.2, 0.0]])
    degree = np.array(part.degree())
    core = np.flatnonzero(degree > 1) if size > _SMALL else np.arange(size)
    inner = part.induced_subgraph(core.tolist())
    spots = np.zeros((size, 2))
    if len(core) > 1:
        if len(core) <= _SMALL:
            flat = inner.layout_kamada_kawai(maxiter=50 * len(core))
        else:
            pull = _pull(inner)
            with seeded():
                flat = inner.layout_fruchterman_reingold(niter=_rounds(len(core)), grid="grid", weights=pull)
        spots[core] = _upright(np.array(flat.coords))
        if len(core) > 20:  # a round heap becomes as wide as a screen
            width, height = np.ptp(spots[core], axis=0)
            spots[core] *= [max(1.0, _ASPECT * height / max(width, 1e-9)), 1.0]
        low, high = np.percentile(spots[core], [2, 98], axis=0)
        if len(core) > _SMALL:  # a few far-out nodes would make everything else small
            middle, half = (low + high) / 2, np.maximum((high - low) / 2, 1e-9)
            reach = np.maximum(np.hypot(*((spots[core] - middle) / half).T), 1.0)
            spots[core] = middle + (spots[core] - middle) * ((1 + 0.4 * (reach - 1)) / reach)[:, None]
        area = _area(*(high - low), size)
        spots[core] *= SPACING * 1.15 * math.sqrt(size / area)
    leaves = np.setdiff1d(np.arange(size), core)
    for leaf, (turn, reach) in zip(leaves, _fan(part, leaves), strict=True):
        spots[leaf] = spots[part.neighbors(int(leaf))[0]] + reach * np.array([math.cos(turn), math.sin(turn)])
    return _apart(spots, SPACING * 0.55)


def _rounds(size: int) -> int:
    """Rounds of the force layout: fewer in a large graph, where each takes long and the shape shows sooner."""
    return max(100, min(500, 10_000_000 // size))


def _pull(part: igraph.Graph) -> list[float]:
    """How much each edge pulls: less at much-linked nodes, more inside a community (Louvain, 2008)."""
    import numpy as np

    ends = np.array(part.get_edgelist())
    linked = np.array(part.degree())
    with seeded():
        group = np.array(part.community_multilevel().membership)
    inside = group[ends[:, 0]] == group[ends[:, 1]]
    return (np.where(inside, 3.0, 0.3) / np.sqrt(np.minimum(linked[ends[:, 0]], linked[ends[:, 1]]))).tolist()


def _fan(part: igraph.Graph, leaves: np.ndarray) -> Iterator[tuple[float, float]]:
    """Angle and distance of each leaf from its only neighbour: a sunflower around each."""
    seen: Counter[int] = Counter()
    for leaf in leaves:
        parent = part.neighbors(int(leaf))[0]
        number = seen[parent]
        seen[parent] += 1
        yield 2.399963 * number + 0.7 * parent, SPACING * (0.75 + 0.42 * math.sqrt(number))


def _upright(spots: np.ndarray) -> np.ndarray:
    """Turned so that the longest direction lies flat, as screens are wide."""
    import numpy as np

    centred = spots - spots.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    turn = axes[:, ::-1].copy()
    turn *= np.where(turn[np.abs(turn).argmax(axis=0), [0, 1]] < 0, -1.0, 1.0)  # eigenvectors have no sign
    return centred @ turn


def _apart(spots: np.ndarray, gap: float, rounds: int = 20) -> np.ndarray:
    """Nodes nearer than `gap` pushed away from each other, by a grid of cells of that size."""
    import numpy as np

    spots = spots.copy()
    angles = np.arange(len(spots)) * 2.399963  # golden angle: coincident nodes part in all directions
    spots += 1e-3 * gap * np.column_stack([np.cos(angles), np.sin(angles)])
    for _ in range(rounds):
        first, second = _near(spots, gap)
        difference = spots[first] - spots[second]
        distance = np.maximum(np.hypot(*difference.T), 1e-6)
        close = distance < gap
        if not close.any():
            break
        first, second = first[close], second[close]
        push = difference[close] * ((gap - distance[close]) / distance[close] * 0.5)[:, None]
        for axis in (0, 1):
            spots[:, axis] += np.bincount(first, push[:, axis], len(spots)) * 0.5
            spots[:, axis] -= np.bincount(second, push[:, axis], len(spots)) * 0.5
    return spots


def _near(spots: np.ndarray, gap: float) -> tuple[np.ndarray, np.ndarray]:
    """Index pairs of nodes in the same or in touching cells (each pair once)."""
    import numpy as np

    cells = np.floor((spots - spots.min(axis=0)) / gap).astype(np.int64) + 1
    width = int(cells[:, 1].max()) + 3
    key = cells[:, 0] * width + cells[:, 1]
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    firsts, seconds = [], []
    for shift in (0, 1, width - 1, width, width + 1):
        low = np.searchsorted(ordered, ordered + shift, "left")
        high = np.searchsorted(ordered, ordered + shift, "right")
        if shift == 0:
            low = np.arange(1, len(order) + 1)
        count = np.maximum(high - low, 0)
        source = np.repeat(np.arange(len(order)), count)
        offset = np.arange(len(source)) - np.repeat(np.cumsum(count) - count, count)
        firsts.append(order[source])
        seconds.append(order[low[source] + offset])
    return np.concatenate(firsts), np.concatenate(seconds)


def _pack(blocks: list[np.ndarray]) -> list[np.ndarray]:
    """Where the middle of each block goes: the widest stands in the middle, the others in rings around it."""
    import numpy as np

    margin = SPACING * 1.1
    reach = [float(np.hypot(*np.ptp(block, axis=0))) + margin for block in blocks]  # of a circle that holds it
    order = sorted(range(len(blocks)), key=lambda n: (-reach[n], n))
    middles = [np.zeros(2) for _ in blocks]
    centre = blocks[order[0]] - (blocks[order[0]].min(axis=0) + blocks[order[0]].max(axis=0)) / 2
    half = np.maximum(np.abs(centre).max(axis=0), SPACING / 2)
    half = half * max(1.0, float(np.hypot(*(centre / half).T).max())) + margin / 2
    rest = iter(order[1:])
    number = next(rest, None)
    while number is not None:
        step = reach[number] * 1.08  # rings of ellipses are a little nearer than the difference of their axes
        a, b = half + step / 2
        turn, last = math.pi / 2, math.pi * 2.5
        while number is not None:
            middles[number] = np.array([a * math.cos(turn), b * math.sin(turn)])
            turn += step / math.hypot(a * math.sin(turn), b * math.cos(turn))
            number = next(rest, None)
            if turn + step / math.hypot(a * math.sin(turn), b * math.cos(turn)) > last:
                break
        half = half + step
    return middles

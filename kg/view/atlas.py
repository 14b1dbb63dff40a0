"""The atlas of a graph: where every node of every lens stands, computed once and kept beside the index.

`explore.sqlite` in a graph's folder holds what the explorer needs ready: the columns of
`kg.links.network`, the words of `kg.query.words`, and for each lens positions, sizes and communities of
its most connected nodes. It is made of the index alone; equal graphs have equal bytes.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import GraphError
from kg.links.communities import communities
from kg.links.lenses import LENSES, Choice, Edges, sizes, through
from kg.links.network import Network, keep, keep_network, read_network
from kg.query.index import KINDS, open_index
from kg.query.words import keep_words
from kg.view.positions import arrange

if TYPE_CHECKING:
    import numpy as np

FILE = "explore.sqlite"
VERSION = 4  # of the file
DRAWN = 100_000  # nodes of a lens that are laid out, the most connected first
AT_BUILD = 10_000  # entities up to which a build makes the atlas (two seconds); for more the first `kg serve` does
SPAN = 65_535  # coordinates are whole numbers from 0 to this
_NAMED = 5  # nodes from which a community gets a name


def make_atlas(folder: Path, into: Path | None = None, step: Callable[[str], None] = lambda name: None) -> Path:
    """Makes the atlas of the graph in `folder` (the one with `index.sqlite`).

    Args:
        into: folder to write to, when not the same. step: told what is being done, for people.

    Returns:
        The file; it takes its place only when it is whole.

    Raises:
        GraphError: the graph cannot be read, or the file cannot be written.
    """
    target = (into or folder) / FILE
    index = open_index(folder / "index.sqlite")
    temporary = target.with_name(f".{FILE}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb"):  # fails here, not after minutes, where nothing can be written
            pass
        db = sqlite3.connect(temporary)
        db.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA user_version = {VERSION};")
        step("reading edges")
        network = read_network(index)
        keep_network(db, network)
        step("indexing words")
        keep_words(db, index)
        db.execute("CREATE TABLE community (lens TEXT, id INTEGER, label TEXT, size INTEGER, PRIMARY KEY (lens, id))")
        for lens in LENSES:
            step(f"drawing: {LENSES[lens].title.lower()}")
            _keep_lens(db, index, network, lens)
        db.commit()
        db.execute("VACUUM")
        db.close()
        os.replace(temporary, target)
    except OSError as error:
        raise GraphError(f"the map cannot be written: {error.strerror or error}", place=str(target)) from None
    finally:
        temporary.unlink(missing_ok=True)
        index.close()
    return target


def make_small_atlas(folder: Path, begin: Callable[[], None] = lambda: None) -> None:
    """Makes the atlas of a graph that is small enough for a build to wait for it, after telling that it begins."""
    index = open_index(folder / "index.sqlite")
    (size,) = index.execute("SELECT COUNT(*) FROM thing").fetchone()
    index.close()
    if size <= AT_BUILD:
        begin()
        make_atlas(folder)


def atlas_of(folder: Path, step: Callable[[str], None] = lambda name: None) -> tuple[Path, Path | None]:
    """The atlas of a graph, made now if it is not there.

    Returns:
        The file, and the folder to remove when done with it, where the graph's own could not be written to.
    """
    path = folder / FILE
    if _usable(path):
        return path, None
    try:
        return make_atlas(folder, step=step), None
    except GraphError:
        if os.access(folder, os.W_OK):
            raise
    own = Path(tempfile.mkdtemp(prefix="kg-atlas-"))
    return make_atlas(folder, own, step), own


def open_atlas(path: Path) -> sqlite3.Connection:
    """Opens an atlas read-only."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)


def _usable(path: Path) -> bool:
    try:
        db = open_atlas(path)
        try:
            return bool(db.execute("PRAGMA user_version").fetchone()[0] == VERSION)
        finally:
            db.close()
    except sqlite3.Error:
        return False


def _keep_lens(db: sqlite3.Connection, index: sqlite3.Connection, network: Network, lens: str) -> None:
    """Lays out one lens and keeps its columns: node, x, y, size, community; for co-authors also the pairs."""
    import numpy as np

    edges = through(network, lens, Choice(kinds=KINDS) if lens == "all" else None)
    size = sizes(network, lens, edges)
    pulling = _pulling(network, edges) if lens == "all" else edges
    node = most_connected(network, size, DRAWN)
    place, group = _drawn(network, node, pulling)
    _gather_hubs(network, node, place, edges)
    db.executemany("INSERT INTO community VALUES (?, ?, ?, ?)", _names(index, network, lens, node, size, group))
    spots = whole_numbers(place)
    keep(db, lens, {"node": node, "x": spots[:, 0], "y": spots[:, 1], "size": size[node].astype(np.int32),
                    "community": group})  # fmt: skip
    if lens == "coauthors":
        keep(db, "pair", {"source": edges.source, "target": edges.target, "weight": edges.weight.astype(np.uint16)})


def most_connected(network: Network, size: np.ndarray, limit: int) -> np.ndarray:
    """Numbers of the largest entities, the largest first, equal ones in order of their number."""
    import numpy as np

    order = np.lexsort((np.arange(len(size)), -network.papers.astype(np.int64), -size))
    return order[: min(limit, int((size > 0).sum()))].astype(np.int32)


def whole_numbers(place: np.ndarray) -> np.ndarray:
    """Coordinates as whole numbers from 0 to `SPAN`, one scale for both axes, the picture in the middle."""
    import numpy as np

    if not len(place):
        return np.zeros((0, 2), dtype=np.uint16)
    low, high = place.min(axis=0), place.max(axis=0)
    span = max(float((high - low).max()), 1e-9)
    middle = (low + high) / 2
    return np.clip(np.rint((place - middle) / span * SPAN + SPAN / 2), 0, SPAN).astype(np.uint16)


def unique_pairs(node: np.ndarray, edges: Edges, size: int) -> tuple[list[tuple[int, int]], np.ndarray]:
    """Edges among some nodes as pairs of places in `node` (sorted, each once), and their summed weights."""
    import numpy as np

    place = np.full(size, -1, dtype=np.int64)
    place[node] = np.arange(len(node))
    a, b = place[edges.source], place[edges.target]
    inside = (a >= 0) & (b >= 0) & (a != b)
    a, b = np.minimum(a[inside], b[inside]), np.maximum(a[inside], b[inside])
    key, back = np.unique(a * max(len(node), 1) + b, return_inverse=True)
    weight = np.bincount(back, edges.weight[inside], len(key))
    width = max(len(node), 1)
    return list(zip((key // width).tolist(), (key % width).tolist(), strict=True)), weight


def _pulling(network: Network, edges: Edges) -> Edges:
    """Edges that shape the picture of everything: not those of topics, which join hundreds of papers at once."""
    plain = network.kind[edges.target] != KINDS.index("topic")
    return Edges(edges.source[plain], edges.target[plain], edges.weight[plain], edges.type[plain])


def _drawn(network: Network, node: np.ndarray, edges: Edges) -> tuple[np.ndarray, np.ndarray]:
    import numpy as np

    if not len(node):
        return np.zeros((0, 2)), np.zeros(0, dtype=np.int32)
    pairs, weight = unique_pairs(node, edges, network.size)
    group = communities(len(node), pairs, weight.tolist())
    return arrange(len(node), pairs, group), group


def _gather_hubs(network: Network, node: np.ndarray, place: np.ndarray, edges: Edges) -> None:
    """Puts each topic amid its papers; the force layout knows nothing of it."""
    import numpy as np

    where = np.full(network.size, -1, dtype=np.int64)
    where[node] = np.arange(len(node))
    for topic in node[network.kind[node] == KINDS.index("topic")]:
        papers = where[edges.source[edges.target == topic]]
        papers = papers[papers >= 0]
        if len(papers):
            place[where[topic]] = np.median(place[papers], axis=0)


def _names(
    index: sqlite3.Connection, network: Network, lens: str, node: np.ndarray, size: np.ndarray, group: np.ndarray
) -> list[tuple[str, int, str, int]]:
    """A name for each larger community: its most connected method, data set or repository, else person, else paper."""
    import numpy as np

    rank = np.array([{"paper": 2, "person": 1}.get(kind, 0) for kind in KINDS])[network.kind[node]]
    rank = np.where((rank == 0) & (size[node] < 2), 3, rank)  # what one paper alone speaks of names no group
    members = np.bincount(group, minlength=1)
    rows = []
    order = np.lexsort((np.arange(len(node)), rank, group))
    firsts = order[np.unique(group[order], return_index=True)[1]]
    for first in firsts:
        number = int(group[first])
        if members[number] >= _NAMED:
            (label,) = index.execute("SELECT label FROM thing WHERE id = ?", (int(node[first]),)).fetchone()
            rows.append((lens, number, label, int(members[number])))
    return rows

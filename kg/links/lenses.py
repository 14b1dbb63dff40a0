"""Lenses: ways of looking at the graph, each with its own nodes and edges.

A lens turns the edges between papers and entities, or those of them that pass a filter, into the
nodes and edges of one picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from kg.links.network import EDGE_TYPES, STATED, Network
from kg.query.index import KINDS

if TYPE_CHECKING:
    import numpy as np

MANY_AUTHORS = 100  # papers of more say little about who works with whom, and make thousands of pairs


class Lens(Struct, frozen=True):
    """One way of looking: what its nodes and edges mean, and what to say when there are none."""

    title: str
    node: str
    edge: str
    empty: str


LENSES = {
    "all": Lens(
        "Everything",
        "A node is a paper, a person, a method, a data set or a repository.",
        "An edge is a statement about a paper: who wrote it, what it proposes, uses, introduces or links to.",
        "The graph holds no papers; kg build FILE... adds some.",
    ),
    "coauthors": Lens(
        "Co-authors",
        "A node is a person.",
        "An edge joins two people who wrote papers together; its weight is the number of these papers "
        f"(papers of more than {MANY_AUTHORS} authors are left out).",
        "No paper names two authors; sources with author lines (OpenReview, BibTeX, arXiv …) would fill it.",
    ),
    "datasets": Lens(
        "Shared data sets",
        "A node is a data set that at least two papers speak of, or one of these papers.",
        "An edge says that the paper introduces or uses the data set.",
        "No two papers name the same data set; more papers, or papers with abstracts, would fill it.",
    ),
    "methods": Lens(
        "Methods",
        "A node is a method that at least two papers speak of, or one of these papers.",
        "An edge says that the paper proposes or uses the method.",
        "No two papers name the same method; more papers, or papers with abstracts, would fill it.",
    ),
    "code": Lens(
        "Code",
        "A node is a repository, or a paper that links to it.",
        "An edge says that the paper presents the repository as its own, or mentions it.",
        "No paper links to a repository; abstracts or records with links to code would fill it.",
    ),
}
_RELATIONS = {"datasets": ("datasets",), "methods": ("methods",), "code": ("code",)}
SHARED = ("datasets", "methods")  # lenses that leave out what only one paper speaks of
PLAIN_KINDS = ("paper", "person", "method", "dataset", "repository")  # shown unless others are asked for
TYPES = (*(name for _, _, name in EDGE_TYPES), "coauthor")
COAUTHOR = len(TYPES) - 1


class Choice(Struct, frozen=True):
    """Which papers and statements count; a field that is None filters nothing.

    Attributes:
        topics: numbers in the index, of a topic and of those below it. venue: number of one.
        kinds: names of kinds to keep.
        role: of a statement ("proposed", "used", …). min_confidence: of extracted statements, 0 to 1.
    """

    topics: tuple[int, ...] = ()
    year_from: int | None = None
    year_to: int | None = None
    venue: int | None = None
    kinds: tuple[str, ...] = ()
    has_code: bool = False
    role: str = ""
    min_confidence: float = 0.0

    def __bool__(self) -> bool:
        return self != Choice(kinds=self.kinds)


class Edges(Struct, frozen=True):
    """The edges of a picture, in columns: ends, weight, index into `TYPES`."""

    source: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    type: np.ndarray


def papers_of(network: Network, chosen: Choice) -> np.ndarray:
    """Which entities are papers that pass the filter."""
    import numpy as np

    good: np.ndarray = network.kind == KINDS.index("paper")
    if chosen.year_from is not None:
        good &= network.year >= chosen.year_from
    if chosen.year_to is not None:
        good &= (network.year <= chosen.year_to) & (network.year > 0)
    if chosen.venue is not None:
        good &= network.venue == chosen.venue
    if chosen.topics:
        about = np.zeros(network.size, dtype=bool)
        about[network.paper[np.isin(network.entity, chosen.topics) & _of(network, "topics")]] = True
        good &= about
    if chosen.has_code:
        linked = np.zeros(network.size, dtype=bool)
        linked[network.paper[_of(network, "code")]] = True
        good &= linked
    return good


def edges_of(network: Network, chosen: Choice) -> np.ndarray:
    """Which edges between papers and entities pass the filter."""
    import numpy as np

    good: np.ndarray = papers_of(network, chosen)[network.paper]
    if chosen.min_confidence > 0:
        good &= network.confidence >= round(100 * min(chosen.min_confidence, 1.0))
    if chosen.role:
        types = [i for i, (_, role, _) in enumerate(EDGE_TYPES) if role == chosen.role]
        good &= np.isin(network.type, types)
    return good


def through(network: Network, lens: str, chosen: Choice | None = None) -> Edges:
    """The edges of a lens."""
    import numpy as np

    chosen = Choice() if chosen is None else chosen
    good = edges_of(network, chosen)
    if lens == "coauthors":
        return _coauthors(network, good)
    if lens == "all":
        kinds = [KINDS.index(k) for k in (chosen.kinds or PLAIN_KINDS)]
        good &= np.isin(network.kind[network.entity], kinds) & np.isin(network.kind[network.paper], kinds)
    else:
        good &= np.logical_or.reduce([_of(network, r) for r in _RELATIONS[lens]])
    if lens in SHARED:
        pairs = np.unique(network.entity[good].astype(np.int64) * network.size + network.paper[good])
        good &= (np.bincount(pairs // network.size, minlength=network.size) > 1)[network.entity]
    confidence = network.confidence[good]
    return Edges(
        source=network.paper[good],
        target=network.entity[good],
        weight=np.where(confidence == STATED, 1.0, confidence / 100).astype(np.float32),
        type=network.type[good],
    )


def _of(network: Network, relation: str) -> np.ndarray:
    import numpy as np

    return np.isin(network.type, [i for i, (r, _, _) in enumerate(EDGE_TYPES) if r == relation])


def _coauthors(network: Network, good: np.ndarray) -> Edges:
    """Pairs of authors, counted: papers of equally many authors are handled at once."""
    import numpy as np

    good = good & _of(network, "coauthors")
    paper, person = network.paper[good], network.entity[good].astype(np.int64)  # sorted by paper, then person
    _, starts, counts = np.unique(paper, return_index=True, return_counts=True)
    keys = [np.zeros(0, dtype=np.int64)]
    for count in np.unique(counts[(counts > 1) & (counts <= MANY_AUTHORS)]):
        rows = person[starts[counts == count][:, None] + np.arange(count)]
        first, second = np.triu_indices(count, 1)
        keys.append((rows[:, first] * network.size + rows[:, second]).ravel())
    key, weight = np.unique(np.concatenate(keys), return_counts=True)
    return Edges(
        source=(key // network.size).astype(np.int32),
        target=(key % network.size).astype(np.int32),
        weight=weight.astype(np.float32),
        type=np.full(len(key), COAUTHOR, dtype=np.uint8),
    )


def sizes(network: Network, lens: str, edges: Edges) -> np.ndarray:
    """Size of each entity in a picture: papers of a person among co-authors, else number of edges."""
    import numpy as np

    degree = np.bincount(edges.source, minlength=network.size) + np.bincount(edges.target, minlength=network.size)
    return np.where(degree > 0, network.papers, 0) if lens == "coauthors" else degree

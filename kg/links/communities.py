"""Communities: groups of nodes more densely joined among themselves than with the rest.

Found by the Leiden method (Traag, Waltman and van Eck, Scientific Reports 9, 2019) with a fixed seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

_SEED = 20250713
_ROUNDS = 4


@contextmanager
def seeded() -> Iterator[None]:
    """Lets igraph draw the same numbers each time: for one call of it, as its generator is one for the process."""
    import igraph  # type: ignore[import-untyped]

    igraph.set_random_number_generator(random.Random(_SEED))
    try:
        yield
    finally:
        igraph.set_random_number_generator(random)


def communities(size: int, pairs: Sequence[tuple[int, int]], weights: Sequence[float]) -> np.ndarray:
    """Number of the community of each of `size` nodes; the largest is 0, equal ones in order of their first node.

    Args:
        pairs: edges, sorted, each pair once. weights: one for each pair, above 0.
    """
    import igraph
    import numpy as np

    graph = igraph.Graph(size, pairs)
    with seeded():
        found = graph.community_leiden("modularity", weights=list(weights), n_iterations=_ROUNDS)
    parts = sorted(found, key=lambda part: (-len(part), part))
    number = np.zeros(size, dtype=np.int32)
    for i, part in enumerate(parts):
        number[part] = i
    return number

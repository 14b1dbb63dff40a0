"""Average linkage inside blocks of one name, under pairs that must not join."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage

from kg.resolve.people.table import Blocks

# Larger than any average can hide: a block of 10,000 mentions has fewer than 1e8 pairs.
_NEVER = 1e9


def cut_blocks(
    blocks: Blocks, low: int, high: int, probability: np.ndarray, never: np.ndarray, cut: float
) -> np.ndarray:
    """Labels the mentions of blocks `low`..`high`-1 so that a cluster's average probability reaches `cut`.

    Args:
        probability: of each pair of these blocks, in pair order, that both are one person.
        never: True for pairs that must stay apart whatever the others say.

    Returns:
        For each place in `blocks.order` of these blocks, the place of its cluster's first mention.
    """
    begin, stop = int(blocks.bounds[low]), int(blocks.bounds[high])
    labels = np.arange(begin, stop)
    base = int(blocks.start[begin])
    joined = (probability >= cut) & ~never
    before = np.concatenate([[0], np.cumsum(joined)])
    for block in range(low, high):
        first, end = int(blocks.bounds[block]), int(blocks.bounds[block + 1])
        left, right = int(blocks.start[first]) - base, int(blocks.start[end]) - base
        hits = before[right] - before[left]
        if not hits:  # no pair reaches the cut, so no average does
            continue
        if hits == right - left:
            labels[first - begin : end - begin] = first
            continue
        distance = np.where(never[left:right], _NEVER, 1.0 - probability[left:right])
        found = fcluster(linkage(distance, "average"), 1.0 - cut, "distance")
        head = np.empty(int(found.max()) + 1, np.int64)
        head[found[::-1]] = np.arange(len(found))[::-1]  # the first mention is written last
        labels[first - begin : end - begin] = first + head[found]
    return labels

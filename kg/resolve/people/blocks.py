"""Clusters the mentions of every block of one name."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from kg.resolve.people.cluster import cut_blocks
from kg.resolve.people.corrections import Corrections
from kg.resolve.people.evidence import COLUMN, Evidence
from kg.resolve.people.identifiers import Identifiers
from kg.resolve.people.memory import Clustering, Memory, Present
from kg.resolve.people.model import pair_model
from kg.resolve.people.table import Blocks

CHUNK = 250_000  # pairs whose evidence is in memory at a time
_ONE_ID = 0.999
DOUBT = 0.8  # joins below are worth a look
CLOSE = 0.5  # refusals from here up to the cut are worth a look


class Judged(Struct):
    """Pairs of a range of blocks: probability, whether they may never join, whether more than the name
    speaks for them."""

    probability: np.ndarray
    never: np.ndarray
    evidenced: np.ndarray


def judge(evidence: Evidence, identifiers: Identifiers, corrections: Corrections, low: int, high: int) -> Judged:
    """Judges all pairs of blocks `low`..`high`-1."""
    table, blocks = evidence.table, evidence.blocks
    a, b = blocks.pairs(low, high)
    left, right = blocks.order[a], blocks.order[b]
    features = evidence.features(low, high)
    same, differ, shift = identifiers.agree(left, right)
    probability = np.where(same, _ONE_ID, pair_model().probability(features, shift))
    never = (table.paper[left] == table.paper[right]) | differ
    evidenced = same | (features[:, COLUMN["any_path"]] > 0) | (features[:, COLUMN["shared"]] > 0)
    if corrections:
        together, apart = corrections.forced(left, right, len(table))
        probability = np.where(together, 1.0, probability)
        never = (never & ~together) | apart
    return Judged(probability, never, evidenced)


def cluster_blocks(
    evidence: Evidence, identifiers: Identifiers, corrections: Corrections, memory: Memory | None = None
) -> tuple[Clustering, Memory]:
    """Average linkage in every block, cut where the model says; and the memory of it.

    Args:
        memory: of an earlier run; a block whose inputs did not change is taken over from it.
    """
    table, blocks = evidence.table, evidence.blocks
    size = len(table)
    found = Clustering(np.where(table.block >= 0, np.arange(size), -1), np.ones(size), np.zeros(size, bool), [])
    present = Present(table, blocks, evidence.links, identifiers.of)
    fresh = np.ones(len(blocks), bool)
    if memory is not None:
        kept, rows = present.unchanged(memory, corrections.touched)
        present.restore(found, memory, kept, rows)
        fresh[kept] = False
    if not fresh.all():
        evidence = evidence.over(Blocks(table, blocks.block[fresh]))
    for low, high in evidence.blocks.chunks(CHUNK):
        _cluster(found, evidence, identifiers, corrections, low, high)
    return found, present.remember(found, corrections.touched)


def _cluster(
    found: Clustering, evidence: Evidence, identifiers: Identifiers, corrections: Corrections, low: int, high: int
) -> None:
    """Clusters blocks `low`..`high`-1 into `found`."""
    blocks, cut = evidence.blocks, pair_model().cut
    begin, stop = int(blocks.bounds[low]), int(blocks.bounds[high])
    here = blocks.order[begin:stop]
    judged = judge(evidence, identifiers, corrections, low, high)
    labels = cut_blocks(blocks, low, high, judged.probability, judged.never, cut)
    found.labels[here] = blocks.order[labels]
    a, b = (side - begin for side in blocks.pairs(low, high))
    together = labels[a] == labels[b]
    n = stop - begin
    x, y, p = a[together], b[together], judged.probability[together]
    total = np.bincount(x, p, n) + np.bincount(y, p, n)
    count = np.bincount(x, minlength=n) + np.bincount(y, minlength=n)
    found.weakest[here] = np.where(count > 0, total / np.maximum(count, 1), 1.0)
    good = judged.evidenced[together]
    found.evidenced[here] = np.bincount(x, good, n) + np.bincount(y, good, n) > 0
    found.doubts += _doubts(here, labels, a, b, judged, together, found.weakest[here], cut)


def _doubts(
    here: np.ndarray,
    labels: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
    judged: Judged,
    together: np.ndarray,
    weakest: np.ndarray,
    cut: float,
) -> list[tuple[int, int, float, bool]]:
    """One pair for each cluster held together weakly, and for each two clusters that nearly joined."""
    found = []
    weak = np.flatnonzero(together & (np.minimum(weakest[a], weakest[b]) < DOUBT))
    best: dict[int, int] = {}
    for i in weak[np.argsort(judged.probability[weak], kind="stable")].tolist():
        best.setdefault(int(labels[a[i]]), i)
    for i in best.values():
        p = float(min(weakest[a[i]], weakest[b[i]]))
        found.append((int(here[a[i]]), int(here[b[i]]), p, True))
    apart = ~together
    if apart.any():
        u, v = labels[a[apart]], labels[b[apart]]
        code = np.minimum(u, v) * (int(labels.max()) + 1) + np.maximum(u, v)
        groups, inverse = np.unique(code, return_inverse=True)
        p = np.where(judged.never[apart], 0.0, judged.probability[apart])
        mean = np.bincount(inverse, p) / np.bincount(inverse)
        order = np.lexsort((np.arange(len(p)), -p, inverse))
        top = order[np.searchsorted(inverse[order], np.arange(len(groups)))]
        places = np.flatnonzero(apart)[top]
        for g in np.flatnonzero((mean >= CLOSE) & (mean < cut + 0.2)).tolist():
            i = int(places[g])
            found.append((int(here[a[i]]), int(here[b[i]]), float(mean[g]), False))
    return found

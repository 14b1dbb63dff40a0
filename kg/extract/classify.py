"""Typing: which candidates are names, of what, in which role, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kg.extract.analysis import Analysis, Reading
from kg.extract.batch import Batch
from kg.extract.cues import deciding_cue, partner_keys
from kg.extract.model import Model
from kg.extract.relations import INTRODUCED, PROPOSED, USED, USED_DATA
from kg.extract.score import class_probabilities

_MEANING = {
    PROPOSED: ("method", "proposed"),
    USED: ("method", "used"),
    INTRODUCED: ("dataset", "introduced"),
    USED_DATA: ("dataset", "used"),
}
# A name is read as method and as data set when both are at least this likely.
BOTH = 0.35


def pick(p: Sequence[float], thresholds: Sequence[float]) -> list[tuple[int, float]]:
    """Classes a candidate is read as, each with the probability of the kind (method or data set).

    `thresholds`: least kind probability by class (the first is unused).
    """
    method, data = p[PROPOSED] + p[USED], p[INTRODUCED] + p[USED_DATA]
    found = []
    if method >= data or method >= BOTH:
        c = PROPOSED if p[PROPOSED] >= p[USED] else USED
        if method >= thresholds[c]:
            found.append((c, method))
    if data > method or data >= BOTH:
        c = INTRODUCED if p[INTRODUCED] >= p[USED_DATA] else USED_DATA
        if data >= thresholds[c]:
            found.append((c, data))
    return found


def calibrated(model: Model, c: int, probability: float) -> float:
    """Share of readings of class c with such a raw probability that were right on held-out folds."""
    knots = model.calibration
    return float(np.interp(probability, knots[0], knots[c]))


def read_candidates(model: Model, analyses: Sequence[Analysis]) -> None:
    """Set the readings of each paper."""
    b, probabilities = class_probabilities(model, analyses)
    for a in analyses:
        a.readings = []
    for k, row in _likely(b, probabilities, model):
        a = analyses[b.papers[k]]
        candidate = b.candidates[k]
        for c, strength in pick(row, model.thresholds):
            kind, role = _MEANING[c]
            cue, span = deciding_cue(a.tokens, candidate, partner_keys(a.tokens, a.abbreviations), c)
            confidence = round(calibrated(model, c, row[c]), 4)
            a.readings.append(Reading(candidate.key, kind, role, confidence, strength, cue, span))


def _likely(b: Batch, probabilities: np.ndarray, model: Model) -> list[tuple[int, list[float]]]:
    least = float(min(model.thresholds[1:]))
    rows = np.nonzero(1 - probabilities[:, 0] >= least)[0] if len(probabilities) else []
    return [(int(k), probabilities[k].tolist()) for k in rows]

"""Typing: which candidates are names, of what, in which role, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kg.extract.analysis import Analysis, Reading
from kg.extract.cues import deciding_cue, partner_keys
from kg.extract.model import Model
from kg.extract.relations import CLASSES, INTRODUCED, NONE, PROPOSED, USED, USED_DATA
from kg.extract.score import class_probabilities

MEANING = {
    PROPOSED: ("method", "proposed"),
    USED: ("method", "used"),
    INTRODUCED: ("dataset", "introduced"),
    USED_DATA: ("dataset", "used"),
}


def confidences(probabilities: np.ndarray, calibration: np.ndarray) -> np.ndarray:
    """Raw class probabilities as shares that were right on held-out folds (Platt scaling, by class).

    `calibration`: slope and offset of the log-odds, one row a class.
    """
    p = np.clip(probabilities, 1e-9, 1 - 1e-9)
    odds = np.log(p) - np.log1p(-p)
    out = 1 / (1 + np.exp(-(odds * calibration[:, 0] + calibration[:, 1])))
    out[:, NONE] = 0
    return out


def best_readings(confidence: np.ndarray, least: float) -> list[tuple[int, int]]:
    """Row and class of every candidate whose best reading is at least so sure, in row order."""
    best = confidence.argmax(axis=1)
    rows = np.nonzero(confidence[np.arange(len(best)), best] >= least)[0]
    return [(int(k), int(best[k])) for k in rows]


def read_candidates(model: Model, analyses: Sequence[Analysis], least: float) -> None:
    """Set the readings of each paper: those with at least this confidence."""
    for a in analyses:
        a.readings = []
    b, probabilities = class_probabilities(model, analyses)
    if not len(probabilities):
        return
    confidence = np.round(confidences(probabilities, model.calibration), 4)
    for k, c in best_readings(confidence, least):
        a = analyses[b.papers[k]]
        candidate = b.candidates[k]
        cue, span = deciding_cue(a.tokens, candidate, partner_keys(a.tokens, a.abbreviations), c)
        a.readings.append(Reading(candidate.key, *MEANING[c], float(confidence[k, c]), cue, span))


__all__ = ["CLASSES", "MEANING", "best_readings", "confidences", "read_candidates"]

"""Thresholds and calibration, chosen on cross-validated probabilities; and the figures that are printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kg.extract.analysis import Reading
from kg.extract.classify import pick
from kg.extract.entities import choose
from kg.extract.relations import CLASSES, INTRODUCED, PROPOSED, USED, USED_DATA
from kg.extract.train.data import GoldPaper
from kg.extract.train.examples import Examples

_GRID = np.round(np.arange(0.2, 0.71, 0.05), 2)
_KNOTS = 21


class Score(NamedTuple):
    """Precision, recall and F by row, and shares."""

    rows: dict[str, tuple[float, float, float]]
    roles: dict[str, float]
    papers: float

    def line(self) -> str:
        """The figures in one line."""
        parts = [f"{k} {p:.3f}/{r:.3f}/{f:.3f}" for k, (p, r, f) in self.rows.items()]
        parts += [f"{k} role {v:.3f}" for k, v in self.roles.items()]
        return " | ".join([*parts, f"papers {self.papers:.3f}"])


def decide(e: Examples, probabilities: np.ndarray, thresholds: Sequence[float]) -> list[list[tuple[int, list[str]]]]:
    """Per paper the classes and keys of the entities that stand."""
    by_paper: list[list[Reading]] = [[] for _ in e.analyses]
    least = min(thresholds[1:])
    for k in np.nonzero(1 - probabilities[:, 0] >= least)[0]:
        for c, strength in pick(probabilities[k].tolist(), thresholds):
            kind = "method" if c in (PROPOSED, USED) else "dataset"
            reading = Reading(e.keys[k], kind, CLASSES[c], float(probabilities[k, c]), strength, "", (0, 0))
            by_paper[e.papers[k]].append(reading)
    out = []
    for analysis, readings in zip(e.analyses, by_paper, strict=True):
        analysis.readings = readings
        out.append([(CLASSES.index(r.role), keys) for r, keys in choose(analysis)])
    return out


def score(papers: Sequence[GoldPaper], decided: Sequence[Sequence[tuple[int, list[str]]]]) -> Score:
    """The same counts as `kg.evaluate.names`, over keys."""
    counts = {k: [0, 0, 0] for k in ("proposed", "methods", "used", "datasets", "introduced", "used data set")}
    right = {"methods": 0, "datasets": 0}
    papers_right = [0, 0]
    roles = {("methods", "proposed"): PROPOSED, ("methods", "used"): USED,
             ("datasets", "introduced"): INTRODUCED, ("datasets", "used"): USED_DATA}  # fmt: skip
    for paper, found in zip(papers, decided, strict=True):
        for kind, classes in (("methods", (PROPOSED, USED)), ("datasets", (INTRODUCED, USED_DATA))):
            gold = getattr(paper, kind)
            left = list(gold)
            hit_proposed = False
            for c, keys in found:
                if c not in classes:
                    continue
                names = set(keys)
                hit = next((g for g in left if g[0] & names), None)
                if hit is not None:
                    left.remove(hit)
                    counts[kind][0] += 1
                    expected = roles[kind, hit[1]]
                    if expected == c:
                        right[kind] += 1
                        counts[CLASSES[c]][0] += 1
                        hit_proposed |= c == PROPOSED
                    else:
                        counts[CLASSES[c]][1] += 1
                        counts[CLASSES[expected]][2] += 1
                elif not (names & getattr(paper, f"optional_{kind}") or any(g[0] & names for g in gold)):
                    counts[kind][1] += 1
                    counts[CLASSES[c]][1] += 1
            for g in left:
                counts[kind][2] += 1
                counts[CLASSES[roles[kind, g[1]]]][2] += 1
            if kind == "methods" and any(r == "proposed" for _, r in gold):
                papers_right[0] += hit_proposed
                papers_right[1] += 1
    rows = {k: _prf(*v) for k, v in counts.items()}
    shares = {k: right[k] / max(counts[k][0], 1) for k in right}
    return Score(rows, shares, papers_right[0] / max(papers_right[1], 1))


def _prf(right: int, wrong: int, missed: int) -> tuple[float, float, float]:
    p, r = right / max(right + wrong, 1), right / max(right + missed, 1)
    return p, r, 2 * p * r / max(p + r, 1e-9)


def tune(papers: Sequence[GoldPaper], e: Examples, probabilities: np.ndarray) -> list[float]:
    """Least kind probability by class, one after the other, each for the best F of what it decides."""
    thresholds = [1.0, 0.45, 0.45, 0.45, 0.45]
    for c in (PROPOSED, USED, INTRODUCED, USED_DATA):
        best = (-1.0, 0.0)
        for value in _GRID:
            trial = [*thresholds[:c], float(value), *thresholds[c + 1 :]]
            rows = score(papers, decide(e, probabilities, trial)).rows
            goal = rows["proposed"][2] + rows["methods"][2] if c in (PROPOSED, USED) else rows["datasets"][2]
            best = max(best, (round(goal, 6), -abs(float(value) - 0.45)), key=lambda x: x)
            if best == (round(goal, 6), -abs(float(value) - 0.45)):
                thresholds_c = float(value)
        thresholds[c] = thresholds_c
    return thresholds


def calibrate(probabilities: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Knots of the raw probability (row 0) and, per class, the share that was right (rows 1..4)."""
    from sklearn.isotonic import IsotonicRegression

    knots = np.linspace(0, 1, _KNOTS)
    table = [knots]
    sure = weights >= 1
    for c in range(1, len(CLASSES)):
        raw = probabilities[sure, c]
        keep = raw > 0.02
        fitted = IsotonicRegression(y_min=0.01, y_max=0.995, out_of_bounds="clip")
        fitted.fit(raw[keep], (labels[sure][keep] == c).astype(float))
        table.append(fitted.predict(knots))
    return np.array(table)

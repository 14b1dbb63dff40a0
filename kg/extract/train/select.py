"""Calibration on cross-validated probabilities, and the figures that are printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kg.extract.analysis import Reading
from kg.extract.classify import MEANING, best_readings
from kg.extract.entities import choose
from kg.extract.relations import CLASSES, INTRODUCED, PROPOSED, USED, USED_DATA
from kg.extract.train.data import GoldPaper
from kg.extract.train.examples import Examples

_CALIBRATED_ABOVE = 0.01  # rows that nobody would take for the class say nothing about how sure it is


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


def decide(e: Examples, confidence: np.ndarray, least: float) -> list[list[tuple[int, list[str]]]]:
    """Per paper the classes and keys of the entities that stand."""
    by_paper: list[list[Reading]] = [[] for _ in e.analyses]
    for k, c in best_readings(confidence, least):
        kind, role = MEANING[c]
        by_paper[e.papers[k]].append(Reading(e.keys[k], kind, role, float(confidence[k, c]), "", (0, 0)))
    classes = {meaning: c for c, meaning in MEANING.items()}
    out = []
    for analysis, readings in zip(e.analyses, by_paper, strict=True):
        analysis.readings = readings
        out.append([(classes[r.kind, r.role], keys) for r, keys in choose(analysis)])
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


def calibrate(probabilities: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Slope and offset of the log-odds by class, fitted on held-out probabilities (Platt 1999)."""
    from sklearn.linear_model import LogisticRegression

    table = np.zeros((len(CLASSES), 2))
    sure = weights >= 1
    for c in range(1, len(CLASSES)):
        rows = sure & (probabilities[:, c] > _CALIBRATED_ABOVE)
        right = labels[rows] == c
        if right.all() or not right.any():
            table[c] = 1, 0  # nothing to learn from: as it is
            continue
        p = np.clip(probabilities[rows, c], 1e-9, 1 - 1e-9)
        fitted = LogisticRegression(C=1e3).fit((np.log(p) - np.log1p(-p))[:, None], right)
        table[c] = fitted.coef_[0, 0], fitted.intercept_[0]
    return table


def reliability(confidence: np.ndarray, labels: np.ndarray, weights: np.ndarray, bins: int = 10) -> str:
    """For each tenth of confidence: how many readings, their mean confidence, the share that is right."""
    best = confidence.argmax(axis=1)
    value = confidence[np.arange(len(best)), best]
    lines = ["confidence   readings   mean   right"]
    for k in range(bins):
        low, high = k / bins, (k + 1) / bins
        rows = (value >= max(low, 0.02)) & ((value < high) | (k == bins - 1)) & (weights >= 1)
        if rows.any():
            right = (labels[rows] == best[rows]).mean()
            lines.append(f"{low:.1f}-{high:.1f}     {rows.sum():>8}  {value[rows].mean():.3f}   {right:.3f}")
    return "\n".join(lines)


def curve(papers: Sequence[GoldPaper], e: Examples, confidence: np.ndarray) -> str:
    """Precision, recall and F by least confidence."""
    lines = ["least    proposed            methods             datasets"]
    for least in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        rows = score(papers, decide(e, confidence, least)).rows
        cells = ["/".join(f"{x:.3f}" for x in rows[r]) for r in ("proposed", "methods", "datasets")]
        lines.append(f"{least:.1f}      " + "   ".join(cells))
    return "\n".join(lines)

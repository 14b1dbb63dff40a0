"""Fitting the pair model: penalised logistic regression on piecewise linear bases."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from scipy.optimize import minimize

from kg.resolve.people.evidence import COLUMN, FEATURES
from kg.resolve.people.model import Curve, PairModel, Product

PRODUCTS = (
    ("bearers", "any_path"), ("bearers", "around_cosine"), ("bearers", "block"), ("bearers", "last_author"),
    ("bearers", "second_best"), ("any_path", "block"), ("bearers", "affiliation_inside"),
    ("block", "components"), ("any_path", "around_cosine"), ("bearers", "shared_part"),
    ("bearers", "components"), ("any_path", "components"), ("same_venue", "year_gap"),
    ("last_author", "place_gap"), ("bearers", "shared_weight"),
)  # fmt: skip
_RIDGE = 1.0
_QUANTILES = (0.0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9, 1.0)


def choose_knots(x: np.ndarray) -> np.ndarray:
    """Places where a feature's curve may bend: its values when few, else quantiles, 0 and "missing"."""
    values = np.unique(x)
    if len(values) <= len(_QUANTILES):
        return values
    knots = [*np.quantile(x, _QUANTILES), *np.quantile(x[x > 0], (0.15, 0.4, 0.65, 0.9))] if (x > 0).any() else x
    special = [v for v in (-1.0, 0.0) if v in values]
    return np.unique(np.round([*knots, *special], 4))


def fit_model(x: np.ndarray, y: np.ndarray, weight: np.ndarray, cut: float) -> PairModel:
    """Fits the model to labelled pairs, then scales it so that probabilities hold without weights.

    Args:
        x: rows of `Evidence.features`; y: 1 for one person, 0 for two; weight: of each pair.
    """
    x = x.astype(float)
    knots = [choose_knots(x[:, j]) for j in range(x.shape[1])]
    used = sorted({name for pair in PRODUCTS for name in pair})
    mean = {n: round(float(x[:, COLUMN[n]].mean()), 5) for n in used}
    scale = {n: round(float(x[:, COLUMN[n]].std()) or 1.0, 5) for n in used}
    empty = PairModel(0.0, cut, {}, (), mean, scale)
    columns = [_hat(x[:, j], k) for j, k in enumerate(knots)]
    columns += [empty._standard(x, Product(a, b, 1.0))[:, None] for a, b in PRODUCTS]
    design = np.hstack([*columns, np.ones((len(x), 1))])
    penalty = _penalty(knots, design.shape[1])

    def loss(b: np.ndarray) -> tuple[float, np.ndarray]:
        z = design @ b
        value = (weight * (np.logaddexp(0, z) - y * z)).sum() + 0.5 * b @ penalty @ b
        return value, design.T @ (weight * (1 / (1 + np.exp(-z)) - y)) + penalty @ b

    found = minimize(loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 600}).x
    slope, offset = _calibrate(design @ found, y)
    found = found * slope
    curves, at = {}, 0
    for name, k in zip(FEATURES, knots, strict=True):
        heights = found[at : at + len(k)]
        curves[name] = Curve(tuple(k.tolist()), tuple(np.round(heights, 4).tolist()))
        at += len(k)
    products = tuple(Product(a, b, round(float(w), 4)) for (a, b), w in zip(PRODUCTS, found[at:-1], strict=True))
    model = PairModel(round(float(found[-1] + offset), 4), cut, curves, products, mean, scale)
    usual = {n: round(float(np.average(s, weights=weight)), 4) for n, s in model.shares(x).items()}
    return replace(model, usual=usual)


def _hat(x: np.ndarray, knots: np.ndarray) -> np.ndarray:
    basis = np.zeros((len(x), len(knots)))
    if len(knots) == 1:
        return basis
    x = np.clip(x, knots[0], knots[-1])
    at = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(knots) - 2)
    part = (x - knots[at]) / (knots[at + 1] - knots[at])
    rows = np.arange(len(x))
    basis[rows, at] = 1 - part
    basis[rows, at + 1] += part
    return basis


def _penalty(knots: list[np.ndarray], size: int) -> np.ndarray:
    """Small heights, small steps, few bends; products pay an ordinary ridge, the bias pays nothing."""
    penalty = np.zeros((size, size))
    at = 0
    for k in knots:
        n = len(k)
        part = 0.1 * np.eye(n)
        for order in (1, 2):
            if n > order:
                difference = np.diff(np.eye(n), order, axis=0)
                part += difference.T @ difference
        penalty[at : at + n, at : at + n] += _RIDGE * part
        at += n
    for i in range(at, size - 1):
        penalty[i, i] += _RIDGE
    return penalty


def _calibrate(z: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    def loss(b: np.ndarray) -> tuple[float, np.ndarray]:
        s = b[0] * z + b[1]
        g = 1 / (1 + np.exp(-s)) - y
        return (np.logaddexp(0, s) - y * s).sum(), np.array([(g * z).sum(), g.sum()])

    slope, offset = minimize(loss, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B").x
    return float(slope), float(offset)


def calibration_error(y: np.ndarray, p: np.ndarray, bins: int = 10) -> float:
    """Expected calibration error: mean distance of stated and observed frequency over equal bins."""
    which = np.minimum((p * bins).astype(int), bins - 1)
    parts = [(which == b) for b in range(bins)]
    return float(sum(abs(p[b].sum() - y[b].sum()) for b in parts) / max(len(y), 1))

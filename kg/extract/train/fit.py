"""Fitting the two kinds of classifier, and turning them into the arrays that `kg.extract.model` evaluates."""

from __future__ import annotations

from typing import Any

import lightgbm as lgb
import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from kg.extract.model import MAX_LEAVES, Linear, Trees
from kg.extract.relations import CLASSES

_STEP = 1e-6  # resolution of leaf values
_FLOOR = -8.0  # score of a class that the training data lacks
TREE_SETTINGS: dict[str, Any] = dict(
    objective="multiclass", num_class=len(CLASSES), learning_rate=0.06, num_leaves=15, min_data_in_leaf=25,
    feature_fraction=0.3, bagging_fraction=0.8, bagging_freq=1, lambda_l2=10.0, seed=1, deterministic=True,
    force_col_wise=True, num_threads=1, verbose=-1, boost_from_average=True,
)  # fmt: skip


def folds(papers: np.ndarray, count: int, seed: int = 0) -> np.ndarray:
    """Fold of each row, whole papers together."""
    n = int(papers.max()) + 1
    return (np.random.RandomState(seed).permutation(n) % count)[papers]


def fit_linear(x: sparse.csr_matrix, y: np.ndarray, weight: np.ndarray, strength: float = 8.0, rare: int = 2) -> Linear:
    """Softmax regression; columns that fewer than `rare` rows have are left out. Weights as 16-bit integers."""
    x, y, weight = _weighing(x, y, weight)
    used = np.nonzero(np.asarray((x > 0).sum(axis=0)).ravel() >= rare)[0]
    fitted = LogisticRegression(C=strength, max_iter=80, tol=1e-3).fit(x[:, used], y, sample_weight=weight)
    dense = np.zeros((x.shape[1], len(CLASSES)))
    bias = np.full(len(CLASSES), _FLOOR)
    for row, c in enumerate(fitted.classes_):
        dense[used, c] = fitted.coef_[row]
        bias[c] = fitted.intercept_[row]
    scale = float(np.abs(dense).max()) / 32_000
    return Linear(np.round(dense / scale).astype(np.int16), scale, bias)


def _weighing(x: Any, y: np.ndarray, weight: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray]:
    """The rows that weigh anything."""
    rows = np.nonzero(weight > 0)[0]
    return (x, y, weight) if len(rows) == len(weight) else (x[rows], y[rows], weight[rows])


def linear_logits(model: Linear, x: sparse.csr_matrix) -> np.ndarray:
    """The same scores as `Linear.logits`, from unit rows."""
    return (x @ (model.weights.astype(np.float32) * np.float32(model.scale)) + model.bias).astype(np.float32)


def cross_logits(
    x: sparse.csr_matrix, y: np.ndarray, weight: np.ndarray, fold: np.ndarray, strength: float
) -> np.ndarray:
    """Scores of each row by a regression that has not seen its paper."""
    out = np.zeros((x.shape[0], len(CLASSES)), np.float32)
    for f in range(int(fold.max()) + 1):
        train, test = np.nonzero(fold != f)[0], np.nonzero(fold == f)[0]
        out[test] = linear_logits(fit_linear(x[train], y[train], weight[train], strength), x[test])
    return out


def fit_trees(
    x: np.ndarray, y: np.ndarray, weight: np.ndarray, rounds: int = 220, seeds: int = 1, **more: Any
) -> Trees:
    """Boosted trees; several seeds are averaged into one set of trees."""
    x, y, weight = _weighing(x, y, weight)
    parts = []
    for seed in range(seeds):
        settings = {**TREE_SETTINGS, **more, "seed": seed + 1}
        booster = lgb.train(settings, lgb.Dataset(x, y, weight=weight), rounds)
        parts.append(_convert(booster, 1 / seeds))
    trees = Trees(
        np.concatenate([p.feature for p in parts], axis=1), np.concatenate([p.threshold for p in parts], axis=1),
        np.concatenate([p.mask for p in parts], axis=1), np.concatenate([p.leaf for p in parts]), _STEP,
    )  # fmt: skip
    return trees


def _convert(booster: lgb.Booster, share: float) -> Trees:
    dump = booster.dump_model()["tree_info"]
    feature = np.zeros((MAX_LEAVES - 1, len(dump)), np.intp)
    threshold = np.full((MAX_LEAVES - 1, len(dump)), np.inf, np.float32)
    mask = np.full((MAX_LEAVES - 1, len(dump)), 0xFFFF, np.uint16)
    leaf = np.zeros((len(dump), MAX_LEAVES), np.int32)
    for k, tree in enumerate(dump):
        state = {"node": 0, "leaf": 0}

        def walk(node: dict[str, Any], k: int = k, state: dict[str, int] = state) -> int:
            """Bits of the leaves under the node, numbered from the left."""
            if "split_feature" not in node:
                i = state["leaf"]
                state["leaf"] += 1
                leaf[k, i] = round(node["leaf_value"] * share / _STEP)
                return 1 << i
            i = state["node"]
            state["node"] += 1
            feature[i, k] = node["split_feature"]
            threshold[i, k] = _below(node["threshold"])
            left = walk(node["left_child"])
            mask[i, k] = 0xFFFF & ~left
            return left | walk(node["right_child"])

        walk(tree["tree_structure"])
    return Trees(feature, threshold, mask, leaf, _STEP)


def _below(value: float) -> np.float32:
    """The greatest 32-bit number not above a 64-bit threshold: the same test for 32-bit features."""
    near = np.float32(value)
    return np.nextafter(near, np.float32(-np.inf)) if float(near) > value else near

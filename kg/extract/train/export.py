"""Writing the model file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kg.extract.model import LARGEST_LOG_COUNT, Linear, Trees, pack_strings


def write_model(
    path: Path,
    *,
    words: Sequence[str],
    capital: Mapping[str, float],
    phrases: Sequence[str],
    prior_keys: Sequence[str],
    prior_table: np.ndarray,
    linear: Sequence[Linear],
    trees: Trees,
    calibration: np.ndarray,
    about: Mapping[str, Any],
) -> None:
    """One compressed `.npz` of plain arrays (no pickles), as `kg.extract.model.Model` reads it."""
    arrays = {
        "about": np.frombuffer(json.dumps(about, sort_keys=True).encode(), np.uint8),
        "words": pack_strings(list(words)),
        "capital_words": pack_strings(list(capital)),
        "capital_share": np.round(np.array(list(capital.values())) * 255).astype(np.uint8),
        "phrases": pack_strings(list(phrases)),
        "prior_keys": pack_strings(list(prior_keys)),
        "prior_table": quantised_priors(prior_table),
        "linear_scale": np.array([x.scale for x in linear]),
        "tree_feature": trees.feature.astype(np.uint16),
        "tree_threshold": trees.threshold,
        "tree_mask": trees.mask,
        "tree_leaf": trees.leaf,
        "tree_scale": np.array(trees.scale),
        "calibration": calibration,
    }
    for k, x in enumerate(linear):
        arrays[f"linear_{k}"], arrays[f"bias_{k}"] = x.weights, x.bias
    np.savez_compressed(path, **arrays)


def quantised_priors(table: np.ndarray) -> np.ndarray:
    """Priors in steps of 1/255 (log counts: of their largest value over 255)."""
    counts = np.minimum(table[:, -1], LARGEST_LOG_COUNT) / LARGEST_LOG_COUNT
    scaled = np.column_stack([table[:, :-1], counts]) * 255
    return np.round(scaled).astype(np.uint8)

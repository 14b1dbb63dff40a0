"""The trained model: word ids, name priors, two linear classifiers, boosted trees, calibration.

Everything is arrays in one `model.npz`; scores are sums of integers, so that a result never depends on
the order of additions, the size of a batch or the machine.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from typing import Any

import numpy as np

from kg.extract.batch import Batch, Name, Vocabulary
from kg.extract.relations import CLASSES

PRIOR_FIELDS = (*(f"prior_{c.replace(' ', '_')}" for c in CLASSES), "prior_seen")
LARGEST_LOG_COUNT = 12
_UNSEEN = np.array([1, 0, 0, 0, 0, 0], np.float32)


class Linear:
    """A softmax regression over hashed columns, weights as small integers.

    Attributes:
        weights: columns x classes, int8 or int16; scale: what one step is worth; bias: per class.
    """

    def __init__(self, weights: np.ndarray, scale: float, bias: np.ndarray) -> None:
        self.weights, self.scale, self.bias = weights, scale, bias

    def logits(self, rows: np.ndarray, cols: np.ndarray, n: int) -> np.ndarray:
        """Class scores of n rows given as (row, column) pairs; a row is scaled to unit length."""
        size = np.maximum(np.bincount(rows, minlength=n), 1)
        picked = self.weights[cols]
        total = np.empty((n, picked.shape[1]), np.float64)
        for c in range(picked.shape[1]):
            total[:, c] = np.bincount(rows, weights=picked[:, c], minlength=n)
        return (total * self.scale / np.sqrt(size)[:, None] + self.bias).astype(np.float32)


class Trees:
    """Boosted trees of at most 16 leaves, all evaluated at once.

    A node whose test fails rules out the leaves of its left branch; the leaf is the first one that no
    node has ruled out (QuickScorer, Lucchese et al. 2015).

    Attributes:
        feature, threshold, mask: nodes x trees; leaf: trees x 16 integers; scale: what one step is worth.
        A tree belongs to class `index % classes`.
    """

    def __init__(
        self, feature: np.ndarray, threshold: np.ndarray, mask: np.ndarray, leaf: np.ndarray, scale: float
    ) -> None:
        self.feature, self.threshold, self.mask, self.leaf, self.scale = feature, threshold, mask, leaf, scale

    def scores(self, x: np.ndarray, classes: int = len(CLASSES)) -> np.ndarray:
        """Raw score of each class for the rows of x."""
        out = np.empty((len(x), classes))
        for start in range(0, len(x), _ROWS_AT_ONCE):
            rows = slice(start, start + _ROWS_AT_ONCE)
            out[rows] = self._scores(np.ascontiguousarray(x[rows].T), classes)
        return out

    def _scores(self, columns: np.ndarray, classes: int) -> np.ndarray:
        trees, n = self.feature.shape[1], columns.shape[1]
        alive = np.full((trees, n), 0xFFFF, np.uint16)
        for feature, threshold, mask in zip(self.feature, self.threshold, self.mask, strict=True):
            failed = columns[feature] > threshold[:, None]
            alive &= np.where(failed, mask[:, None], np.uint16(0xFFFF))
        value = self.leaf.ravel()[_LOWEST_BIT[alive] + np.arange(0, trees * MAX_LEAVES, MAX_LEAVES)[:, None]]
        return value.reshape(-1, classes, n).sum(axis=0, dtype=np.int64).T * self.scale


_ROWS_AT_ONCE = 128  # so that what is worked on stays in the processor's cache
MAX_LEAVES = 16
_LOWEST_BIT = np.array([(k & -k).bit_length() - 1 if k else 0 for k in range(1 << 16)], np.uint8)


def softmax(z: np.ndarray) -> np.ndarray:
    """Probabilities of score rows."""
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


class Names:
    """Remembers what names look like; the same object for the same name, in bounded memory."""

    def __init__(self, capital: Mapping[str, float], limit: int = 50_000) -> None:
        self.capital, self.limit = capital, limit
        self._seen: dict[tuple[str, str], Name] = {}

    def of(self, b: Batch) -> list[Name]:
        """One `Name` a candidate of the batch."""
        seen = self._seen
        if len(seen) > self.limit:
            seen.clear()
        out = []
        for c, surface in zip(b.candidates, b.surfaces, strict=True):
            name = seen.get((surface, c.key))
            if name is None:
                name = seen[surface, c.key] = Name(surface, c.key, self.capital)
            out.append(name)
        return out


class Priors:
    """What names turned out to be in a large corpus: class shares and log count by name key."""

    def __init__(self, keys: Sequence[str], table: np.ndarray) -> None:
        self.index = {k: i for i, k in enumerate(keys)}
        self.table = np.vstack([table.astype(np.float32), _UNSEEN])

    def rows(self, keys: Sequence[str]) -> np.ndarray:
        """One row a key, columns as `PRIOR_FIELDS`; a name never seen has count 0."""
        get, missing = self.index.get, len(self.table) - 1
        return self.table[[get(k, missing) for k in keys]]


def unpack_priors(packed: np.ndarray) -> np.ndarray:
    """Class shares and log counts of the bytes a model file holds."""
    table = packed.astype(np.float32) / np.float32(255)
    table[:, -1] *= LARGEST_LOG_COUNT
    return table


def pack_strings(strings: Sequence[str]) -> np.ndarray:
    """Strings without line breaks as bytes."""
    return np.frombuffer("\n".join(strings).encode(), np.uint8)


def unpack_strings(packed: np.ndarray) -> list[str]:
    """The reverse of `pack_strings`."""
    return packed.tobytes().decode().split("\n") if packed.size else []


class Model:
    """Everything that `kg_typing` and `kg_candidates` know from training.

    Attributes:
        about: what it was trained on and how it did, as plain data.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        self.about: dict[str, Any] = json.loads(arrays["about"].tobytes().decode())
        self.vocabulary = Vocabulary(unpack_strings(arrays["words"]))
        shares = arrays["capital_share"].astype(np.float32) / 255
        self.capital = dict(zip(unpack_strings(arrays["capital_words"]), shares.tolist(), strict=True))
        self.phrases = unpack_strings(arrays["phrases"])
        self.priors = Priors(unpack_strings(arrays["prior_keys"]), unpack_priors(arrays["prior_table"]))
        self.names = Names(self.capital)
        scale = arrays["linear_scale"]
        self.linear = [Linear(arrays[f"linear_{k}"], float(scale[k]), arrays[f"bias_{k}"]) for k in range(len(scale))]
        self.trees = Trees(
            arrays["tree_feature"].astype(np.intp), arrays["tree_threshold"], arrays["tree_mask"], arrays["tree_leaf"],
            float(arrays["tree_scale"]),
        )  # fmt: skip
        self.calibration = arrays["calibration"]


@cache
def load_model() -> Model:
    """The model that ships with the package."""
    with (
        as_file(files("kg.extract").joinpath("data", "model.npz")) as path,
        np.load(path, allow_pickle=False) as arrays,
    ):
        return Model({k: arrays[k] for k in arrays.files})

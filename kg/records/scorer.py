"""Weighs the clues for titles: a small network, summed over the words of a title (Zaheer and others 2017).

Each word's row of numbers goes through one hidden layer, the words of a title are added up, and with the numbers of
the whole title one more hidden layer gives its score: log odds against the other titles of the list. The scores of
several networks, each trained without a part of the papers, are averaged.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from kg.records.likeness import model

if TYPE_CHECKING:
    from kg.records.clues import Clues

NAMES = ("word_in", "word_bias", "word_out", "word_straight", "in", "bias", "out", "straight")
_SPREAD = 4.0  # the sum over words is divided by this, to be of the size of the other numbers


class Scorer:
    """Networks that score titles; `arrays[name][i]` belongs to the i-th."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self._parts = [{n: arrays[f"net_{n}"][i] for n in NAMES} for i in range(len(arrays["net_in"]))]

    def scores(self, clues: Clues) -> Any:
        """One score a title."""
        return sum(forward(part, clues)[-1] for part in self._parts) / len(self._parts)


def forward(part: Mapping[str, Any], clues: Clues, kept: Any = 1.0) -> tuple[Any, ...]:
    """The layers of one network, the scores last; `kept` scales the hidden numbers of words in training."""
    hidden = np.maximum(clues.words @ part["word_in"] + part["word_bias"], 0) * kept
    words = hidden @ part["word_out"] + clues.words @ part["word_straight"]
    summed = np.add.reduceat(words[clues.which], clues.start, axis=0) / _SPREAD
    joined = np.hstack([clues.titles, summed])
    second = np.tanh(joined @ part["in"] + part["bias"])
    return hidden, joined, second, (second @ part["out"] + joined @ part["straight"])[:, 0]


def backward(part: Mapping[str, Any], clues: Clues, layers: tuple[Any, ...], kept: Any, push: Any) -> dict[str, Any]:
    """Gradients of the arrays, given those of the scores (`push`)."""
    hidden, joined, second, _ = layers
    push = push[:, None]
    inner = (push @ part["out"].T) * (1 - second * second)
    back = inner @ part["in"].T + push @ part["straight"].T
    summed = back[:, clues.titles.shape[1] :] / _SPREAD
    sizes = np.diff(np.append(clues.start, len(clues.which)))
    words = np.zeros((len(clues.words), summed.shape[1]), np.float32)
    np.add.at(words, clues.which, np.repeat(summed, sizes, axis=0))
    early = (words @ part["word_out"].T) * (hidden > 0) * kept
    return {
        "word_in": clues.words.T @ early, "word_bias": early.sum(0),
        "word_out": hidden.T @ words, "word_straight": clues.words.T @ words,
        "in": joined.T @ inner, "bias": inner.sum(0), "out": second.T @ push, "straight": joined.T @ push,
    }  # fmt: skip


@lru_cache(maxsize=1)
def scorer() -> Scorer:
    """The trained networks that come with the package."""
    return Scorer(model())

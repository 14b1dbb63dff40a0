"""Training of the networks that weigh the clues (`kg.records.scorer`), and of the odds that the best title is right.

The loss is that of picking the right title among the candidates of an abstract. Each network leaves out one part of
the abstracts; what it says of that part, as every other network of its own, fits the odds (logistic regression)
whose sum tells whether a title is taken (`kg.records.untitled`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from kg.records.clues import TITLE_CLUES, WORD_CLUES, Clues
from kg.records.scorer import backward, forward
from kg.records.train_vectors import Adam

PARTS = 3
ROUNDS = 9
_BATCH = 16
_RATE = 4e-3
_LEFT_OUT = 0.2
_HIDDEN, _SUMMED = 32, 8
_DECAY = 1e-3


class Case(NamedTuple):
    """An abstract with the evidence for its candidates; `right` is the place of its title among them."""

    clues: Clues
    right: int


def networks(cases: Sequence[Case], groups: Sequence[int], rounds: int = ROUNDS) -> list[dict[str, Any]]:
    """One network for each group, trained on the cases of the others."""
    return [_learn([c for c, g in zip(cases, groups, strict=True) if g != out], out, rounds) for out in range(PARTS)]


def stacked(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The arrays of `Scorer`."""
    return {f"net_{name}": np.stack([p[name] for p in parts]) for name in parts[0]}


def _learn(cases: Sequence[Case], seed: int, rounds: int) -> dict[str, Any]:
    random = np.random.default_rng(seed)
    shapes = {
        "word_in": (WORD_CLUES, _HIDDEN), "word_bias": (_HIDDEN,), "word_out": (_HIDDEN, _SUMMED),
        "word_straight": (WORD_CLUES, _SUMMED), "in": (TITLE_CLUES + _SUMMED, _HIDDEN), "bias": (_HIDDEN,),
        "out": (_HIDDEN, 1), "straight": (TITLE_CLUES + _SUMMED, 1),
    }  # fmt: skip
    values = {}
    for name, shape in shapes.items():
        size = 0.0 if len(shape) == 1 or name == "straight" else 0.5 / math.sqrt(shape[0])
        values[name] = Adam((size * random.standard_normal(shape)).astype(np.float32), memory=0.999)
    steps, step = rounds * (len(cases) // _BATCH), 0
    for _ in range(rounds):
        order = random.permutation(len(cases))
        for begin in range(0, len(cases) - _BATCH + 1, _BATCH):
            chosen = [cases[i] for i in order[begin : begin + _BATCH]]
            clues, ends = _joined([c.clues for c in chosen])
            kept = (random.random((len(clues.words), _HIDDEN)) > _LEFT_OUT).astype(np.float32) / (1 - _LEFT_OUT)
            part = {n: v.values for n, v in values.items()}
            layers = forward(part, clues, kept)
            push = np.zeros(len(clues.titles), np.float32)
            for case, first, last in zip(chosen, ends, ends[1:], strict=False):
                odds = np.exp(layers[-1][first:last] - layers[-1][first:last].max())
                push[first:last] = odds / odds.sum() / _BATCH
                push[first + case.right] -= 1 / _BATCH
            rate = 0.5 * _RATE * (1 + math.cos(math.pi * step / steps))
            step += 1
            for name, gradient in backward(part, clues, layers, kept, push).items():
                if values[name].values.ndim > 1 and name != "straight":
                    values[name].values *= 1 - rate * _DECAY
                values[name].move(gradient, rate)
    return {n: v.values for n, v in values.items()}


def _joined(clues: Sequence[Clues]) -> tuple[Clues, list[int]]:
    words = np.cumsum([0, *(len(c.words) for c in clues)])
    which = np.cumsum([0, *(len(c.which) for c in clues)])
    ends = np.cumsum([0, *(len(c.titles) for c in clues)])
    return Clues(
        np.vstack([c.words for c in clues]).astype(np.float32),
        np.concatenate([c.which + w for c, w in zip(clues, words, strict=False)]),
        np.concatenate([c.start + w for c, w in zip(clues, which, strict=False)]),
        np.vstack([c.titles for c in clues]).astype(np.float32),
    ), [int(e) for e in ends]


def logistic(rows: Any, right: Any) -> Any:
    """Weights of a logistic regression, the constant last."""
    from scipy.optimize import minimize  # type: ignore[import-untyped]

    data = np.hstack([rows, np.ones((len(rows), 1))])

    def loss(weights: Any) -> tuple[float, Any]:
        odds = data @ weights
        wrong = 1 / (1 + np.exp(-odds)) - right
        return float(np.logaddexp(0, odds).sum() - (right * odds).sum() + 0.5 * weights @ weights), (
            data.T @ wrong + weights
        )

    return np.round(minimize(loss, np.zeros(data.shape[1]), jac=True, method="L-BFGS-B").x, 4)

"""Training of the word vectors of titles and abstracts (`kg.records.likeness`).

Two vectors a word are learned by gradient descent (Adam, cosine schedule) on the loss of picking the right title of
a batch for each abstract and the right abstract for each title (van den Oord, Li, Vinyals 2018). Every second round
puts similar papers into one batch; some of the words are left out at random each time, so that no single shared
word is relied on.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from kg.records.words import STOP

SIZE = 160  # numbers a word
ROUNDS = 6
BATCH = 2048
_LEFT_OUT = 0.3
_LEAST = 8  # papers a word must stand in
_SHARPNESS = 20.0  # cosines to log odds
_RATE = 0.02

Words = Sequence[str]


def vectors(texts: Sequence[tuple[Words, Words]], rounds: int = ROUNDS, batch: int = BATCH) -> dict[str, Any]:
    """The arrays of `Likeness`, of pairs (stems of the title, stems of the abstract)."""
    spread = Counter(w for title, abstract in texts for w in {*title, *abstract})
    vocabulary = sorted(w for w, n in spread.items() if n >= _LEAST and len(w) > 1 and w not in STOP)
    at = {w: i for i, w in enumerate(vocabulary)}
    titles, abstracts = (_matrix([t[side] for t in texts], at) for side in (0, 1))
    random = np.random.default_rng(0)
    rare = np.array([math.log(len(texts) / spread[w]) for w in vocabulary], np.float32)
    start = 0.3 * random.standard_normal((len(at), SIZE)) / math.sqrt(SIZE) * rare[:, None]
    sides = [Adam(start.astype(np.float32)), Adam(start.astype(np.float32))]
    batch = min(batch, len(texts))
    steps, step = rounds * (len(texts) // batch), 0
    for number in range(rounds):
        order = random.permutation(len(texts))
        if number % 2:
            direction = random.standard_normal(SIZE).astype(np.float32)
            order = np.argsort(_unit(abstracts @ sides[1].values)[0] @ direction, kind="stable")
        for part in random.permutation(len(texts) // batch):
            chosen = order[part * batch : (part + 1) * batch]
            seen = [_thinned(m[chosen], random) for m in (titles, abstracts)]
            rate = 0.5 * _RATE * (1 + math.cos(math.pi * step / steps))
            step += 1
            for side, gradient in zip(sides, _gradients(seen, [s.values for s in sides]), strict=True):
                side.move(gradient, rate)
    count = Counter(w for title, abstract in texts for w in (*title, *abstract))
    found: dict[str, Any] = {
        "words": np.array("\n".join(vocabulary)),
        "count": np.array([count[w] for w in vocabulary], np.int64),
        "total": np.array(sum(count.values())),
    }
    for name, side in zip(("title", "abstract"), sides, strict=True):
        scale = np.abs(side.values).max(1) / 127 + 1e-12
        found[name] = np.round(side.values / scale[:, None]).astype(np.int8)
        found[f"{name}_scale"] = scale.astype(np.float32)
    return found


class Adam:
    """Values with the moments of their gradients (Kingma, Ba 2015)."""

    def __init__(self, values: Any, memory: float = 0.99) -> None:
        self.values, self._memory, self._step = values, memory, 0
        self._mean, self._square = np.zeros_like(values), np.zeros_like(values)

    def move(self, gradient: Any, rate: float) -> None:
        """One step down the gradient."""
        self._step += 1
        self._mean += 0.1 * (gradient - self._mean)
        self._square += (1 - self._memory) * (gradient * gradient - self._square)
        mean = self._mean / (1 - 0.9**self._step)
        square = self._square / (1 - self._memory**self._step)
        self.values -= rate * mean / (np.sqrt(square) + 1e-8)


def _matrix(texts: Sequence[Words], at: dict[str, int]) -> Any:
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

    counts = [Counter(at[w] for w in text if w in at) for text in texts]
    rows = np.repeat(np.arange(len(texts)), [len(c) for c in counts])
    columns = np.fromiter((i for c in counts for i in c), np.int64)
    values = 1 + np.log(np.fromiter((n for c in counts for n in c.values()), np.float32))
    return csr_matrix((values, (rows, columns)), shape=(len(texts), len(at)), dtype=np.float32)


def _thinned(matrix: Any, random: np.random.Generator) -> Any:
    matrix.data = matrix.data * (random.random(len(matrix.data)) > _LEFT_OUT)
    return matrix


def _unit(values: Any) -> tuple[Any, Any]:
    length = np.sqrt((values * values).sum(1, keepdims=True)) + 1e-6
    return values / length, length


def _gradients(seen: Sequence[Any], values: Sequence[Any]) -> tuple[Any, Any]:
    (x, x_length), (y, y_length) = (_unit(m @ v) for m, v in zip(seen, values, strict=True))
    logits = _SHARPNESS * (y @ x.T)
    wrong = (_softmax(logits, 1) + _softmax(logits, 0)) / 2
    wrong[np.diag_indices_from(wrong)] -= 1
    wrong *= _SHARPNESS / len(wrong)
    found = []
    for matrix, unit, length, pull in ((seen[0], x, x_length, wrong.T @ y), (seen[1], y, y_length, wrong @ x)):
        found.append(matrix.T @ ((pull - unit * (pull * unit).sum(1, keepdims=True)) / length))
    return found[0], found[1]


def _softmax(logits: Any, axis: int) -> Any:
    odds = np.exp(logits - logits.max(axis, keepdims=True))
    return odds / odds.sum(axis, keepdims=True)

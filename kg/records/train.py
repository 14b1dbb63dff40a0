"""Trains the likeness of titles and abstracts (`kg/records/data/likeness.npz`).

    python -m kg.records.train PAPERS.jsonl OUT.npz

Each line of PAPERS has `title` and `abstract`. Two vectors a word are learned by gradient descent (Adam, cosine
schedule) on the loss of picking the right title of 2,048 for each abstract and the right abstract for each title
(van den Oord, Li, Vinyals 2018). Every second round puts similar papers into one batch; a quarter of the words is
left out at random each time, so that no single shared word is relied on.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from kg.records.words import STOP, words

SIZE = 96  # numbers a word
ROUNDS = 9
BATCH = 2048
_LEFT_OUT = 0.25
_LEAST = 8  # papers a word must stand in
_SHARPNESS = 20.0  # cosines to log odds
_RATE = 0.02


def train(pairs: Sequence[tuple[str, str]], rounds: int = ROUNDS, batch: int = BATCH) -> dict[str, Any]:
    """The arrays of the model, of (title, abstract) pairs."""
    texts = [(words(title), words(abstract)) for title, abstract in pairs]
    spread = Counter(w for title, abstract in texts for w in {*title, *abstract})
    vocabulary = sorted(w for w, n in spread.items() if n >= _LEAST and len(w) > 1 and w not in STOP)
    at = {w: i for i, w in enumerate(vocabulary)}
    titles, abstracts = (_matrix([t[side] for t in texts], at) for side in (0, 1))
    random = np.random.default_rng(0)
    rare = np.array([math.log(len(texts) / spread[w]) for w in vocabulary], np.float32)
    start = 0.3 * random.standard_normal((len(at), SIZE)) / math.sqrt(SIZE) * rare[:, None]
    sides = [_Side(start.astype(np.float32)), _Side(start.astype(np.float32))]
    batch = min(batch, len(texts))
    steps, step = rounds * (len(texts) // batch), 0
    for number in range(rounds):
        order = random.permutation(len(texts))
        if number % 2:
            direction = random.standard_normal(SIZE).astype(np.float32)
            order = np.argsort(_unit(abstracts @ sides[1].vectors)[0] @ direction)
        for part in random.permutation(len(texts) // batch):
            chosen = order[part * batch : (part + 1) * batch]
            seen = [_thinned(m[chosen], random) for m in (titles, abstracts)]
            step += 1
            rate = 0.5 * _RATE * (1 + math.cos(math.pi * step / steps))
            for side, gradient in zip(sides, _gradients(seen, [s.vectors for s in sides]), strict=True):
                side.move(gradient, rate, step)
    count = Counter(w for title, abstract in texts for w in (*title, *abstract))
    model: dict[str, Any] = {
        "words": np.array("\n".join(vocabulary)),
        "count": np.array([count[w] for w in vocabulary], np.int64),
        "total": np.array(sum(count.values())),
    }
    for name, side in zip(("title", "abstract"), sides, strict=True):
        scale = np.abs(side.vectors).max(1) / 127 + 1e-12
        model[name] = np.round(side.vectors / scale[:, None]).astype(np.int8)
        model[f"{name}_scale"] = scale.astype(np.float32)
    return model


class _Side:
    """The vectors of one side, with the moments of Adam."""

    def __init__(self, vectors: Any) -> None:
        self.vectors = vectors
        self._mean, self._square = np.zeros_like(vectors), np.zeros_like(vectors)

    def move(self, gradient: Any, rate: float, step: int) -> None:
        self._mean += 0.1 * (gradient - self._mean)
        self._square += 0.01 * (gradient * gradient - self._square)
        mean, square = self._mean / (1 - 0.9**step), self._square / (1 - 0.99**step)
        self.vectors -= rate * mean / (np.sqrt(square) + 1e-8)


def _matrix(texts: Sequence[Sequence[str]], at: dict[str, int]) -> Any:
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]

    counts = [Counter(at[w] for w in text if w in at) for text in texts]
    rows = np.repeat(np.arange(len(texts)), [len(c) for c in counts])
    columns = np.fromiter((i for c in counts for i in c), np.int64)
    values = 1 + np.log(np.fromiter((n for c in counts for n in c.values()), np.float32))
    return csr_matrix((values, (rows, columns)), shape=(len(texts), len(at)))


def _thinned(matrix: Any, random: np.random.Generator) -> Any:
    matrix.data = matrix.data * (random.random(len(matrix.data)) > _LEFT_OUT)
    return matrix


def _unit(vectors: Any) -> tuple[Any, Any]:
    length = np.sqrt((vectors * vectors).sum(1, keepdims=True)) + 1e-6
    return vectors / length, length


def _gradients(seen: Sequence[Any], vectors: Sequence[Any]) -> tuple[Any, Any]:
    (x, x_length), (y, y_length) = (_unit(m @ v) for m, v in zip(seen, vectors, strict=True))
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


def main() -> None:
    source, target = map(Path, sys.argv[1:])
    with source.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    np.savez_compressed(target, **train([(r["title"], r["abstract"]) for r in records if r["title"] and r["abstract"]]))


if __name__ == "__main__":
    main()

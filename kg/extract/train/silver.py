"""Self-training: a teacher that does not know names labels the corpus; that gives priors and silver labels."""

from __future__ import annotations

from collections.abc import Sequence
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np

from kg.extract.candidates import Lexicon
from kg.extract.model import Linear, Model, Names
from kg.extract.relations import CLASSES, NONE
from kg.extract.score import class_probabilities
from kg.extract.train.examples import analyse

_CHUNK = 256
_SHRINK = 2.0  # how many average names a prior is mixed with
_state: dict[str, object] = {}


class Teacher(NamedTuple):
    """What a labelling process needs."""

    model: Model
    lexicon: Lexicon


class Silver(NamedTuple):
    """Per paper of the corpus (same order) its name keys and their class probabilities."""

    keys: list[list[str]]
    probabilities: list[np.ndarray]


class Bare(Model):
    """A model under construction: the parts that scoring needs, without a file."""

    def __init__(self, vocabulary, capital, linear: list[Linear], trees, priors=None) -> None:
        self.vocabulary, self.capital, self.linear, self.trees, self.priors = vocabulary, capital, linear, trees, priors
        self.names = Names(capital)


def _start(teacher: Teacher) -> None:
    _state["teacher"] = teacher


def _label(papers: Sequence[tuple[str, str]]) -> tuple[list[list[str]], list[np.ndarray]]:
    model, lexicon = _state["teacher"]  # type: ignore[misc]
    analyses = [analyse(t, a, lexicon) for t, a in papers]
    b, p = class_probabilities(model, analyses)
    keys = [list(a.candidates) for a in analyses]
    bounds = np.cumsum([len(k) for k in keys])[:-1]
    return keys, np.split(p.astype(np.float32), bounds)


def label_corpus(corpus: Sequence[tuple[str, str]], teacher: Teacher, processes: int) -> Silver:
    """The teacher's reading of the whole corpus."""
    chunks = [corpus[k : k + _CHUNK] for k in range(0, len(corpus), _CHUNK)]
    silver = Silver([], [])
    with get_context("spawn").Pool(processes, _start, (teacher,)) as pool:
        for keys, probabilities in pool.imap(_label, chunks):
            silver.keys.extend(keys)
            silver.probabilities.extend(probabilities)
    return silver


def priors(silver: Silver) -> tuple[list[str], np.ndarray]:
    """Name keys, and their shrunken class shares with the log of the number of papers.

    Names of a single paper are left out: where that paper is read later, its own name would speak for itself.
    """
    total: dict[str, np.ndarray] = {}
    for keys, rows in zip(silver.keys, silver.probabilities, strict=True):
        for k, row in zip(keys, rows.astype(np.float64), strict=True):
            have = total.get(k)
            if have is None:
                total[k] = np.append(row, 1.0)
            else:
                have[:-1] += row
                have[-1] += 1
    table = np.array(list(total.values()))
    average = (table[:, :-1] / table[:, -1:]).mean(axis=0)
    keep = (table[:, -1] >= 2) & ((table[:, 1:-1].sum(axis=1) > 0.1) | (table[:, -1] >= 5))
    names = np.array(list(total), object)[keep]
    table = table[keep]
    shares = (table[:, :-1] + _SHRINK * average) / (table[:, -1:] + _SHRINK)
    order = np.argsort(names)
    return list(names[order]), np.column_stack([shares, np.log1p(table[:, -1])])[order]


def silver_labels(silver: Silver, papers: Sequence[int], keys: Sequence[str], owner: np.ndarray, seed: int = 2):
    """Label and weight for candidate rows of the chosen papers; rows to keep (most sure nothings are dropped)."""
    found = [dict(zip(silver.keys[p], silver.probabilities[p], strict=True)) for p in papers]
    draw = np.random.RandomState(seed).random_sample(len(keys))
    nothing = np.zeros(len(CLASSES), np.float32)
    rows = np.array([found[o].get(k, nothing) for o, k in zip(owner.tolist(), keys, strict=True)])
    label = rows.argmax(axis=1)
    sure = rows[np.arange(len(rows)), label]
    keep = (rows.sum(axis=1) > 0) & ~((label == NONE) & (rows[:, NONE] > 0.97) & (draw < 0.5))
    return label, np.maximum(sure - 0.25, 0.05), keep

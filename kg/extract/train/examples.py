"""Candidates as rows to learn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse

from kg.extract.abbreviations import find_abbreviations
from kg.extract.analysis import Analysis
from kg.extract.batch import Batch, Vocabulary, width
from kg.extract.candidates import Lexicon, find_candidates
from kg.extract.features import dense_features
from kg.extract.model import Names
from kg.extract.relations import INTRODUCED, PROPOSED, USED, USED_DATA
from kg.extract.train.data import GoldPaper

OPTIONAL_WEIGHT = 0.05
_CHUNK = 256
_LABEL = {
    ("methods", "proposed"): PROPOSED, ("methods", "used"): USED,
    ("datasets", "introduced"): INTRODUCED, ("datasets", "used"): USED_DATA,
}  # fmt: skip


class Examples(NamedTuple):
    """Rows over the candidates of several papers, papers in order.

    batches: the arrays by chunk of papers, for relations; dense: features; columns: unit rows of hashed
    features; keys: name keys; papers: paper of each row.
    """

    analyses: list[Analysis]
    batches: list[Batch]
    dense: np.ndarray
    columns: sparse.csr_matrix
    keys: list[str]
    papers: np.ndarray


def analyse(title: str, abstract: str, lexicon: Lexicon) -> Analysis:
    """A paper as far as candidates."""
    a = Analysis(title, abstract)
    a.abbreviations = find_abbreviations(a.tokens)
    a.candidates = find_candidates(a.tokens, a.abbreviations, lexicon)
    return a


def make_examples(papers: Sequence[tuple[str, str]], lexicon: Lexicon, vocabulary: Vocabulary) -> Examples:
    """Features of every candidate of the papers, given as title and abstract."""
    names = Names(lexicon.capital)
    analyses = [analyse(t, a, lexicon) for t, a in papers]
    batches, dense, columns, keys, owners = [], [], [], [], []
    for start in range(0, len(analyses), _CHUNK):
        chunk = analyses[start : start + _CHUNK]
        b = Batch(chunk, vocabulary)
        look = names.of(b)
        rows, cols = b.columns(look)
        n = len(look)
        scale = 1 / np.sqrt(np.maximum(np.bincount(rows, minlength=n), 1))
        columns.append(
            sparse.csr_matrix((scale[rows].astype(np.float32), (rows, cols)), shape=(n, width(vocabulary.size)))
        )
        dense.append(dense_features(b, chunk, look))
        keys += [c.key for c in b.candidates]
        owners.append(b.papers + start)
        batches.append(b)
    return Examples(analyses, batches, np.vstack(dense), sparse.vstack(columns).tocsr(), keys, np.concatenate(owners))


def over_batches(e: Examples, compute: Callable[[Batch, np.ndarray], np.ndarray], *values: np.ndarray) -> np.ndarray:
    """`compute(batch, rows…)` for each chunk of papers, stacked."""
    out, at = [], 0
    for b in e.batches:
        n = len(b.papers)
        out.append(compute(b, *(v[at : at + n] for v in values)))
        at += n
    return np.vstack(out)


def gold_labels(papers: Sequence[GoldPaper], e: Examples) -> tuple[np.ndarray, np.ndarray]:
    """Class and weight of each row; optional names weigh next to nothing."""
    by_paper = []
    for p in papers:
        labels: dict[str, tuple[int, float]] = dict.fromkeys(
            sorted(p.optional_methods | p.optional_datasets), (0, OPTIONAL_WEIGHT)
        )
        for kind in ("datasets", "methods"):
            for keys, role in getattr(p, kind):
                labels.update(dict.fromkeys(sorted(keys), (_LABEL[kind, role], 1.0)))
        by_paper.append(labels)
    pairs = [by_paper[p].get(k, (0, 1.0)) for p, k in zip(e.papers.tolist(), e.keys, strict=True)]
    return np.array([x for x, _ in pairs]), np.array([w for _, w in pairs])

"""From papers with candidates to class probabilities: the one path that training and use share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kg.extract.analysis import Analysis
from kg.extract.batch import Batch, Name
from kg.extract.features import FIELDS as DENSE_FIELDS
from kg.extract.features import dense_features
from kg.extract.lexicon import KNOWN_KINDS, known_names
from kg.extract.model import PRIOR_FIELDS, Model, Priors, softmax
from kg.extract.relations import CLASSES, NONE, relations
from kg.extract.relations import FIELDS as RELATION_FIELDS

# A first classifier this sure that a candidate is nothing is believed; the trees are not asked.
SURE_NOTHING = 0.99
_KNOWN = 0.9  # a candidate less surely nothing than this may stand in relation to others
# What a known data set, method, other thing or technique is believed to be, over `CLASSES`.
_KNOWN_BELIEF = np.array(
    [[0.05, 0, 0.02, 0.02, 0.91], [0.05, 0.02, 0.91, 0, 0.02], [0.97, 0, 0.02, 0, 0.01], [0.4, 0.02, 0.58, 0, 0]],
    np.float32,
)
_SEEN = 0.7  # log count above which a prior says something


def field_names(linears: int, with_priors: bool) -> list[str]:
    """Names of the columns of `assemble`."""
    logits = [f"linear{k}_{c}" for k in range(linears) for c in CLASSES]
    fields = [*DENSE_FIELDS, *logits, *(f"near_{f}" for f in RELATION_FIELDS)]
    if with_priors:
        fields += [f"{who}_is_{k}" for who in ("name", "family") for k in KNOWN_KINDS]
        fields += [*PRIOR_FIELDS, *(f"family_{f}" for f in PRIOR_FIELDS), *(f"prior_{f}" for f in RELATION_FIELDS)]
    return fields


def assemble(
    b: Batch, dense: np.ndarray, logits: Sequence[np.ndarray], names: Sequence[Name], priors: Priors | None
) -> np.ndarray:
    """All features of the candidates of a batch, columns as `field_names`."""
    belief = softmax(logits[-1].astype(np.float64)).astype(np.float32)
    blocks = [dense, *logits, relations(b, belief, belief[:, NONE] < _KNOWN)]
    if priors is not None:
        own = priors.rows([c.key for c in b.candidates])
        family = priors.rows([n.family for n in names])
        known = _known([c.key for c in b.candidates])
        belief = np.where(known.any(axis=1, keepdims=True), known @ _KNOWN_BELIEF, own[:, : len(CLASSES)])
        blocks += [known, _known([n.family for n in names]), own, family]
        blocks.append(relations(b, belief, known.any(axis=1) | (own[:, -1] > _SEEN)))
    return np.hstack(blocks).astype(np.float32)


def _known(keys: Sequence[str]) -> np.ndarray:
    """Which of `KNOWN_KINDS` each key is, as one column a kind; all zero where it is none."""
    table, out = known_names(), np.zeros((len(keys), len(KNOWN_KINDS)), np.float32)
    for i, k in enumerate(keys):
        kind = table.get(k)
        if kind is not None:
            out[i, kind] = 1
    return out


def class_probabilities(model: Model, analyses: Sequence[Analysis]) -> tuple[Batch, np.ndarray]:
    """The batch of the papers' candidates and a row of class probabilities for each."""
    b = Batch(analyses, model.vocabulary)
    n = len(b.papers)
    if not n:
        return b, np.zeros((0, len(CLASSES)))
    names = model.names.of(b)
    rows, cols = b.columns(names)
    logits = [linear.logits(rows, cols, n) for linear in model.linear]
    nothing = np.min([softmax(z.astype(np.float64))[:, NONE] for z in logits], axis=0)
    ask = np.nonzero(nothing < SURE_NOTHING)[0]
    out = np.zeros((n, len(CLASSES)))
    out[:, NONE] = 1
    if len(ask):
        x = assemble(b, dense_features(b, analyses, names), logits, names, model.priors)
        out[ask] = softmax(model.trees.scores(x[ask]))
    return b, out

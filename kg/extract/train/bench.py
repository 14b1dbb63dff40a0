"""Public sentences with data set mentions as further rows to learn from (licences: see `SOURCES`).

They come from full texts, so they show data sets as abstracts seldom name them ("the Ohsumed collection"). Only data
sets are annotated in them: whether another candidate is a method is what the teacher says of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from kg.extract.candidates import Candidate
from kg.extract.relations import INTRODUCED, NONE, USED_DATA
from kg.extract.tokens import Tokens
from kg.extract.train.data import GoldPaper
from kg.extract.train.examples import OPTIONAL_WEIGHT, Examples
from kg.extract.words import DATA_NARROW, FUNCTION

# Folder below data/bench -> label that stands for data sets. Heddes: CC BY 4.0; TDMSci, SciREX: Apache 2.0.
SOURCES = {"heddes_dataset": "Dataset", "tdmsci": "Dataset", "scirex": "Dataset"}
WEIGHT = 0.4  # of a sentence beside an annotated abstract
_PLAIN, _PLAIN_KEPT = 0.95, 0.25  # candidates so surely nothing are taken this often


def read_bench(data: Path, part: str = "train") -> tuple[list[GoldPaper], list[list[tuple[int, int]]]]:
    """Sentences as papers without title, and the source offsets of the data sets in each."""
    papers: list[GoldPaper] = []
    spans: list[list[tuple[int, int]]] = []
    nothing: frozenset[str] = frozenset()
    for folder, label in SOURCES.items():
        path = data / "bench" / folder / f"{part}.jsonl"
        if not path.exists():
            continue
        for line in path.read_text("utf-8").splitlines():
            r = json.loads(line)
            papers.append(GoldPaper(f"{folder}:{r['id']}", "", r["text"], [], [], nothing, nothing))
            spans.append([(s["start"], s["end"]) for s in r["spans"] if s["label"] == label])
    return papers, spans


def bench_labels(e: Examples, spans: list[list[tuple[int, int]]], teacher: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Class and weight of each row; `teacher`: its class probabilities. Some sure nothings stand for all of them."""
    other = teacher.copy()
    other[:, [INTRODUCED, USED_DATA]] = 0
    labels = other.argmax(axis=1)
    sure = other[np.arange(len(labels)), labels]
    weights = WEIGHT * np.maximum(sure - 0.25, 0.05)
    plain = (labels == NONE) & (sure > _PLAIN)
    drawn = np.random.RandomState(4).random_sample(len(labels)) < _PLAIN_KEPT
    weights = np.where(plain, np.where(drawn, weights / _PLAIN_KEPT, 0), weights)
    verdicts = [_names_inside(a.tokens, a.candidates, gold) for a, gold in zip(e.analyses, spans, strict=True)]
    inside = np.array([{None: 0, False: 1, True: 2}[x] for v in verdicts for x in v])
    introduced = teacher[:, INTRODUCED] > 0.5
    labels = np.where(inside == 2, np.where(introduced, INTRODUCED, USED_DATA), np.where(inside == 1, NONE, labels))
    return labels, np.where(inside == 2, WEIGHT, np.where(inside == 1, WEIGHT * OPTIONAL_WEIGHT, weights))


def _names_inside(t: Tokens, candidates: Mapping[str, Candidate], gold: list[tuple[int, int]]) -> list[bool | None]:
    """For each candidate: is it the name of a data set (the longest without its noun), part of one, or neither?"""
    taken: list[tuple[int, int]] = []
    verdict: dict[str, bool | None] = {}
    for c in sorted(candidates.values(), key=lambda c: -max(j - i for i, j in c.spans)):
        places = [(i, j) for (i, j), place in c.spans.items() if _overlaps(t, place, gold)]
        if not places:
            verdict[c.key] = None
            continue
        i, j = places[0]
        plain = t.lower[j - 1] in DATA_NARROW or t.lower[i] in FUNCTION
        verdict[c.key] = not plain and all(j <= a or b <= i for a, b in taken)
        if verdict[c.key]:
            taken += places
    return [verdict[k] for k in candidates]


def _overlaps(t: Tokens, place: tuple[int, int], gold: list[tuple[int, int]]) -> bool:
    _, a, b = t.locate(*place)
    return any(a < d and c < b for c, d in gold)

from __future__ import annotations

import random

import numpy as np

from kg.records.likeness import Likeness, likeness
from kg.records.train_vectors import vectors
from kg.records.words import words


def fit(model: Likeness, title: str, abstract: str) -> float:
    return float(model.title(words(title)) @ model.abstract(words(abstract)))


def test_related_words_are_alike_without_being_shared():
    text = "Large language models write harmful answers when attackers craft prompts; we train them to refuse."
    model = likeness()
    assert fit(model, "Defending against jailbreaks", text) > fit(model, "Grasping with soft grippers", text) + 0.1


def test_unknown_words_count_for_nothing():
    assert fit(likeness(), "Qwxzy vbnmk", "Some abstract about robots") == 0.0


def pairs(size: int) -> list[tuple[list[str], list[str]]]:
    """Titles and abstracts of four fields that share no word with each other."""
    draw = random.Random(1)
    fields = [[f"{name}{c}ov" for c in "abcdef"] for name in ("bak", "fol", "trav", "sing")]
    return [(draw.sample(f[:3], 2), draw.choices(f[3:], k=8)) for f in (fields[i % 4] for i in range(size))]


def test_training_finds_what_goes_together():
    model = Likeness(vectors(pairs(800), rounds=8, batch=64))
    right = float(model.title(["bakaov", "bakbov"]) @ model.abstract(["bakdov", "bakeov"]))
    for other in ("fol", "trav", "sing"):
        assert right > float(model.title(["bakaov", "bakbov"]) @ model.abstract([f"{other}dov", f"{other}eov"])) + 0.2


def test_training_makes_the_same_numbers_twice():
    first, second = (vectors(pairs(200), rounds=2, batch=64) for _ in range(2))
    assert all(np.array_equal(first[name], second[name]) for name in first)

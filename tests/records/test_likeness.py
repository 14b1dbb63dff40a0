from __future__ import annotations

import random

from kg.records.likeness import Likeness, likeness
from kg.records.train import train
from kg.records.words import words


def fit(model: Likeness, title: str, abstract: str) -> float:
    return float(model.title(words(title)) @ model.abstract(words(abstract)))


def test_related_words_are_alike_without_being_shared():
    text = "Large language models write harmful answers when attackers craft prompts; we train them to refuse."
    model = likeness()
    assert fit(model, "Defending against jailbreaks", text) > fit(model, "Grasping with soft grippers", text) + 0.1


def test_unknown_words_count_for_nothing():
    assert fit(likeness(), "Qwxzy vbnmk", "Some abstract about robots") == 0.0


def test_training_finds_what_goes_together():
    draw = random.Random(1)
    fields = [[f"{name}{c}ov" for c in "abcdef"] for name in ("bak", "fol", "trav", "sing")]
    pairs = []
    for i in range(400):
        field = fields[i % 4]
        pairs.append((" ".join(draw.sample(field[:3], 2)), " ".join(draw.choices(field[3:], k=8))))
    model = Likeness(train(pairs, rounds=4, batch=64))
    right = fit(model, "bakaov bakbov", "bakdov bakeov")
    assert right > max(fit(model, "bakaov bakbov", " ".join(f[3:5])) for f in fields[1:]) + 0.3

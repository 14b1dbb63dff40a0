"""Records that look like arXiv's in length and make, of words of our own: for runs larger than any list at hand.

    python tests/benchmarks/generated.py 1000000 papers.jsonl.gz

Half of the abstracts coin a method; names of methods and data sets, people and repositories recur as they do
in real lists: few very often, most once or twice (a Zipf-like draw).
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections.abc import Iterator
from typing import Any

_TOPICS = [
    "graphs",
    "proteins",
    "images",
    "speech",
    "markets",
    "galaxies",
    "crystals",
    "traffic",
    "satellites",
    "genomes",
    "robots",
    "language",
]
_ADJECTIVES = [
    "sparse",
    "robust",
    "causal",
    "neural",
    "spectral",
    "latent",
    "adaptive",
    "modular",
    "stable",
    "convex",
    "tiny",
    "hybrid",
]
_NOUNS = [
    "estimation",
    "retrieval",
    "alignment",
    "pruning",
    "segmentation",
    "control",
    "forecasting",
    "matching",
    "sampling",
    "ranking",
]
_SYLLABLES = [
    "al",
    "be",
    "cor",
    "da",
    "fen",
    "gri",
    "ho",
    "ix",
    "ju",
    "kel",
    "lor",
    "ma",
    "nex",
    "or",
    "pra",
    "qui",
    "ros",
    "sol",
    "tri",
    "ul",
    "vex",
    "wor",
    "xan",
    "yor",
    "zet",
]
_FILLERS = (
    "Earlier work on {t} leaves {n} to hand-made rules, and these break once conditions change.",
    "The reason lies in how {a} structure interacts with noise, which few studies have looked at closely.",
    "A careful analysis shows when {n} can succeed and bounds the error by the size of the sample.",
    "Training takes a single machine and a few hours, and nothing has to be tuned by hand.",
    "Gains hold across seeds, scales and budgets, and they grow with the amount of {t} at hand.",
    "Removing either part costs about half of the gain, so both are needed.",
    "The idea needs no labels of the target domain and no change to how {t} are collected or stored.",
    "At its core stands a simple estimate of how far two views of the same {t} may drift apart.",
    "Users can trade accuracy for time at any moment, without starting again from nothing.",
    "We close with limits of the approach and what they mean for {t} in practice.",
)
_GIVEN = [
    a + b
    for a in ("Al", "Be", "Ca", "Da", "El", "Fi", "Go", "Ha", "Io", "Ju")
    for b in ("ra", "no", "mi", "len", "via")
]


def _word(rng: random.Random, n: int) -> str:
    return "".join(rng.choice(_SYLLABLES) for _ in range(n))


def _often(rng: random.Random, size: int) -> int:
    """A number below `size`; small ones are far more frequent."""
    return int(size ** rng.random()) - 1


def records(count: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """So many records: id, title, abstract, authors, date, venue-free, as a JSON-lines source has them."""
    rng = random.Random(seed)
    surnames = [_word(rng, 3).capitalize() for _ in range(40_000)]
    methods = [
        f"{_word(rng, 2).capitalize()}{rng.choice(('Net', 'Former', 'Flow', 'Prune', 'GAN', 'X'))}"
        for _ in range(60_000)
    ]
    datasets = [
        f"{_word(rng, 2).capitalize()}{rng.choice(('Bench', 'Set', '-1K', 'QA', 'Eval'))}" for _ in range(9_000)
    ]
    for i in range(count):
        t, a, n = rng.choice(_TOPICS), rng.choice(_ADJECTIVES), rng.choice(_NOUNS)
        coined = (
            f"{_word(rng, 3).capitalize()}{rng.choice(('Net', 'Flow', 'RL', 'Mix', ''))}" if rng.random() < 0.5 else ""
        )
        base, data, more = methods[_often(rng, 60_000)], datasets[_often(rng, 9_000)], datasets[_often(rng, 9_000)]
        sentences = [f"We study {a} {n} of {t}, where labels are scarce."]
        if coined:
            sentences.append(f"We propose {coined}, a {rng.choice(_ADJECTIVES)} method for {n}.")
        sentences += [f.format(t=t, a=a, n=n) for f in rng.sample(_FILLERS, rng.randint(6, 10))]
        sentences.append(
            f"Experiments on {data} and {more} show that it outperforms {base} by {rng.randint(1, 19)} points."
        )
        if rng.random() < 0.15:
            sentences.append(
                f"Code is available at https://github.com/{_word(rng, 2)}/{(coined or _word(rng, 3)).lower()} ."
            )
        authors = [
            f"{rng.choice(_GIVEN)} {chr(65 + rng.randrange(26))}. {surnames[_often(rng, 40_000)]}"
            for _ in range(1 + min(int(rng.expovariate(0.28)), 40))
        ]
        title = f"{coined}: " if coined else ""
        year = 1995 + int(31 * rng.random() ** 0.5)
        yield {
            "id": f"gen-{i:07d}",
            "title": f"{title}{a.capitalize()} {n.capitalize()} of {t.capitalize()} with {rng.choice(_ADJECTIVES).capitalize()} Models",
            "abstract": " ".join(sentences),
            "authors": list(dict.fromkeys(authors)),
            "year": year,
        }


def write(count: int, path: str) -> None:
    """Writes records as gzipped JSON lines."""
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as out:
        for record in records(count):
            out.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    write(int(sys.argv[1]), sys.argv[2])

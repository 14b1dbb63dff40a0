"""Made-up papers whose people, names and records overlap, so that each new one can change what is known of others."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

_GIVEN = ["Ada", "Wei", "Wei-Lin", "W.", "Jose", "José", "Mia", "Robert", "Bob", "Yu", "Lena", "Ivan"]
_FAMILY = ["Zhang", "Müller", "Mueller", "Okoro", "Garcia", "Ivanova", "Sato"]
_METHODS = ["GridNet", "PAN", "LoRA", "FlowTree", "ResMix", "GAN", "Kestrel-2", "Kestrel"]
_LONG = {
    "PAN": ["Pooled Attention Network", "Patch Alignment Normalisation"],
    "GAN": ["Generative Adversarial Network"],
}
_DATA = ["ImageNet", "CIFAR-10", "CIFAR10", "GardenQA"]
_TOPICS = ["graphs", "vision", "speech", "robots", "plants", "proofs"]
_VENUES = ["ICLR", "ICML", "iclr", ""]


def record(number: int, chance: random.Random) -> dict[str, Any]:
    """One record; the same number and generator state give the same one."""
    method, other = chance.sample(_METHODS, 2)
    topic, data = chance.choice(_TOPICS), chance.choice(_DATA)
    spelled = f" ({chance.choice(_LONG[method])})" if method in _LONG and chance.random() < 0.6 else ""
    title = (
        f"{method}: Learning about {topic} number {number}" if chance.random() < 0.5 else f"On {topic}, part {number}"
    )
    abstract = (
        f"We study {topic} in setting {number}. We propose {method}{spelled}, a method that builds on {other}. "
        f"On the {data} dataset, {method} is better than {other} by {chance.randint(1, 9)} points. "
        f"Code is at https://github.com/lab{number % 7}/{method.lower()}."
    )
    people = {f"{chance.choice(_GIVEN)} {chance.choice(_FAMILY)}" for _ in range(chance.randint(1, 4))}
    found: dict[str, Any] = {
        "id": f"made/{number}",
        "title": title,
        "abstract": abstract,
        "authors": [{"name": n, "affiliation": f"University of {n[-3:]}"} for n in sorted(people)],
        "year": chance.randint(2018, 2025),
        "venue": chance.choice(_VENUES),
        "keywords": [topic],
    }
    lost = chance.random()
    if lost < 0.1:
        found["title"] = ""
    elif lost < 0.2:
        found["abstract"] = ""
    return found


def records(count: int, seed: int) -> list[dict[str, Any]]:
    """`count` records; one in twelve says again what an earlier one says, a little otherwise."""
    chance = random.Random(seed)
    found: list[dict[str, Any]] = []
    for number in range(count):
        if found and number % 12 == 11:
            again = dict(chance.choice(found))
            again["id"] = f"made/{number}"
            again["year"] = chance.choice([again["year"], again["year"] + 1])
            again["authors"] = again["authors"][: chance.randint(1, 4)]
            found.append(again)
        else:
            found.append(record(number, chance))
    return found


def write(path: Path, found: list[dict[str, Any]]) -> Path:
    """Writes records as JSON lines."""
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in found), encoding="utf-8")
    return path


_FORMER = re.compile(rb"<[^>]*/id/person/[^>]*> <http://purl.org/dc/terms/isReplacedBy> .*/graph/evidence> \.$")


def without_history(statements: bytes) -> bytes:
    """N-Quads without former addresses of people: a graph built at once has none."""
    return b"".join(line for line in statements.splitlines(True) if not _FORMER.match(line))

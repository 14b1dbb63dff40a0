"""Damage of every kind to every format: papers, rejected records or a clear refusal, never a traceback."""

from __future__ import annotations

import gzip
import json
import random

import pytest
from msgspec.json import decode, encode

from kg.errors import SourceError
from kg.model import Paper
from kg.records import link
from tests.sources.conftest import split
from tests.sources.test_formats import CASES

ODD = [None, 1, -1.5, True, "", [], {}, "x", ["a", 1, None], {"a": {"b": [1]}}, [[]], [{}], "\ud800", "a@b.org", 10**30]
SIGNS = [b'"', b"{", b"}", b"[", b"]", b"<", b">", b"&", b"\n", b"\0", b",", b"null", b"\\", b"\xff", b"\xf0\x9f"]


def damaged(data: bytes, dice: random.Random) -> bytes:
    found = bytearray(data)
    for _ in range(dice.choice([1, 1, 3, 15])):
        at = dice.randrange(len(found) + 1)
        match dice.randrange(4):
            case 0:
                del found[at : at + dice.choice([1, 3, 60])]
            case 1:
                found[at:at] = dice.choice(SIGNS)
            case 2:
                start = dice.randrange(len(found) + 1)
                found[at:at] = found[start : start + dice.choice([5, 90])]
            case 3 if dice.random() < 0.2:
                found = found[:at]
    plain = bytes(found)
    if dice.random() < 0.2:
        packed = gzip.compress(plain)
        return packed[: dice.randrange(len(packed))] if dice.random() < 0.6 else packed
    return plain


@pytest.mark.parametrize("case", CASES)
def test_damaged_bytes(write, case):
    name, content, _ = CASES[case]
    dice = random.Random(case)
    for _ in range(12):
        path = write(name, damaged(content.encode(), dice))
        try:
            papers, rejected = split(path)
        except SourceError as refusal:
            assert refusal.message and refusal.place
            continue
        assert all(r.reason and r.file for r in rejected)
        link(papers)


def confused(value: object, dice: random.Random, depth: int = 0) -> object:
    """The value with some parts replaced by something of another type."""
    if depth and dice.random() < 0.05:
        return dice.choice(ODD)
    if isinstance(value, dict):
        return {k: confused(v, dice, depth + 1) for k, v in value.items()}
    if isinstance(value, list):
        return [confused(v, dice, depth + 1) for v in value]
    return value


@pytest.mark.parametrize("case", [c for c, (name, _, _) in CASES.items() if name.endswith(".json")])
def test_fields_of_the_wrong_type(write, case):
    dice = random.Random(case)
    whole = json.loads(CASES[case][1])
    for _ in range(60):
        path = write("a.json", json.dumps(confused(whole, dice)))
        try:
            papers, _ = split(path)
        except SourceError:
            continue
        for paper in papers:
            assert decode(encode(paper), type=Paper) == paper
            assert "a@b.org" not in str((paper.ids, paper.authors, paper.origins, paper.keywords))

"""Keys kept from an earlier build: the same outcome, and never those of other code or other records."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec
import pytest

from kg.model import Author, Origin, Paper
from kg.records import keys, link
from kg.records.keys import Known, read_known


def text(n: int) -> str:
    """Words that no other text has."""
    chance = random.Random(n)
    return " ".join("".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(30))


def papers(count: int) -> list[Paper]:
    found = []
    for n in range(count):
        people = (Author(f"Ada Writer{n}"), Author(f"Bo Reader{n}"))
        origin = (Origin("list.jsonl", f"line {n}", "jsonl", str(n)),)
        found.append(Paper(title=text(1000 + n)[:40], abstract=text(n), authors=people, origins=origin))
    return [*found, msgspec.structs.replace(found[0], venue="ICLR"), Paper(title="Only a title", authors=people)]


def test_kept_keys_change_nothing_and_are_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = Known()
    first = link(papers(20), known)
    assert first.merged == 1
    (tmp_path / keys.FILE).write_bytes(msgspec.msgpack.encode(known))
    made = []
    monkeypatch.setattr(keys, "keys_of", lambda paper, own=keys.keys_of: made.append(paper.title) or own(paper))
    again = read_known(tmp_path / keys.FILE)
    assert link(papers(20), again) == first
    assert made == []
    assert link([*papers(20), Paper(title="Late", abstract=text(99))], again) == link(
        [*papers(20), Paper(title="Late", abstract=text(99))]
    )
    assert made.count("Late") == 2  # once with what was kept, once without


def test_what_other_code_made_or_nobody_can_read_is_not_used(tmp_path: Path) -> None:
    known = Known()
    right = link(papers(3), known)
    wrong = {digest: msgspec.structs.replace(k, paper="wrong") for digest, k in known.keys.items()}
    assert any(p.key == "wrong" for p in link(papers(3), Known(known.code, wrong)).papers)
    assert link(papers(3), Known(b"other code", wrong)) == right
    (tmp_path / keys.FILE).write_bytes(b"\x00")
    assert read_known(tmp_path / keys.FILE) == Known() == read_known(tmp_path / "none")

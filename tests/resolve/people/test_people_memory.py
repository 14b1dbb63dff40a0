"""Who is who is the same with and without the memory of an earlier run, and less is clustered with it."""

from __future__ import annotations

import random

import numpy as np
import pytest
from msgspec.structs import replace

from kg.model import Author, Paper
from kg.resolve.people import blocks, resolve_people
from kg.resolve.people.memory import decode
from kg.resolve.people.records import People

GIVEN = ("Wei", "Yu", "Ada", "Jan", "Li", "Mary", "M.")
FAMILY = ("Wang", "Zhang", "Jones", "Okoro", "Chen")
PLACES = ("University of Ghent", "Ghent University", "MIT", "Tsinghua University, Beijing", "Tsinghua University")
IDS = ("orcid:0000-0001-0000-000{}", "openreview:~Wei_Wang{}", "s2:{}")


def one(key: str, chance: random.Random) -> Paper:
    names = {f"{chance.choice(GIVEN)} {chance.choice(FAMILY)}" for _ in range(chance.randint(1, 5))}
    authors = []
    for name in sorted(names):
        places = (chance.choice(PLACES),) if chance.random() < 0.6 else ()
        ids = (chance.choice(IDS).format(chance.randint(1, 6)),) if chance.random() < 0.15 else ()
        authors.append(Author(name, places, ids))
    return Paper(key=key, authors=tuple(authors), year=chance.randint(2017, 2022), venue=chance.choice(("ICLR", "")))


def same(one: People, other: People) -> bool:
    return (one.of, one.persons, one.rejections, list(one.decisions)) == (
        other.of, other.persons, other.rejections, list(other.decisions)
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_the_outcome_is_that_of_a_run_without_memory(seed: int) -> None:
    chance = random.Random(seed)
    papers = [one(f"p{n:03}", chance) for n in range(140)]
    memory = resolve_people(papers[:100]).memory
    assert memory is not None
    memory = decode(memory.encode())
    changed = papers[5:]  # some gone, some new, one other than it was
    changed[7] = replace(changed[7], year=2011, authors=changed[7].authors[::-1])
    for world in (papers, changed, papers[:100], papers[40:60]):
        found = resolve_people(world, memory=memory)
        assert same(found, resolve_people(world))
        memory = found.memory


def test_only_what_new_papers_touch_is_clustered(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    original = blocks.judge

    def watched(evidence, *rest):  # type: ignore[no-untyped-def]
        seen.extend(evidence.blocks.block.tolist())
        return original(evidence, *rest)

    monkeypatch.setattr(blocks, "judge", watched)

    def paper(key: str, *names: str) -> Paper:
        return Paper(key=key, authors=tuple(map(Author, names)), year=2020)

    old = [paper("a", "Wei Wang", "Xu Li"), paper("b", "Wei Wang", "Bo Chen"), *(paper(k, "Jan Okoro") for k in "cd")]
    first = resolve_people(old)
    assert len(seen) == 2
    seen.clear()
    resolve_people([*old, paper("e", "Noor Noor")], memory=first.memory)
    assert not seen, "a new name changes no other"
    resolve_people([*old, paper("e", "Jan Okoro")], memory=first.memory)
    assert len(seen) == 1
    seen.clear()
    linked = [*old, paper("e", "Xu Li", "Bo Chen")]
    found = resolve_people(linked, memory=first.memory)
    # Wei Wang's co-authors now know each other, though no paper of that name changed; both of them are new blocks.
    assert len(seen) == 3
    assert same(found, resolve_people(linked))


def test_corrections_are_neither_taken_from_memory_nor_kept_in_it() -> None:
    papers = [Paper(key=k, authors=(Author("Odalric Maillard"),), year=2020) for k in "abc"]
    plain = resolve_people(papers)
    assert len(plain.persons) == 1
    split = resolve_people(papers, different=[[("a", 1), ("b", 1)]], memory=plain.memory)
    assert split.of["a", 1] != split.of["b", 1]
    assert same(resolve_people(papers, memory=split.memory), plain)


def test_a_memory_that_cannot_be_read_is_none() -> None:
    memory = resolve_people([Paper(key=k, authors=(Author("Wei Wang"),), year=2020) for k in "ab"]).memory
    assert memory is not None
    data = memory.encode()
    again = decode(data)
    assert again is not None and np.array_equal(again.marks, memory.marks)
    assert decode(b"") is None and decode(b"PK\x03\x04 nothing") is None
    assert decode(data[: len(data) // 2]) is None
    at = data.index(memory.names.tobytes())
    assert decode(data[:at] + bytes([data[at] ^ 255]) + data[at + 1 :]) is None


def test_a_memory_of_other_code_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    from kg.resolve.people import memory as module

    data = resolve_people([Paper(key="a", authors=(Author("Wei Wang"),))]).memory.encode()  # type: ignore[union-attr]
    assert decode(data) is not None
    monkeypatch.setattr(module, "version", lambda: "another")
    assert decode(data) is None

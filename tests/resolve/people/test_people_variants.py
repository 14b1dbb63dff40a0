"""One person under several names, on pairs collected by hand: real spellings, and look-alikes."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg.model import Author, Paper
from kg.resolve.people import People, resolve_people
from kg.resolve.people.compatible import compatible

PAIRS = [line.split("\t") for line in (Path(__file__).parent / "name_pairs.tsv").read_text("utf-8").splitlines()]
# Spellings no rule of names can guess; a correction or an identifier has to say it.
BEYOND = {("Anima Anandkumar", "Animashree Anandkumar"), ("Maria-Florina Balcan", "Nina Balcan")}


def paper(key: str, *names: str, year: int = 2020) -> Paper:
    return Paper(key=key, authors=tuple(map(Author, names)), year=year)


def meet(one: str, other: str, evidence: str) -> bool:
    """Whether two names become one person when their papers share two co-authors, or nothing."""
    first = ("Guido Zanetti", "Odalric Maillard")
    second = first if evidence == "coauthors" else ("Tiago Pimentel", "Vesna Kostic")
    found = resolve_people([paper("a", one, *first), paper("b", other, *second, year=2021)])
    return found.of["a", 1] == found.of["b", 1]


def test_pairs_by_hand() -> None:
    assert len(PAIRS) >= 100
    wrong = {(a, b) for a, b, evidence, truth in PAIRS if meet(a, b, evidence) != (truth == "one")}
    assert wrong <= BEYOND, sorted(wrong - BEYOND)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("Wei Wang", "WANG Wei", "same"),
        ("Jun Yan Zhu", "Jun-Yan Zhu", "spelling"),
        ("Bob Schapire", "Robert E. Schapire", "nickname"),
        ("R. E. Schapire", "Robert Schapire", "initials"),
        ("Danica Kragic Jensfelt", "Danica Kragic", "extra names"),
        ("Mary Ann Miller", "Mary Ann Jones", "surname"),
        ("Mary Miller", "Max Miller", ""),
    ],
)
def test_compatible_both_ways(one: str, other: str, kind: str) -> None:
    assert compatible(one, other) == compatible(other, one) == kind


def _everyone(found: People) -> list[set[str]]:
    return sorted(({*p.variants} for p in found.persons.values()), key=sorted)


def test_two_suitors_leave_an_initial_alone() -> None:
    circle = ("Guido Zanetti", "Odalric Maillard")
    found = resolve_people(
        [paper("a", "Kaja Novakova", *circle), paper("b", "Kira Novakova", *circle), paper("c", "K. Novakova", *circle)]
    )
    assert {"K. Novakova"} in _everyone(found)
    assert any("fits as well" in d.why for d in found.decisions)


def test_variants_on_one_paper_stay_two() -> None:
    circle = ("Guido Zanetti", "Odalric Maillard")
    found = resolve_people([paper("a", "Kaja Novakova", "K. Novakova", *circle), paper("b", "K. Novakova", *circle)])
    assert found.of["a", 1] != found.of["a", 2] == found.of["b", 1]

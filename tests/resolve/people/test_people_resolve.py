"""Who is who on small sets of papers, each about one kind of trap."""

from __future__ import annotations

import random

import pytest

from kg.errors import KgError
from kg.model import Author, Paper
from kg.resolve.people import resolve_people


def paper(key: str, *authors: str | Author, year: int = 2020, **more: object) -> Paper:
    people = tuple(Author(a) if isinstance(a, str) else a for a in authors)
    return Paper(key=key, authors=people, year=year, **more)  # type: ignore[arg-type]


def at(name: str, *affiliations: str, ids: tuple[str, ...] = ()) -> Author:
    return Author(name, affiliations, ids)


def test_shared_coauthor_joins_a_common_name() -> None:
    found = resolve_people(
        [paper("a", "Wei Wang", "Guido Zanetti"), paper("b", "Wei Wang", "Guido Zanetti"), paper("c", "Wei Wang")]
    )
    assert found.of["a", 1] == found.of["b", 1] != found.of["c", 1]


def test_common_name_alone_does_not_join_but_rare_name_does() -> None:
    found = resolve_people(
        [paper("a", "Wei Wang"), paper("b", "Wei Wang"), paper("c", "Odalric Maillard"), paper("d", "ODALRIC MAILLARD")]
    )
    assert found.of["a", 1] != found.of["b", 1]
    assert found.of["c", 1] == found.of["d", 1]
    assert found.persons[found.of["c", 1]].name == "Odalric Maillard"


def test_two_authors_of_one_paper_never_join() -> None:
    twice = ("orcid:0000-0001-0000-0001",)
    found = resolve_people(
        [
            paper("a", at("Wei Wang", ids=twice), at("Wei Wang", ids=twice), "Guido Zanetti"),
            paper("b", at("Wei Wang", ids=twice), "Guido Zanetti"),
        ]
    )
    assert found.of["a", 1] != found.of["a", 2]
    assert [r.reason for r in found.rejections] == ["on two authors of one paper"]


def test_one_id_on_two_names_is_refused() -> None:
    stray = ("orcid:0000-0001-0000-0002",)
    found = resolve_people(
        [
            paper("a", at("Guido Zanetti", ids=stray)),
            paper("b", at("Guido Zanetti", ids=stray)),
            paper("c", at("Mary Jones", ids=stray)),
        ]
    )
    assert found.of["a", 1] == found.of["b", 1] == "orcid-0000-0001-0000-0002"
    assert found.of["c", 1].startswith("cluster-")
    assert [(r.reason, r.names) for r in found.rejections] == [("name does not fit", ("Mary Jones",))]


def test_different_profiles_keep_apart_even_with_shared_coauthors() -> None:
    found = resolve_people(
        [
            paper("a", at("Yu Li", ids=("openreview:~Yu_Li1",)), "Guido Zanetti"),
            paper("b", at("Yu Li", ids=("openreview:~Yu_Li2",)), "Guido Zanetti"),
        ]
    )
    assert (found.of["a", 1], found.of["b", 1]) == ("openreview-Yu_Li1", "openreview-Yu_Li2")


def test_bodies_and_nobodies() -> None:
    found = resolve_people(
        [paper("a", "Planck Collaboration", ":"), paper("b", "Planck  collaboration"), paper("c", "Planck Consortium")]
    )
    assert found.of["a", 1] == found.of["b", 1] != found.of["c", 1]
    assert ("a", 2) not in found.of
    assert found.persons[found.of["a", 1]].kind == "collaboration"


def test_order_of_papers_does_not_matter() -> None:
    rng = random.Random(4)
    names = ["Wei Wang", "Yu Li", "Lei Zhang", "Guido Zanetti", "Odalric Maillard", "Jun Liu"]
    papers = [paper(f"p{i}", *rng.sample(names, 3), year=2000 + i % 7) for i in range(60)]
    first = resolve_people(papers)
    rng.shuffle(papers)
    second = resolve_people(papers)
    assert first.of == second.of
    assert first.persons == second.persons


def test_previous_only_lists_replacements() -> None:
    papers = [paper("b", "Odalric Maillard", year=2019), paper("c", "Odalric Maillard", year=2021)]
    before = resolve_people(papers)
    papers.append(paper("a", "Odalric Maillard", year=2011))
    after = resolve_people(papers, previous=before.of)
    assert after.of == resolve_people(papers).of
    assert after.replaced == ((before.of["b", 1], after.of["b", 1]),)


def test_two_papers_of_one_key_is_an_error() -> None:
    with pytest.raises(KgError, match="two papers have one key"):
        resolve_people([paper("a", "Tao"), paper("a", "Tao")])


def test_no_papers() -> None:
    assert resolve_people([]).persons == {}

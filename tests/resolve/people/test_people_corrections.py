"""A user's word, and reasons for what was decided without it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kg.errors import KgError, SettingsError
from kg.model import Author, Paper
from kg.resolve.people import resolve_people

ROOT = Path(__file__).resolve().parents[3]


def paper(key: str, *names: str, year: int = 2020, ids: dict[str, str] | None = None) -> Paper:
    authors = tuple(Author(n, (), ((ids or {})[n],) if n in (ids or {}) else ()) for n in names)
    return Paper(key=key, authors=authors, year=year)


STRANGERS = [paper("a", "Wei Wang", "Guido Zanetti"), paper("b", "Wei Wang", "Vesna Kostic"), paper("c", "Mary Jones")]
FRIENDS = [paper(k, "Wei Wang", "Guido Zanetti", "Odalric Maillard") for k in "abc"]


def test_same_joins_mentions_of_one_name_and_of_two() -> None:
    assert len({resolve_people(STRANGERS).of[m] for m in [("a", 1), ("b", 1), ("c", 1)]}) == 3
    found = resolve_people(STRANGERS, same=[[("a", 1), ("b", 1)], [("b", 1), ("c", 1)]])
    assert found.of["a", 1] == found.of["b", 1] == found.of["c", 1]
    person = found.persons[found.of["a", 1]]
    assert person.status == "curated"
    assert person.variants == ("Mary Jones", "Wei Wang")


def test_same_takes_person_keys_and_iris() -> None:
    plain = resolve_people(STRANGERS)
    keys = [plain.of["a", 1], f"https://w3id.org/paperkg/id/person/{plain.of['c', 1]}"]
    found = resolve_people(STRANGERS, same=[keys])
    assert found.of["a", 1] == found.of["c", 1] != found.of["b", 1]


def test_same_outranks_different_identifiers() -> None:
    papers = [paper(k, "Yu Li", ids={"Yu Li": f"openreview:~Yu_Li{n}"}) for k, n in (("a", 1), ("b", 2), ("c", 2))]
    found = resolve_people(papers, same=[[("a", 1), ("b", 1)]])
    assert {found.of[k, 1] for k in "abc"} == {"openreview-Yu_Li1"}
    assert found.persons["openreview-Yu_Li1"].ids == ("openreview:~Yu_Li1", "openreview:~Yu_Li2")


def test_different_parts_what_evidence_joins() -> None:
    assert len({resolve_people(FRIENDS).of[k, 1] for k in "abc"}) == 1
    found = resolve_people(FRIENDS, different=[[("a", 1), ("c", 1)]])
    assert found.of["a", 1] != found.of["c", 1]
    assert found.persons[found.of["c", 1]].status == "curated"


def test_different_stops_a_name_variant() -> None:
    papers = [paper("a", "Robert Schapire", "Guido Zanetti", "Odalric Maillard")]
    papers.append(paper("b", "Rob Schapire", "Guido Zanetti", "Odalric Maillard"))
    assert resolve_people(papers).of["a", 1] == resolve_people(papers).of["b", 1]
    found = resolve_people(papers, different=[[("a", 1), ("b", 1)]])
    assert found.of["a", 1] != found.of["b", 1]


@pytest.mark.parametrize(
    ("group", "message"),
    [
        ([("a", 1), ("zz", 1)], "no author at this place"),
        ([("a", 1), ("a", 9)], "no author at this place"),
        (["cluster-0000000000", ("a", 1)], "no such person"),
        ([("a", 1)], "needs two"),
        ([("a", 1), ("a", 2)], "two authors of one paper"),
    ],
)
def test_impossible_corrections_are_errors(group: list, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        resolve_people(STRANGERS, same=[group])


def test_explain_names_the_evidence() -> None:
    found = resolve_people(FRIENDS)
    (pair,) = found.explain(("a", 1), ("b", 1))
    assert pair.joined and pair.probability > 0.7
    assert any("Guido Zanetti" in reason for reason in pair.speaks_for)
    assert len(found.explain(found.of["a", 1])) == 3
    (apart,) = resolve_people(STRANGERS).explain(("a", 1), ("b", 1))
    assert not apart.joined and apart.speaks_against


def test_explain_unknown_is_an_error() -> None:
    with pytest.raises(KgError, match="no such person"):
        resolve_people(FRIENDS).explain("nobody")
    with pytest.raises(KgError, match="no author"):
        resolve_people(FRIENDS).explain(("a", 7))


def test_decisions_hold_and_refused_joins_say_why() -> None:
    papers = [paper("a", "Robert Schapire", "Guido Zanetti"), paper("b", "R. Schapire", "Guido Zanetti")]
    found = resolve_people(papers)
    for decision in found.decisions:
        assert (decision.verdict == "joined") == (found.of[decision.pair.left] == found.of[decision.pair.right])
    assert [d.why.split(":")[0] for d in found.decisions] == ["name variant"]


_SEEDED = """
import random, sys
from kg.model import Author, Paper
from kg.resolve.people import resolve_people
rng = random.Random(3)
names = ["Wei Wang", "W. Wang", "Yu Li", "Li Yu", "Robert Schapire", "Rob Schapire", "Guido Zanetti", "Jun Liu"]
papers = [Paper(key=f"p{i}", authors=tuple(map(Author, rng.sample(names, 3))), year=2000 + i % 9) for i in range(80)]
found = resolve_people(papers)
print(found.of, [(d.why, d.persons, d.pair) for d in found.decisions])
"""


def test_hash_seed_does_not_matter() -> None:
    said = set()
    for seed in ("0", "1", "77"):
        env = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run([sys.executable, "-c", _SEEDED], env=env, capture_output=True, text=True, check=True)
        said.add(done.stdout)
    assert len(said) == 1

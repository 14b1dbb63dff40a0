"""Corrections by hand: read with care, stronger than the rules, reversible."""

from __future__ import annotations

from pathlib import Path

import pytest
from handmade_papers import code, coined, datasets, methods, paper, used

from kg.errors import SettingsError
from kg.graph.names import claims
from kg.model import Extraction, Paper
from kg.resolve.overrides import Overrides, Printed, parse_overrides, read_overrides
from kg.resolve.resolve import Resolved, resolve
from kg.vocab import ID, KG

PAPERS = [
    paper("a", 2020, "optics of lenses", ["Ada Lovelace", "Bo Li"]),
    paper("b", 2021, "traffic of cars", ["Dan Roe"]),
    paper("c", 2022, "cooking with herbs; we test on Garden", ["A. Lovelace"]),
    paper("d", 2023, "nothing much", ["Chen Wu"]),
]
FOUND = [
    methods(coined("PRISM"), used("Adam")),
    Extraction(methods=(coined("PRISM"), used("Adam"))),
    Extraction(methods=(used("PRISM"),), datasets=(used("Garden"),)),
    Extraction(
        datasets=(used("Adam"), used("Garden", confidence=0.3)),
        repositories=code("https://github.com/x/y").repositories,
    ),
]


def run(toml: str = "", papers: list[Paper] = PAPERS, found: list[Extraction] = FOUND) -> Resolved:
    return resolve(papers, found, parse_overrides(toml.encode()))


def said(resolved: Resolved, index: int) -> set[tuple[str, str, str]]:
    return {(c.predicate.rpartition("#")[2], c.key, c.review) for c in claims(resolved, index, 0.5)}


PLAIN = run()
A, B = PLAIN.methods.of["a", 0], PLAIN.methods.of["b", 0]


def test_no_file_is_no_correction(tmp_path: Path) -> None:
    assert not read_overrides(tmp_path / "overrides.toml")
    assert read_overrides(tmp_path / "overrides.toml").digest == ""


def test_records() -> None:
    found = parse_overrides(
        b'[[same]]\nthings = ["id:method/x", {paper = "arxiv:1", name = "X"}]\nbecause = "one"\n\n\n[[kind]]\nthing="id:method/x"\nis = "dataset"\n'
    )
    assert found.same[0].things == ("id:method/x", Printed("arxiv:1", "X"))
    assert (found.same[0].line, found.kind[0].line, found.kind[0].kind) == (1, 6, "dataset")
    assert found and found.digest and not Overrides()


@pytest.mark.parametrize(
    ("toml", "message", "hint"),
    [
        ("[[same]\n", "no TOML", ""),
        ("[[sane]]\nthings=[]\n", "no table [[sane]]", "same"),
        ("[same]\nthings=[]\n", "single brackets", "[[same]]"),
        ('[[same]]\nthing = ["a", "b"]\n', "no key 'thing'", "things"),
        ('[[same]]\nthings = ["a"]\n', "length >= 2", "things"),
        ('[[rename]]\nthing = "id:method/adam"\n', "label", ""),
        ('[[kind]]\nthing = "id:method/adam"\nis = "animal"\n', "invalid enum", ""),
        ('[[wrong]]\npaper = "a"\nthing = "Adam"\nrelation = "eats"\n', "invalid enum", ""),
        ('[[same]]\nthings = ["id:method/adam", 3]\n', "expected", ""),
    ],
)
def test_malformed_entries_name_file_line_and_remedy(toml: str, message: str, hint: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_overrides(b"# mine\n" + toml.encode(), "g/overrides.toml")
    assert message in str(caught.value) and hint in caught.value.hint
    assert caught.value.place.startswith("g/overrides.toml")
    if caught.value.place.count("["):
        assert "line 2" in caught.value.place


@pytest.mark.parametrize(
    ("toml", "message", "hint"),
    [
        ('[[same]]\nthings = ["id:method/adan", "id:method/adam"]', "no method", "id:method/adam"),
        ('[[same]]\nthings = ["Adam", "id:method/adam"]', "no address", "id:method/"),
        ('[[same]]\nthings = ["id:method/adam", "id:dataset/adam"]', "several kinds", "[[kind]]"),
        ('[[same]]\nthings = ["id:paper/a", "id:paper/b"]', "cannot be joined", ""),
        ('[[wrong]]\npaper = "arxiv:zz"\nthing = "Adam"', "no paper", "arxiv:"),
        ('[[wrong]]\npaper = "c"\nthing = "Adam"', "prints no such name", "PRISM, Garden, A. Lovelace"),
        ('[[wrong]]\npaper = "c"\nthing = "id:method/adam"', "does not say", "id:dataset/garden"),
        ('[[wrong]]\npaper = "c"\nthing = "A. Lovelace"', "an author", ""),
        ('[[right]]\npaper = "c"\nthing = "id:method/adam"', "say what is right", "uses"),
        ('[[right]]\npaper = "c"\nthing = "https://github.com/x/z"\nrelation = "uses"', "a link", "code"),
        ('[[rename]]\nthing = "id:person/nobody"\nlabel = "X"', "no person", ""),
        ('[[rename]]\nthing = "id:repo/github.com/x/y"\nlabel = "X"', "what its source says", ""),
        (f'[[different]]\nthings = ["id:method/{A}", "id:method/{A}"]', "one entity", "paper"),
        (
            '[[right]]\npaper = "a"\nthing = "Adam"\n[[wrong]]\npaper = "a"\nthing = "id:method/adam"',
            "the opposite",
            "",
        ),
    ],
)
def test_what_does_not_exist_is_an_error_with_suggestions(toml: str, message: str, hint: str) -> None:
    with pytest.raises(SettingsError, match="line 1|line 4") as caught:
        run(toml)
    assert message in caught.value.message and hint in caught.value.hint


def test_same_joins_and_the_first_keeps_its_address() -> None:
    done = run(f'[[same]]\nthings = ["id:method/{B}", "id:method/{A}"]')
    assert done.methods.of["a", 0] == done.methods.of["b", 0] == B
    assert A not in done.methods.entities and done.methods.replaced == {A: B}
    assert done.applied == [f"same: id:method/{B}, id:method/{A}"]


def test_a_use_can_be_given_to_one_of_several() -> None:
    assert PLAIN.methods.entities[PLAIN.methods.of["c", 0]].ambiguous
    done = run(f'[[same]]\nthings = ["{ID}method/{A}", {{paper = "src:c", name = "prism"}}]')
    assert done.methods.of["c", 0] == A and done.methods.of["b", 0] == B
    assert not any(e.ambiguous for e in done.methods.entities.values())


def test_different_takes_a_use_out() -> None:
    assert PLAIN.methods.of["a", 1] == PLAIN.methods.of["b", 1] == "adam"
    toml = '[[different]]\nthings = [{paper = "arxiv:a", name = "Adam"}, {paper = "b", name = "Adam"}]'
    done = run(toml)
    assert done.methods.of["a", 1] == "adam" != (new := done.methods.of["b", 1])
    assert done.methods.homographs["adam"] == ["adam", new]
    named = run(f'{toml}\n[[rename]]\nthing = "id:method/{new}"\nlabel = "Adam of cars"')
    assert named.methods.entities[new].label == "Adam of cars"
    assert named.methods.entities[new].aliases == ("Adam",)


def test_different_beats_every_rule_and_same_undoes_nothing_else() -> None:
    done = run('[[different]]\nthings = ["id:method/adam", {paper = "b", name = "Adam"}]')
    assert done.methods.of["b", 1] != "adam"
    assert {u: k for u, k in done.methods.of.items() if u != ("b", 1)} == {
        u: k for u, k in PLAIN.methods.of.items() if u != ("b", 1)
    }


def test_rename() -> None:
    done = run('[[rename]]\nthing = "id:dataset/garden"\nlabel = "The Garden"')
    garden = done.datasets.entities["garden"]
    assert (garden.label, garden.aliases) == ("The Garden", ("Garden",))


def test_kind_of_an_entity_and_of_one_use() -> None:
    done = run('[[kind]]\nthing = "id:dataset/adam"\nis = "method"')
    assert ("usesMethod", "adam", "") in said(done, 3)
    assert "adam" not in done.datasets.entities
    assert done.datasets.of["d", 0] == "garden", "what stands behind it in the list moves up"
    one = run('[[kind]]\nthing = {paper = "a", name = "PRISM"}\nis = "dataset"')
    assert ("introducesDataset", one.datasets.of["a", 0], "") in said(one, 0)
    assert one.methods.of["b", 0] in one.methods.entities
    already = run('[[kind]]\nthing = "id:method/adam"\nis = "method"')
    assert already.applied == ["kind: id:method/adam is a method (already so)"]
    assert already.methods == PLAIN.methods


def test_wrong_keeps_the_assertion_and_loses_the_statement() -> None:
    from kg.graph.evidence import evidence_lines
    from kg.graph.names import claim_lines

    done = run('[[wrong]]\npaper = "arxiv:a"\nthing = "Adam"\nrelation = "uses"')
    assert ("usesMethod", "adam", "rejected") in said(done, 0)
    found = claims(done, 0, 0.5)
    assert not any("method/adam" in line for line in claim_lines("a", found))
    evidence = [line for line in evidence_lines("a", found, "urn:run") if KG.reviewStatus in line]
    assert len(evidence) == 1 and '"rejected"' in evidence[0]
    with pytest.raises(SettingsError, match="does not say"):
        run('[[wrong]]\npaper = "a"\nthing = "Adam"\nrelation = "proposes"')


def test_right_confirms_what_was_doubtful() -> None:
    assert not any(key == "garden" for _, key, _ in said(PLAIN, 3))
    done = run('[[right]]\npaper = "d"\nthing = "Garden"')
    assert ("usesDataset", "garden", "confirmed") in said(done, 3)


def test_right_adds_what_was_not_found_with_its_place_in_the_text() -> None:
    done = run('[[right]]\npaper = "b"\nthing = "id:dataset/garden"\nrelation = "uses"')
    assert ("usesDataset", "garden", "confirmed") in said(done, 1)
    text = [paper("e", 2024, "Cars were timed, then Garden was weeded.")]
    done = run(
        '[[right]]\npaper = "e"\nthing = "id:dataset/garden"\nrelation = "uses"',
        [*PAPERS, *text],
        [*FOUND, Extraction()],
    )
    (claim,) = claims(done, 4, 0.5)
    (m,) = claim.mentions
    assert text[0].abstract[m.start : m.end] == m.text == "Garden"


def test_links_right_and_wrong() -> None:
    done = run('[[right]]\npaper = "a"\nthing = "https://github.com/Ada/Engine/tree/main"')
    assert ("hasRepository", "github.com/Ada/Engine", "confirmed") in said(done, 0)
    for thing in ("https://github.com/X/Y.git", "id:repo/github.com/x/y"):
        done = run(f'[[wrong]]\npaper = "d"\nthing = "{thing}"')
        assert ("hasRepository", "github.com/x/y", "rejected") in said(done, 3)


def test_people() -> None:
    ada, initial = PLAIN.people.of["a", 1], PLAIN.people.of["c", 1]
    assert ada != initial
    done = run('[[same]]\nthings = [{paper = "a", name = "Ada Lovelace"}, {paper = "c", name = "A. Lovelace"}]')
    assert done.people.of["a", 1] == done.people.of["c", 1]
    assert done.people.persons[done.people.of["a", 1]].status == "curated"
    done = run(f'[[same]]\nthings = ["id:person/{ada}", "id:person/{initial}"]')
    assert done.people.of["a", 1] == done.people.of["c", 1]
    done = run(f'[[rename]]\nthing = "id:person/{ada}"\nlabel = "Ada, Countess of Lovelace"')
    assert done.people.persons[ada].name == "Ada, Countess of Lovelace"
    with pytest.raises(SettingsError, match=r"overrides.toml, line 1, \[\[same\]\]"):
        run(f'[[same]]\nthings = ["id:person/{ada}", "id:person/nobody-here"]')
    with pytest.raises(SettingsError, match="two authors of one paper"):
        run('[[same]]\nthings = [{paper = "a", name = "Ada Lovelace"}, {paper = "a", name = "Bo Li"}]')


def test_everything_is_reversible_and_repeatable() -> None:
    toml = f"""
[[different]]
things = ["id:method/adam", {{paper = "b", name = "Adam"}}]
[[same]]
things = ["id:method/{A}", "id:method/{B}"]
[[rename]]
thing = "id:method/{A}"
label = "Prism"
[[kind]]
thing = "id:dataset/adam"
is = "method"
[[wrong]]
paper = "c"
thing = "Garden"
[[right]]
paper = "d"
thing = "Garden"
"""
    once, again, order = run(toml), run(toml), run(toml, PAPERS[::-1], FOUND[::-1])
    for attribute in ("methods", "datasets", "repositories", "reviews"):
        assert getattr(once, attribute) == getattr(again, attribute) == getattr(order, attribute)
        assert getattr(run(), attribute) == getattr(PLAIN, attribute)
    assert len(once.applied) == 6
    assert once.methods.entities[A].label == "Prism"


def test_datasets_helper_is_used() -> None:
    done = resolve([paper("x")], [datasets(used("Garden"))])
    assert set(done.datasets.entities) == {"garden"}

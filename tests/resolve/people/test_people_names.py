"""Printed names: what is shown, what is compared, and what is no person."""

from __future__ import annotations

import pytest

from kg.resolve.people.names import block_key, clean, kind_of, nicknames, preferred


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("Shiori Sagawa*", "Shiori Sagawa"),
        ("Yutao Hu ¹", "Yutao Hu"),
        ("Lena Krieger 0001", "Lena Krieger"),
        ("Chiyu “Max” Jiang", "Chiyu Jiang"),
        ("King Kuok (Mimi) Hii", "King Kuok Hii"),
        ("Zhenhui () Li", "Zhenhui Li"),
        ("Jana Novak (PhD)", "Jana Novak"),
        ("Prof. Jana Novak, Ph.D.", "Jana Novak"),
        ("Müller, Jan", "Jan Müller"),
        ("Davis, Jr.", "Davis Jr."),
        ("Nan\u200b Yang", "Nan Yang"),
        ("Álvaro Rodrı\u0301guez Abella", "Álvaro Rodríguez Abella"),
        ("Jaromı́r Plhák", "Jaromír Plhák"),
        ("Conan O'Brien", "Conan O'Brien"),
        ("Hal Daumé III", "Hal Daumé III"),
    ],
)
def test_clean(printed: str, shown: str) -> None:
    assert clean(printed) == shown


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("NAN YANG", "Nan Yang"),
        ("Rémi Munos", "remi munos"),
        ("Zhu Jun-Yan", "Junyan Zhu"),
        ("YusakuNakajima", "Yusaku Nakajima"),
        ("Hal Daumé III", "Hal Daume"),
        ("Łukasz Kaiser", "Lukasz Kaiser"),
        ("Brendan O’Donoghue", "Brendan O'Donoghue"),
    ],
)
def test_block_key_equal(one: str, other: str) -> None:
    assert block_key(one) == block_key(other)


@pytest.mark.parametrize(("one", "other"), [("J. Smith", "John Smith"), ("Wei Wang", "Wei Wan"), ("陈柯帆", "陈柯")])
def test_block_key_differs(one: str, other: str) -> None:
    assert block_key(one) != block_key(other)


def test_kind_of() -> None:
    assert kind_of("Planck Collaboration") == kind_of("Gemini Team") == "collaboration"
    assert {kind_of(n) for n in (":", ")*", "et al.", "Anonymous", "")} == {"nobody"}
    assert {kind_of(n) for n in ("Tao", "Team", "陈柯帆", "Nicolas Institoris")} == {"person"}


def test_nicknames_are_not_degrees() -> None:
    assert nicknames('Chiyu "Max" Jiang') == ("max",)
    assert nicknames("Jana Novak (PhD)") == nicknames("Zhenhui () Li") == ()


def test_preferred_is_long_accented_and_in_normal_case() -> None:
    assert preferred(["remi munos", "REMI MUNOS", "Rémi Munos*", "R. Munos"]) == "Rémi Munos"
    assert preferred(["Thomas Griffiths", "T. L. Griffiths", "Thomas L. Griffiths"]) == "Thomas L. Griffiths"

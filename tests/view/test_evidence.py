"""Offsets and sentences, without a browser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.view.evidence import Text, places, sentence_starts


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four", ["One. ", "Two! ", "Three? ", "Four"]),
        ("We follow Smith et al. (2020) closely. Then stop.", ["We follow Smith et al. (2020) closely. ", "Then stop."]),
        ("It reaches 3.5 points, e.g. Table. See Fig. 3 for it.", ["It reaches 3.5 points, e.g. Table. ", "See Fig. 3 for it."]),
        ("By J. Doe. Done.", ["By J. Doe. ", "Done."]),
        ('He said "no." Then (yes.) "So?"', ['He said "no." ', "Then (yes.) ", '"So?"']),
        ("我们提出方法。它很好。", ["我们提出方法。", "它很好。"]),
        ("First part\n\nsecond part", ["First part\n\n", "second part"]),
        ("It is fast. 🌧️ We like it.", ["It is fast. ", "🌧️ We like it."]),
        ("", [""]),
    ],
)  # fmt: skip
def test_sentences(text, sentences):
    starts = sentence_starts(text)
    assert [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)] == sentences


@given(st.text(st.characters(codec=None), min_size=1, max_size=60), st.data())
def test_places_hold_the_words_in_utf16_whatever_the_text(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    place = Text(text).place(start, end, text[start:end])
    assert place is not None
    a, b, first, last = place
    units = text.encode("utf-16-le", "surrogatepass")
    assert units[2 * a : 2 * b] == text[start:end].encode("utf-16-le", "surrogatepass")
    assert 0 <= first <= a < b <= last <= len(units) // 2


def test_evidence_that_moved_is_found_again_and_lost_evidence_is_quoted():
    abstract = "We use Alpha here. Then Beta."
    rows = places(
        [
            {"field": "abstract", "start": 0, "end": 5, "exact": "Beta"},
            {"field": "abstract", "start": 7, "end": 12, "exact": "Gamma"},
            {"field": "abstract", "start": None, "end": "x", "exact": "Alpha"},
            {"field": "abstract", "start": 900, "end": 905},
            {"field": "title", "start": 0, "end": 2, "exact": "Be"},
        ],
        "Be Good",
        abstract,
    )
    assert rows == [["a", 24, 28, 19, 29], ["x", "Gamma"], ["a", 7, 12, 0, 18], ["t", 0, 2, 0, 7]]


def test_a_name_across_two_sentences_takes_both():
    text = "Made by Yahoo! Research. It works. More."
    a, b, first, last = Text(text).place(8, 23, "Yahoo! Research")
    assert text[a:b] == "Yahoo! Research"
    assert text[first:last] == "Made by Yahoo! Research."

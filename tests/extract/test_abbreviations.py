"""Short and long forms, both ways round."""

from __future__ import annotations

import pytest

from kg.extract.abbreviations import find_abbreviations, long_form_start
from kg.extract.tokens import Tokens


def pairs(text: str) -> list[tuple[str, str]]:
    t = Tokens("", text)
    return [(t.slice(*a.short), t.slice(*a.long)) for a in find_abbreviations(t)]


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We propose Quick Random Routing (QRR) here.", "QRR", "Quick Random Routing"),
        ("We propose QRR (Quick Random Routing) here.", "QRR", "Quick Random Routing"),
        ("the use of graph of thought routing (GoTR) is", "GoTR", "graph of thought routing"),
        ("several slow cooking methods (SCMs) are", "SCMs", "slow cooking methods"),
        ("a Kettle-aware Tea Brewer, dubbed KTB, is", "KTB", "Kettle-aware Tea Brewer"),
        ("We present KTB, short for Kettle Tea Brewer, a tool", "KTB", "Kettle Tea Brewer"),
        ("the Warm Milk Foamer (i.e., WMF) is", "WMF", "Warm Milk Foamer"),
        ("the Kettle-Aware cooking of ROoibos Tea (KAROT) is", "KAROT", "Kettle-Aware cooking of ROoibos Tea"),
        (r"\textbf{S}team \textbf{W}and control (SWC) is", "SWC", "Steam Wand control"),
    ],
)
def test_pairs(text: str, short: str, long: str) -> None:
    assert (short, long) in pairs(text)


@pytest.mark.parametrize(
    "text",
    [
        "It works (see below) and (2) fails.",
        "They drank tea (XYZ) there.",
        "The gain (Figure 3) is large.",
        "no brackets",
    ],
)
def test_no_pair(text: str) -> None:
    assert pairs(text) == []


def test_first_letter_opens_a_word() -> None:
    assert long_form_start("AB", ["xa", "big"]) is None
    assert long_form_start("AB", ["a", "big"]) == 0

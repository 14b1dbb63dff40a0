"""Candidates: next to nothing that could be a name is missed."""

from __future__ import annotations

import pytest

from kg.extract.abbreviations import find_abbreviations
from kg.extract.candidates import Lexicon, find_candidates
from kg.extract.lexicon import load_lexicon
from kg.extract.tokens import Tokens, key

NOTHING = Lexicon({}, {})


def names(title: str, abstract: str, lexicon: Lexicon = NOTHING) -> set[str]:
    t = Tokens(title, abstract)
    found = find_candidates(t, find_abbreviations(t), lexicon)
    return {t.text[a:b] for c in found.values() for a, b in c.spans.values()}


@pytest.mark.parametrize(
    ("abstract", "name"),
    [
        ("We test on BrewNet and others.", "BrewNet"),
        ("A BrewNet-pretrained kettle.", "BrewNet"),
        ("It beats BrewNet's result.", "BrewNet"),
        ("Trained on BrewNet/TeaSet pairs.", "TeaSet"),
        ("We use the Tea Leaves in the Cup data.", "Tea Leaves in the Cup"),
        ("It uses the Kettle optimizer today.", "Kettle optimizer"),
        ("It calls Kettle 3.1 for help.", "Kettle 3.1"),
        ("A method which we call patient steeping, works.", "patient steeping"),
        ("We propose $K^2$Brew for tea.", "K^2Brew"),
        ("With brew2vec we embed.", "brew2vec"),
        ("Compare with BREW++ and BREW.", "BREW++"),
        (r"By a novel \emph{patient steeping loss} we win.", "patient steeping loss"),
        ("We add **slow pouring** to it.", "slow pouring"),
        ("It beats smoothed GDA and random-walk Metropolis here.", "smoothed GDA"),
        ("It beats blended pairwise Frank-Wolfe here.", "blended pairwise Frank-Wolfe"),
        ("As A* and Theta* do.", "A*"),
    ],
)
def test_found(abstract: str, name: str) -> None:
    assert name in names("", abstract)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Phantom: Steeping Without Water", "Phantom"),
        ("Phantom : Steeping Without Water", "Phantom"),
        ("BrewTok - Steeping Without Water", "BrewTok"),
        ("[BREWX] Steeping Without Water", "BREWX"),
        ("On Shift Equivariant Kettles", "Shift Equivariant Kettles"),
    ],
)
def test_found_in_titles(title: str, name: str) -> None:
    assert name in names(title, "Tea is a drink.")


def test_techniques_in_lower_case() -> None:
    assert "beam search" in names("", "We decode by beam search alone.", load_lexicon())


def test_forms_of_one_name_share_a_key() -> None:
    assert key("L-STEP") == key("LStep") and key("BREWs") == key("BREW") and key("M³HF") == key("M^3HF")
    assert key("DETR++") != key("DETR")


def test_macro_is_a_place_of_the_title_name() -> None:
    assert r"\alg" in names("Brewer: Tea", r"We introduce \alg, which brews.")
    assert r"\alg" not in names("", r"We introduce \alg, which brews.")


def test_naming_verb_is_no_part_of_the_name() -> None:
    found = names("", "We release a small dataset called **brewtok** today.")
    assert "brewtok" in found and not any("called" in x for x in found)
    found = names("", "We test it on a data set we propose called BrewArena, which is new.")
    assert "BrewArena" in found and not any("called" in x for x in found)


def test_emphasis_inside_a_word_is_no_name() -> None:
    assert not {"Q", "Quick", "uick"} & names("", "By **Q**uick **R**outing drif**T** we win.")

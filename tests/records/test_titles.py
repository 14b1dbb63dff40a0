"""Evidence for a title, the network that weighs it, and who gets which title."""

from __future__ import annotations

import numpy as np
import pytest

from kg.model import Paper
from kg.records import clues
from kg.records.assignment import claims
from kg.records.scorer import NAMES, backward, forward
from kg.records.titles import Scored, Titles
from kg.records.train_scorer import Case, logistic, networks

KETTLES = (
    "Kettles sing before they boil. We record four hundred kettles and predict the moment of boiling with KettleNet, a "
    "small time-series model. A hyper-parameter search on office kettles shows that Steam Onset Pitch (SOP) matters most."
)
OTHERS = ["Sorting Letters by Weight", "A Survey of Bridges", "Games for Two Cooks", "On the Colour of Rivers", "Of It"]


def index(*titles: str, abstract: str = KETTLES) -> Titles:
    papers = [Paper(title=t) for t in (*titles, *OTHERS)] + [Paper(abstract=abstract)]
    return Titles(papers, [len(papers) - 1], list(range(len(papers) - 1)))


def best(*titles: str) -> str:
    found = index(*titles)
    return found.papers[found.best(len(found.papers) - 1)[0].head].title


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("KettleNet: Listening Ahead", "PotNet: Listening Ahead"),
        ("Predicting when Kettles Boil", "Predicting when Engines Stall"),
        ("Steam Onset Pitch in Practice", "Tooth Decay Rate in Practice"),
        ("Hyperparameter Search for Kettles", "Architecture Search for Kettles"),
    ],
)
def test_the_title_with_more_evidence_is_first(right, wrong):
    assert best(wrong, right) == right == best(right, wrong)


@pytest.mark.parametrize(
    ("name", "how"), [("KettleNet", 0), ("kettle-net", 1), ("SOP", 0), ("FHK", 2), ("TeapotNet", 3)]
)
def test_how_a_coined_name_stands_in_the_abstract(name, how):
    found = index("A")
    assert clues._coined(clues.Text(found, len(found.papers) - 1), name) == how


def test_numbers_of_a_title_stay_small_and_a_title_of_small_words_has_some():
    found = index("KettleNet: Listening Ahead")
    text = clues.Text(found, len(found.papers) - 1)
    rows = clues.clues(found, text, list(range(len(found.titles))))
    assert rows.titles.shape == (6, clues.TITLE_CLUES) and rows.words.shape[1] == clues.WORD_CLUES
    assert np.isfinite(rows.titles).all() and np.abs(rows.words).max() < 10
    assert found.titles[5] == ["of", "it"] and not rows.words[rows.which[rows.start[5]]].any()


def test_scores_of_given_titles_are_those_of_the_ranking():
    found = index("Predicting when Kettles Boil")
    body = len(found.papers) - 1
    ranked = {s.head: s.score for s in found.best(body)}
    assert {s.head: s.score for s in found.scores(body, [0, 1])} == pytest.approx(
        {h: ranked[h] for h in (0, 1)}, abs=0.01
    )


def rank(**scores: float) -> list[Scored]:
    return sorted((Scored(v, int(h[1:])) for h, v in scores.items()), reverse=True)


def test_a_title_goes_to_the_abstract_that_needs_it():
    # The first likes both titles, the second only title 1.
    found = {c.body: c for c in claims({7: rank(t1=9.0, t2=8.5, t3=0.0), 8: rank(t1=9.0, t2=0.0, t3=0.0)})}
    assert (found[7].head, found[8].head) == (2, 1)
    assert found[7].signs[0] > 2 > 0 > found[7].signs[2]  # sure with the others in view, not alone


def test_two_abstracts_that_want_one_title_alike_are_both_unsure():
    found = claims({7: rank(t1=9.0, t2=0.0), 8: rank(t1=9.0, t2=0.0)})
    assert all(abs(c.signs[0]) < 0.1 for c in found)


def test_abstracts_without_candidates_get_none_and_order_does_not_matter():
    ranked = {1: rank(t1=3.0, t2=2.5), 2: [], 3: rank(t2=4.0, t1=1.0), 4: rank(t3=1.0)}
    found = claims(ranked)
    assert [c.body for c in found] == [1, 3, 4]
    assert sorted(claims(dict(reversed(ranked.items())))) == sorted(found)
    assert claims({}) == claims({2: []}) == []


def case(random: np.random.Generator, titles: int = 5) -> Case:
    """The right title is the one whose words all have the first clue."""
    right = int(random.integers(titles))
    words = random.random((2 * titles, clues.WORD_CLUES)).astype(np.float32)
    words[:, 0] = np.repeat(np.arange(titles) == right, 2)
    which, start = np.arange(2 * titles), np.arange(0, 2 * titles, 2)
    return Case(clues.Clues(words, which, start, random.random((titles, clues.TITLE_CLUES)).astype(np.float32)), right)


def test_gradients_are_those_of_the_scores():
    random = np.random.default_rng(5)
    shapes = dict(zip(NAMES, [(26, 4), 4, (4, 3), (26, 3), (28, 6), 6, (6, 1), (28, 1)], strict=True))
    part = {n: random.standard_normal(s) / 3 for n, s in shapes.items()}
    one = case(random).clues
    push = random.standard_normal(5)
    found = backward(part, one, forward(part, one), 1.0, push)
    for name, values in part.items():
        at = tuple(0 for _ in values.shape)
        ends = []
        for step in (1e-5, -2e-5):
            values[at] += step
            ends.append(forward(part, one)[-1] @ push)
        values[at] += 1e-5
        assert found[name][at] == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-3, abs=1e-5), name


def test_networks_learn_what_tells_the_right_title():
    random = np.random.default_rng(6)
    cases = [case(random) for _ in range(240)]
    nets = networks(cases, [i % 3 for i in range(240)], rounds=6)
    unseen = [case(random) for _ in range(50)]
    for part in nets:
        assert np.mean([forward(part, c.clues)[-1].argmax() == c.right for c in unseen]) > 0.9


def test_odds_are_fitted():
    random = np.random.default_rng(7)
    rows = random.standard_normal((4000, 2))
    right = random.random(4000) < 1 / (1 + np.exp(-(2 * rows[:, 0] - rows[:, 1] + 0.5)))
    assert logistic(rows, right.astype(float)) == pytest.approx([2, -1, 0.5], abs=0.2)

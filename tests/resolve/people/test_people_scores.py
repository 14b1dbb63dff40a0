"""Scores of who is who: known values, the reference scorer, and how good the resolver is."""

from __future__ import annotations

import importlib.util
import json
import random
from pathlib import Path

import pytest

from kg.errors import SourceError
from kg.evaluate.authors import GoldMention, evaluate_authors, pairwise, places, read_gold, score_people, subsets
from kg.model import Author, Origin, Paper
from kg.resolve.people import resolve_people
from kg.resolve.people.train import read_core

GOLD = [GoldMention("p", 0, "Yu Li", "x"), GoldMention("q", 0, "YU LI", "x"), GoldMention("r", 1, "Li Yu", "y")]


def test_by_hand() -> None:
    scores, missing = score_people(GOLD, {("p", 0): 1, ("q", 0): 1, ("r", 1): 1})
    assert missing == []
    assert scores["ambiguous names"].b_cubed.precision == pytest.approx((2 / 3 + 2 / 3 + 1 / 3) / 3)
    assert scores["all"].b_cubed.recall == 1
    assert scores["all"].pairwise[:2] == (pytest.approx(1 / 3), 1)


def test_missing_mentions_are_told() -> None:
    scores, missing = score_people(GOLD, {("p", 0): 1})
    assert [m.paper for m in missing] == ["q", "r"]
    assert scores["all"].mentions == 1 and "repeated names" not in scores


def test_places_know_a_paper_by_any_id() -> None:
    paper = Paper(key="k", ids=("doi:10.1/x",), authors=(Author("A"),), origins=(Origin(source_id="list/7"),))
    found = places([paper], {("k", 1): "c"})
    assert set(found) == {("k", 0), ("doi:10.1/x", 0), ("10.1/x", 0), ("list/7", 0)}


def test_read_gold(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps([["p", 0, "Yu Li", "x"]]))
    bad.write_text("[1]")
    assert read_gold(good) == [GOLD[0]]
    with pytest.raises(SourceError, match="bad.json"):
        read_gold(bad)
    with pytest.raises(SourceError, match="none.json"):
        read_gold(tmp_path / "none.json")


def test_equal_to_the_reference_scorer(shared: Path) -> None:
    spec = importlib.util.spec_from_file_location("reference", shared / "data/authors/score_authors.py")
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    rows = json.loads((shared / "data/authors/dev_mentions.json").read_text("utf-8"))
    gold = [GoldMention(*row) for row in rows]
    rng = random.Random(5)
    found = {(g.paper, g.position): rng.choice([g.person, reference.key(g.name), g.paper]) for g in gold}
    scores, _ = score_people(gold, found)
    for name, part in reference.subsets(rows).items():
        expected = reference.score(part, found)
        assert [round(v, 4) for v in scores[name].b_cubed] == expected["b3"]
        assert [round(v, 4) for v in scores[name].pairwise] == expected["pairwise"]


def test_resolver_beats_both_baselines(shared: Path) -> None:
    papers, truth = read_core(shared / "data")
    names = {(p.key, i): a.name for p in papers for i, a in enumerate(p.authors, 1)}
    gold = [GoldMention(p, i - 1, names[p, i], person) for (p, i), person in truth.items()]
    found = resolve_people(papers)
    scores, _ = score_people(gold, places(papers, found.of))
    assert scores["repeated names"].pairwise.f > 0.98
    assert scores["ambiguous names"].b_cubed.f > 0.95
    assert pairwise(subsets(gold)["ambiguous names"], places(papers, found.of)).f > 0.84
    assert all(len({found.of[p.key, i] for i in range(1, len(p.authors) + 1)}) == len(p.authors) for p in papers)


def test_table_from_files(tmp_path: Path) -> None:
    gold, papers = tmp_path / "gold.json", tmp_path / "papers.jsonl"
    gold.write_text(json.dumps([["p", 0, "Yu Li", "x"], ["q", 0, "Yu Li", "x"], ["gone", 0, "Yu Li", "x"]]))
    rows = [
        {
            "id": key,
            "title": title,
            "abstract": "",
            "year": 2020,
            "authors": [{"name": "Yu Li"}, {"name": "Guido Zanetti"}],
        }
        for key, title in (("p", "Sorting marbles by colour"), ("q", "Walking robots on gravel"))
    ]
    papers.write_text("".join(json.dumps(row) + "\n" for row in rows))
    table = evaluate_authors(gold, papers)
    assert "repeated names" in table and "1 known authors are not in the papers" in table
    assert table.splitlines()[1].split()[-5:] == ["1.000", "/", "1.000", "/", "1.000"]
    with pytest.raises(SourceError, match="without papers"):
        evaluate_authors(gold, None)

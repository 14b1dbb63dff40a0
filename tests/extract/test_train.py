"""Training: what it converts and keeps apart. Needs the training libraries; nothing at run time does."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

lightgbm = pytest.importorskip("lightgbm", reason="training needs lightgbm")
pytest.importorskip("sklearn", reason="training needs scikit-learn")
sparse = pytest.importorskip("scipy.sparse", reason="training needs scipy")

from kg.extract.batch import Vocabulary, width  # noqa: E402
from kg.extract.lexicon import load_lexicon  # noqa: E402
from kg.extract.model import Linear, Model, Trees, unpack_priors  # noqa: E402
from kg.extract.relations import CLASSES, USED_DATA  # noqa: E402
from kg.extract.train.bench import WEIGHT, bench_labels  # noqa: E402
from kg.extract.train.data import read_gold, texts_by_id  # noqa: E402
from kg.extract.train.examples import gold_labels, make_examples  # noqa: E402
from kg.extract.train.export import quantised_priors, write_model  # noqa: E402
from kg.extract.train.fit import TREE_SETTINGS, fit_linear, fit_trees, folds, linear_logits  # noqa: E402
from kg.extract.train.select import calibrate, reliability  # noqa: E402
from kg.extract.train.silver import Silver, priors  # noqa: E402

PAPER = {
    "id": "x/1", "title": "BrewNet: Tea", "abstract": "We propose BrewNet, a network for tea. It is tested on TeaSet and uses LLMs.",
    "methods": [{"name": "BrewNet", "aliases": [], "role": "proposed"}], "optional_methods": ["LLMs"],
    "datasets": [{"name": "TeaSet", "aliases": [], "role": "used"}], "optional_datasets": [],
}  # fmt: skip


def random_task(rows: int = 400) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.RandomState(0)
    x = draw.randn(rows, 6).astype(np.float32)
    return x, (x[:, 0] > 0).astype(int) + 2 * (x[:, 1] > 0.5) + (x[:, 2] > 1)


def test_converted_trees_score_as_the_library_does() -> None:
    x, y = random_task()
    ours = fit_trees(x, y, np.ones(len(y)), rounds=12).scores(x)
    booster = lightgbm.train({**TREE_SETTINGS, "seed": 1}, lightgbm.Dataset(x, y, weight=np.ones(len(y))), 12)
    assert ours == pytest.approx(booster.predict(x, raw_score=True), abs=1e-4)


def test_linear_weights_as_integers_score_the_same() -> None:
    x, y = random_task()
    rows = sparse.csr_matrix((x > 0).astype(np.float32))
    size = np.maximum(np.asarray(rows.sum(axis=1)).ravel(), 1)
    unit = sparse.diags(1 / np.sqrt(size)) @ rows
    linear = fit_linear(unit.tocsr(), y, np.ones(len(y)))
    pairs = rows.nonzero()
    assert linear.logits(*pairs, len(y)) == pytest.approx(linear_logits(linear, unit.tocsr()), abs=1e-3)


def test_own_gold_has_names_and_no_text() -> None:
    rows = [json.loads(x) for x in files("kg.extract.train").joinpath("gold.jsonl").read_text("utf-8").splitlines()]
    assert len({r["id"] for r in rows}) == len(rows) == 2094
    assert sum(r["part"] == "validation" for r in rows) == 200
    assert not any(r.keys() & {"title", "abstract", "text"} for r in rows)
    assert {e["role"] for r in rows for e in r["methods"]} == {"proposed", "used"}
    assert {e["role"] for r in rows for e in r["datasets"]} == {"introduced", "used"}


def test_every_annotated_name_stands_in_its_text(shared: Path) -> None:
    rows = [json.loads(x) for x in files("kg.extract.train").joinpath("gold.jsonl").read_text("utf-8").splitlines()]
    texts = texts_by_id(shared / "data" / "corpus", {r["id"] for r in rows})
    assert texts.keys() == {r["id"] for r in rows}
    for r in rows:
        text = "\n".join(texts[r["id"]])
        names = [n for k in ("methods", "datasets") for e in r[k] for n in (e["name"], *e.get("aliases", ()))]
        assert [n for n in names if n not in text] == [], r["id"]


def test_folds_keep_papers_together() -> None:
    papers = np.repeat(np.arange(20), 7)
    fold = folds(papers, 5)
    assert all(len(set(fold[papers == p])) == 1 for p in range(20))


def test_gold_becomes_labels(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(PAPER) + "\n")
    papers = read_gold(path)
    vocabulary = Vocabulary(["we", "propose", "on"])
    e = make_examples([(p.title, p.abstract) for p in papers], load_lexicon(), vocabulary)
    labels, weights = gold_labels(papers, e)
    found = dict(zip(e.keys, zip(labels.tolist(), weights.tolist(), strict=True), strict=True))
    assert found["brewnet"] == (1, 1.0) and found["teaset"] == (USED_DATA, 1.0)
    assert found["llm"][0] == 0 and found["llm"][1] < 0.1
    assert e.columns.shape == (len(labels), width(vocabulary.size))


def test_public_mentions_become_labels() -> None:
    text = "We test on the Slow Tea collection and on DS1, not on KettleNet."
    e = make_examples([("", text)], load_lexicon(), Vocabulary(["we"]))
    teacher = np.zeros((len(e.keys), len(CLASSES)))
    teacher[:, 2] = 1
    at = text.index("the Slow"), text.index("DS1")
    labels, weights = bench_labels(e, [[(at[0], at[0] + 23), (at[1], at[1] + 3)]], teacher)
    found = dict(zip(e.keys, zip(labels.tolist(), weights.tolist(), strict=True), strict=True))
    assert found["slowtea"] == (USED_DATA, WEIGHT) == found["ds1"]
    assert found["slowteacollection"][0] == 0 and found["slowteacollection"][1] < 0.1
    assert found["kettlenet"][0] == 2


def test_rows_without_weight_teach_nothing() -> None:
    x, y = random_task()
    weight = (np.arange(len(y)) < 300).astype(float)
    wrong = np.where(weight > 0, y, 0)
    assert (
        fit_trees(x, wrong, weight, rounds=3).leaf == fit_trees(x[:300], y[:300], weight[:300], rounds=3).leaf
    ).all()


def test_priors_count_papers_and_shrink() -> None:
    sure = np.array([[0, 0, 0, 0, 1.0]], np.float32)
    nothing = np.array([[1.0, 0, 0, 0, 0]], np.float32)
    silver = Silver([["teaset"]] * 20 + [["cup"]] * 20 + [["mine"]], [sure] * 20 + [nothing] * 20 + [sure])
    keys, table = priors(silver)
    assert "mine" not in keys  # a paper's own name must not speak for itself
    row = table[keys.index("teaset")]
    assert 0.9 < row[USED_DATA] < 1 and row[-1] == pytest.approx(np.log1p(20))


def test_calibration_finds_overconfidence() -> None:
    draw = np.random.RandomState(1)
    p = np.zeros((4_000, len(CLASSES)))
    p[:, 2] = 0.9
    p[:, 0] = 0.1
    p[::2, 2], p[::2, 0] = 0.5, 0.5
    labels = np.where(draw.random_sample(4_000) < np.where(p[:, 2] > 0.6, 0.7, 0.4), 2, 0)
    slope, offset = calibrate(p, np.r_[labels[:-3], 1, 3, 4], np.ones(4_000))[2]
    value = 1 / (1 + np.exp(-(slope * np.log(0.9 / 0.1) + offset)))
    assert value == pytest.approx(0.7, abs=0.04)


def test_reliability_counts() -> None:
    q = np.array([[0, 0.95, 0, 0, 0], [0, 0.95, 0, 0, 0], [0, 0, 0.25, 0, 0]])
    lines = reliability(q, np.array([1, 0, 2]), np.ones(3)).splitlines()
    assert len(lines) == 3 and lines[-1].endswith("0.500") and lines[1].endswith("1.000")


def test_model_file_round_trip(tmp_path: Path) -> None:
    vocabulary = Vocabulary(["we", "tea"])
    linear = Linear(np.zeros((width(vocabulary.size), len(CLASSES)), np.int16), 0.5, np.zeros(len(CLASSES)))
    x, y = random_task(100)
    trees = fit_trees(x, y, np.ones(len(y)), rounds=2)
    table = np.array([[0.1, 0.2, 0.3, 0.4, 0.0, 3.0]])
    path = tmp_path / "model.npz"
    write_model(
        path, words=["we", "tea"], capital={"adam": 0.8}, phrases=["slow brewing"], prior_keys=["brew"], prior_table=table,
        linear=[linear], trees=trees, calibration=np.zeros((5, 2)), about={"made of": "tea"},
    )  # fmt: skip
    with np.load(path, allow_pickle=False) as arrays:
        model = Model({k: arrays[k] for k in arrays.files})
    assert model.about == {"made of": "tea"} and model.phrases == ["slow brewing"]
    assert model.capital["adam"] == pytest.approx(0.8, abs=0.01)
    assert model.priors.rows(["brew"])[0] == pytest.approx(table[0], abs=0.05)
    assert (model.trees.scores(x) == Trees(**_arrays(trees)).scores(x)).all()
    assert unpack_priors(quantised_priors(table))[0] == pytest.approx(table[0], abs=0.05)


def _arrays(trees: Trees) -> dict[str, object]:
    return {k: getattr(trees, k) for k in ("feature", "threshold", "mask", "leaf", "scale")}

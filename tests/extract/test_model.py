"""The parts of the classifier against plain versions of themselves."""

from __future__ import annotations

import numpy as np
import pytest

from kg.extract.batch import Batch, Name, width, word_columns
from kg.extract.classify import best_readings, confidences
from kg.extract.components import analysis_of, paper_doc
from kg.extract.extractor import Extractor
from kg.extract.features import FIELDS as DENSE
from kg.extract.features import dense_features
from kg.extract.lexicon import known_names
from kg.extract.model import Linear, Priors, Trees, load_model, pack_strings, softmax, unpack_strings
from kg.extract.relations import CLASSES, FIELDS, relations
from kg.extract.score import class_probabilities, field_names
from kg.settings import Settings


def test_trees_take_the_leaf_that_a_walk_reaches() -> None:
    # x0 <= 1 ? (x1 <= 5 ? leaf 0 : leaf 1) : leaf 2, the same tree for each of five classes
    feature = np.array([[0] * 5, [1] * 5], np.intp)
    threshold = np.array([[1.0] * 5, [5.0] * 5], np.float32)
    mask = np.array([[0xFFFF & ~0b011] * 5, [0xFFFF & ~0b001] * 5], np.uint16)
    leaf = np.zeros((5, 16), np.int32)
    leaf[:, :3] = [10, 20, 30]
    x = np.array([[0, 0], [1, 6], [2, 0], [2, 9]], np.float32)
    scores = Trees(feature, threshold, mask, leaf, 0.5).scores(x)
    assert scores[:, 0].tolist() == [5, 10, 15, 15]
    assert (scores == scores[:, :1]).all()


def test_linear_scores_are_sums_over_a_unit_row() -> None:
    linear = Linear(np.array([[1, 2], [3, 4], [5, 6]], np.int16), 0.1, np.array([0.0, 1.0]))
    got = linear.logits(np.array([0, 0, 1]), np.array([0, 2, 1]), 2)
    assert got == pytest.approx(np.array([[0.6 / 2**0.5, 0.8 / 2**0.5 + 1], [0.3, 1.4]]))


def test_priors_of_a_name_never_seen() -> None:
    priors = Priors(["brew"], np.array([[0.1, 0.2, 0.3, 0.4, 0.0, 2.0]]))
    rows = priors.rows(["brew", "cup"])
    assert rows[0, 5] == 2 and rows[1].tolist() == [1, 0, 0, 0, 0, 0]


def test_strings_survive_packing() -> None:
    for strings in (["a", "é ü", ""], ["x"]):
        assert unpack_strings(pack_strings(strings)) == strings


def test_softmax_and_confidence() -> None:
    p = softmax(np.array([[0.0, 1.0, 2.0, 3.0, 4.0]]))
    assert p.sum() == pytest.approx(1)
    q = confidences(p, np.tile([1.0, 0.0], (5, 1)))
    assert q[0, 0] == 0 and q[0, 1:] == pytest.approx(p[0, 1:])
    assert best_readings(q, 0.5) == [(0, 4)] and best_readings(q, 0.99) == []


def test_the_shipped_model_says_what_it_was_trained_on() -> None:
    model = load_model()
    assert model.about["trained on"]["gold"] and model.about["figures"]["validation"]
    assert int(model.trees.feature.max()) < len(field_names(len(model.linear), True))
    assert all(one.weights.shape == (width(model.vocabulary.size), len(CLASSES)) for one in model.linear)
    assert model.calibration.shape == (len(CLASSES), 2)


def test_columns_stay_in_range() -> None:
    model = load_model()
    b = batch("BrewNet: Tea", "We propose BrewNet, a network. BrewNet beats ResNet on ImageNet and CIFAR-10.")
    names = model.names.of(b)
    rows, cols = b.columns(names)
    assert cols.min() >= 0 and cols.max() < width(model.vocabulary.size)
    assert set(rows.tolist()) == set(range(len(names)))
    hidden = word_columns(model.vocabulary.size)
    assert any(hidden.start <= c < hidden.stop for c in cols)


def batch(title: str, abstract: str) -> Batch:
    return Batch([analysis(title, abstract)], load_model().vocabulary)


def analysis(title: str, abstract: str):
    nlp = Extractor(Settings(pipeline=("kg_abbreviations", "kg_candidates"))).nlp
    doc = paper_doc(nlp, title, abstract)
    for _, run in nlp.pipeline:
        doc = run(doc)
    return analysis_of(doc)


def dense(title: str, abstract: str, name: str) -> dict[str, float]:
    a = analysis(title, abstract)
    model = load_model()
    b = Batch([a], model.vocabulary)
    rows = dense_features(b, [a], model.names.of(b))
    return dict(zip(DENSE, rows[b.surfaces.index(name)].tolist(), strict=True))


def test_dense_features_say_what_they_are_called() -> None:
    got = dense("BrewSet: A Benchmark for Tea", "Tea is nice. We introduce BrewSet, a benchmark for tea.", "BrewSet")
    for name in ("has_title", "prefix_at_colon", "title_is_data", "proposing", "is_data", "head_data", "releases_data"):
        assert got[name] == 1, name
    assert (got["in_body"], got["in_title"], got["first"], got["verb_distance"]) == (1, 1, 2, 1)
    other = dense("", "On CIFAR-10, our BrewNet outperforms all.", "BrewNet")
    assert other["our"] == 1 and other["result_after"] == 1 and other["proposing"] == 0
    listed = dense("", "We test on MNIST, SVHN and CIFAR-10.", "SVHN")
    assert listed["list_after_on"] == 1 and listed["listed"] == 1


def test_rare_words_and_title_case() -> None:
    got = dense("Brew Fast for Strong Tea", "We use the BrewNet of tea.", "BrewNet")
    assert got["unknown"] == 1 and got["rarest"] > 9 and got["title_capitals"] == 1
    other = dense("Brewing for strong tea", "We use Adam here.", "Adam")
    assert other["title_capitals"] == 0 and other["capital_most"] > 0.5 and other["unknown"] == 0


def test_relations_see_list_neighbours() -> None:
    b = batch("", "We test it on MNIST, SVHN and TeaLeaves.")
    belief = np.zeros((len(b.papers), len(CLASSES)), np.float32)
    belief[:, 0] = 1
    known = np.zeros(len(b.papers), bool)
    k = b.surfaces.index("MNIST")
    belief[k], known[k] = [0, 0, 0, 0, 1], True
    rows = relations(b, belief, known)
    got = dict(zip(FIELDS, rows[b.surfaces.index("SVHN")].tolist(), strict=True))
    assert got["list_data"] == 1 and got["sentence_data"] == 1 and got["list_used"] == 0
    assert dict(zip(FIELDS, rows[k].tolist(), strict=True))["list_data"] == 0


def test_no_candidates_no_rows() -> None:
    b, p = class_probabilities(load_model(), [analysis("", ""), analysis("", "")])
    assert len(b.candidates) == 0 and p.shape == (0, len(CLASSES))


def test_known_names_have_one_kind() -> None:
    known = known_names()
    assert len(known) > 1_500 and known["imagenet"] == 0 and known["adam"] == 1 and known["auroc"] == 2


def test_name_columns_are_stable() -> None:
    one, two = Name("BrewNet", "brewnet", {}), Name("BrewNet", "brewnet", {})
    assert one.columns == two.columns and one.dense == two.dense and one.family == ""
    assert Name("Llama-3.1", "llama31", {}).family == "llama"

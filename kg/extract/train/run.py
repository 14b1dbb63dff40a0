"""The training from annotated papers and corpus to the model file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kg.extract.batch import Vocabulary, word_columns
from kg.extract.candidates import Lexicon
from kg.extract.classify import confidences
from kg.extract.lexicon import make_lexicon
from kg.extract.model import Linear, Names, Priors, Trees, softmax, unpack_priors
from kg.extract.relations import CLASSES, INTRODUCED
from kg.extract.score import assemble
from kg.extract.train import silver as self_training
from kg.extract.train.data import GoldPaper, load_gold, read_corpus
from kg.extract.train.examples import Examples, gold_labels, make_examples, over_batches
from kg.extract.train.export import quantised_priors, write_model
from kg.extract.train.fit import cross_logits, fit_linear, fit_trees, folds, linear_logits
from kg.extract.train.select import calibrate, curve, decide, reliability, score
from kg.extract.train.statistics import collect
from kg.settings import Settings

FOLDS = 5
GOLD_STRENGTH, SILVER_STRENGTH = 8.0, 4.0
TEACHER_ROUNDS, FINAL_ROUNDS, FINAL_SEEDS, RATE = 140, 150, 1, 0.09
RARE_WEIGHT = 2.0  # of introduced data sets, one in twenty of the names
_TITLES = {"fit": "cross-validation", "validation": "validation", "dev": "dev", "seeds": "seeds"}
_PARTS = ("fit", "validation", "dev", "seeds")


class World(NamedTuple):
    """What is fixed before anything is fitted."""

    words: list[str]
    lexicon: Lexicon
    phrases: list[str]
    vocabulary: Vocabulary


class Part(NamedTuple):
    """Annotated papers as rows, with class and weight."""

    papers: Sequence[GoldPaper]
    examples: Examples
    labels: np.ndarray
    weights: np.ndarray


def train(
    data: Path,
    out: Path | None,
    step: Callable[[str, Callable[[], Any]], Any],
    processes: int,
    limit: int | None,
    silver: int,
) -> None:
    """Train, print figures, write the model file."""
    gold = load_gold(data)
    least = Settings().min_confidence
    corpus = step("corpus", lambda: read_corpus(data, gold))
    corpus = _spread(corpus, limit)
    statistics = step("statistics", lambda: collect(corpus, processes))
    world = World(
        statistics.words, make_lexicon(statistics.phrases, statistics.capital), statistics.phrases,
        Vocabulary(statistics.words),
    )  # fmt: skip
    parts = {name: _part(getattr(gold, name), world) for name in _PARTS}
    print({name: (len(p.papers), len(p.labels)) for name, p in parts.items()}, "papers and candidates", flush=True)
    teacher = step("teacher", lambda: fit_teacher(parts["fit"], world))
    labelled = step("labels", lambda: self_training.label_corpus(corpus, teacher, processes))
    keys, table = self_training.priors(labelled)
    priors = Priors(keys, unpack_priors(quantised_priors(table)))
    print(f"{len(keys)} names with priors", flush=True)
    silver_linear = step("silver", lambda: fit_silver(corpus, labelled, world, silver))
    _, rows = step("linear", lambda: fit_gold_linear(parts))
    x = {
        name: features(p.examples, [rows[name], linear_logits(silver_linear, p.examples.columns)], world, priors)
        for name, p in parts.items()
    }
    fit = parts["fit"]
    held = step("cross", lambda: cross_probabilities(x["fit"], fit))
    calibration = calibrate(held, fit.labels, fit.weights)
    trees = step("trees", lambda: final_trees(x["fit"], fit.labels, fit.weights, FINAL_SEEDS))
    sure = {name: confidences(softmax(trees.scores(x[name])), calibration) for name in _PARTS[1:]}
    sure["fit"] = confidences(held, calibration)
    figures = {}
    for name in _PARTS:
        p = parts[name]
        figures[_TITLES[name]] = score(p.papers, decide(p.examples, sure[name], least)).line()
        print(f"{_TITLES[name]}: {figures[_TITLES[name]]}", flush=True)
    for name in ("fit", "validation"):
        p = parts[name]
        print(f"\n{_TITLES[name]}, reliability\n{reliability(sure[name], p.labels, p.weights)}")
        print(f"\n{_TITLES[name]}, by least confidence\n{curve(p.papers, p.examples, sure[name])}", flush=True)
    whole = _part([*gold.fit, *gold.validation], world)
    gold_linear, trees = step("whole", lambda: fit_whole(whole, silver_linear, world, priors))
    for name in ("dev", "seeds"):
        p = parts[name]
        logits = [linear_logits(one, p.examples.columns) for one in (gold_linear, silver_linear)]
        found = confidences(softmax(trees.scores(features(p.examples, logits, world, priors))), calibration)
        figures[f"{name}, as shipped"] = score(p.papers, decide(p.examples, found, least)).line()
        print(f"{name}, as shipped: {figures[f'{name}, as shipped']}", flush=True)
    about = {
        "trained on": {
            "gold": f"{len(whole.papers)} annotated papers (figures before validation joined: {len(fit.papers)})", "silver": f"{silver} papers", "priors": f"{len(corpus)} papers",
        },
        "kept out": {name: len(parts[name].papers) for name in _PARTS[1:]},
        "figures": figures,
    }  # fmt: skip
    write_model(
        out or Path(str(files("kg.extract").joinpath("data", "model.npz"))),
        words=world.words, capital=statistics.capital, phrases=world.phrases, prior_keys=keys, prior_table=table,
        linear=[gold_linear, silver_linear], trees=trees, calibration=calibration, about=about,
    )  # fmt: skip


def _spread(corpus: Sequence[Any], limit: int | None) -> list[Any]:
    """At most `limit` papers, evenly spread."""
    if not limit or limit >= len(corpus):
        return list(corpus)
    return [corpus[k * len(corpus) // limit] for k in range(limit)]


def _part(papers: Sequence[GoldPaper], world: World) -> Part:
    e = make_examples([(p.title, p.abstract) for p in papers], world.lexicon, world.vocabulary)
    return Part(papers, e, *gold_labels(papers, e))


def features(e: Examples, logits: Sequence[np.ndarray], world: World, priors: Priors | None) -> np.ndarray:
    """Rows for the trees."""
    names = Names(world.lexicon.capital)
    return over_batches(e, lambda b, dense, *z: assemble(b, dense, z, names.of(b), priors), e.dense, *logits)


def without_words(e: Examples, world: World) -> Examples:
    """The examples without the columns that say which name a candidate is."""
    hidden = word_columns(world.vocabulary.size)
    x = e.columns.tocsc(copy=True)
    x.data[x.indptr[hidden.start] : x.indptr[hidden.stop]] = 0
    return e._replace(columns=x.tocsr())


def fit_teacher(part: Part, world: World) -> self_training.Teacher:
    """A classifier that must go by form and context, so that its reading of the corpus is evidence about names."""
    e = without_words(part.examples, world)
    fold = folds(e.papers, 4)
    logits = cross_logits(e.columns, part.labels, part.weights, fold, GOLD_STRENGTH)
    linear = fit_linear(e.columns, part.labels, part.weights, GOLD_STRENGTH)
    x = features(e, [logits], world, None)
    trees = fit_trees(x, part.labels, part.weights, TEACHER_ROUNDS, learning_rate=0.1)
    model = self_training.Bare(world.vocabulary, world.lexicon.capital, [linear], trees)
    return self_training.Teacher(model, world.lexicon)


def fit_silver(corpus: Sequence[tuple[str, str]], labelled: self_training.Silver, world: World, count: int) -> Linear:
    """Regression over all columns, names included, on what the teacher said of part of the corpus."""
    papers = list(np.random.RandomState(7).permutation(len(corpus))[:count])
    e = make_examples([corpus[p] for p in papers], world.lexicon, world.vocabulary)
    label, weight, keep = self_training.silver_labels(labelled, papers, e.keys, e.papers)
    rows = np.nonzero(keep)[0]
    return fit_linear(e.columns[rows], label[rows], weight[rows], SILVER_STRENGTH, rare=3)


def fit_gold_linear(parts: dict[str, Part]) -> tuple[Linear, dict[str, np.ndarray]]:
    """Regression on the annotated papers, and scores of every part (cross-fitted where it was fitted)."""
    fit = parts["fit"]
    linear = fit_linear(fit.examples.columns, fit.labels, fit.weights, GOLD_STRENGTH)
    rows = {name: linear_logits(linear, p.examples.columns) for name, p in parts.items()}
    fold = folds(fit.examples.papers, FOLDS)
    rows["fit"] = cross_logits(fit.examples.columns, fit.labels, fit.weights, fold, GOLD_STRENGTH)
    return linear, rows


def fit_whole(whole: Part, silver: Linear, world: World, priors: Priors) -> tuple[Linear, Trees]:
    """The classifiers that are shipped: fitted once more with the validation part, all else as it was judged."""
    columns = whole.examples.columns
    linear = fit_linear(columns, whole.labels, whole.weights, GOLD_STRENGTH)
    crossed = cross_logits(columns, whole.labels, whole.weights, folds(whole.examples.papers, FOLDS), GOLD_STRENGTH)
    x = features(whole.examples, [crossed, linear_logits(silver, columns)], world, priors)
    return linear, final_trees(x, whole.labels, whole.weights, FINAL_SEEDS)


def cross_probabilities(x: np.ndarray, part: Part) -> np.ndarray:
    """Class probabilities of each row by trees that have not seen its paper."""
    fold = folds(part.examples.papers, FOLDS)
    out = np.zeros((len(x), len(CLASSES)))
    for f in range(FOLDS):
        rows = fold != f
        trees = final_trees(x[rows], part.labels[rows], part.weights[rows], 1)
        out[~rows] = softmax(trees.scores(x[~rows]))
    return out


def final_trees(x: np.ndarray, labels: np.ndarray, weights: np.ndarray, seeds: int) -> Trees:
    """The trees that decide."""
    weights = np.where(labels == INTRODUCED, RARE_WEIGHT * weights, weights)
    return fit_trees(x, labels, weights, FINAL_ROUNDS, seeds, learning_rate=RATE)

"""The training from annotated papers and corpus to the model file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from kg.extract.batch import Vocabulary, word_columns
from kg.extract.candidates import Lexicon
from kg.extract.classify import confidences
from kg.extract.lexicon import make_lexicon
from kg.extract.model import Linear, Model, Names, Priors, Trees, softmax, unpack_priors
from kg.extract.relations import CLASSES, INTRODUCED
from kg.extract.score import assemble, class_probabilities
from kg.extract.train import silver as self_training
from kg.extract.train.bench import bench_labels, read_bench
from kg.extract.train.data import GoldPaper, load_gold, read_corpus
from kg.extract.train.examples import Examples, gold_labels, make_examples, over_batches
from kg.extract.train.export import quantised_priors, write_model
from kg.extract.train.fit import cross_logits, fit_linear, fit_trees, folds, linear_logits
from kg.extract.train.select import calibrate, curve, decide, reliability, score
from kg.extract.train.statistics import collect
from kg.settings import Settings

FOLDS = 5
GOLD_STRENGTH, SILVER_STRENGTH = 8.0, 4.0
TEACHER_ROUNDS, FINAL_ROUNDS, RATE = 140, 110, 0.09
EMPTY_SENTENCES = 0.5  # share of the public sentences without a data set that are taken
UNTITLED, UNTITLED_WEIGHT = 0.4, 0.5  # share of the papers that are also shown without title
RARE_WEIGHT = 2.0  # of introduced data sets, one in twenty of the names
_TITLES = {"fit": "cross-validation", "validation": "validation", "dev": "dev", "seeds": "seeds"}
_CHUNK = 256
_PARTS = ("fit", "validation", "dev", "seeds")


class World(NamedTuple):
    """What is fixed before anything is fitted."""

    words: list[str]
    lexicon: Lexicon
    phrases: list[str]
    vocabulary: Vocabulary


class Part(NamedTuple):
    """Annotated papers as rows, with class and weight.

    same_as: for papers that are versions of papers of the first part, which ones; they stay in one fold.
    """

    papers: Sequence[GoldPaper]
    examples: Examples
    labels: np.ndarray
    weights: np.ndarray
    same_as: np.ndarray | None = None


class Rows(NamedTuple):
    """Rows of several parts, papers numbered on."""

    columns: sparse.csr_matrix
    labels: np.ndarray
    weights: np.ndarray
    papers: np.ndarray

    @classmethod
    def of(cls, parts: Sequence[Part]) -> Rows:
        """The rows of the parts, in order; those without weight stay, and weigh nothing."""
        starts = np.cumsum([0, *(len(p.papers) for p in parts)])
        return cls(
            sparse.vstack([p.examples.columns for p in parts]).tocsr(),
            np.concatenate([p.labels for p in parts]),
            np.concatenate([p.weights for p in parts]),
            np.concatenate(
                [
                    p.examples.papers + start if p.same_as is None else p.same_as[p.examples.papers]
                    for p, start in zip(parts, starts, strict=False)
                ]
            ),
        )


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
    bench = step("bench", lambda: bench_part(data, world, teacher.model))
    fit = parts["fit"]
    untitled = untitled_part(fit, world)
    taught = [fit, bench, untitled]
    joined = Rows.of(taught)
    gold_linear, crossed = step("linear", lambda: fit_gold_linear(joined))
    at = np.cumsum([len(p.labels) for p in taught])[:-1]
    rows = np.vstack(
        [
            features(p.examples, [logits, linear_logits(silver_linear, p.examples.columns)], world, priors)
            for p, logits in zip(taught, np.split(crossed, at), strict=True)
        ]
    )
    x = {
        name: features(e, [linear_logits(one, e.columns) for one in (gold_linear, silver_linear)], world, priors)
        for name, e in ((name, parts[name].examples) for name in _PARTS[1:])
    }
    held = step("cross", lambda: cross_probabilities(rows, joined))[: len(fit.labels)]
    calibration = calibrate(held, fit.labels, fit.weights)
    trees = step("trees", lambda: final_trees(rows, joined.labels, joined.weights))
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
    about = {
        "trained on": {
            "gold": f"{len(fit.papers)} annotated papers",
            "data set mentions": f"{len(bench.papers)} sentences of public sets",
            "silver": f"{silver} papers",
            "priors": f"{len(corpus)} papers",
        },
        "kept out": {name: len(parts[name].papers) for name in _PARTS[1:]},
        "figures": figures,
    }
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


def bench_part(data: Path, world: World, teacher: Model) -> Part:
    """The sentences of the public sets as rows: all that name a data set, and some of the others."""
    papers, spans = read_bench(data)
    draw = np.random.RandomState(5).random_sample(len(papers))
    chosen = [k for k in range(len(papers)) if spans[k] or draw[k] < EMPTY_SENTENCES]
    e = make_examples([(papers[k].title, papers[k].abstract) for k in chosen], world.lexicon, world.vocabulary)
    said = np.vstack([class_probabilities(teacher, a)[1] for a in batched(e.analyses, _CHUNK)])
    labels, weights = bench_labels(e, [spans[k] for k in chosen], said)
    stands_for = np.array([1 if spans[k] else 1 / EMPTY_SENTENCES for k in chosen])
    return Part([papers[k] for k in chosen], e, labels, weights * stands_for[e.papers])


def untitled_part(fit: Part, world: World) -> Part:
    """Some of the annotated papers once more, as lists of abstracts have them: without title."""
    draw = np.random.RandomState(6).random_sample(len(fit.papers))
    chosen = np.nonzero(draw < UNTITLED)[0]
    part = _part([fit.papers[int(k)]._replace(title="") for k in chosen], world)
    return part._replace(weights=part.weights * UNTITLED_WEIGHT, same_as=chosen)


def batched(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    """Slices of at most `size`."""
    return (items[k : k + size] for k in range(0, len(items), size))


def fit_gold_linear(rows: Rows) -> tuple[Linear, np.ndarray]:
    """Regression on the annotated rows, and what ones that have not seen its paper say of each row."""
    linear = fit_linear(rows.columns, rows.labels, rows.weights, GOLD_STRENGTH)
    fold = folds(rows.papers, FOLDS)
    return linear, cross_logits(rows.columns, rows.labels, rows.weights, fold, GOLD_STRENGTH)


def cross_probabilities(x: np.ndarray, rows: Rows) -> np.ndarray:
    """Class probabilities of each row by trees that have not seen its paper."""
    fold = folds(rows.papers, FOLDS)
    out = np.zeros((len(x), len(CLASSES)))
    for f in range(FOLDS):
        seen = fold != f
        trees = final_trees(x[seen], rows.labels[seen], rows.weights[seen])
        out[~seen] = softmax(trees.scores(x[~seen]))
    return out


def final_trees(x: np.ndarray, labels: np.ndarray, weights: np.ndarray) -> Trees:
    """The trees that decide."""
    weights = np.where(labels == INTRODUCED, RARE_WEIGHT * weights, weights)
    return fit_trees(x, labels, weights, FINAL_ROUNDS, 1, learning_rate=RATE)

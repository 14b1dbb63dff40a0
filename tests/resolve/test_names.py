"""Same thing, many forms; same form, different things."""

from __future__ import annotations

import random

import pytest
from handmade_papers import coined, paper, used

from kg.model import Extraction, Named, Paper
from kg.resolve.names import Names, resolve_names
from kg.resolve.senses import long_forms
from kg.text import digest

OPTICS = "lenses focus light onto a sensor; aberration of glass lenses is corrected by optics"
TRAFFIC = "vehicles queue at junctions; signals schedule traffic so that vehicles wait less at junctions"
COOKING = "recipes list ingredients; cooks knead dough and season soup with herbs"


def names(found: list[tuple[Paper, list[Named]]], kind: str = "method") -> Names:
    return resolve_names([p for p, _ in found], [tuple(n) for _, n in found], kind)


def key(outcome: Names, paper_key: str, index: int = 0) -> str:
    return outcome.of[paper_key, index]


def crowd(
    name: str, count: int, text: str, start: int = 0, year: int = 2023, *aliases: str
) -> list[tuple[Paper, list[Named]]]:
    """Papers that use a name."""
    return [(paper(f"u{i}", year, f"{text} case {i}"), [used(name, *aliases)]) for i in range(start, start + count)]


@pytest.mark.parametrize(
    ("kind", "a", "b"),
    [
        ("method", used("PPO", "Proximal Policy Optimization"), used("Proximal Policy Optimisation")),
        ("method", used("PPO", "Proximal Policy Optimization"), used("proximal policy optimization")),
        ("method", used("ECBM", "energy concept model"), used("ECBMs")),
        ("method", used("Gaussian process"), used("Gaussian processes")),
        ("method", used("Swin Transformer"), used("Swin Transformers")),
        ("method", used("Adam"), used("Adam optimizer")),
        ("method", used("WGAN", "Wasserstein GAN"), used("W-GAN", "Wasserstein GANs")),
        ("dataset", used("MNIST"), used("the MNIST dataset")),
        ("dataset", used("CIFAR10"), used("CIFAR-10")),
        ("dataset", used("MS COCO", "Microsoft COCO"), used("Microsoft COCO")),
        ("dataset", used("IC15", "ICDAR 2015"), used("ICDAR 2015")),
        ("dataset", used("IN-1k", "ImageNet-1k"), used("ImageNet-1K")),
        ("method", used("CE", "cross-entropy"), used("CE", "cross-entropy method")),
        (
            "method",
            used("3D CNN", "3D convolutional neural network"),
            used("3DCNN", "3-dimensional convolutional neural network"),
        ),
        ("method", used("PPO", "Proximal Policy Optimization"), used("PPO", "policy optimization")),
        ("method", used("PF", "particle filter"), used("PF", "particle filtering")),
        ("method", used("UWB", "Ultra Wide Band"), used("UWB", "ultra-wideband")),
        ("method", coined("GP-FlowFilters"), used("GPFlowFilters", "Gaussian process-based flow filters")),
    ],
)
def test_one_thing(kind: str, a: Named, b: Named) -> None:
    outcome = names([(paper("a"), [a]), (paper("b"), [b])], kind)
    assert key(outcome, "a") == key(outcome, "b")
    (entity,) = outcome.entities.values()
    assert {a.name, b.name} <= {entity.label, *entity.aliases}


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (used("Llama 2"), used("Llama 3")),
        (used("DETR"), used("DETR++")),
        (used("MAP"), used("Maps")),
        (coined("RobGAN"), Named("ROBgan", "proposed", 0.8, (), "its form")),
        (used("RIOUS", "robotic intra-operative ultrasound"), used("RIOUS+", "Robotic Intra-Operative Ultrasound")),
        (used("IC13", "ICDAR 2015"), used("ICDAR 2015")),
        (used("Garden", "inductive moments matching) and data"), used("IMM", "inductive moments matching and data")),
        (used("Foggy Lanes", "Rainy Lanes of Towns"), used("RLT", "Rainy Lanes of Towns")),
        (used("SA", "simulated annealing"), used("SA", "stochastic approximation")),
        (
            used("ATLAS", "Adaptive Tree Learning And Search"),
            used("ATLAS", "Automated Theorem Laboratory for All Students"),
        ),
    ],
)
def test_two_things(a: Named, b: Named) -> None:
    outcome = names([(paper("a"), [a]), (paper("b"), [b])])
    assert key(outcome, "a") != key(outcome, "b")


def test_four_papers_that_coin_one_name_make_four_things() -> None:
    texts = [OPTICS, TRAFFIC, COOKING, "stars form in clouds of gas"]
    outcome = names([(paper(f"p{i}", text=t), [coined("PRISM")]) for i, t in enumerate(texts)])
    assert {key(outcome, f"p{i}") for i in range(4)} == {f"prism-{digest(f'p{i}', length=6)}" for i in range(4)}
    assert not any(e.ambiguous for e in outcome.entities.values())
    assert len(outcome.homographs["prism"]) == 4


def test_a_later_use_goes_to_the_one_its_text_fits_or_stays_open() -> None:
    filler = [(paper(f"f{i}", 2020, f"filler {word}"), [used(f"Filler{i}")]) for i, word in enumerate("abcdefgh")]
    lens = (paper("lens", 2020, OPTICS), [coined("PRISM")])
    road = (paper("road", 2020, TRAFFIC), [coined("PRISM")])
    fits = (paper("fits", 2022, f"we correct aberration of lenses and optics of a sensor; {OPTICS}"), [used("PRISM")])
    none = (paper("none", 2022, COOKING), [used("PRISM")])
    early = (paper("early", 2010, OPTICS), [used("PRISM")])
    outcome = names([lens, road, fits, none, early, *filler])
    assert key(outcome, "fits") == key(outcome, "lens") != key(outcome, "road")
    assert key(outcome, "none") == key(outcome, "early") == "prism"
    assert outcome.entities["prism"].ambiguous, "a use cannot come before the paper that coined the name"


def test_the_same_authors_mean_their_own() -> None:
    first = (paper("first", 2020, OPTICS, ["Ada Lovelace"]), [coined("PRISM")])
    again = (paper("again", 2021, COOKING, ["Ada Lovelace", "Bo Li"]), [coined("PRISM")])
    other = (paper("other", 2021, COOKING, ["Chen Wu"]), [coined("PRISM")])
    outcome = names([first, again, other])
    assert key(outcome, "again") == key(outcome, "first") != key(outcome, "other")


def test_papers_that_work_on_an_old_name_do_not_coin_it() -> None:
    late = Named("KITTI", "introduced", 0.85, (), "“present” before it")
    outcome = names([*crowd("KITTI", 12, TRAFFIC, year=2015), (paper("late", 2022, TRAFFIC), [late])], "dataset")
    assert set(outcome.of.values()) == {"kitti"}


def test_the_main_meaning_keeps_the_plain_key() -> None:
    long = "convolutional neural network"
    rare = (paper("cell", 2024, COOKING), [used("CNN", "cellular neural network")])
    bare = (paper("bare", 2024, f"{TRAFFIC}, seen through lenses"), [used("CNN")])
    outcome = names([*crowd("CNN", 20, OPTICS, 0, 2020, long), rare, bare])
    assert key(outcome, "u0") == key(outcome, "bare") == "cnn", "the famous one by count"
    assert key(outcome, "cell") == "cnn-cellular-neural-network"


def test_versions_stand_below_what_they_are_versions_of() -> None:
    found = [(paper(f"p{i}"), [used("ImageNet")]) for i in range(3)]
    found += [(paper("k"), [used("ImageNet-1k")]), (paper("x"), [used("NotImageNet")])]
    outcome = names(found, "dataset")
    assert outcome.broader == {"imagenet1k": "imagenet"}


def test_only_the_set_of_papers_counts() -> None:
    found = [(paper("lens", 2020, OPTICS), [coined("PRISM")]), (paper("road", 2021, TRAFFIC), [coined("PRISM")])]
    found += (
        crowd("PRISM", 6, OPTICS)
        + crowd("PRISM", 6, TRAFFIC, 10)
        + crowd("CNN", 4, COOKING, 20, 2022, "cable news network")
    )
    found += crowd("CNN", 4, OPTICS, 30, 2022, "convolutional neural network")
    expected = names(found)
    for seed in range(5):
        shuffled = random.Random(seed).sample(found, len(found))
        outcome = names(shuffled)
        assert outcome.entities == expected.entities and outcome.of == expected.of
        assert outcome.homographs == expected.homographs


def test_a_title_that_starts_with_a_new_name_gives_it() -> None:
    old = (paper("old", 1988, OPTICS, title="GEMINI: Gradients"), [Named("GEMINI", "used", 0.77, (), "title prefix")])
    outcome = names([old, (paper("new", 2025, COOKING), [used("Gemini")]), *crowd("Filler", 8, TRAFFIC)])
    assert key(outcome, "old") != key(outcome, "new")


def test_a_user_who_shares_authors_with_another_user_means_the_same() -> None:
    long = "matrix product operator"
    first = (paper("first", 2022, OPTICS, ["Ada Lovelace"]), [used("MPO", long)])
    again = (paper("again", 2023, f"a {OPTICS}", ["Ada Lovelace"]), [used("MPO")])
    other = (paper("other", 2018, TRAFFIC, ["Bo Li"]), [coined("MPO", "maximum posterior policy optimisation")])
    outcome = names([first, again, other, *crowd("Filler", 8, COOKING)])
    assert key(outcome, "again") == key(outcome, "first") != key(outcome, "other")


def test_only_acronyms_themselves_are_written_out() -> None:
    known = {"pac": ("probab", "approximate", "correct")}
    assert long_forms(used("SPL", "self-paced learning"), "spl", known) == (("self", "pac", "learn"),)
    assert long_forms(used("SPL", "self-PAC learning"), "spl", known) == (
        ("self", "probab", "approximate", "correct", "learn"),
    )


def test_a_piece_of_a_sentence_is_no_alias() -> None:
    outcome = names([(paper("a"), [used("Garden", "moment matching models) and datasets")])], "dataset")
    assert [e.aliases for e in outcome.entities.values()] == [()]


def test_names_of_signs_only_have_a_key() -> None:
    outcome = names([(paper("a"), [used("π")]), (paper("b"), [used("??")]), (paper("c"), [used("陈")])])
    assert all(outcome.entities) and len(outcome.entities) == 3


def test_a_method_and_a_data_set_of_one_name_stay_two() -> None:
    from kg.resolve.resolve import resolve

    papers = [paper("a"), paper("b")]
    found = [Extraction(methods=(used("Maze"),)), Extraction(datasets=(used("Maze"),))]
    resolved = resolve(papers, found)
    assert set(resolved.methods.of) == {("a", 0)} and set(resolved.datasets.of) == {("b", 0)}

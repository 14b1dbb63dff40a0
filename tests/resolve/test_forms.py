"""Spellings of one name are equal, names of different things are not."""

from __future__ import annotations

import pytest

from kg.resolve.forms import edition, long_form, name_form, rarity, same_long_form, shortens, without_head


@pytest.mark.parametrize(
    "spellings",
    [
        ("CIFAR-10", "CIFAR10", "Cifar 10"),
        ("M³HF", r"$\text{M}^3\text{HF}$", "M3HF"),
        ("D$^3$epth", "D3epth", "D³epth"),
        (r"\texttt{SPARQ}", "SPARQ"),
        ("π³", r"$\pi^3$", "pi-3"),
        ("ILSVRC 2012", "ILSVRC-2012", "ilsvrc2012"),
        ("Llama 2", "LLaMA-2", "Llama2"),
        ("ConvNeXt V2", "ConvNeXt-v2"),
        ("Qwen2.5-7B", "Qwen 2.5 7B"),
        ("Café-Net", "CafeNet"),
        ("Étude", "E\u0301tude"),
    ],
)
def test_one_name(spellings: tuple[str, ...]) -> None:
    assert len({name_form(s) for s in spellings}) == 1


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("ImageNet", "ImageNet-1k"),
        ("Llama 2", "Llama 3"),
        ("Llama 3.1", "Llama 31"),
        ("DETR", "DETR++"),
        ("A*", "A"),
        ("YAGO3-10", "YAGO 310"),
        ("GPT-4", "GPT-4o"),
        ("MNIST", "Fashion-MNIST"),
    ],
)
def test_two_names(a: str, b: str) -> None:
    assert name_form(a) != name_form(b)


def test_common_noun_behind_a_name() -> None:
    assert without_head("the MNIST dataset", "dataset") == name_form("MNIST")
    assert without_head("Dijkstra's algorithm", "method") == name_form("Dijkstra")
    assert without_head("Labelled Data Set", "dataset") == name_form("Labelled")
    assert without_head("MNIST", "dataset") == ""
    assert without_head("GLUE benchmark", "method") == "", "a benchmark is no word for a method"


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("Graph Neural Network", "graph neural networks", True),
        ("non-linear model-predictive control", "Nonlinear Model Predictive Control", True),
        ("Deep Embedded Clustering", "deep embedding clustering", True),
        ("Generative Adversarial Nets", "generative adversarial network", True),
        ("Adaptive Feature Fusion", "Attentive Feature Fusion", False),
        ("Membership Inference Attack", "Missing Incorporated as Attribute", False),
        ("Simulated Annealing", "Stochastic Approximation", False),
        ("cross-entropy", "cross-entropy method", True),
        ("cross-entropy", "cross-entropy optimization", False),
        ("Ultra Wide Band", "ultra-wideband", True),
        ("3D object detection", "3-dimensional object detection", True),
    ],
)
def test_long_forms(a: str, b: str, same: bool) -> None:
    assert same_long_form(long_form(a), long_form(b)) is same


def test_rarity() -> None:
    assert rarity("PointRCNN") == rarity("meProp") == 1.0
    assert rarity("PAN") == rarity("Gemini") == 0.0
    assert 0 < rarity("PRISM") < rarity("SRDCF2") <= 1.0


def test_names_cut_short() -> None:
    assert shortens("IC15", "ICDAR 2015") and shortens("C10", "CIFAR-10") and shortens("IN-1k", "ImageNet-1k")
    assert not shortens("IC13", "ICDAR 2015") and not shortens("C10", "CIFAR-100") and not shortens("MNIST", "MNIST-M")
    assert [edition(f) for f in ("rious+", "yolov3", "qwen2.5", "resnet", "a*")] == ["+", "3", "2.5", "", "*"]

"""Two graphs to count over: the demo, and one made of records drawn at random."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from kg.api import Graph
from kg.pipeline.build import build

DEMO = Path(__file__).parents[2] / "kg" / "demo" / "corpus"
_FIRST = ["Ada", "Bo", "Chen", "Dina", "Emil", "Fay", "Gus", "Hana", "Ivo", "Jun"]
_LAST = ["Okafor", "Lindqvist", "Marchetti", "Yamane", "Dubois", "Kovacs"]
_METHODS = ["ResNet", "BERT", "LSTM", "SVM", "Transformer", "PPO", "Adam", "GAN", "VAE"]
_DATASETS = ["ImageNet", "CIFAR-10", "MNIST", "COCO", "KITTI", "SQuAD", "GLUE", "WikiText-103"]
_COINED = ["ZebraNet", "TigerFormer", "OtterGAN", "PandaRL", "HeronFlow", "LynxNet", "MoosePrune", "IbexSearch"]


def synthetic(seed: int, size: int = 140) -> str:
    """Papers in BibTeX: authors, names and years are drawn at random, a few papers have dozens of authors."""
    draw = random.Random(seed)
    people = [f"{first} {last}" for first in _FIRST for last in _LAST]
    entries = []
    for i in range(size):
        authors = draw.sample(people, draw.choice([1, 2, 2, 3, 3, 4, 5, 30]) if i % 40 == 0 else draw.randint(1, 5))
        used = draw.sample(_METHODS, draw.randint(0, 3))
        sets = draw.sample(_DATASETS, draw.randint(0, 3))
        coined = draw.choice(_COINED)
        text = [f"We propose {coined}{i if draw.random() < 0.5 else ''}, a learner for task number {i}."]
        text += [f"It is trained together with {name} and improves it." for name in used]
        text += [f"Experiments on the {name} dataset show a gain of {i} points." for name in sets]
        if draw.random() < 0.3:
            text.append(f"Our code is at https://github.com/lab/repo{draw.randint(1, 9)}.")
        entries.append(
            f"@inproceedings{{p{i}, title = {{Study {i} of learners on {draw.choice(_DATASETS)}}},\n"
            f" author = {{{' and '.join(authors)}}}, year = {{{draw.randint(2018, 2024)}}},\n"
            f" booktitle = {{{draw.choice(['ICML', 'ICLR'])}}}, abstract = {{{' '.join(text)}}} }}\n"
        )
    return "\n".join(entries)


@pytest.fixture(scope="session")
def demo_graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = tmp_path_factory.mktemp("links-demo") / "g"
    build(sorted(f for f in DEMO.iterdir() if f.suffix != ".md"), folder, workers=1)
    return Graph(folder)


@pytest.fixture(scope="session")
def random_graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = tmp_path_factory.mktemp("links-random")
    (folder / "papers.bib").write_text(synthetic(7), "utf-8")
    build([folder / "papers.bib"], folder / "g", workers=1)
    return Graph(folder / "g")


@pytest.fixture(scope="session", params=["demo", "random"])
def any_graph(request: pytest.FixtureRequest) -> Graph:
    graph: Graph = request.getfixturevalue(f"{request.param}_graph")
    return graph

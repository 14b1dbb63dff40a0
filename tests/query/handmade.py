"""A small graph made by hand: eight papers, eight people, and every kind of thing a question may meet.

Nothing of it goes through extraction or resolution, so what the questions must answer can be read off
this page: the same name for two methods, two people of one name, a repository of two papers, a paper
without title, authors, year, topic and venue.
"""

from __future__ import annotations

from kg.graph.statements import statement_lines
from kg.model import Author, Extraction, Mention, Named, Origin, Paper, Repository
from kg.resolve.names import NamedEntity, Names
from kg.resolve.people import People, Person
from kg.resolve.repositories import Repositories, RepositoryEntity
from kg.resolve.resolve import Resolved
from kg.settings import Settings

COUNTING, VISION, THEORY = ("Vision", "Counting"), ("Vision",), ("Theory",)

PAPERS = (
    Paper(
        key="alpha",
        ids=("doi:10.1/alpha", "openreview:alpha"),
        title="AlphaNet Counts Sheep",
        abstract="We propose AlphaNet. It is trained with Adam on ImageNet and on our CountSet. "
        "Code: https://github.com/ada/alphanet",
        authors=(
            Author("Ada Byte", ("North University",)),
            Author("Ben Code", ("North University",)),
            Author("C. Delta"),
        ),
        year=2021,
        venue="ICLR",
        topics=(COUNTING,),
        url="https://openreview.net/forum?id=alpha",
        origins=(Origin("list.jsonl", "line 1", "jsonl", "openreview:alpha"),),
    ),
    Paper(
        key="beta",
        title="BetaFlow Meets AlphaNet",
        abstract="We introduce BetaFlow (𝛽) and compare it with AlphaNet on CountSet and ImageNet.",
        authors=(Author("Ben Code", ("North University",)), Author("Eve Fox")),
        year=2022,
        venue="ICLR",
        topics=(COUNTING, THEORY),
        origins=(Origin("list.jsonl", "line 2", "jsonl", "openreview:beta"),),
    ),
    Paper(
        key="gamma",
        title="Adam Again",
        abstract="With Adam and AlphaNet we reach a new record on ImageNet.",
        authors=(Author("Dan Echo"), Author("A. Byte", ("South Institute",))),
        year=2023,
        venue="ICML",
        topics=(THEORY,),
    ),
    Paper(
        key="delta",
        title="STAR: Shapes",
        abstract="STAR beats AlphaNet on CIFAR-10.",
        authors=(Author("Eve Fox"), Author("Cyd Delta"), Author("Dan Echo")),
        year=2023,
        venue="ICML",
        topics=(VISION,),
    ),
    Paper(
        key="epsilon",
        title="STAR: Stories",
        abstract="STAR reads CountSet. It follows https://github.com/ada/alphanet",
        authors=(Author("Li Li"),),
        year=2023,
        venue="NeurIPS",
    ),
    Paper(key="zeta", title="STAR in Use", authors=(Author("Li Li"),), year=2023, venue="ICLR", topics=(THEORY,)),
    Paper(key="eta", abstract="Nothing is known of this text."),
    Paper(
        key="theta",
        ids=("arxiv:2201.00001",),
        title="STAR in Use",
        abstract="A survey.",
        authors=(Author("Fay Gray"),),
        year=2022,
        cites=("alpha", "beta"),
    ),
)

# paper -> (entity key, role, confidence, cue)
METHODS = {
    "alpha": (("alphanet", "proposed", 0.97, "title"), ("adam", "used", 0.8, "trained with")),
    "beta": (("betaflow", "proposed", 0.9, "title"), ("alphanet", "used", 0.85, "compare with")),
    "gamma": (("adam", "used", 0.9, "with"), ("alphanet", "used", 0.8, "")),
    "delta": (("star-d", "proposed", 0.58, "title"), ("alphanet", "used", 0.9, "beats")),
    "epsilon": (("star-e", "proposed", 0.8, "title"),),
    "zeta": (("star", "used", 0.7, ""),),
}
DATASETS = {
    "alpha": (("countset", "introduced", 0.9, "our"), ("imagenet", "used", 0.95, "trained on")),
    "beta": (("countset", "used", 0.9, "on"), ("imagenet", "used", 0.7, "on")),
    "gamma": (("imagenet", "used", 0.55, "record on"),),
    "delta": (("cifar", "used", 0.9, "on"),),
    "epsilon": (("countset", "used", 0.52, ""),),
}
# paper -> (task, the word that stands for it, confidence)
TASKS = {"delta": (("3D object detection", "Shapes", 0.95),), "epsilon": (("text generation", "Stories", 0.95),)}
_SPELLINGS = {
    "alphanet": ("AlphaNet", "Alpha Network"),
    "adam": ("Adam",),
    "betaflow": ("BetaFlow",),
    "star-d": ("STAR",),
    "star-e": ("STAR",),
    "star": ("STAR",),
    "countset": ("CountSet",),
    "imagenet": ("ImageNet", "ImageNet-1k"),
    "cifar": ("CIFAR-10",),
}
LABELS = {
    key: NamedEntity(key, label, tuple(aliases), ambiguous=key == "star", form=label.lower())
    for key, (label, *aliases) in _SPELLINGS.items()
}
ALPHA_CODE, MONO = "github.com/ada/alphanet", "github.com/lab/mono"
# paper -> (key, own, stated by)
REPOSITORIES = {
    "alpha": ((ALPHA_CODE, True, "both"),),
    "beta": ((MONO, True, "source"),),
    "gamma": ((MONO, True, "source"),),
    "epsilon": ((ALPHA_CODE, False, "abstract"),),
}
PEOPLE = (
    Person(
        "ada",
        "Ada Byte",
        ("A. Byte", "Ada Byte"),
        ("openreview:~Ada_Byte1", "orcid:0000-0001-2345-6789"),
        (("alpha", 1), ("gamma", 2)),
        "source-id",
    ),
    Person("ben", "Ben Code", ("Ben Code",), (), (("alpha", 2), ("beta", 1)), "clustered"),
    Person("cyd", "Cyd Delta", ("C. Delta", "Cyd Delta"), (), (("alpha", 3), ("delta", 2)), "clustered"),
    Person("dan", "Dan Echo", ("Dan Echo",), (), (("gamma", 1), ("delta", 3)), "name-only"),
    Person("eve", "Eve Fox", ("Eve Fox",), (), (("beta", 2), ("delta", 1)), "clustered"),
    Person("fay", "Fay Gray", ("Fay Gray",), (), (("theta", 1),), "name-only"),
    Person("li1", "Li Li", ("Li Li",), (), (("epsilon", 1),), "name-only"),
    Person("li2", "Li Li", ("Li Li",), (), (("zeta", 1),), "name-only"),
)


def statements() -> list[str]:
    """The graph as N-Quads lines."""
    inputs = {"list.jsonl": "00ff"}
    return list(statement_lines(resolved(), Settings(), version="9.9", model="by-hand", inputs=inputs))


def resolved() -> Resolved:
    """The graph as resolved records."""
    extractions = [
        Extraction(
            tuple(_named(paper, *claim) for claim in METHODS.get(paper.key, ())),
            tuple(_named(paper, *claim) for claim in DATASETS.get(paper.key, ())),
            tuple(_repository(paper, *claim) for claim in REPOSITORIES.get(paper.key, ())),
            tuple(
                Named(task, "addressed", sure, cue="title", mentions=_places(paper, word))
                for task, word, sure in TASKS.get(paper.key, ())
            ),
        )
        for paper in PAPERS
    ]
    of = {mention: person.key for person in PEOPLE for mention in person.mentions}
    repositories = {key: RepositoryEntity(key, f"https://{key}", "code") for key in (ALPHA_CODE, MONO)}
    return Resolved(
        PAPERS,
        extractions,
        People(of, {p.key: p for p in PEOPLE}),
        _names(METHODS),
        _names(DATASETS),
        Repositories(repositories, {(p, i): c[0] for p, cs in REPOSITORIES.items() for i, c in enumerate(cs)}),
    )


def _names(claims: dict[str, tuple]) -> Names:
    of = {(paper, i): claim[0] for paper, found in claims.items() for i, claim in enumerate(found)}
    return Names({key: LABELS[key] for key in set(of.values())}, of, {})


def _named(paper: Paper, key: str, role: str, confidence: float, cue: str) -> Named:
    label = LABELS[key].label
    return Named(label, role, confidence, LABELS[key].aliases, cue, _places(paper, label))


def _repository(paper: Paper, key: str, own: bool, stated_by: str) -> Repository:
    url = f"https://{key}"
    return Repository(url, url, "code", own, stated_by, 1.0 if own else 0.9, "", _places(paper, url))


def _places(paper: Paper, name: str) -> tuple[Mention, ...]:
    found = []
    for field, text in (("title", paper.title), ("abstract", paper.abstract)):
        start = text.find(name)
        while start >= 0:
            found.append(Mention(field, start, start + len(name), name))
            start = text.find(name, start + 1)
    return tuple(found)

"""A small graph made of hand-made records, in which every term of the vocabulary occurs."""

from __future__ import annotations

import pyoxigraph as ox

from kg.graph.statements import statement_lines
from kg.model import Author, Extraction, Link, Mention, Named, Origin, Paper, Repository
from kg.resolve.resolve import Outward, resolve
from kg.settings import Settings
from kg.store.oxigraph import OxigraphStore

GRAPE = (
    "We present GRAPE 🍇, a pruner for graph networks. It beats PRISM on WikiPlants. Code: https://github.com/ada/grape"
)
FIGS = "FigBench collects figures of 40 trees. We compare GRAPE with a plain forest."
PRISM_A = "PRISM splits one loss into colours. Tests use FigBench."
PRISM_B = "A lens for tables, PRISM, reads rows as light."


def _at(text: str, name: str, field: str = "abstract") -> tuple[Mention, ...]:
    start = text.index(name)
    return (Mention(field, start, start + len(name), name),)


def papers() -> list[tuple[Paper, Extraction]]:
    """Papers and what extraction found in them, sorted by key."""
    ada = Author("Ada Lovelace", ("Analytical Society",), ("orcid:0000-0001-2345-6789", "openreview:~Ada_Lovelace1"))
    grape = Paper(
        key="doi-10.1234/grape",
        ids=("arxiv:2401.00001", "doi:10.1234/grape"),
        title="GRAPE:  Graphs pruned early",
        abstract=GRAPE,
        authors=(ada, Author("Grace B. Hopper"), Author("et al.")),
        year=2024,
        date="2024-05-01",
        venue="ICLR",
        event="ICLR 2024 Oral",
        topics=(("Graphs", "Pruning"),),
        keywords=("network pruning", "graphs"),
        links=(Link("https://github.com/ada/grape", "code"),),
        url="https://example.org/grape?x=[1]",
        cites=("doi:10.1234/figs",),
        origins=(Origin("list.jsonl", "line 1", "jsonl", "grape-1", ("title",)),),
    )
    figs = Paper(
        key="doi-10.1234/figs",
        ids=("doi:10.1234/figs",),
        abstract=FIGS,
        authors=(ada, Author("Emmy Noether")),
        year=2023,
        venue="Journal of Trees",
        topics=(("Graphs",),),
        origins=(
            Origin("list.jsonl", "line 2", "jsonl", "figs-1", ("abstract", "authors")),
            Origin("works.json", "record 1", "openalex", "W1", ("authors", "year")),
        ),
    )
    prism_a = Paper(
        key="arxiv-2402.00002",
        ids=("arxiv:2402.00002",),
        title="PRISM",
        abstract=PRISM_A,
        authors=(ada,),
        origins=(Origin("papers.txt", "block 1", "text"),),
    )
    prism_b = Paper(
        key="text-00000000000b",
        abstract=PRISM_B,
        authors=(Author("Emmy Noether"),),
        origins=(Origin("papers.txt", "block 2", "text"),),
    )
    found = {
        grape.key: Extraction(
            (
                Named("GRAPE", "proposed", 0.97, (), "we present", _at(GRAPE, "GRAPE") + _at(grape.title, "GRAPE", "title")),
                Named("PRISM", "used", 0.8, (), "beats", _at(GRAPE, "PRISM")),
            ),
            (Named("WikiPlants", "used", 0.75, ("Wiki-Plants",), "on", _at(GRAPE, "WikiPlants")),),
            (
                Repository("https://github.com/ada/grape", "https://github.com/ada/grape", "code", True, "both", 1.0, "code:",
                           _at(GRAPE, "https://github.com/ada/grape")),
                Repository("https://grape.example.org/", "https://grape.example.org/", "project-page", False, "source"),
            ),
        ),
        figs.key: Extraction(
            (Named("GRAPE", "used", 0.6, (), "compare", _at(FIGS, "GRAPE")),),
            (Named("FigBench", "introduced", 0.9, (), "collects", _at(FIGS, "FigBench")),),
        ),
        prism_a.key: Extraction(
            (Named("PRISM", "proposed", 0.9, (), "title", _at(prism_a.title, "PRISM", "title")),),
            (Named("FigBench", "used", 0.9, (), "use", _at(PRISM_A, "FigBench")),),
        ),
        prism_b.key: Extraction(
            (Named("PRISM", "proposed", 0.7, (), "a lens", _at(PRISM_B, "PRISM")),),
            (Named("PRISM", "used", 0.5, (), "reads", _at(PRISM_B, "PRISM")),),
        ),
    }  # fmt: skip
    return [(p, found[p.key]) for p in sorted((grape, figs, prism_a, prism_b), key=lambda p: p.key)]


def lines(made: list[tuple[Paper, Extraction]] | None = None, review: str = "confirmed") -> bytes:
    """The graph as N-Quads; `review` is what somebody said of the first paper's data set."""
    made = papers() if made is None else made
    resolved = resolve([p for p, _ in made], [e for _, e in made])
    key, dataset = (
        next((p, d) for (p, _), d in sorted(resolved.datasets.of.items())) if resolved.datasets.of else ("", "")
    )
    resolved.reviews = {(key, "dataset", dataset, relation): review for relation in ("uses", "introduces")}
    resolved.datasets.replaced = {"former-name": dataset}
    resolved.outward = [
        Outward("dataset", dataset, how, f"https://things.example.org/{how}", f"one bearer of {how}", "links.csv", n)
        for n, how in enumerate(("exact", "close", "broad", "narrow", "page"), 2)
        if dataset
    ]
    inputs = {"list.jsonl.gz": "a" * 64, "papers.txt": "b" * 64}
    return "".join(statement_lines(resolved, Settings(), version="0.1.0", model="m1", inputs=inputs)).encode()


def quads(made: list[tuple[Paper, Extraction]] | None = None) -> set[ox.Quad]:
    """The graph as a set of statements."""
    return set(ox.parse(lines(made), ox.RdfFormat.N_QUADS))


def store(statements: set[ox.Quad] | None = None) -> OxigraphStore:
    """The statements (the whole small graph by default) in a store."""
    if statements is None:
        return OxigraphStore.in_memory(lines())
    return OxigraphStore.in_memory(ox.serialize(statements, format=ox.RdfFormat.N_QUADS))

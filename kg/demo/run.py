"""Builds the demo graph, draws it and writes it."""

from __future__ import annotations

from pathlib import Path

from kg.api import Graph
from kg.export import export
from kg.pipeline.build import Progress, build
from kg.pipeline.report import Report
from kg.view import layout, write_html

CORPUS = Path(__file__).resolve().parent / "corpus"
INPUTS = ("icml2025_abstracts.txt", "icml2025_topics.txt", "icml2025_titles.json")


def make_demo(folder: Path, progress: Progress | None = None) -> tuple[Report, Graph]:
    """Builds `folder`/demo (the graph), demo.ttl and demo.html; an earlier demo is replaced.

    Returns:
        What the build did, and the graph.
    """
    report = build([CORPUS / name for name in INPUTS], folder / "demo", fresh=True, progress=progress)
    graph = Graph(folder / "demo")
    export(graph.store, folder / "demo.ttl")
    drawn = graph.networkx()
    write_html(
        drawn, folder / "demo.html", title="ICML 2025, a small part", subtitle="whole graph", positions=layout(drawn)
    )
    return report, graph

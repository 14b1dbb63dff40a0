"""Graphs made by hand for the tests of the page."""

from __future__ import annotations

import random

import networkx as nx

BASE = "https://w3id.org/paperkg/id/"
ABSTRACT = (
    "Forecasts drift when sensors age. 🌧️ We propose DriftNet, which re-weights old readings (see Li et al. "
    "for a survey). On WeatherBench it halves the error, and DriftNet runs on a phone."
)
TITLE = "DriftNet: Forecasting with Ageing Sensors"


def iri(kind: str, key: str) -> str:
    return f"{BASE}{kind}/{key}"


def quote(text: str, exact: str, field: str = "abstract", nth: int = 0) -> dict:
    """An evidence item, with its offsets found in the text."""
    start = -1
    for _ in range(nth + 1):
        start = text.index(exact, start + 1)
    return {"field": field, "start": start, "end": start + len(exact), "exact": exact}


def small() -> nx.MultiDiGraph:
    """One paper with everything, a second one that shares a method, an unconnected topic."""
    g = nx.MultiDiGraph()
    first, second = iri("paper", "openreview-a1"), iri("paper", "openreview-b2")
    g.add_node(first, kind="paper", label=TITLE, year=2025, venue="ICML", url="https://openreview.net/forum?id=a1",
               abstract=ABSTRACT, authors=["Ada Núñez", "Bo Li"])  # fmt: skip
    g.add_node(second, kind="paper", label="Streams without Labels", year=2024, venue="ICLR")
    g.add_node(iri("person", "openreview-ada"), kind="person", label="Ada Núñez", aliases=["A. Nunez"])
    g.add_node(iri("person", "openreview-bo"), kind="person", label="Bo Li")
    g.add_node(iri("method", "driftnet"), kind="method", label="DriftNet", aliases=["Drift-aware Network"])
    g.add_node(iri("dataset", "weatherbench"), kind="dataset", label="WeatherBench")
    g.add_node(iri("repository", "github.com/x/driftnet"), kind="repository", label="x/driftnet",
               url="https://github.com/x/driftnet")  # fmt: skip
    g.add_node(iri("topic", "time-series"), kind="topic", label="Time Series")
    g.add_node(iri("venue", "icml-2025"), kind="venue", label="ICML 2025")
    g.add_node(iri("topic", "alone"), kind="topic", label="Nobody's Topic")
    for position, key in enumerate(("openreview-ada", "openreview-bo"), start=1):
        g.add_edge(first, iri("person", key), key="creator", relation="creator", position=position)
    g.add_edge(second, iri("person", "openreview-bo"), key="creator", relation="creator", position=1)
    g.add_edge(first, iri("method", "driftnet"), key="proposesMethod", relation="proposesMethod", confidence=0.97,
               cue="we propose", evidence=[quote(ABSTRACT, "DriftNet"), quote(TITLE, "DriftNet", "title")])  # fmt: skip
    g.add_edge(second, iri("method", "driftnet"), key="usesMethod", relation="usesMethod", confidence=0.61)
    g.add_edge(first, iri("dataset", "weatherbench"), key="usesDataset", relation="usesDataset", confidence=0.8,
               cue="data set word before", evidence=[quote(ABSTRACT, "WeatherBench")])  # fmt: skip
    g.add_edge(first, iri("repository", "github.com/x/driftnet"), key="hasRepository", relation="hasRepository")
    g.add_edge(first, iri("topic", "time-series"), key="subject", relation="subject")
    g.add_edge(first, iri("venue", "icml-2025"), key="presentedAt", relation="presentedAt")
    return g


def conference(papers: int = 4_300, seed: int = 7) -> nx.MultiDiGraph:
    """A graph shaped like a whole conference: by default some 25,000 nodes and 60,000 edges."""
    r = random.Random(seed)
    g = nx.MultiDiGraph()
    areas = max(3, papers // 110)
    people, methods, sets = papers * 7 // 2, papers * 5 // 4, papers // 5
    venue = iri("venue", "conf-2026")
    g.add_node(venue, kind="venue", label="CONF 2026")
    for a in range(areas):
        g.add_node(iri("topic", f"t{a}"), kind="topic", label=f"Area {a}")
    for p in range(papers):
        area, key = r.randrange(areas), iri("paper", f"p{p}")
        coined = f"Model{p}Net"
        text = f"Much is known about area {area}. We introduce {coined}, a way to do it better. It is tested with care."
        g.add_node(key, kind="paper", label=f"{coined}: On the Matter of Number {p} in Area {area}", year=2026,
                   venue="CONF", abstract=text, authors=[f"Author {p}"])  # fmt: skip
        g.add_edge(key, iri("topic", f"t{area}"), key="subject", relation="subject")
        group = people // areas
        for position in range(1, r.randint(3, 8)):
            who = area * group + int(group * r.random() ** 1.2) if r.random() < 0.93 else r.randrange(people)
            node = iri("person", f"a{who}")
            g.add_node(node, kind="person", label=f"Person Name{who}")
            g.add_edge(key, node, key="creator", relation="creator", position=position)
        if r.random() < 0.8:
            node = iri("method", coined.lower())
            g.add_node(node, kind="method", label=coined)
            g.add_edge(key, node, key="proposesMethod", relation="proposesMethod", confidence=0.9, cue="we introduce",
                       evidence=[quote(text, coined)])  # fmt: skip
        for _ in range(r.randint(1, 6)):
            node = iri("method", f"m{int(methods * r.random() ** 3)}")
            g.add_node(node, kind="method", label="Method " + node.rsplit("/m", 1)[1])
            g.add_edge(key, node, key="usesMethod", relation="usesMethod", confidence=0.7)
        for _ in range(r.randint(0, 6)):
            node = iri("dataset", f"d{int(sets * r.random() ** 2)}")
            g.add_node(node, kind="dataset", label="Data " + node.rsplit("/d", 1)[1])
            g.add_edge(key, node, key="usesDataset", relation="usesDataset", confidence=0.75)
        if r.random() < 0.4:
            node = iri("repository", f"github.com/x/{p}")
            g.add_node(node, kind="repository", label=f"x/{p}", url=f"https://github.com/x/{p}")
            g.add_edge(key, node, key="hasRepository", relation="hasRepository")
    return g

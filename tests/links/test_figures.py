"""Figures: their numbers are those of the graph, their bytes the same each time, their text readable."""

from __future__ import annotations

import os
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from kg.api import Graph
from kg.errors import ExportError, QueryError
from kg.links.draw import draw
from kg.links.figures import FIGURES, Chart, Series, adoption, collaboration, growth, top
from kg.links.filters import Filter
from kg.links.trends import find_trends

EVERYTHING = Filter()


def test_growth_counts_every_paper_once(random_graph: Graph) -> None:
    (chart,) = growth(random_graph.lookup._db, EVERYTHING)
    per_year = {str(r["year"]): r["papers"] for r in random_graph.rows("papers-per-year")}
    sums = [sum(s.values[i] or 0 for s in chart.series) for i in range(len(chart.places))]
    assert dict(zip(chart.places, sums, strict=True)) == per_year
    assert {s.name for s in chart.series} == {"ICML", "ICLR"}


def test_top_lists_equal_the_catalogue(any_graph: Graph) -> None:
    for relation, query in (("datasets", "top-datasets"), ("methods", "top-methods")):
        (chart,) = top(any_graph.lookup._db, relation, EVERYTHING, 10)
        sums = [sum(s.values[i] or 0 for s in chart.series) for i in range(len(chart.places))]
        assert sums == [r["papers"] for r in any_graph.rows(query)][:10]


def test_collaboration_is_a_distribution(any_graph: Graph) -> None:
    charts = collaboration(any_graph.lookup._db, EVERYTHING)
    assert sum(v or 0 for v in charts[0].series[0].values) == pytest.approx(100, abs=0.01)
    rows = any_graph.rows("SELECT ?p (COUNT(?a) AS ?n) WHERE { ?p dcterms:creator ?a } GROUP BY ?p")
    alone = 100 * sum(r["n"] == 2 for r in rows) / len(rows)
    assert charts[0].series[0].values[1] == pytest.approx(alone, abs=1e-3)


def test_adoption_is_the_share_of_each_year(random_graph: Graph) -> None:
    db, lookup = random_graph.lookup._db, random_graph.lookup
    named = [lookup.one("ImageNet", "dataset"), lookup.one("BERT", "method")]
    (chart,) = adoption(db, EVERYTHING, named)
    assert {s.name for s in chart.series} == {"ImageNet", "BERT"}
    found = find_trends(db, "datasets", 1, only=named[:1], by="count")
    shares = [round(100 * n / p, 4) for n, p in zip(found.rows[0].counts, found.papers, strict=True)]
    line = next(s.values for s in chart.series if s.name == "ImageNet")
    assert list(line) == shares[-len(line) :]
    with pytest.raises(QueryError, match="methods and data sets"):
        adoption(db, EVERYTHING, [lookup.one("ICML", "venue")])


def test_nothing_is_drawn_of_nothing(random_graph: Graph) -> None:
    nothing = Filter(first=2090)
    for name, figure in FIGURES.items():
        charts = figure(random_graph.lookup._db, nothing, [], 5)
        assert not any(chart.places for chart in charts), name


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_figures_are_the_same_bytes_each_time(random_graph: Graph, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    code = (
        "import sys, hashlib; from kg.api import Graph; from kg.links.draw import draw\n"
        "from kg.links.figures import FIGURES; from kg.links.filters import Filter\n"
        "db = Graph(sys.argv[1]).lookup._db\n"
        "for f in FIGURES.values(): print(hashlib.sha256(draw(f(db, Filter(), [], 9), sys.argv[2])).hexdigest())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code, str(random_graph.path), suffix],
            capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed, "TZ": zone},
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }  # fmt: skip
    assert len(outputs) == 1 and len(outputs.pop().split()) == len(FIGURES)


def test_names_are_text_and_never_markup() -> None:
    pytest.importorskip("matplotlib")
    names = ("<b>& $x$ \\frac", "数据集", "A" * 60)
    chart = Chart("T", "bars", "", "papers", names, (Series("used by", (3, 2, 1)), Series("introduced by", (1, 0, 0))))
    root = ElementTree.fromstring(draw([chart], ".svg", subtitle="2020-2021"))
    texts = {"".join(t.itertext()) for t in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"<b>& $x$ \\frac", "数据集", "used by", "introduced by"} <= texts
    assert any(t.endswith("…") and t.startswith("AAA") for t in texts)
    assert any("2020-2021" in t for t in texts)


def test_a_picture_is_a_picture_and_small(random_graph: Graph) -> None:
    pytest.importorskip("matplotlib")
    for figure in FIGURES.values():
        data = draw(figure(random_graph.lookup._db, EVERYTHING, [], 20), ".png")
        assert data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) < 200_000


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ExportError, match="matplotlib.*not installed") as caught:
        draw([], ".svg")
    assert "paperkg[plot]" in caught.value.hint


def test_an_unknown_suffix_names_the_known() -> None:
    with pytest.raises(ExportError, match="'.gif'") as caught:
        draw([], ".gif")
    assert ".svg" in caught.value.hint

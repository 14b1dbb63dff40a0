"""Formats for other tools, each read back by an independent library."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import igraph
import networkx as nx
import pytest

from kg.api import Graph
from kg.errors import ExportError
from kg.export import export
from kg.export.network import from_networkx
from kg.export.rows import COLUMNS, sort_key
from kg.export.tables import _cell
from kg.pipeline.build import build
from kg.view import layout

TITLED = [
    {
        "id": "v/1",
        "title": '=HYPERLINK("x") & 100% of <b>things</b>',
        "abstract": "We present FormulaNet, a network. FormulaNet beats ResNet on ImageNet.",
        "authors": [{"name": "Ada Álvarez"}, {"name": "Bo Li"}],
        "year": 2024,
        "venue": "ICML",
    },
    {
        "id": "v/2",
        "title": "A second paper of few words",
        "abstract": "",
        "authors": [{"name": "Bo Li"}],
    },
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = tmp_path_factory.mktemp("others")
    (folder / "in.jsonl").write_text("\n".join(map(json.dumps, TITLED)))
    build([folder / "in.jsonl"], folder / "g", workers=1)
    return Graph(folder / "g")


def edges_of(network: nx.MultiDiGraph) -> list[tuple[object, ...]]:
    names = ("relation", "weight", "year", "cue", "position", "name")
    return sorted(((s, o, *(d.get(n) for n in names)) for s, o, d in network.edges(data=True)), key=str)


def expected_edges(graph: nx.MultiDiGraph) -> list[tuple[object, ...]]:
    return sorted(
        (
            (
                s,
                o,
                d["relation"],
                d.get("confidence", 1.0),
                graph.nodes[s].get("year"),
                d.get("cue"),
                d.get("position"),
                d.get("name"),
            )
            for s, o, d in graph.edges(data=True)
        ),
        key=str,
    )


@pytest.mark.parametrize(("suffix", "read"), [("graphml", nx.read_graphml), ("gexf", nx.read_gexf)])
def test_networkx_reads_back_nodes_edges_and_attributes(
    suffix: str, read: object, graph: Graph, tmp_path: Path
) -> None:
    out = tmp_path / f"g.{suffix}"
    export(graph.store, out)
    back = nx.MultiDiGraph(read(out))  # type: ignore[operator]
    expected = graph.networkx()
    assert set(back) == set(expected)
    assert edges_of(back) == expected_edges(expected)
    for node, data in expected.nodes(data=True):
        for name in ("kind", "label", "year", "title", "url", "status"):
            assert back.nodes[node].get(name) == data.get(name), name
        for name in ("authors", "aliases", "identifiers"):
            assert back.nodes[node].get(name) == ("; ".join(data[name]) if name in data else None)
        if data["kind"] in ("person", "method", "dataset"):
            assert back.nodes[node]["papers"] == len(set(expected.predecessors(node)))
    again = tmp_path / f"again.{suffix}"
    export(graph.store, again)
    assert again.read_bytes() == out.read_bytes()


def test_positions_are_in_all_three_and_the_same(graph: Graph, tmp_path: Path) -> None:
    for suffix in ("graphml", "gexf", "cyjs"):
        export(graph.store, tmp_path / f"g.{suffix}")
    drawn = layout(graph.networkx())
    ml = nx.read_graphml(tmp_path / "g.graphml")
    assert {n: (d["x"], d["y"]) for n, d in ml.nodes(data=True)} == drawn
    gexf = nx.read_gexf(tmp_path / "g.gexf")
    places = {n: d["viz"]["position"] for n, d in gexf.nodes(data=True)}
    assert {n: (p["x"], -p["y"]) for n, p in places.items()} == drawn
    assert len({tuple(d["viz"]["color"].values()) for _, d in gexf.nodes(data=True)}) > 3
    cy = json.loads((tmp_path / "g.cyjs").read_text())
    assert {n["data"]["id"]: tuple(n["position"].values()) for n in cy["elements"]["nodes"]} == drawn
    export(graph.store, tmp_path / "n.gexf", positions=False)
    assert b"viz:position" not in (tmp_path / "n.gexf").read_bytes()


def test_igraph_reads_the_graphml(graph: Graph, tmp_path: Path) -> None:
    export(graph.store, tmp_path / "g.graphml")
    back = igraph.Graph.Read_GraphML(str(tmp_path / "g.graphml"))
    expected = graph.networkx()
    ids = back.vs["id"]
    assert set(ids) == set(expected)
    assert sorted((ids[e.source], ids[e.target], e["relation"]) for e in back.es) == sorted(
        (s, o, d["relation"]) for s, o, d in expected.edges(data=True)
    )


def test_cytoscape_json(graph: Graph, tmp_path: Path) -> None:
    out = tmp_path / "g.cyjs"
    export(graph.store, out)
    back = nx.cytoscape_graph(json.loads(out.read_text()))
    assert set(back) == set(graph.networkx())
    assert edges_of(back) == expected_edges(graph.networkx())


@pytest.mark.parametrize("suffix", ["graphml", "gexf", "cyjs"])
def test_a_networkx_graph_is_written_the_same(suffix: str, graph: Graph, tmp_path: Path) -> None:
    export(graph.store, tmp_path / f"g.{suffix}", positions=False)
    whole = graph.networkx()
    for _, data in whole.nodes(data=True):
        if "venue" in data:
            data["venue"] = "ICML"  # the series; networkx has the edition
    assert from_networkx(whole, suffix) == (tmp_path / f"g.{suffix}").read_bytes()


def test_csv_tables_hold_every_thing_and_run_no_formula(graph: Graph, tmp_path: Path) -> None:
    export(graph.store, tmp_path / "t.csv")
    tables = {
        f.stem: list(csv.DictReader(io.StringIO(f.read_bytes().decode()))) for f in (tmp_path / "t.csv").iterdir()
    }
    assert set(tables) == set(COLUMNS)
    assert len(tables["papers"]) == 2 and len(tables["authorships"]) == 3
    assert {r["title"][:2] for r in tables["papers"]} == {"'=", "A "}
    assert len(tables["quotes"]) >= len(tables["claims"]) >= 3
    export(graph.store, tmp_path / "t.csv")
    with pytest.raises(ExportError, match="no folder of tables"):
        export(graph.store, tmp_path / "t.csv" / "papers.csv")
    assert (tmp_path / "t.csv" / "papers.csv").is_file()


def test_parquet_tables(graph: Graph, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    export(graph.store, tmp_path / "t.parquet")
    papers = parquet.read_table(tmp_path / "t.parquet" / "papers.parquet").to_pylist()
    assert {p["title"] for p in papers} == {t["title"] for t in TITLED}
    assert {p["year"] for p in papers} == {2024, None}
    assert len(list((tmp_path / "t.parquet").iterdir())) == len(COLUMNS)


def test_pandas_reads_numbers_as_numbers(graph: Graph, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    export(graph.store, tmp_path / "t.csv")
    authorships = pandas.read_csv(tmp_path / "t.csv" / "authorships.csv")
    assert authorships.position.tolist() == sorted(authorships.position[:2].tolist()) + [1]
    claims = pandas.read_csv(tmp_path / "t.csv" / "claims.csv")
    assert claims.confidence.between(0, 1).all()


def test_rows_of_tables_are_sorted_by_number_where_they_are_numbers() -> None:
    values = [None, 2, 10, 9.5, "b", "a", ""]
    assert sorted([2, 10, 9.5], key=sort_key) == [2, 9.5, 10]
    assert sorted(values, key=sort_key)[0] is None
    assert sorted(["b", "a", "ab"], key=sort_key) == ["a", "ab", "b"]


@pytest.mark.parametrize("value", ["=1+1", "+x", "-2*cmd", "@SUM(A1)", "\tx"])
def test_formulas_are_defused(value: str) -> None:
    assert _cell(value) == "'" + value
    assert _cell(7) == 7 and _cell("plain") == "plain"


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("g.csv", {"evidence": False}, "only RDF can be written without evidence"),
        ("g.bib", {"positions": True}, "BibTeX has no places"),
        ("g.ttl", {"positions": False}, "Turtle has no places"),
        ("g.csv.gz", {}, "a folder of CSV tables is not packed"),
    ],
)
def test_an_option_that_would_change_nothing_is_refused(
    name: str, options: dict[str, bool], says: str, graph: Graph, tmp_path: Path
) -> None:
    with pytest.raises(ExportError, match=says):
        graph.export(tmp_path / name, **options)
    assert not list(tmp_path.iterdir())

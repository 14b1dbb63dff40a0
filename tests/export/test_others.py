"""Formats for other tools, each read back by an independent library."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import bibtexparser
import networkx as nx
import pytest

from kg.api import Graph
from kg.errors import ExportError
from kg.export import export
from kg.export.network import flat
from kg.export.tables import TABLES, _cell
from kg.pipeline.build import build

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


def edges_of(network: nx.MultiDiGraph) -> list[tuple[str, str, str, float]]:
    return sorted((s, o, d["relation"], float(d["weight"])) for s, o, d in network.edges(data=True))


@pytest.mark.parametrize(("suffix", "read"), [("graphml", nx.read_graphml), ("gexf", nx.read_gexf)])
def test_networkx_reads_back_nodes_edges_and_attributes(
    suffix: str, read: object, graph: Graph, tmp_path: Path
) -> None:
    out = tmp_path / f"g.{suffix}"
    export(graph.store, out)
    back = nx.MultiDiGraph(read(out))  # type: ignore[operator]
    expected = flat(graph.networkx())
    assert set(back) == set(expected)
    assert edges_of(back) == edges_of(expected)
    for node, data in expected.nodes(data=True):
        assert back.nodes[node]["kind"] == data["kind"]
        assert back.nodes[node].get("year") == data.get("year")
    again = tmp_path / f"again.{suffix}"
    export(graph.store, again)
    assert again.read_bytes() == out.read_bytes()


def test_cytoscape_json(graph: Graph, tmp_path: Path) -> None:
    out = tmp_path / "g.cyjs"
    export(graph.store, out)
    elements = json.loads(out.read_text())["elements"]
    assert {n["data"]["id"] for n in elements["nodes"]} == set(graph.networkx())
    assert len(elements["edges"]) == graph.networkx().number_of_edges()


def test_csv_tables_hold_every_thing_and_run_no_formula(graph: Graph, tmp_path: Path) -> None:
    export(graph.store, tmp_path / "t.csv")
    tables = {
        f.stem: list(csv.DictReader(io.StringIO(f.read_bytes().decode()))) for f in (tmp_path / "t.csv").iterdir()
    }
    assert set(tables) == set(TABLES)
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
    assert len(list((tmp_path / "t.parquet").iterdir())) == len(TABLES)


def test_bibtex_is_parsed_to_the_same_titles_and_authors(graph: Graph, tmp_path: Path) -> None:
    out = tmp_path / "g.bib"
    export(graph.store, out)
    library = bibtexparser.parse_file(str(out))
    assert not library.failed_blocks
    entries = {e.fields_dict["title"].value.strip("{}").replace("\\", "") for e in library.entries}
    assert entries == {" ".join(t["title"].split()) for t in TITLED}
    assert {e.fields_dict["author"].value for e in library.entries} == {"Ada Álvarez and Bo Li", "Bo Li"}


@pytest.mark.parametrize("value", ["=1+1", "+x", "-2*cmd", "@SUM(A1)", "\tx"])
def test_formulas_are_defused(value: str) -> None:
    assert _cell(value) == "'" + value
    assert _cell(7) == 7 and _cell("plain") == "plain"

"""The bulk-import files follow the importer's documented rules, and hold the whole graph."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path

import pytest

from kg.api import Graph
from kg.errors import ExportError
from kg.export import export
from kg.export.neo4j import relationship_type
from kg.pipeline.build import build

PAPERS = [
    {
        "id": f"v/{i}",
        "title": f'Quoted "{name}", a; {what}\nof two lines',
        "abstract": f"We present {name}, a network. {name} beats ResNet on ImageNet.",
        "authors": [{"name": "Ada Álvarez"}, {"name": who}],
        "year": 2024,
        "keywords": ["a;b", "c"],
    }
    for i, (name, what, who) in enumerate(
        [("FormulaNet", "network", "Bo Li"), ("TableNet", "reading of tables", "Cy Wu")]
    )
]
TYPES = {"int": int, "double": float, "string": str}
FIELD = re.compile(r"(?:(?P<name>\w+))?:(?P<type>ID|LABEL|START_ID|END_ID|TYPE|int|double|string\[\])|(?P<plain>\w+)")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = tmp_path_factory.mktemp("neo4j")
    (folder / "in.jsonl").write_text("\n".join(map(json.dumps, PAPERS)))
    build([folder / "in.jsonl"], folder / "g", workers=1)
    return Graph(folder / "g")


def read(file: Path) -> list[dict[str, object]]:
    """Rows as the importer reads them: one record a line, empty cells are no property, lists split at ";"."""
    lines = file.read_text("utf-8").split("\n")
    assert lines.pop() == ""
    header = next(csv.reader([lines[0]]))
    fields = [FIELD.fullmatch(h) for h in header]
    assert all(fields), header
    rows = []
    for line in lines[1:]:
        (cells,) = csv.reader([line], strict=True)
        assert len(cells) == len(header)
        row: dict[str, object] = {}
        for field, cell in zip(fields, cells, strict=True):
            assert field is not None
            type = field["type"] or "string"
            name = field["name"] or field["plain"] or type
            if type in ("ID", "START_ID", "END_ID", "LABEL", "TYPE"):
                assert cell
                row[type] = cell
            elif cell:
                row[name] = cell.split(";") if type == "string[]" else TYPES[type](cell)
        rows.append(row)
    return rows


def test_every_node_and_edge_is_there_once_with_its_properties(graph: Graph, tmp_path: Path) -> None:
    folder = tmp_path / "g.neo4j"
    export(graph.store, folder)
    nodes = {n["ID"]: n for f in sorted(folder.glob("nodes-*.csv")) for n in read(f)}
    edges = [e for f in sorted(folder.glob("relationships-*.csv")) for e in read(f)]
    expected = graph.networkx()
    assert sum(len(read(f)) for f in folder.glob("nodes-*.csv")) == len(nodes)
    assert set(nodes) == set(expected)
    assert sorted((e["START_ID"], e["END_ID"], e["TYPE"]) for e in edges) == sorted(
        (s, o, relationship_type(d["relation"])) for s, o, d in expected.edges(data=True)
    )
    assert all(e["START_ID"] in nodes and e["END_ID"] in nodes for e in edges)
    for iri, data in expected.nodes(data=True):
        assert nodes[iri]["LABEL"].lower() == data["kind"]
        assert nodes[iri].get("year") == data.get("year")
        assert nodes[iri].get("authors") == data.get("authors")
    titles = {n["title"] for n in nodes.values() if n["LABEL"] == "Paper"}
    assert titles == {" ".join(p["title"].split()) for p in PAPERS}
    assert {tuple(n["keywords"]) for n in nodes.values() if n["LABEL"] == "Paper"} == {("a,b", "c")}
    assert {e["position"] for e in edges if e["TYPE"] == "CREATOR"} == {1, 2}
    claims = [e["confidence"] for e in edges if e["TYPE"] in ("PROPOSES_METHOD", "USES_DATASET")]
    assert claims and all(0 < c <= 1 for c in claims)


def test_the_command_names_every_file(graph: Graph, tmp_path: Path) -> None:
    folder = tmp_path / "g.neo4j"
    export(graph.store, folder)
    export(graph.store, folder)  # an earlier export is replaced
    words = shlex.split((folder / "import.txt").read_text())
    assert words[:4] == ["neo4j-admin", "database", "import", "full"]
    named = {w.partition("=")[2]: w.partition("=")[0] for w in words if "=" in w}
    assert set(named) == {f.name for f in folder.glob("*.csv")}
    assert all(option == f"--{file.split('-')[0]}" for file, option in named.items())


def test_a_folder_of_other_things_is_not_replaced(graph: Graph, tmp_path: Path) -> None:
    folder = tmp_path / "g.neo4j"
    folder.mkdir()
    (folder / "thesis.docx").write_text("mine")
    with pytest.raises(ExportError, match="no folder of tables"):
        export(graph.store, folder)
    assert (folder / "thesis.docx").read_text() == "mine"

"""References, each read back by a library that did not write them."""

from __future__ import annotations

import json
from pathlib import Path

import bibtexparser
import pytest
import rispy

from kg.api import Graph
from kg.export import export
from kg.export.bibliography import split_name
from kg.pipeline.build import build
from kg.sources import read

PAPERS = [
    {
        "id": "v/1",
        "title": "FormulaNet & 100% of things_below",
        "abstract": "We present FormulaNet, a network. FormulaNet beats ResNet on ImageNet.",
        "authors": [{"name": "Ada Álvarez"}, {"name": "Ludwig van der Berg"}, {"name": "Plato"}],
        "year": 2024,
        "venue": "ICML",
        "keywords": ["graphs", "formulas"],
        "doi": "10.5555/abc.1",
    },
    {"id": "v/2", "title": "A second paper of few words", "abstract": "", "authors": [{"name": "Bo Li"}]},
    {"id": "v/3", "title": "A second look", "abstract": "", "authors": [{"name": "Bo Li"}]},
]
NAMES = {tuple(a["name"] for a in p["authors"]) for p in PAPERS}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = tmp_path_factory.mktemp("references")
    (folder / "in.jsonl").write_text("\n".join(map(json.dumps, PAPERS)))
    build([folder / "in.jsonl"], folder / "g", workers=1)
    return Graph(folder / "g")


def test_bibtex(graph: Graph, tmp_path: Path) -> None:
    out = tmp_path / "g.bib"
    export(graph.store, out)
    library = bibtexparser.parse_file(str(out))
    assert not library.failed_blocks
    assert len({e.key for e in library.entries}) == 3
    entries = {e.fields_dict["title"].value.strip("{}").replace("\\", "") for e in library.entries}
    assert entries == {p["title"] for p in PAPERS}
    assert {tuple(e.fields_dict["author"].value.split(" and ")) for e in library.entries} == NAMES
    (first,) = (e for e in library.entries if "booktitle" in e.fields_dict)
    assert first.fields_dict["doi"].value == "10.5555/abc.1" and first.fields_dict["year"].value == "2024"


def test_ris(graph: Graph, tmp_path: Path) -> None:
    out = tmp_path / "g.ris"
    export(graph.store, out)
    entries = rispy.loads(out.read_text("utf-8"))
    assert {e["title"] for e in entries} == {p["title"] for p in PAPERS}
    names = {tuple(" ".join(reversed(a.split(", "))) for a in e["authors"]) for e in entries}
    assert names == NAMES
    (first,) = (e for e in entries if e.get("doi"))
    assert first["type_of_reference"] == "CPAPER" and first["year"] == "2024"
    assert first["abstract"] == PAPERS[0]["abstract"] and sorted(first["keywords"]) == ["formulas", "graphs"]


def test_csl(graph: Graph, tmp_path: Path) -> None:
    out = tmp_path / "g.csl.json"
    export(graph.store, out)
    items = json.loads(out.read_text("utf-8"))
    assert {i["title"] for i in items} == {p["title"] for p in PAPERS}
    (first,) = (i for i in items if "DOI" in i)
    assert first["author"] == [
        {"family": "Álvarez", "given": "Ada"},
        {"family": "van der Berg", "given": "Ludwig"},
        {"literal": "Plato"},
    ]
    assert first["issued"] == {"date-parts": [[2024]]} and first["container-title"] == "ICML"


def test_a_citation_processor_reads_the_csl(graph: Graph, tmp_path: Path) -> None:
    source = pytest.importorskip("citeproc.source.json")
    out = tmp_path / "g.csl.json"
    export(graph.store, out)
    found = source.CiteProcJSON(json.loads(out.read_text("utf-8")))
    assert {str(r["title"]) for r in found.values()} == {p["title"] for p in PAPERS}


@pytest.mark.parametrize("suffix", ["bib", "ris", "csl.json"])
def test_what_was_written_can_be_built_from(suffix: str, graph: Graph, tmp_path: Path) -> None:
    out = tmp_path / f"g.{suffix}"
    export(graph.store, out)
    papers = list(read([str(out)]))
    assert {(p.title, p.year) for p in papers} == {(p["title"], p.get("year")) for p in PAPERS}
    assert {tuple(a.name for a in p.authors) for p in papers} == NAMES


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Ada Lovelace", ("Ada", "Lovelace")),
        ("Lovelace, Ada", ("Ada", "Lovelace")),
        ("Jan van der Berg", ("Jan", "van der Berg")),
        ("Li", ("", "Li")),
        ("a, b, c, d, e", ("", "a, b, c, d, e")),
        ("张伟", ("", "张伟")),
    ],
)
def test_names_are_split_as_bibtex_does(name: str, parts: tuple[str, str]) -> None:
    assert split_name(name) == parts

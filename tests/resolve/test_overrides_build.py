"""Corrections in a graph folder: on every build, without new input, gone with their entry, told in the summary."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kg.api import Graph
from kg.errors import GraphError, SettingsError
from kg.evaluate.audit import findings
from kg.export import export
from kg.pipeline.build import build
from kg.resolve.overrides import parse_overrides

PAPERS = [
    (
        "PRISM: Lenses that Learn",
        "We propose PRISM, which bends light. We test on the Garden dataset.",
        ["Ada Lovelace"],
    ),
    ("PRISM: Roads that Think", "We propose PRISM, which moves cars. Code: https://github.com/ada/mono", ["Bo Li"]),
    (
        "Cooking with Care",
        "We compare with PRISM on the Garden dataset. Code: https://github.com/ada/mono",
        ["Chen Wu"],
    ),
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "papers.json"
    records = [
        {"id": f"p{i}", "title": t, "abstract": a, "authors": [{"name": n} for n in names], "year": 2020 + i}
        for i, (t, a, names) in enumerate(PAPERS)
    ]
    file.write_text(json.dumps(records), "utf-8")
    return file


def exported(folder: Path) -> bytes:
    out = folder.parent / "out.nq"
    export(Graph(folder).store, out, evidence=True)
    return out.read_bytes()


def prisms(folder: Path) -> list[str]:
    rows = Graph(folder).rows("SELECT ?m WHERE { ?m a kg:Method ; skos:prefLabel 'PRISM' } ORDER BY ?m")
    return [row["m"].rpartition("/")[2] for row in rows]


def test_applied_without_input_and_reversible(source: Path, tmp_path: Path) -> None:
    folder = tmp_path / "g"
    build([source], folder, workers=1)
    before = exported(folder)
    found = prisms(folder)
    coined = [key for key in found if key != "prism"]
    assert len(coined) == 2
    file = folder / "overrides.toml"
    file.write_text(f'[[same]]\nthings = ["id:method/{coined[0]}", "id:method/{coined[1]}"]\n', "utf-8")
    report = build([], folder, workers=1)
    assert report.changed and report.corrections == [f"same: id:method/{coined[0]}, id:method/{coined[1]}"]
    assert any("1 entries of overrides.toml" in line for line in report.lines())
    assert len([key for key in prisms(folder) if key != "prism"]) == 1
    moved = Graph(folder).rows("SELECT ?old ?new WHERE { ?old dcterms:isReplacedBy ?new }")
    assert [(r["old"].rpartition("/")[2], r["new"].rpartition("/")[2]) for r in moved] == [(coined[1], coined[0])]
    assert not build([], folder, workers=1).changed
    assert not build([source], folder, workers=1).changed, "the same input again changes nothing"
    file.unlink()
    assert build([], folder, workers=1).changed
    assert exported(folder) == before


def test_a_wrong_entry_leaves_the_graph_as_it_was(source: Path, tmp_path: Path) -> None:
    folder = tmp_path / "g"
    build([source], folder, workers=1)
    before = exported(folder)
    (folder / "overrides.toml").write_text('\n[[rename]]\nthing = "id:method/prsm"\nlabel = "X"\n', "utf-8")
    with pytest.raises(SettingsError, match=r"overrides.toml, line 2, \[\[rename\]\].*\n.*id:method/prism"):
        build([], folder, workers=1)
    assert exported(folder) == before


def test_rejected_and_confirmed_pass_the_shapes(source: Path, tmp_path: Path) -> None:
    folder = tmp_path / "g"
    build([source], folder, workers=1)
    (folder / "overrides.toml").write_text(
        '[[wrong]]\npaper = "p2"\nthing = "https://github.com/ada/mono"\n'
        '[[right]]\npaper = "p1"\nthing = "id:dataset/garden"\nrelation = "uses"\n',
        "utf-8",
    )
    build([], folder, workers=1)
    graph = Graph(folder)
    statuses = graph.rows("SELECT ?s ?p WHERE { ?a kg:reviewStatus ?s ; rdf:predicate ?p } ORDER BY ?s")
    assert [(r["s"], r["p"].rpartition("#")[2]) for r in statuses] == [
        ("confirmed", "usesDataset"),
        ("rejected", "hasRepository"),
    ]
    assert len(graph.rows("SELECT ?p WHERE { ?p kg:hasRepository ?r }")) == 1
    done = subprocess.run(
        [sys.executable, "-m", "kg", "validate", "-g", str(folder)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_nothing_to_build_from(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match="nothing to build from"):
        build([], tmp_path / "none")


def test_audit_entries_can_be_pasted(source: Path, tmp_path: Path) -> None:
    folder = tmp_path / "g"
    build([source], folder, workers=1)
    graph = Graph(folder)
    found = findings(graph.rows, graph.index)
    assert [f.value for f in found] == sorted((f.value for f in found), reverse=True)
    shared = next(f for f in found if f.what == "one repository, several papers")
    assert shared.name == "github.com/ada/mono" and shared.kind == "code"
    assert {f.kind for f in findings(graph.rows, graph.index, ["code"])} == {"code"}
    for finding in found:
        assert parse_overrides(finding.entry.encode())
    (folder / "overrides.toml").write_text(shared.entry, "utf-8")
    build([], folder, workers=1)
    after = Graph(folder)
    assert not [f for f in findings(after.rows, after.index) if f.what == shared.what]


@pytest.mark.parametrize("arguments", [["--top", "2"], ["--kind", "code", "-f", "json"], ["--kind", "people"]])
def test_audit_command(source: Path, tmp_path: Path, arguments: list[str]) -> None:
    folder = tmp_path / "g"
    build([source], folder, workers=1)
    done = subprocess.run(
        [sys.executable, "-m", "kg", "audit", "-g", str(folder), *arguments],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, "findings are no failure"
    if "json" in arguments:
        assert json.loads(done.stdout)[0]["entry"].startswith("[[wrong]]")
    elif "people" in arguments:
        assert "nothing here" in done.stderr
    else:
        assert "[[" in done.stdout

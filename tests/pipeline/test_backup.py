"""Backups: as archive and folder, while a build runs, damaged, and what `kg diff` says between two graphs."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tarfile
import threading
from pathlib import Path

import pytest
from made_up import records, write

from kg.api import Graph
from kg.errors import GraphError
from kg.export import export
from kg.pipeline.backup import backup, restore
from kg.pipeline.build import build
from kg.pipeline.diff import Difference, diff, summary


def statements(folder: Path) -> bytes:
    out = folder.parent / f"{folder.name}.nq"
    export(Graph(folder).store, out, evidence=True)
    return out.read_bytes()


def kg(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "kg", *map(str, arguments)], capture_output=True, text=True)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("backup")
    build([write(folder / "a.jsonl", records(60, 3))], folder / "g", workers=1)
    (folder / "g" / "overrides.toml").write_text("# nothing to correct\n")
    return folder / "g"


@pytest.mark.parametrize("name", ["copy.tar", "copy.tar.gz", "folder"])
def test_what_is_restored_is_what_was_backed_up_and_can_be_built_on(name: str, graph: Path, tmp_path: Path) -> None:
    assert kg("backup", "-g", graph, "-o", tmp_path / name).returncode == 0
    done = kg("restore", tmp_path / name, "-g", tmp_path / "new")
    assert done.returncode == 0 and "papers" in done.stdout
    assert statements(tmp_path / "new") == statements(graph)
    assert (tmp_path / "new" / "overrides.toml").read_text() == "# nothing to correct\n"
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith(".")) == []
    more = write(tmp_path / "more.jsonl", records(66, 3)[60:])
    before = statements(graph)
    report = build([more], tmp_path / "new", workers=1)
    assert report.extracted <= 6, "extraction came along"
    assert statements(graph) == before, "the graph and its copy share files, not changes"
    if name == "folder":
        assert statements(tmp_path / "folder") == before


def test_a_backup_taken_while_builds_run_is_one_of_their_graphs(graph: Path, tmp_path: Path) -> None:
    restore_from = tmp_path / "start"
    backup(graph, restore_from)
    restore(restore_from, tmp_path / "g")
    seen = {statements(tmp_path / "g")}
    extra = records(75, 3)[60:]
    inputs = [write(tmp_path / f"{n}.jsonl", extra[3 * n : 3 * n + 3]) for n in range(5)]
    stop = threading.Event()
    taken: list[Path] = []

    def keep_taking() -> None:
        while not stop.is_set():
            out = tmp_path / f"b{len(taken)}"
            backup(tmp_path / "g", out)
            taken.append(out)

    thread = threading.Thread(target=keep_taking)
    thread.start()
    for file in inputs:
        build([file], tmp_path / "g", workers=1)
        seen.add(statements(tmp_path / "g"))
    stop.set()
    thread.join()
    for out in random.Random(1).sample(taken, min(8, len(taken))):
        assert statements(out) in seen


def test_damaged_and_misplaced_backups_are_refused_and_leave_nothing(graph: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole.tar"
    backup(graph, whole)
    with pytest.raises(GraphError, match="already"):
        backup(graph, whole)
    with pytest.raises(GraphError, match="no graph here"):
        (tmp_path / "empty").mkdir()
        backup(tmp_path / "empty", tmp_path / "x.tar")
    with pytest.raises(GraphError, match="holds something"):
        restore(whole, graph)
    (tmp_path / "cut.tar").write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    (tmp_path / "text.tar").write_text("no archive")
    for name in ("cut.tar", "text.tar", "nowhere.tar"):
        with pytest.raises(GraphError):
            restore(tmp_path / name, tmp_path / "new")
        assert not (tmp_path / "new").exists()
    backup(graph, tmp_path / "spoilt")
    part = next((tmp_path / "spoilt" / "records").iterdir())
    data = part.read_bytes()
    part.unlink()  # the backup shares it with the graph
    part.write_bytes(data[:-9] + b"123456789")
    with pytest.raises(GraphError, match="damaged|whole"):
        restore(tmp_path / "spoilt", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_an_archive_cannot_write_outside_the_folder(tmp_path: Path) -> None:
    evil = tmp_path / "evil.tar"
    (tmp_path / "x").write_text("x")
    with tarfile.open(evil, "w") as archive:
        archive.add(tmp_path / "x", arcname="../../escaped")
    with pytest.raises(GraphError):
        restore(evil, tmp_path / "deep" / "down" / "new")
    assert not (tmp_path / "escaped").exists() and not (tmp_path / "deep" / "escaped").exists()


def paper(number: int, name: str, authors: list[str], **more: object) -> dict[str, object]:
    return {
        "id": f"p/{number}", "title": f"{name}: a study of matter {number}", "year": 2024, "venue": "ICML",
        "abstract": f"We propose {name}, a method for matter {number}. {name} is better than GridWorldNet in trial {number}.",
        "authors": [{"name": a} for a in authors], **more,
    }  # fmt: skip


def test_diff_tells_what_came_went_changed_merged_and_split(tmp_path: Path) -> None:
    old = [
        paper(1, "AlphaTree", ["Ada Byron", "Tim Lee"]),
        paper(2, "BetaFlow", ["Zoe Ardalan"]),
        paper(3, "GammaMix", ["Zoe Ardalan-Kirk"]),
        paper(4, "DeltaPort", ["Olu Ade"]),
    ]
    new = [*old[:1], paper(2, "BetaFlow", ["Zoe Ardalan"], year=2025), old[2], paper(5, "EtaStone", ["Ines Roy"])]
    build([write(tmp_path / "a.jsonl", old)], tmp_path / "a", workers=1)
    (tmp_path / "b").mkdir()
    build([write(tmp_path / "b.jsonl", new)], tmp_path / "plain", workers=1)
    people = {
        r["n"]: r["p"] for r in Graph(tmp_path / "plain").rows("SELECT ?p ?n { ?p a foaf:Person ; foaf:name ?n }")
    }
    methods = {
        r["n"]: r["m"] for r in Graph(tmp_path / "plain").rows("SELECT ?m ?n { ?m a kg:Method ; skos:prefLabel ?n }")
    }
    both = f'["{people["Zoe Ardalan"]}", "{people["Zoe Ardalan-Kirk"]}"]'
    rules = f'[[same]]\nthings = {both}\n[[rename]]\nthing = "{methods["AlphaTree"]}"\nlabel = "Alpha-Tree"\n'
    (tmp_path / "b" / "overrides.toml").write_text(rules)
    build([tmp_path / "b.jsonl"], tmp_path / "b", workers=1)
    found = diff(tmp_path / "a", tmp_path / "b")

    def of(kind: str, what: str, among: list[Difference] = found) -> list[str]:
        return sorted(d.label for d in among if (d.kind, d.what) == (kind, what))

    assert of("paper", "added") == ["EtaStone: a study of matter 5"]
    assert of("paper", "removed") == ["DeltaPort: a study of matter 4"]
    assert [(d.label, d.detail) for d in found if (d.kind, d.what) == ("paper", "changed")] == [
        ("BetaFlow: a study of matter 2", "venue, year")
    ]
    assert of("person", "added") == ["Ines Roy"] and of("person", "removed") == ["Olu Ade"]
    (merge,) = [d for d in found if (d.kind, d.what) == ("person", "merged")]
    assert len(merge.others) == 2
    assert "EtaStone" in of("method", "added") and "DeltaPort" in of("method", "removed")
    (renamed,) = [d for d in found if (d.kind, d.what) == ("method", "changed")]
    assert "AlphaTree -> Alpha-Tree" in renamed.detail
    back = diff(tmp_path / "b", tmp_path / "a")
    (split,) = [d for d in back if (d.kind, d.what) == ("person", "split")]
    assert set(split.others) == set(merge.others)
    assert of("person", "added", back) == ["Olu Ade"]
    assert diff(tmp_path / "a", tmp_path / "a") == []
    assert dict((row[0], row[1:]) for row in summary(found))["paper"] == (1, 1, 1, 0, 0)
    shown = kg("diff", tmp_path / "a", tmp_path / "b")
    assert shown.returncode == 1 and "person merged  Zoe Ardalan" in shown.stdout
    assert (
        json.loads(kg("diff", tmp_path / "a", tmp_path / "b", "-f", "json", "--kind", "paper").stdout)[0]["kind"]
        == "paper"
    )
    assert kg("diff", tmp_path / "a", tmp_path / "a").returncode == 0
    assert kg("diff", tmp_path / "a", tmp_path / "b", "--kind", "planet").returncode == 2


def test_graphs_of_other_layouts_are_made_again_or_refused(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    build([write(tmp_path / "a.jsonl", records(40, 8))], folder, workers=1)
    expected, manifest = statements(folder), folder / "manifest.json"
    made = json.loads(manifest.read_text())
    older = {"format": 0, "version": "0.0.9", "parts": made["parts"], "inputs": made["inputs"], "oddity": 1}
    manifest.write_text(json.dumps(older))
    with pytest.raises(GraphError, match=r"layout 0.*\n.*without inputs"):
        Graph(folder)
    assert "without inputs" in kg("stats", "-g", folder).stderr
    assert build([], folder, workers=1).changed
    assert statements(folder) == expected
    manifest.write_text(json.dumps({**older, "parts": ["0123456789abcdef.jsonl.gz"]}))
    with pytest.raises(GraphError, match="not all there"):
        build([], folder, workers=1)
    assert len(os.listdir(folder / "records")) == 1, "what is left of the records stays"
    manifest.write_text(json.dumps({**made, "format": 99, "version": "9.0"}))
    for again in (lambda: Graph(folder), lambda: build([], folder, workers=1)):
        with pytest.raises(GraphError, match=r"layout 99, made by paperkg 9\.0"):
            again()
    manifest.write_text(json.dumps(made))
    assert statements(folder) == expected


def test_a_graph_of_an_older_version_of_the_same_layout_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kg.pipeline import build as module

    file = write(tmp_path / "a.jsonl", records(40, 8))
    build([file], tmp_path / "new", workers=1)
    monkeypatch.setattr(module, "__version__", "0.0.9")
    build([file], tmp_path / "g", workers=1)
    old = statements(tmp_path / "g")
    monkeypatch.undo()
    report = build([], tmp_path / "g", workers=1)
    assert report.changed and "load" in report.seconds, "nothing of another version is taken over"
    assert old != statements(tmp_path / "g") == statements(tmp_path / "new")

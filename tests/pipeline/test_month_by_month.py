"""Built at once or month by month, in any order, the graph is the same; and only what changed is made again."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest
from made_up import records, without_history, write

from kg.api import Graph
from kg.export import export
from kg.pipeline import patch
from kg.pipeline.build import build
from kg.pipeline.folder import Folder

COUNT = 160


def statements(folder: Path) -> bytes:
    out = folder.parent / f"{folder.name}.nq"
    export(Graph(folder).store, out, evidence=True)
    return without_history(out.read_bytes())


def index_rows(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    db = sqlite3.connect(Folder(folder).current()[1] / "index.sqlite")
    tables = [
        name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'") if "stat" not in name
    ]
    found = {name: sorted(db.execute(f"SELECT * FROM {name}")) for name in tables}
    db.close()
    return found


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_random_splits_give_the_graph_of_all_at_once(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patch, "_WORTH", 1e9)  # patch however much differs: the harder case
    chance = random.Random(seed)
    found = records(COUNT, seed)
    files = [write(tmp_path / f"{n}.jsonl", []) for n in range(4)]
    parts: list[list[dict[str, object]]] = [[], [], [], []]
    for one in found:
        parts[chance.choices(range(4), (12, 2, 1, 1))[0]].append(one)
    for file, part in zip(files, parts, strict=True):
        write(file, part)
    build(files, tmp_path / "once", workers=1)
    expected, rows = statements(tmp_path / "once"), index_rows(tmp_path / "once")
    chance.shuffle(files)
    for n, file in enumerate(files):
        report = build([file], tmp_path / "parts", workers=1)
        assert ("patch" in report.seconds) == (n > 0)
        assert "load" not in report.seconds or n == 0
    assert statements(tmp_path / "parts") == expected
    assert index_rows(tmp_path / "parts") == rows


def test_what_a_correction_changes_is_patched_and_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patch, "_WORTH", 1e9)
    file = write(tmp_path / "all.jsonl", records(60, 9))
    build([file], tmp_path / "g", workers=1)
    plain = statements(tmp_path / "g")
    methods = Graph(tmp_path / "g").rows("SELECT ?m { ?m a kg:Method } ORDER BY ?m LIMIT 2")
    rule = "[[same]]\nthings = [{}]\n".format(", ".join(f'"{row["m"]}"' for row in methods))
    (tmp_path / "g" / "overrides.toml").write_text(rule)
    assert "patch" in build([], tmp_path / "g", workers=1).seconds
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "overrides.toml").write_text(rule)
    build([file], tmp_path / "new", workers=1)
    assert statements(tmp_path / "g") == statements(tmp_path / "new") != plain
    assert index_rows(tmp_path / "g") == index_rows(tmp_path / "new")
    (tmp_path / "g" / "overrides.toml").unlink()
    build([], tmp_path / "g", workers=1)
    assert statements(tmp_path / "g") == plain


def test_other_settings_and_lost_digests_make_everything_again(tmp_path: Path) -> None:
    from kg.settings import Settings

    found = records(60, 5)
    build([write(tmp_path / "a.jsonl", found[:55])], tmp_path / "g", workers=1)
    more = write(tmp_path / "b.jsonl", found[55:])
    report = build([more], tmp_path / "g", workers=1, settings=Settings(min_confidence=0.8))
    assert "load" in report.seconds and "patch" not in report.seconds
    graph = Folder(tmp_path / "g").current()[1]
    (graph / patch.FILE).write_bytes(b"\x00 no digests")
    assert "load" in build([more], tmp_path / "g", workers=1).seconds


def test_two_papers_at_one_place_of_one_file_are_no_base_for_a_patch(tmp_path: Path) -> None:
    one, other = tmp_path / "x" / "list.jsonl", tmp_path / "y" / "list.jsonl"
    one.parent.mkdir()
    other.parent.mkdir()
    found = records(80, 6)
    write(one, found[:40]), write(other, [{**r, "id": a["id"]} for r, a in zip(found[40:80], found[:40], strict=True)])
    late = write(tmp_path / "late.jsonl", [{**found[0], "year": 2017, "id": "made/0"}])
    build([one, other], tmp_path / "g", workers=1)
    build([late], tmp_path / "g", workers=1)
    build([one, other, late], tmp_path / "once", workers=1)
    assert statements(tmp_path / "g") == statements(tmp_path / "once")
    assert index_rows(tmp_path / "g") == index_rows(tmp_path / "once")

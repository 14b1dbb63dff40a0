"""Bulk loads: from files that still grow, in a process of its own, with nothing lost and no process left behind."""

from __future__ import annotations

import multiprocessing
import time
from pathlib import Path

import pytest

from kg.store import loading
from kg.store.loading import Beside, Later
from kg.store.oxigraph import OxigraphStore

_GRAPH = "<https://example.org/evidence>"


def lines(count: int, graph: str = "") -> list[str]:
    return [f'<https://example.org/{n}> <https://example.org/says> "word {n}" {graph}.\n' for n in range(count)]


def loaded(path: Path) -> list[str]:
    return sorted(map(str, OxigraphStore.open(path).quads()))


def test_a_process_beside_loads_what_is_still_being_written(tmp_path: Path) -> None:
    files = [tmp_path / "plain.nq", tmp_path / "evidence.nq"]
    for file in files:
        file.touch()
    with Beside(tmp_path / "a", files) as load:
        with open(files[0], "w") as plain, open(files[1], "w") as evidence:
            for n, pair in enumerate(zip(lines(3000), lines(3000, f"{_GRAPH} "), strict=True)):
                plain.write(pair[0]), evidence.write(pair[1])
                if n % 500 == 250:  # ends amid a line, and the other process has the time to come to that end
                    plain.flush(), evidence.flush()
                    time.sleep(0.1)
        load.finish()
    with Later(tmp_path / "b", files) as load:
        load.finish()
    assert loaded(tmp_path / "a") == loaded(tmp_path / "b")
    assert len(loaded(tmp_path / "a")) == 6000


def test_what_cannot_be_loaded_is_an_error_here(tmp_path: Path) -> None:
    file = tmp_path / "broken.nq"
    file.write_text("<https://example.org/1> no statement\n")
    with Beside(tmp_path / "s", [file]) as load, pytest.raises(OSError, match="line 1"):
        load.finish()


def test_a_process_that_dies_is_an_error_here(tmp_path: Path) -> None:
    file = tmp_path / "plain.nq"
    file.touch()
    with Beside(tmp_path / "s", [file]) as load:
        load._process.kill()
        with pytest.raises(OSError, match="ended"):
            load.finish()


def test_leaving_early_leaves_no_process(tmp_path: Path) -> None:
    file = tmp_path / "plain.nq"
    file.touch()
    with pytest.raises(KeyError), Beside(tmp_path / "s", [file]):
        raise KeyError
    assert not multiprocessing.active_children()


def test_a_load_in_several_batches_waits_for_each_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = []
    monkeypatch.setattr(loading, "_BATCH", 5000)
    monkeypatch.setattr(loading, "_HANDED_OVER", 10)
    monkeypatch.setattr(loading._Feed, "_wait", lambda feed: waits.append(feed._lines))
    files = []
    for n in range(3):
        files.append(tmp_path / f"{n}.nq")
        files[n].write_text("".join(lines(6000, f"<https://example.org/g{n}> ")))
    loading.bulk_load(tmp_path / "s", files)
    assert len(loaded(tmp_path / "s")) == 18000
    assert [w // 5000 for w in waits] == [1, 2, 3]

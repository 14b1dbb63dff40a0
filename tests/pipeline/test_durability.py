"""What happens to a graph when a build is killed, runs out of disk, meets another build, a reader or a lost input."""

from __future__ import annotations

import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import msgspec
import pytest
from made_up import records, without_history, write

from kg.api import Graph
from kg.engine import extract_all, local
from kg.errors import GraphError
from kg.export import export
from kg.pipeline.build import build
from kg.pipeline.folder import Folder
from kg.settings import Settings

KILLS = 30


def statements(folder: Path, out: Path | None = None) -> bytes:
    out = out or folder.parent / f"{folder.name}.nq"
    export(Graph(folder).store, out, evidence=True)
    return without_history(out.read_bytes())


def start(*arguments: object, **more: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "kg", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)  # type: ignore[call-overload, no-any-return]


def kg(*arguments: object, **more: object) -> tuple[int, str]:
    process = start(*arguments, **more)
    _, err = process.communicate(timeout=300)
    return process.returncode, err


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """A file of most records, a file of the rest, and a graph of the first."""
    folder = tmp_path_factory.mktemp("durable")
    found = records(48, 4)
    first, last = write(folder / "first.jsonl", found[:40]), write(folder / "last.jsonl", found[40:])
    build([first], folder / "g", workers=1)
    return first, last, folder / "g"


def test_killed_thirty_times_nothing_is_lost(made: tuple[Path, Path, Path], tmp_path: Path) -> None:
    first, last, graph = made
    build([first, last], tmp_path / "once", workers=1)
    before, after = statements(graph, tmp_path / "x.nq"), statements(tmp_path / "once")
    folder, fresh = tmp_path / "g", tmp_path / "fresh"
    shutil.copytree(graph, folder)
    begun = time.monotonic()
    process = start("build", last, "-g", folder, "--workers", "1")
    process.communicate(timeout=300)
    whole = time.monotonic() - begun
    assert statements(folder) == after
    chance = random.Random(11)
    seen = {before: 0, after: 0}
    for round_ in range(KILLS):
        if round_ % 3 == 2:  # a graph from nothing
            process = start("build", first, last, "-g", fresh, "--workers", "1")
        else:
            if statements(folder) == after:
                shutil.rmtree(folder)
                shutil.copytree(graph, folder)
            process = start("build", last, "-g", folder, "--workers", "1")
        time.sleep(chance.uniform(0.1, 1.1) * whole)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if round_ % 3 == 2:
            if (fresh / "manifest.json").exists():
                assert statements(fresh) == after
                shutil.rmtree(fresh)
        else:
            now = statements(folder)
            assert now in seen
            seen[now] += 1
    assert seen[before], "some build was killed before its end"
    for target in (folder, fresh):
        build([first, last], target, workers=1)
        assert statements(target) == after
        assert [g.name for g in Folder(target).graphs.iterdir() if not (g / "complete").exists()] == []
        assert sorted(p.name for p in target.rglob("*.tmp")) == []


def in_limits(size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("size", [1_000, 8_000, 60_000, 200_000])
def test_no_room_for_a_file_is_a_message_and_the_graph_stays(
    size: int, made: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    _, last, graph = made
    folder = tmp_path / "g"
    shutil.copytree(graph, folder)
    before = statements(folder)
    code, err = kg("build", last, "-g", folder, "--workers", "1", preexec_fn=lambda: in_limits(size))
    assert "Traceback" not in err
    if code:
        assert code == 1 and "the graph is as it was before" in err and "try:" in err, err
        assert statements(folder) == before
    build([last], folder, workers=1)
    assert statements(folder) != before


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own; the test is skipped where none may be mounted."""
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "none", disk], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"needs to mount a tmpfs: {done.stderr.strip()}")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def test_a_full_disk_is_a_message_and_room_lets_the_build_finish(
    small_disk: Path, made: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    _, last, graph = made
    folder = small_disk / "g"
    shutil.copytree(graph, folder)
    before = statements(folder, tmp_path / "g.nq")
    failed = 0
    for room in (4_000, 40_000, 400_000):
        usage = shutil.disk_usage(small_disk)
        with open(small_disk / "filler", "wb") as filler:
            filler.write(b"\0" * max(0, usage.free - room))
        code, err = kg("build", last, "-g", folder, "--workers", "1")
        assert "Traceback" not in err
        if code:
            failed += 1
            assert code == 1 and "try:" in err, err
            assert statements(folder, tmp_path / "g.nq") == before
        (small_disk / "filler").unlink()
    assert failed
    build([last], folder, workers=1)
    assert statements(folder, tmp_path / "g.nq") != before


def test_a_read_only_folder_can_be_read_and_says_why_it_cannot_be_built(
    small_disk: Path, made: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    _, last, graph = made
    folder = small_disk / "g"
    shutil.copytree(graph, folder)
    before = statements(folder, tmp_path / "g.nq")
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    code, err = kg("build", last, "-g", folder)
    assert code == 1 and "cannot be written" in err and str(folder) in err and "Traceback" not in err
    assert statements(folder, tmp_path / "g.nq") == before


def test_an_input_that_is_gone_is_not_needed_again(tmp_path: Path) -> None:
    found = records(40, 4)
    file, more = write(tmp_path / "a.jsonl", found[:36]), write(tmp_path / "b.jsonl", found[36:])
    build([file, more], tmp_path / "once", workers=1)
    build([file], tmp_path / "g", workers=1)
    file.unlink()
    build([more], tmp_path / "g", workers=1)
    assert statements(tmp_path / "g") == statements(tmp_path / "once")
    code, err = kg("build", file, "-g", tmp_path / "g")
    assert code == 1 and "a.jsonl" in err and "Traceback" not in err
    assert statements(tmp_path / "g") == statements(tmp_path / "once")


def test_of_two_builds_at_once_one_waits_outside(made: tuple[Path, Path, Path], tmp_path: Path) -> None:
    first, last, graph = made
    folder = tmp_path / "g"
    shutil.copytree(graph, folder)
    lock = folder / "lock"
    process = start("build", last, "-g", folder, "--workers", "1")
    while not lock.read_text() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGSTOP)
    code, err = kg("build", first, "-g", folder)
    with pytest.raises(GraphError, match="another build"):
        build([first], folder, workers=1)
    process.send_signal(signal.SIGCONT)
    process.communicate(timeout=300)
    assert process.returncode == 0
    assert code == 1 and f"process {process.pid} on" in err and "Traceback" not in err
    build([first, last], tmp_path / "once", workers=1)
    assert statements(folder) == statements(tmp_path / "once")


def test_readers_see_whole_graphs_while_builds_go_on(made: tuple[Path, Path, Path], tmp_path: Path) -> None:
    _, _, graph = made
    folder = tmp_path / "g"
    shutil.copytree(graph, folder)
    extra = records(64, 4)[40:]
    files = [write(tmp_path / f"{n}.jsonl", extra[6 * n : 6 * n + 6]) for n in range(4)]
    count = "SELECT (COUNT(?p) AS ?n) { ?p a schema:ScholarlyArticle }"
    stop, seen, wrong = threading.Event(), set(), []

    def read() -> None:
        while not stop.is_set():
            try:
                opened = Graph(folder)
                seen.add((opened.counts["papers"], opened.rows(count)[0]["n"]))
            except Exception as error:
                wrong.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    sizes = {Graph(folder).counts["papers"]}
    for file in files:
        sizes.add(build([file], folder, workers=1).counts["papers"])
    stop.set()
    reader.join()
    assert wrong == []
    assert {n for n, _ in seen} <= sizes and all(told == held for told, held in seen)


def test_the_order_of_the_inputs_and_the_number_of_workers_change_no_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = records(36, 12)
    files = [write(tmp_path / f"{n}.jsonl", found[n::3]) for n in range(3)]
    made = set()
    for n, order in enumerate(permutations(files)):
        build(order, tmp_path / f"g{n}", workers=1)
        made.add(statements(tmp_path / f"g{n}"))
    assert len(made) == 1
    monkeypatch.setattr(local, "_WORTH_A_POOL", 0)
    monkeypatch.setattr(local, "_CHUNK", 5)
    items = [(str(r["title"]), str(r["abstract"]), ()) for r in found]
    outcomes = {msgspec.json.encode(list(extract_all(items, Settings(), workers=n))) for n in (1, 2, 4)}
    assert len(outcomes) == 1

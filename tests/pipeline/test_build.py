"""Building: what arrives in the graph, twice the same, month by month, killed, locked, damaged."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kg.api import Graph
from kg.errors import GraphError, SourceError
from kg.export import export
from kg.pipeline.build import build
from kg.pipeline.folder import Folder

DEMO = Path(__file__).parents[2] / "kg" / "demo" / "corpus"
TOPICS = DEMO / "icml2025_topics.txt"
ABSTRACTS = DEMO / "icml2025_abstracts.txt"


def exported(folder: Path, evidence: bool = True) -> bytes:
    out = folder.parent / f"{folder.name}.nq"
    export(Graph(folder).store, out, evidence=evidence)
    return out.read_bytes()


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "both"
    build([TOPICS, ABSTRACTS], folder, workers=1)
    return folder


def kg(*arguments: object, **more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kg", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, **more)  # type: ignore[call-overload, no-any-return]


def test_seeds_make_the_papers_people_topics_and_repositories_they_hold(shared: Path, tmp_path: Path) -> None:
    report = build(sorted((shared / "data" / "seeds").glob("*.txt")), tmp_path / "g", workers=1)
    assert report.counts["papers"] == 39
    assert report.counts["authorships"] == 91
    assert report.counts["repositories"] == 7
    assert report.rejected == []
    graph = Graph(tmp_path / "g")
    broader = graph.rows(
        "SELECT ?b WHERE { ?c skos:notation 'Applications · Time Series' ; skos:broader/skos:prefLabel ?b }"
    )
    assert broader == [{"b": "Applications"}]
    orders = graph.rows(
        """SELECT ?paper (COUNT(?position) AS ?n) (MAX(?position) AS ?last) (MIN(?position) AS ?first)
           WHERE { ?paper soa:hasAuthorship/soa:position ?position } GROUP BY ?paper"""
    )
    assert len(orders) == 20
    assert all(o["first"] == 1 and o["n"] == o["last"] for o in orders)


def test_the_same_input_twice_leaves_the_same_graph(both: Path, tmp_path: Path) -> None:
    build([TOPICS, ABSTRACTS], tmp_path / "g", workers=1)
    first = exported(tmp_path / "g")
    report = build([TOPICS, ABSTRACTS], tmp_path / "g", workers=1)
    assert not report.changed
    assert exported(tmp_path / "g") == first == exported(both)


def test_part_by_part_is_the_same_as_at_once(both: Path, tmp_path: Path) -> None:
    build([ABSTRACTS], tmp_path / "g", workers=1)
    report = build([TOPICS], tmp_path / "g", workers=1)
    assert report.extracted == 29, "what was extracted before is not extracted again"
    assert exported(tmp_path / "g") == exported(both)


def test_hash_seeds_and_workers_change_no_byte(both: Path, tmp_path: Path) -> None:
    expected = exported(both)
    for seed, workers in ((1, 1), (2, 2), (3, 3)):
        folder = tmp_path / f"g{seed}"
        done = kg(
            "build",
            TOPICS,
            ABSTRACTS,
            "-g",
            folder,
            "--workers",
            workers,
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
        )
        assert done.returncode == 0, done.stderr
        for suffix in ("nq", "ttl"):
            out = tmp_path / f"{seed}.{suffix}"
            assert kg("export", "-g", folder, "-o", out).returncode == 0
        assert (tmp_path / f"{seed}.nq").read_bytes() == expected
        assert (tmp_path / f"{seed}.ttl").read_bytes() == (tmp_path / "1.ttl").read_bytes()


def test_killed_at_any_moment_nothing_is_lost(both: Path, tmp_path: Path) -> None:
    folder = tmp_path / "g"
    build([ABSTRACTS], folder, workers=1)
    before, after = exported(folder), exported(both)
    chance = random.Random(7)
    for _ in range(8):
        process = subprocess.Popen(
            [sys.executable, "-m", "kg", "build", str(TOPICS), "-g", str(folder), "--workers", "1"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(chance.uniform(0.2, 2.5))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert exported(folder) in (before, after)
    build([TOPICS], folder, workers=1)
    assert exported(folder) == after
    leftovers = [g.name for g in Folder(folder).graphs.iterdir() if not (g / "complete").exists()]
    assert leftovers == []


def test_a_second_build_at_once_is_refused_by_name(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "g")
    with folder.locked():
        done = kg("build", TOPICS, "-g", folder.path)
    assert done.returncode == 1
    assert f"process {os.getpid()}" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_goes_on_while_the_graph_changes(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    build([ABSTRACTS], folder, workers=1)
    reader = Graph(folder)
    count = "SELECT (COUNT(?p) AS ?n) WHERE { ?p a schema:ScholarlyArticle }"
    assert reader.rows(count) == [{"n": 15}]
    build([TOPICS], folder, workers=1)
    assert reader.rows(count) == [{"n": 15}]
    assert Graph(folder).rows(count) == [{"n": 44}]


def test_an_unwritable_place_is_a_message(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    with pytest.raises(GraphError, match="cannot be written"):
        build([TOPICS], file / "g", workers=1)


def test_a_missing_input_names_it_and_leaves_the_graph(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    build([ABSTRACTS], folder, workers=1)
    before = exported(folder)
    with pytest.raises(SourceError, match=r"nowhere\.txt"):
        build([tmp_path / "nowhere.txt"], folder, workers=1)
    assert exported(folder) == before
    with pytest.raises(SourceError):
        build([tmp_path / "nowhere.txt"], tmp_path / "new", workers=1)
    assert not (tmp_path / "new").exists()


def test_fresh_forgets_and_limit_counts(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    build([ABSTRACTS], folder, workers=1)
    assert build([TOPICS], folder, workers=1, fresh=True, limit=3).counts["papers"] == 3


def test_rejected_records_are_kept_with_their_place_and_the_good_ones_arrive(tmp_path: Path) -> None:
    good = {
        "id": "a/1",
        "title": "A title of one good record",
        "abstract": "We introduce GoodNet, a model. GoodNet is good.",
    }
    bad = tmp_path / "list.json"
    bad.write_text(json.dumps([good, 17, {**good, "id": "a/3", "title": "Another one"}]))
    report = build([bad], tmp_path / "g", workers=1)
    assert report.counts["papers"] == 2
    lines = [json.loads(x) for x in (tmp_path / "g" / "rejected.jsonl").read_text().splitlines()]
    assert len(lines) == len(report.rejected) == 1
    assert lines[0]["file"] == "list.json" and lines[0]["place"] and lines[0]["reason"]
    with pytest.raises(SourceError):
        build([bad], tmp_path / "strict", workers=1, strict=True)
    assert not (tmp_path / "strict" / "manifest.json").exists()


def bad_inputs() -> dict[str, bytes]:
    records = [
        {"id": f"x/{i}", "title": f"Sound record number {i}", "abstract": f"We present WholeNet{i}, a model. " * 8}
        for i in range(400)
    ]
    whole = gzip.compress("\n".join(map(json.dumps, records)).encode(), mtime=0)
    return {
        "empty.txt": b"",
        "binary.bin": bytes(range(256)) * 40,
        "cut.jsonl.gz": whole[: len(whole) // 2],
        "latin.txt": "Heading\n\nAn abstract about na\xefve learners and what they do.\n\nAnother abstract, sound throughout.\n".encode(
            "latin-1"
        ),
        "long.txt": b"word " * 2_000_000,
        "fake.gz": b"this is no gzip at all, whatever its name says",
        "broken.json": b'[{"id": "1", "title": "Good one", "abstract": "Fine."}, {"id": "2", "title": ',
    }


@pytest.mark.parametrize("name", sorted(bad_inputs()))
def test_bad_input_is_a_message_or_a_rejected_record_never_a_traceback(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(bad_inputs()[name])
    done = kg("build", tmp_path / name, "-g", tmp_path / "g")
    assert done.returncode in (0, 1)
    assert "Traceback" not in done.stderr
    if done.returncode == 1:
        assert name in done.stderr and "try:" in done.stderr
    else:
        assert Graph(tmp_path / "g").counts["papers"] >= 1 or (tmp_path / "g" / "rejected.jsonl").read_text()


def test_a_damaged_graph_is_recognised(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    build([ABSTRACTS], folder, workers=1)
    manifest = folder / "manifest.json"
    text = manifest.read_text()
    manifest.write_text(text[:40])
    with pytest.raises(GraphError, match="damaged"):
        Graph(folder)
    manifest.write_text(text.replace('"format": 1', '"format": 99'))
    with pytest.raises(GraphError, match="layout 99"):
        Graph(folder)

"""Extraction on Spark with two local workers finds what the local engine finds, byte for byte."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kg.api import Graph
from kg.demo.run import CORPUS, INPUTS
from kg.engine import extract_all, spark
from kg.errors import SettingsError, SourceError
from kg.model import Link
from kg.pipeline.build import build
from kg.settings import Settings
from kg.sources import read

ITEMS = [
    ("", "", ()),
    ("FooNet: a title", "We propose FooNet and test it on ImageNet and CIFAR-10.", ()),
    ("A half \ud800 character", "We propose BarNet\x00, see https://github.com/lab/bar .", ()),
    ("链接", "我们提出 BazNet。" * 50, (Link("https://github.com/lab/baz", "code"),)),
]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    """One Java process for all tests; the engine finds it running and leaves it so."""
    pytest.importorskip("pyspark", reason="needs the extra spark")
    pytest.importorskip("pyarrow", reason="needs the extra spark")
    if not shutil.which("java") and not os.environ.get("JAVA_HOME"):
        pytest.skip("needs Java 17 or later (Debian: default-jre-headless)")
    with spark.session("local[2]") as running:
        yield running


@pytest.fixture(scope="module")
def papers() -> list[Any]:
    return [p for p in read([CORPUS / name for name in INPUTS]) if hasattr(p, "abstract")]


def test_the_same_in_order_over_slices_and_files(
    session: Any, papers: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark, "_SLICE", 40)
    monkeypatch.setattr(spark, "_PART", 9)
    items = [*ITEMS, *((p.title, p.abstract, p.links) for p in papers)]
    assert len(items) > 80  # three slices, the last one not full
    found = list(spark.Spark("local[2]").extract_all(iter(items), Settings(), count=len(items)))
    assert found == list(extract_all(items, Settings(), workers=1))
    assert any(e.methods for e in found) and found[0].methods == ()


def test_settings_reach_the_workers(session: Any) -> None:
    settings = Settings(min_confidence=0.97)
    items = [ITEMS[1]] * 3
    found = list(spark.Spark("local[2]").extract_all(items, settings))
    assert found == list(extract_all(items, settings, workers=1))


def test_a_build_gives_the_same_bytes_and_leaves_nothing_behind(session: Any, tmp_path: Path) -> None:
    inputs = [CORPUS / name for name in INPUTS]
    staging = tmp_path / "staging"
    staging.mkdir()
    build(inputs, tmp_path / "local", workers=1)
    report = build(inputs, tmp_path / "spark", extract=spark.Spark("local[2]", staging).extract_all)
    assert report.extracted > 0 and not list(staging.iterdir())
    for name in ("local", "spark"):
        Graph(tmp_path / name).export(tmp_path / f"{name}.nq")
    assert (tmp_path / "spark.nq").read_bytes() == (tmp_path / "local.nq").read_bytes()
    again = build(inputs, tmp_path / "spark", extract=spark.Spark("no such master").extract_all)
    assert not again.changed  # nothing to extract starts no Spark


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_json_lines_and_parquet_in_parquet_out(session: Any, papers: list[Any], tmp_path: Path, kind: str) -> None:
    rows = [{"id": f"p{i}", "title": p.title or None, "abstract": p.abstract} for i, p in enumerate(papers[:20])]
    source = tmp_path / f"papers.{kind}"
    if kind == "jsonl":
        source.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist(rows), source)
    assert spark.run(str(source), str(tmp_path / "out")) == 20
    import pyarrow.parquet as pq

    found = {row["id"]: row["extraction"] for row in pq.read_table(tmp_path / "out").to_pylist()}
    expected = extract_all(((r["title"] or "", r["abstract"], ()) for r in rows), Settings(), workers=1)
    import msgspec

    assert found == {row["id"]: msgspec.json.encode(e).decode() for row, e in zip(rows, expected, strict=True)}
    with pytest.raises(SourceError, match="already exists|ALREADY_EXISTS"):
        spark.run(str(source), str(tmp_path / "out"))


def test_an_input_without_texts_or_without_anything(session: Any, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"id": 1, "summary": "s"}\n')
    with pytest.raises(SourceError, match="no column abstract and title"):
        spark.run(str(tmp_path / "x.jsonl"), str(tmp_path / "out"))
    with pytest.raises(SourceError, match="absent.parquet"):
        spark.run(str(tmp_path / "absent.parquet"), str(tmp_path / "out"))


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pyspark", None)
        with pytest.raises(SettingsError, match=r"needs pyspark[\s\S]*paperkg\[spark\]"):
            list(spark.Spark().extract_all(ITEMS, Settings()))
    pytest.importorskip("pyspark", reason="needs the extra spark")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(SettingsError, match=r"needs Java[\s\S]*default-jre-headless"):
        list(spark.Spark().extract_all(ITEMS, Settings()))


def test_options_of_the_engine_belong_to_it() -> None:
    from click.testing import CliRunner

    from kg.cli import cli

    refused = CliRunner().invoke(cli, ["build", "x.jsonl", "--master", "local[2]"])
    assert refused.exit_code == 2 and "--engine spark" in refused.output
    assert CliRunner().invoke(cli, ["build", "x.jsonl", "--engine", "ray"]).exit_code == 2

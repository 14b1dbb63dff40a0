"""Disagreements between sources, from the files to `kg audit`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from kg.pipeline.build import build

BIB = """@inproceedings{loaf,
  title = {Time to the Perfect Crust},
  author = {Young, Cy and Li, Bo},
  booktitle = {ICRA},
  year = {2023},
  doi = {10.1234/loaf}
}
"""
RECORD = {
    "DOI": "10.1234/loaf",
    "type": "article-journal",
    "title": "Time to a Perfect Crust, from Photographs",
    "author": [{"family": "Young", "given": "C."}, {"family": "Li", "given": "Bo"}, {"family": "Lovelace", "given": "Ada"}],
    "container-title": "IROS",
    "issued": {"date-parts": [[2024]]},
}  # fmt: skip


def audit(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kg", "audit", "-g", str(folder), "--kind", "sources", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)


def test_both_values_and_their_places_are_listed(tmp_path: Path) -> None:
    (tmp_path / "mine.bib").write_text(BIB)
    (tmp_path / "theirs.json").write_text(json.dumps([RECORD]))
    folder = tmp_path / "g"
    report = build([tmp_path / "mine.bib", tmp_path / "theirs.json"], folder, workers=1)
    assert report.counts["papers"] == 1 and any("disagree" in line for line in report.lines())
    found = {f["what"].rpartition(" ")[2]: f for f in json.loads(audit(folder, "-f", "json").stdout)}
    assert set(found) == {"title", "authors", "year", "venue"}
    both = {"2023": "mine.bib, ", "2024": "theirs.json, "}
    taken = found["year"]["name"]
    (other,) = set(both) - {taken}
    assert f"taken from {both[taken]}" in found["year"]["why"]
    assert f"{other} in {both[other]}" in found["year"]["why"]
    assert found["year"]["entities"] == ["id:paper/doi-10.1234%2Floaf"] or "10.1234" in found["year"]["entities"][0]
    assert "Ada Lovelace" in found["authors"]["name"]
    text = audit(folder).stdout
    assert "sources disagree on the title" in text and "Time to the Perfect Crust" in text


def test_the_order_of_files_and_builds_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "mine.bib").write_text(BIB)
    (tmp_path / "theirs.json").write_text(json.dumps([RECORD]))
    build([tmp_path / "mine.bib", tmp_path / "theirs.json"], tmp_path / "a", workers=1)
    build([tmp_path / "theirs.json"], tmp_path / "b", workers=1)
    build([tmp_path / "mine.bib"], tmp_path / "b", workers=1)
    assert audit(tmp_path / "a").stdout == audit(tmp_path / "b").stdout != ""


def test_sources_that_agree_are_not_listed(tmp_path: Path) -> None:
    (tmp_path / "mine.bib").write_text(BIB)
    build([tmp_path / "mine.bib"], tmp_path / "g", workers=1)
    assert "nothing here" in audit(tmp_path / "g").stderr

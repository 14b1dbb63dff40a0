"""The commands about links: what they print in every format, and what they say when there is nothing."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kg.pipeline.build import build

DEMO = Path(__file__).parents[2] / "kg" / "demo" / "corpus"


def run(*arguments: object, **more: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kg", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **more)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli-links") / "g"
    build(sorted(f for f in DEMO.iterdir() if f.suffix != ".md"), folder, workers=1)
    return folder


TABLES = [
    ("links", "coauthors", "--top", "3"),
    ("links", "datasets", "--from", "2020", "--to", "2030", "--min-confidence", "0.5", "--top", "3"),
    ("links", "methods", "--between", "method", "--role", "used", "--top", "3"),
    ("communities", "people", "--top", "3"),
    ("rank", "people", "--by", "pagerank", "--top", "3"),
    ("rank", "datasets", "--top", "3"),
    ("trends", "methods", "--by", "count", "--top", "3"),
    ("suggest", "people", "ImageNet", "--top", "3"),
]


@pytest.mark.parametrize("command", TABLES, ids=" ".join)
def test_every_table_has_every_format(graph: Path, command: tuple[str, ...]) -> None:
    records = json.loads(run(*command, "-g", graph, "-f", "json").stdout)
    assert records
    table = run(*command, "-g", graph)
    assert table.returncode == 0 and len(table.stdout.splitlines()) >= len(records)
    rows = list(csv.reader(io.StringIO(run(*command, "-g", graph, "-f", "csv").stdout)))
    assert len(rows) == len(records) + 1 and len({len(row) for row in rows}) == 1
    tabs = run(*command, "-g", graph, "-f", "tsv").stdout.splitlines()
    assert [line.count("\t") for line in tabs] == [len(rows[0]) - 1] * len(rows)


def test_lineage_and_paths_as_text_and_json(graph: Path) -> None:
    trends = json.loads(run("trends", "methods", "--by", "count", "--top", "9", "-g", graph, "-f", "json").stdout)
    for name in [t["iri"] for t in trends]:
        tree = json.loads(run("lineage", name, "-g", graph, "-f", "json").stdout)
        if tree["children"]:
            break
    assert tree["children"][0]["through"]
    text = run("lineage", name, "-g", graph).stdout.splitlines()
    assert text[0].startswith(tree["label"]) and "── " in text[1] and tree["children"][0]["label"] in text[1]
    pair = json.loads(run("links", "datasets", "--top", "1", "-g", graph, "-f", "json").stdout)[0]
    found = json.loads(run("path", pair["a_iri"], pair["b_iri"], "-k", "3", "-g", graph, "-f", "json").stdout)
    assert 1 <= len(found) <= 3
    assert found[0]["steps"][0]["iri"] == pair["a_iri"] and found[0]["steps"][-1]["iri"] == pair["b_iri"]
    told = run("path", pair["a_iri"], pair["b_iri"], "-g", graph).stdout
    assert all(step["label"].split()[0] in told for step in found[0]["steps"])


def test_a_figure_is_written_and_its_size_told(graph: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    done = run("plot", "growth", "-g", graph, "-o", tmp_path / "g.svg")
    assert done.returncode == 0, done.stderr
    assert "bytes" in done.stdout and (tmp_path / "g.svg").read_text("utf-8").startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("links", "coauthors", "--venue", "ICMM"), 1, "did you mean 'ICML' (venue)"),
        (("links", "coauthors", "--role", "used"), 2, "coauthors have no roles"),
        (("links", "datasets", "--from", "2030", "--to", "2020"), 2, "no year is from 2030"),
        (("export", "--from", "2030", "--to", "2020", "-o", "x.ttl"), 2, "no year is from 2030"),
        (("links", "datasets", "--year", "2025", "--from", "2024"), 2, "leave out --year"),
        (("links", "datasets", "ImageNet", "imagenet"), 2, "both names mean 'ImageNet'"),
        (("plot", "growth", "-o", "/proc/none/x.svg"), 1, "the figure cannot be written"),
        (("links", "datasets", "ImagNet"), 1, "did you mean 'ImageNet'"),
        (("path", "ImageNet", "Nobody At All"), 1, "no entity is called"),
        (("communities", "venues"), 2, "'venues' is not one of"),
        (("communities", "people", "ImageNet"), 1, "no person is called"),
        (("suggest", "datasets", "ImageNet", "--kind", "dataset"), 1, "name a method, person or paper"),
        (("trends", "methods", "flow matchin"), 1, "did you mean 'Flow Matching'"),
        (("lineage", "ICML"), 1, "no method is called"),
        (("plot", "growth", "-o", "x.gif"), 1, ".svg"),
        (("plot", "growth", "BERT", "-o", "x.svg"), 2, "kg plot adoption 'BERT'"),
        (("plot", "growth", "--from", "2090", "-o", "x.svg"), 1, "nothing to draw"),
    ],
)
def test_errors_name_the_cause_and_what_to_try(
    arguments: tuple[str, ...], code: int, says: str, graph: Path, tmp_path: Path
) -> None:
    done = run(*arguments, "-g", graph, cwd=tmp_path)
    assert done.returncode == code
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("links", "coauthors", "--from", "2090"), "no pair is linked through coauthors here (2090-)"),
        (("communities", "people", "--from", "2090"), "nothing to group"),
        (("rank", "people", "--from", "2090"), "nothing to rank"),
        (("trends", "methods", "--from", "2090"), "no methods to tell about"),
        (("suggest", "people", "ImageNet", "--from", "2090"), "nothing to suggest"),
    ],
)
def test_nothing_found_is_said_beside_an_empty_table(arguments: tuple[str, ...], says: str, graph: Path) -> None:
    done = run(*arguments, "-g", graph)
    assert done.returncode == 0
    assert says in done.stderr
    assert json.loads(run(*arguments, "-g", graph, "-f", "json").stdout) == []


def test_links_load_no_store_and_no_spacy(graph: Path) -> None:
    code = f"import sys; sys.argv=['kg','links','coauthors','-g',{str(graph)!r}]\nfrom kg.cli import main\n"
    code += "try: main()\nexcept SystemExit: pass\nprint(sorted({'spacy','rdflib','networkx','numpy','igraph','matplotlib'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip().endswith("[]"), done.stderr

"""The command line: help, formats, exit codes, errors for people."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kg.cli import COMMANDS
from kg.pipeline.build import build

DEMO = Path(__file__).parents[2] / "kg" / "demo" / "corpus"


def run(*arguments: object, **more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kg", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **more)  # type: ignore[call-overload, no-any-return]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "g"
    build([DEMO / "icml2025_topics.txt"], folder, workers=1)
    return folder


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_has_help(command: str) -> None:
    done = run(*([command] if command else []), "--help")
    assert done.returncode == 0
    assert "Usage: kg" in done.stdout


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; sys.argv=['kg','--help']\nfrom kg.cli import main\ntry: main()\nexcept SystemExit: pass\n"
    code += "print(sorted({'spacy','rdflib','networkx','pyvis','pyoxigraph','numpy'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip().endswith("[]")


def test_a_query_loads_no_spacy(graph: Path) -> None:
    code = f"import sys; sys.argv=['kg','query','top-authors','-g',{str(graph)!r}]\nfrom kg.cli import main\n"
    code += (
        "try: main()\nexcept SystemExit: pass\nprint(sorted({'spacy','rdflib','networkx','pyvis'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip().endswith("[]"), done.stderr


def test_results_in_every_format(graph: Path) -> None:
    ask = ("query", "-g", graph, "-e", "SELECT ?n WHERE { ?p foaf:name ?n } ORDER BY ?n LIMIT 3", "-f")
    names = [r["n"]["value"] for r in json.loads(run(*ask, "json").stdout)["results"]["bindings"]]
    assert len(names) == 3
    assert [row[0] for row in csv.reader(io.StringIO(run(*ask, "csv").stdout))] == ["n", *names]
    assert run(*ask, "tsv").stdout.splitlines() == ["?n", *(f'"{n}"' for n in names)]
    assert all(f"<literal>{n}</literal>" in run(*ask, "xml").stdout for n in names)
    assert run(*ask, "table").stdout.split() == ["n", *" ".join(names).split()]
    triples = ("query", "-g", graph, "-e", "CONSTRUCT { ?p foaf:name ?n } WHERE { ?p foaf:name ?n }", "-f")
    assert run(*triples, "nt").stdout.count("\n") >= 3
    assert "foaf/0.1/name" in run(*triples, "ttl").stdout


def test_links_in_every_format(graph: Path) -> None:
    found = json.loads(run("links", "coauthors", "-g", graph, "--top", 2, "-f", "json").stdout)
    assert len(found) == 2 and found[0]["papers"]
    rows = list(csv.DictReader(io.StringIO(run("links", "coauthors", "-g", graph, "--top", 2, "-f", "csv").stdout)))
    assert [r["a"] for r in rows] == [f["a"] for f in found]
    explained = run("links", "coauthors", found[0]["a"], found[0]["b"], "-g", graph).stdout
    assert all(p["label"] in explained for p in found[0]["papers"])


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("quary",), 2, "did you mean"),
        (("query", "coauthors"), 2, "needs the parameter person"),
        (("query", "coauthors", "-p", "person=Nobody At All Here"), 1, "no person is called"),
        (("query", "coauthors", "-p", "who=x"), 2, "no parameter"),
        (("query", "coautors", "-p", "person=x"), 2, "did you mean coauthors"),
        (("query", "-e", "SELECT WHERE"), 1, "does not parse"),
        (("query",), 2, "give a query's name"),
        (("show", "CAROTZ"), 1, "did you mean 'CAROTS'"),
        (("links", "friends"), 2, "friends"),
        (("links", "coauthors", "CAROTS"), 1, "no person is called"),
        (("view", "CAROTZ", "-o", "x.html"), 1, "CAROTS"),
        (("export", "-o", "x.docx"), 1, ".ttl"),
        (("build", "nowhere.txt"), 1, "nowhere.txt"),
    ],
)
def test_errors_name_the_cause_and_what_to_try(
    arguments: tuple[str, ...], code: int, says: str, graph: Path, tmp_path: Path
) -> None:
    done = run(*arguments, env={**os.environ, "KG_GRAPH": str(graph)}, cwd=tmp_path)
    assert done.returncode == code
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_no_graph_says_how_to_make_one(tmp_path: Path) -> None:
    done = run("query", "top-authors", cwd=tmp_path)
    assert done.returncode == 1 and "kg build" in done.stderr


def test_extract_tells_the_tasks() -> None:
    text = "We present QuickSeg for semantic segmentation. On maps, QuickSeg makes semantic segmentation faster."
    done = run("extract", "-", input=text)
    (task,) = json.loads(done.stdout)["tasks"]
    assert (task["name"], task["role"]) == ("semantic segmentation", "addressed")
    assert [text[m["start"] : m["end"]] for m in task["mentions"]] == ["semantic segmentation"] * 2


def test_extract_reads_standard_input() -> None:
    text = "We introduce ZebraNet, a network for counting stripes. ZebraNet beats ResNet on ImageNet. Code: https://github.com/a/zebranet."
    done = run("extract", "-", input=text)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [m["name"] for m in found["methods"] if m["role"] == "proposed"] == ["ZebraNet"]
    mention = found["methods"][0]["mentions"][0]
    assert text[mention["start"] : mention["end"]] == mention["text"]
    assert found["repositories"][0]["url"] == "https://github.com/a/zebranet"


def test_a_closed_pipe_is_no_error(graph: Path) -> None:
    command = f"{sys.executable} -m kg query -g {graph} -e 'SELECT * WHERE {{ ?s ?p ?o }}' -f csv | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert sorted(done.stdout.strip().split(",")) == ["o", "p", "s"]
    assert done.stderr == ""


def test_a_query_that_runs_too_long_is_stopped(graph: Path) -> None:
    endless = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    done = run("query", "-g", graph, "-e", endless, "--timeout", "0.5")
    assert done.returncode == 1 and "did not end within 0.5 s" in done.stderr

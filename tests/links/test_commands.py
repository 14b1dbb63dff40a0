"""The commands about links as a shell sees them: closed pipes, and progress on a terminal."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from kg.api import Graph
from kg.cli import communities, rank

COMMANDS = [
    *(f"links coauthors --top 500 -f {format}".split() for format in ("table", "csv", "tsv", "json")),
    *(line.split() for line in ("communities people", "rank people", "trends datasets", "stats", "audit")),
    ["query", "-e", "SELECT ?s { ?s ?p ?o }"],
    ["query", "-f", "nt", "-e", "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }"],
    ["queries"],
    ["queries", "coauthors"],
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_reader_that_has_seen_enough_ends_a_command_quietly(words: list[str], random_graph: Graph) -> None:
    graph = [] if words[0] == "queries" else ["-g", str(random_graph.path)]
    run = subprocess.Popen(
        [sys.executable, "-m", "kg", *words, *graph], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.stdout is not None and run.stderr is not None
    run.stdout.close()
    told = [line for line in run.stderr.read().splitlines() if not line.startswith("note: ")]
    assert (run.wait(), told) == (141, [])


class Recorder:
    steps: list[str] = []

    def __enter__(self) -> Recorder:
        self.steps.append("begin")
        return self

    def __exit__(self, *_: object) -> None:
        self.steps.append("end")

    def step(self, name: str, total: int | None) -> None:
        self.steps.append(name)


@pytest.mark.parametrize(
    ("module", "last"), [(communities, "describing them"), (rank, "ranking")], ids=["communities", "rank"]
)
def test_long_work_says_what_it_is_at(
    module: object, last: str, random_graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Recorder, "steps", [])
    monkeypatch.setattr(module, "Bar", Recorder)
    result = CliRunner().invoke(module.command, ["people", "-g", str(random_graph.path)])  # type: ignore[attr-defined]
    assert result.exit_code == 0 and result.stdout
    wanted = ["begin", "joining people by their papers", "finding communities", last, "end"]
    assert Recorder.steps == wanted

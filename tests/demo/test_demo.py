"""`kg demo` as a newcomer runs it, and the committed Turtle file as it would write it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import rdflib

from kg.errors import KgError

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("demo")
    done = subprocess.run(
        [sys.executable, "-m", "kg", "demo"], cwd=folder, capture_output=True, text=True, timeout=300, env=os.environ
    )
    assert done.returncode == 0, done.stderr
    return folder / "exports", done.stdout


def test_it_prints_what_it_made_three_answers_and_what_to_run_next(made: tuple[Path, str]) -> None:
    folder, printed = made
    assert "44 papers" in printed
    assert printed.count("?  (") == 3
    assert "kg queries" in printed and "demo.html" in printed
    assert (folder / "demo.html").stat().st_size > 100_000
    assert (folder / "demo" / "manifest.json").is_file()


def test_the_committed_turtle_is_what_the_demo_writes(made: tuple[Path, str]) -> None:
    committed = ROOT / "exports" / "demo.ttl"
    if not committed.is_file():
        pytest.skip("exports/ is not part of an installed package")
    assert (made[0] / "demo.ttl").read_bytes() == committed.read_bytes()


def test_the_turtle_holds_the_facts_of_the_corpus(made: tuple[Path, str]) -> None:
    graph = rdflib.Graph()
    graph.parse(made[0] / "demo.ttl")
    kg = rdflib.Namespace("https://w3id.org/paperkg/ontology#")
    skos = rdflib.SKOS
    coined = {str(graph.value(m, skos.prefLabel)) for m in graph.objects(None, kg.proposesMethod)}
    assert {"SAE-V", "CafCor", "SCISSOR", "CAROTS", "CpSDE", "COLDB"} <= coined
    assert len(set(graph.objects(None, kg.hasRepository))) >= 25
    assert not [o for o in graph.objects() if isinstance(o, rdflib.Literal) and "@" in o and "mailto" in o]


def test_errors_have_one_root() -> None:
    from kg import errors

    raised = [e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, Exception)]
    assert all(issubclass(e, KgError) for e in raised)

"""The hand-made graph, served."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # the helpers beside the tests

from handmade import statements
from serving import NASTY, Server, method_lines, start, stop, write_generation


@pytest.fixture(scope="session")
def lines() -> list[str]:
    """The hand-made graph, with a method whose name attacks pages and tables."""
    return [*statements(), *method_lines("nasty", NASTY)]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("served")
    write_generation(folder / "graph", "one", lines)
    running = start(folder / "graph", folder / "log", "--timeout", "8", "--rows", "2000")
    yield running
    stop(running)

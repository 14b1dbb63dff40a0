"""Small inputs in the project's own words, and a reader that splits papers from rejected records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kg import sources
from kg.model import Paper, Rejected

ROBOT = (
    "Small robots that fold laundry need to know where one shirt ends and the next begins. We present FoldNet, a "
    "network that marks the borders of clothes in a single picture, and we test it on four hundred baskets."
)
BREAD = (
    "Bread rises at a speed that depends on flour, water and the mood of the baker. Our model predicts the time to "
    "the perfect crust from ten photographs and beats a panel of five bakers on a public set of loaves."
)
TRAIN = (
    "Late trains make later trains. We describe how delays travel through a network of stations with a queue on a "
    "graph, prove when they die out, and release the timetable simulator that we used for all experiments."
)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Writes a file into the test's folder and returns its path."""

    def writer(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return writer


def split(*inputs: str | Path, **options: object) -> tuple[list[Paper], list[Rejected]]:
    """Papers and rejected records of the inputs."""
    found = list(sources.read(list(inputs), **options))  # type: ignore[arg-type]
    return [f for f in found if isinstance(f, Paper)], [f for f in found if isinstance(f, Rejected)]

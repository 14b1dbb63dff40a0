"""Progress of long work on standard error: a bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

_STEPS = {
    "read": "reading",
    "link": "joining records of one paper",
    "extract": "extracting names",
    "resolve": "resolving people and names",
    "write": "writing statements",
    "load": "loading the store",
    "index": "indexing names",
    "push": "sending statements",
    "map": "drawing the map",
}


class Bar:
    """A progress bar, as the builder wants one (`kg.pipeline.build.Progress`); a context manager."""

    def __init__(self) -> None:
        self._progress: Any = None
        self._task: Any = None

    def __enter__(self) -> Bar:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                Progress,
                SpinnerColumn,
                TextColumn,
                TimeElapsedColumn,
                TimeRemainingColumn,
            )

            self._progress = Progress(
                SpinnerColumn(),
                TextColumn("{task.description:<30}"),
                BarColumn(),
                TextColumn("{task.percentage:>3.0f} %"),
                TimeElapsedColumn(),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._progress:
            self._progress.stop()

    def step(self, name: str, total: int | None) -> None:
        if self._progress:
            if self._task is not None:
                self._progress.remove_task(self._task)
            self._task = self._progress.add_task(_STEPS.get(name, name), total=total)

    def advance(self, amount: int) -> None:
        if self._progress and self._task is not None:
            self._progress.advance(self._task, amount)

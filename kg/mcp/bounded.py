"""A query in a process of its own, since only a process that can be killed bounds a query.

    python -m kg.mcp.bounded

reads one `Job` (JSON) from standard input and writes one `Answer` (JSON) to standard output.
"""

from __future__ import annotations

import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from kg.errors import KgError, QueryError

_MEMORY = 3 << 30  # bytes a query may take


class Job(msgspec.Struct, frozen=True):
    """What to run: a name of the catalogue or SPARQL, its parameters, and how many rows to give at most."""

    graph: str
    query: str
    params: dict[str, str]
    rows: int


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Rows under their columns (`more`: there are further ones), the truth of an ASK, or an error and what to try."""

    columns: list[str] = []
    rows: list[list[Any]] = []
    more: bool = False
    truth: bool | None = None
    notes: list[str] = []
    error: str = ""
    hint: str = ""


def run_bounded(graph: Path, query: str, params: dict[str, str], rows: int, seconds: float) -> Answer:
    """Runs a query in a new process; the process is killed when the time is up.

    Raises:
        QueryError: the query is wrong, took too long, or died for want of memory.
    """
    job = msgspec.json.encode(Job(str(graph), query, params, rows))
    command = [sys.executable, "-m", "kg.mcp.bounded"]
    try:
        done = subprocess.run(command, input=job, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        raise QueryError(
            f"the query did not end within {seconds:g} s and was stopped",
            hint="ask for less: a LIMIT, a narrower pattern, or a question of the catalogue",
        ) from None
    try:
        answer = msgspec.json.decode(done.stdout, type=Answer)
    except msgspec.DecodeError:
        raise QueryError("the query took too much memory and was stopped", hint="ask for less") from None
    if answer.error:
        raise QueryError(answer.error, hint=answer.hint)
    return answer


def answer(job: Job) -> Answer:
    """Runs a job in this process."""
    from kg.api import Graph
    from kg.store.results import python_value

    try:
        with Graph(job.graph) as graph:
            result = graph.query(job.query, job.params)
            if result.kind == "truth":
                return Answer(truth=bool(result), notes=graph.lookup.notes)
            columns = result.variables or ["subject", "predicate", "object"]
            rows = [[python_value(term) for term in row] for row in islice(result, job.rows + 1)]
            return Answer(columns, rows[: job.rows], len(rows) > job.rows, None, graph.lookup.notes)
    except KgError as error:
        return Answer(error=error.message, hint=error.hint)


def _main() -> None:
    import contextlib

    with contextlib.suppress(ImportError, ValueError, OSError):  # where the system has no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
    found = answer(msgspec.json.decode(sys.stdin.buffer.read(), type=Job))
    sys.stdout.buffer.write(msgspec.json.encode(found))


if __name__ == "__main__":
    _main()

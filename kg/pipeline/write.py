"""All statements of a graph into files, and from there into the store and the index."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from itertools import chain
from pathlib import Path
from typing import Any

from kg.graph.evidence import run_iri
from kg.graph.people import person_lines
from kg.graph.rdf import EVIDENCE
from kg.graph.statements import paper_statements, shared_statements
from kg.links.pairs import ENTITY_KIND
from kg.links.top import keep_strongest
from kg.model import Extraction, Paper
from kg.query.index import build_index
from kg.resolve.resolve import Resolved
from kg.settings import Settings
from kg.store.loading import Beside, Later, Load

APART = 5000  # papers from which the load runs in a process of its own
_ADVANCE = 1000  # papers between two words of progress
_TRIM = 10_000  # papers after which what they took is given back

Step = Callable[[str, int | None], AbstractContextManager[None]]


def make(
    graph: Path, resolved: Resolved, settings: Settings, step: Step, advance: Callable[[int], None], **given: Any
) -> None:
    """Makes the store and the index in the folder `graph` from nothing.

    Statements go to two files, those of the evidence graph apart, for the loader needs much less memory so. It reads
    them while they are written and while the index is made of them.

    Args:
        resolved: is used up: what has been written is dropped, for the loader needs the room.
        step: begins a named step with a number of units. given: as for `kg.graph.statements.statement_lines`.

    Raises:
        OSError: the folder cannot be written.
    """
    files = plain, evidence = graph / "statements.nq", graph / "evidence.nq"
    for file in files:
        file.touch()
    kind = Beside if len(resolved.papers) >= APART else Later
    load: Load = kind(graph / "store", files)
    with load:
        with step("write", len(resolved.papers)):
            _write(_lines(resolved, settings, advance, **given), plain, evidence)
        del resolved
        gc.collect()
        _trim()
        with (
            step("index", None),
            open(plain, encoding="utf-8", newline="\n") as a,
            open(evidence, encoding="utf-8", newline="\n") as b,
        ):
            db = build_index(chain(a, b), graph / "index.sqlite")
            keep_strongest(db, ENTITY_KIND)
            db.close()
        with step("load", None):
            load.finish()
    for file in files:
        file.unlink()


def _write(chunks: Iterable[Iterable[str]], plain: Path, evidence: Path) -> None:
    tail = f"{EVIDENCE} .\n"
    with open(plain, "w", encoding="utf-8", newline="") as a, open(evidence, "w", encoding="utf-8", newline="") as b:
        for lines in chunks:
            for line in lines:
                (b if line.endswith(tail) else a).write(line)


def _lines(
    resolved: Resolved, settings: Settings, advance: Callable[[int], None], **given: Any
) -> Iterator[Iterable[str]]:
    """Every statement; see `kg.graph.statements.statement_lines`. What papers share comes first, then paper by paper."""
    run = run_iri(settings.digest(), given["model"])
    yield shared_statements(resolved, settings, **given)
    yield person_lines(resolved.people)
    papers, extractions = list(resolved.papers), list(resolved.extractions)
    resolved.papers, resolved.extractions = papers, extractions
    for index in range(len(papers)):
        yield paper_statements(resolved, index, settings.min_confidence, run)
        papers[index], extractions[index] = Paper(), Extraction()
        if index % _ADVANCE == _ADVANCE - 1:
            advance(_ADVANCE)
        if index % _TRIM == _TRIM - 1:
            _trim()


def _trim() -> None:
    """Gives memory that is no longer used back to the system: the loader needs as much."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc keeps freed memory otherwise
    if trim:
        trim(0)

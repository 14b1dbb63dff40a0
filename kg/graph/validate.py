"""Validates a graph against `ontology/shapes.ttl`.

What is checked how: every constraint of the shapes, Core or SPARQL, runs over the whole graph as one SPARQL query
that finds its breaches (`validate_shapes` writes the queries). Some nodes of each shape, or all of a small
graph, are then checked again by pySHACL, Core constraints only (`validate_sample`): a second opinion by an
independent processor. pySHACL alone would need the whole graph as Python objects, and millions of statements
do not fit into a laptop. What only one of the two finds is reported as well.
"""

from __future__ import annotations

import heapq
import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

from kg.graph.validate_report import Breach, Outcome
from kg.graph.validate_shapes import Check, compile_shapes
from kg.shared import shared_folder
from kg.vocab import PREFIXES

_AT_ONCE = 4  # constraints; each may hold a large join in memory
KEPT = 100  # breaches of one constraint that a report shows; all are counted


class Store(Protocol):
    """What validation needs of a store; see `kg.store.oxigraph.OxigraphStore`."""

    def query(self, text: str, *, prefixes: Mapping[str, str] | None = None, union: bool = True) -> Any: ...

    def quads(self, subject: str | None = None, predicate: str | None = None, obj: Any = None) -> Iterator[Any]: ...


def validate(
    store: Store,
    *,
    shapes: Path | None = None,
    sample: int = 100,
    on_check: Callable[[int, int], None] | None = None,
) -> Outcome:
    """Checks every constraint of the shapes.

    Args:
        shapes: a Turtle file instead of `ontology/shapes.ttl`. sample: nodes of each shape that pySHACL checks
            as well; 0 for none. on_check: called with the number of constraints done and of all.

    Raises:
        UnknownConstraint: the shapes use a part of SHACL that is not covered.
    """
    from rdflib import Graph

    begin = time.perf_counter()
    graph = Graph().parse(shapes or shared_folder("ontology") / "shapes.ttl", format="turtle")
    checks = compile_shapes(graph)
    outcome = Outcome(checks=len(checks))
    found: set[Breach] = set()
    # Oxigraph works without Python's lock, so constraints run side by side; results come in the shapes' order.
    with ThreadPoolExecutor(min(_AT_ONCE, os.cpu_count() or 1)) as pool:
        guards = sorted({check.guard for check in checks if check.guard})
        alarmed = dict(zip(guards, pool.map(lambda guard: _answers(store, guard), guards), strict=True))
        results = pool.map(lambda check: _run(store, check) if alarmed.get(check.guard, True) else (0, []), checks)
        for number, (total, kept) in enumerate(results, 1):
            if total:
                outcome.add(kept[0], total)
                found.update(kept)
            if on_check:
                on_check(number, len(checks))
    if sample:
        from kg.graph.validate_sample import check_sample

        second, outcome.sampled, outcome.whole = check_sample(store, graph, checks, sample)
        _merge(outcome, found, second)
    outcome.breaches = sorted(found)
    outcome.seconds = time.perf_counter() - begin
    return outcome


def _answers(store: Store, query: str) -> bool:
    return any(True for _ in store.query(query, prefixes=PREFIXES))


def _run(store: Store, check: Check) -> tuple[int, list[Breach]]:
    """Number of breaches of a constraint, and the first `KEPT` of them in sorted order."""
    total = 0

    def breaches() -> Iterator[Breach]:
        nonlocal total
        result = store.query(check.query, prefixes=PREFIXES)
        for row in result:
            total += 1
            terms = dict(zip(result.variables, row, strict=True))
            value = "" if terms.get("value") is None else str(terms["value"])
            if not value and check.component.endswith("SPARQLConstraintComponent"):
                value = str(terms["this"])  # as the standard has it
            path = check.path if terms.get("path") is None else terms["path"].value
            focus = terms["this"].value
            yield Breach(check.shape, path, check.component, focus, value, check.severity, check.message)

    return (total, kept) if (kept := heapq.nsmallest(KEPT, breaches())) else (0, [])


def _merge(outcome: Outcome, found: set[Breach], second: set[Breach]) -> None:
    """Adds what only pySHACL found. Where breaches were counted without being kept, nothing is new for certain."""
    known = {(b.component, b.focus, b.path, b.value) for b in found}
    for breach in sorted(second):
        number = outcome.numbers.get((breach.shape, breach.path, breach.component), 0)
        if number <= KEPT and (breach.component, breach.focus, breach.path, breach.value) not in known:
            found.add(breach)
            outcome.add(breach)

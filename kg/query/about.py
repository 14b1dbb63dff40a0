"""All that a SPARQL endpoint says about some entities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from kg.query.excerpt import Ask, batches, values

if TYPE_CHECKING:
    import pyoxigraph as ox

_CHAIN = ("soa:hasAuthorship", "^rdf:subject", "^rdf:subject/kg:evidence", "^rdf:subject/kg:evidence/oa:hasTarget",
          "^rdf:subject/kg:evidence/oa:hasTarget/oa:hasSelector")  # fmt: skip


def all_about(ask: Ask, iris: Iterable[str]) -> Iterator[ox.Quad]:
    """All statements of entities, of their authorships, and of the assertions about them with their quotes."""
    import pyoxigraph as ox

    for some in batches(sorted(iris), 100):
        for path in ("", *_CHAIN):
            step = f"?e {path} ?s ." if path else ""
            given = values("e" if path else "s", some)
            for s, p, o in ask(f"SELECT DISTINCT ?s ?p ?o WHERE {{ {given} {step} ?s ?p ?o }}"):
                yield ox.Quad(s, p, o)  # type: ignore[arg-type]

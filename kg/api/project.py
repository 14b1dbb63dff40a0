"""The networks of pairs as networkx graphs: who wrote with whom, what is used with what."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from kg.errors import QueryError
from kg.links.filters import Filter
from kg.links.pairs import DEFAULT_ENDS, ENTITY_KIND
from kg.links.top import incidence
from kg.query.lookup import Lookup

if TYPE_CHECKING:
    import networkx as nx


def project(
    db: sqlite3.Connection, relation: str, ends: str | None = None, where: Filter | None = None, hub: int = 500
) -> nx.Graph[str]:
    """A network of pairs: the projection of papers and entities onto one of the two (Newman, "Networks", 2010, 6.6).

    Nodes are IRIs with `kind`, `label`, `papers` and `year`; an edge's `weight` is the number of papers
    (between entities) or entities (between papers) that two share. Nodes without an edge are there too.

    Args:
        relation: "coauthors", "datasets", "methods" or "code".
        ends: "paper" or the relation's own kind; None takes that of `kg links`.
        hub: what is shared by more than this links nothing: it would join everything with everything.
    """
    import networkx as nx
    import numpy as np

    if relation not in ENTITY_KIND:
        raise QueryError(f"no view is called {relation!r}", hint=f"use all, {', '.join(ENTITY_KIND)}")
    ends = ends or DEFAULT_ENDS[relation]
    if ends not in ("paper", ENTITY_KIND[relation]):
        raise QueryError(f"{relation} do not link pairs of kind {ends!r}", hint=f"use paper or {ENTITY_KIND[relation]}")
    matrix, papers, entities = incidence(db, relation, where or Filter())
    one = matrix if ends == "paper" else matrix.T.tocsr()
    numbers = papers if ends == "paper" else entities
    one = one[:, np.asarray(one.sum(axis=0)).ravel() <= hub]
    pairs = (one @ one.T).tocoo()
    upper = pairs.row < pairs.col
    row, col, shared = pairs.row[upper], pairs.col[upper], pairs.data[upper]
    graph: nx.Graph[str] = nx.Graph()
    iris = {}
    lookup = Lookup(db)
    for number in numbers.tolist():
        m = lookup.by_number(number)
        (year,) = db.execute("SELECT year FROM thing WHERE id = ?", (number,)).fetchone()
        graph.add_node(
            m.iri, kind=m.kind, label=m.label, **({"year": year} if ends == "paper" else {"papers": m.papers})
        )
        iris[number] = m.iri
    order = np.lexsort((col, row))
    for a, b, n in zip(numbers[row[order]], numbers[col[order]], shared[order], strict=True):
        graph.add_edge(iris[int(a)], iris[int(b)], weight=int(n))
    return graph

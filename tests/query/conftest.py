"""The hand-made graph in both engines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import rdflib
from handmade import statements

from kg.export.rdf import to_rdflib
from kg.query.index import build_index
from kg.query.lookup import Lookup
from kg.store.oxigraph import OxigraphStore


@pytest.fixture(scope="session")
def store() -> OxigraphStore:
    """The hand-made graph in Oxigraph."""
    return OxigraphStore.in_memory("".join(statements()).encode())


@pytest.fixture(scope="session")
def rdflib_graph(store: OxigraphStore) -> rdflib.Graph:
    """The same statements in rdflib, the named graph among the others."""
    return to_rdflib(store.quads())


@pytest.fixture
def lookup() -> Iterator[Lookup]:
    """Names of the hand-made graph."""
    db = build_index(statements(), ":memory:")
    yield Lookup(db)
    db.close()

"""The hand-made graph in both engines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import rdflib
from handmade import statements

from kg.api import Graph
from kg.demo.run import CORPUS, INPUTS
from kg.export.rdf import to_rdflib
from kg.pipeline.build import build
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


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    """The graph of the packaged demo corpus."""
    folder = tmp_path_factory.mktemp("demo") / "graph"
    build([CORPUS / name for name in INPUTS], folder, workers=1)
    return Graph(folder)

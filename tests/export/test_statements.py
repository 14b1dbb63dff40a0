"""The sorted statements are kept beside a store, once, and JSON-LD made of them says the same in short names."""

from __future__ import annotations

import json
from pathlib import Path

import pyoxigraph as ox
import pytest

from kg.api import Graph
from kg.errors import ExportError
from kg.export import export
from kg.export.jsonld import jsonld
from kg.export.statements import FILE
from kg.pipeline.build import build
from kg.shared import shared_folder
from kg.vocab import KG

DEMO = Path(__file__).parents[2] / "kg" / "demo" / "corpus"


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    build([DEMO / "icml2025_topics.txt"], tmp_path / "g", workers=1)
    return Graph(tmp_path / "g")


def test_a_second_export_reads_what_the_first_kept(graph: Graph, tmp_path: Path) -> None:
    export(graph.store, tmp_path / "a.nq")
    (kept,) = graph.path.rglob(FILE)
    export(graph.store, tmp_path / "b.nq")
    assert (tmp_path / "a.nq").read_bytes() == (tmp_path / "b.nq").read_bytes()
    assert set(ox.parse(path=str(tmp_path / "b.nq"), format=ox.RdfFormat.N_QUADS)) == set(graph.store.quads())
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-40])  # cut short: made again
    export(graph.store, tmp_path / "b.nq")
    assert (tmp_path / "a.nq").read_bytes() == (tmp_path / "b.nq").read_bytes() and kept.read_bytes() == whole
    kept.write_bytes(whole[:2000] + b"damaged" + whole[2007:])
    with pytest.raises(ExportError, match="cannot be read") as caught:
        export(graph.store, tmp_path / "c.nq")
    assert caught.value.place == str(kept) and not (tmp_path / "c.nq").exists()


def test_where_nothing_can_be_kept_the_export_is_the_same(
    graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(13, "read-only")

    with monkeypatch.context() as patched:
        patched.setattr("kg.export.statements.os.replace", refused)
        with pytest.raises(ExportError):
            export(graph.store, tmp_path / "a.nq")  # the file itself takes its place the same way
    assert not list(graph.path.rglob("*.tmp")) and not list(graph.path.rglob(FILE))


def test_jsonld_carries_its_context_and_three_readers_agree(graph: Graph, tmp_path: Path) -> None:
    pyld = pytest.importorskip("pyld.jsonld")
    export(graph.store, tmp_path / "g.jsonld")
    text = (tmp_path / "g.jsonld").read_text("utf-8")
    document = json.loads(text)
    assert document["@context"] == json.loads((shared_folder("ontology") / "context.jsonld").read_text())["@context"]
    inner = [n for g in document["@graph"] if "@graph" in g for n in g["@graph"]]
    for node in [n for n in document["@graph"] if "@graph" not in n] + inner:
        assert not [key for key in node if ":" in key], node
    quads = set(graph.store.quads())
    assert set(ox.parse(text, ox.RdfFormat.JSON_LD)) == quads
    assert set(ox.parse(pyld.to_rdf(document, {"format": "application/n-quads"}), ox.RdfFormat.N_QUADS)) == quads


def test_jsonld_of_values_that_no_short_name_fits() -> None:
    s, n = ox.NamedNode("https://x.example/s"), ox.NamedNode
    values: list[tuple[str, ox.NamedNode | ox.Literal]] = [
        (KG.confidence, ox.Literal("0.5", datatype=n("http://www.w3.org/2001/XMLSchema#decimal"))),
        (KG.confidence, ox.Literal("high")),
        (KG.confidence, n("https://x.example/o")),
        (KG.cue, ox.Literal("dit", language="nl")),
        (KG.cue, n("https://x.example/o")),
        ("http://purl.org/dc/terms/creator", ox.Literal('a "name"\n\\')),
        ("http://purl.org/spar/fabio/hasPublicationYear", ox.Literal(2024)),
        ("http://purl.org/spar/fabio/hasPublicationYear", ox.Literal(2**60)),
        ("https://x.example/p", ox.Literal(True)),
        ("https://schema.org/name", ox.Literal("")),
    ]
    quads = [ox.Quad(s, n(p), o) for p, o in values] + [
        ox.Quad(s, n(KG.cue), ox.Literal("x"), n("https://x.example/g"))
    ]
    lines = sorted(ox.serialize(quads, format=ox.RdfFormat.N_QUADS).splitlines(keepends=True))
    assert set(ox.parse(b"".join(jsonld(lines)), ox.RdfFormat.JSON_LD)) == set(quads)

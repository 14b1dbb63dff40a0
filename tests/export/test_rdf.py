"""Every RDF serialisation is read back by another library to the same statements."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
import zstandard

from kg.api import Graph
from kg.errors import ExportError
from kg.export import export
from kg.export.rdf import _without_graph
from kg.export.sorting import Sorter
from kg.pipeline.build import build
from kg.vocab import EVIDENCE_GRAPH

DEMO = Path(__file__).parents[2] / "kg" / "demo" / "corpus"
PARSERS = {"ttl": "turtle", "nt": "nt", "rdf": "xml", "nq": "nquads", "trig": "trig", "jsonld": "json-ld"}


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = tmp_path_factory.mktemp("export") / "g"
    build([DEMO / "icml2025_topics.txt"], folder, workers=1)
    return Graph(folder)


@pytest.fixture(scope="module")
def statements(graph: Graph) -> set[tuple[str, str, str]]:
    return {(q.subject.value, q.predicate.value, str(q.object.value)) for q in graph.store.quads()}


@pytest.mark.parametrize("suffix", sorted(PARSERS))
def test_rdflib_reads_back_the_same_statements(
    suffix: str, graph: Graph, statements: set[tuple[str, str, str]], tmp_path: Path
) -> None:
    out = tmp_path / f"g.{suffix}"
    export(graph.store, out)
    dataset = rdflib.Dataset(default_union=True)
    dataset.parse(out, format=PARSERS[suffix])
    read = {(str(s), str(p), str(o)) for s, p, o, _ in dataset.quads()}
    assert read == statements


@pytest.mark.parametrize("suffix", ["nq", "trig", "jsonld"])
def test_evidence_stays_in_its_own_graph(suffix: str, graph: Graph, tmp_path: Path) -> None:
    out = tmp_path / f"g.{suffix}"
    export(graph.store, out)
    dataset = rdflib.Dataset()
    dataset.parse(out, format=PARSERS[suffix])
    inside = dataset.graph(rdflib.URIRef(EVIDENCE_GRAPH))
    assertions = set(inside.subjects(rdflib.RDF.type, rdflib.URIRef("https://w3id.org/paperkg/ontology#Assertion")))
    assert assertions
    assert len(inside) == sum(1 for q in graph.store.quads() if str(q.graph_name) != "DEFAULT")


def test_without_evidence_is_the_plain_graph(graph: Graph, tmp_path: Path) -> None:
    out = tmp_path / "g.nt"
    export(graph.store, out, evidence=False)
    assert len(out.read_bytes().splitlines()) == sum(1 for _ in graph.store.default_quads())
    assert b"ontology#Assertion" not in out.read_bytes()


@pytest.mark.parametrize("packing", ["gz", "zst"])
def test_packed_is_the_same_inside(packing: str, graph: Graph, tmp_path: Path) -> None:
    plain, packed = tmp_path / "g.nq", tmp_path / f"g.nq.{packing}"
    export(graph.store, plain)
    export(graph.store, packed)
    data = packed.read_bytes()
    unpacked = (
        gzip.decompress(data) if packing == "gz" else zstandard.ZstdDecompressor().decompressobj().decompress(data)
    )
    assert unpacked == plain.read_bytes()


def test_no_blank_nodes_and_no_mail_address(graph: Graph, tmp_path: Path) -> None:
    out = tmp_path / "g.nt"
    export(graph.store, out)
    lines = out.read_text("utf-8").splitlines()
    assert not [x for x in lines if x.startswith("_:") or " _:" in x.split('"')[0]]
    assert lines == sorted(lines, key=lambda x: x.encode())


def test_g_rdflib_holds_all_statements(graph: Graph, statements: set[tuple[str, str, str]]) -> None:
    whole = graph.rdflib()
    assert {(str(s), str(p), str(o)) for s, p, o in whole} == statements
    assert len(graph.rdflib(evidence=False)) < len(whole)
    assert dict(whole.namespaces())["kg"] == rdflib.URIRef("https://w3id.org/paperkg/ontology#")


@pytest.mark.parametrize("name", ["g.docx", "g", "g.gz"])
def test_unknown_suffix_lists_the_known(name: str, graph: Graph, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"\.ttl"):
        export(graph.store, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("chunk", [1, 10, 1000])
@pytest.mark.parametrize("block", [1, 7])
def test_sorting_merges_chunks_and_drops_repeats(chunk: int, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.export.sorting._CHUNK", chunk)
    monkeypatch.setattr("kg.export.sorting._BLOCK", block)
    lines = [f"{(i * 37) % 23:02d}{'x' * (i % 5)}\n".encode() for i in range(200)]
    text = b"".join(lines)
    with Sorter() as sorter:
        for at in range(0, len(text), 11):  # cut anywhere
            sorter.write(text[at : at + 11])
        assert list(sorter) == sorted(set(lines))
        assert list(sorter) == sorted(set(lines))


def test_leaving_out_the_graph_equals_a_serialiser_whatever_the_text_looks_like() -> None:
    dt, g = ox.NamedNode("https://x.example/dt"), ox.NamedNode("https://x.example/g")
    texts = ["", " ", 'a "b" <c> .', "x <https://x.example/g>", "> .", "<", 'q" <b', "line\nbreak", "\u202eright"]
    objects: list[ox.Literal | ox.NamedNode] = [g, dt]
    for text in texts:
        objects += [ox.Literal(text), ox.Literal(text, datatype=dt), ox.Literal(text, language="en")]
    s, p = ox.NamedNode("https://x.example/s"), ox.NamedNode("https://x.example/p")
    plain, named = [ox.Quad(s, p, o) for o in objects], [ox.Quad(s, p, o, g) for o in objects]
    lines = sorted(ox.serialize(plain + named[::2], format=ox.RdfFormat.N_QUADS).splitlines(keepends=True))
    expected = sorted(ox.serialize([q.triple for q in plain], format=ox.RdfFormat.N_TRIPLES).splitlines(keepends=True))
    assert list(_without_graph(lines)) == expected
    only_named = sorted(ox.serialize(named, format=ox.RdfFormat.N_QUADS).splitlines(keepends=True))
    assert list(_without_graph(only_named)) == expected

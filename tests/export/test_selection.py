"""A part of a graph is a graph: nothing dangles, everything about what was taken is there."""

from __future__ import annotations

import json
from pathlib import Path

import pyoxigraph as ox
import pytest
from click.testing import CliRunner

from kg.api import Graph
from kg.cli.export import command
from kg.errors import ExportError, QueryError
from kg.export import Selection, export, selected
from kg.export.selection import _is_entity, entities
from kg.pipeline.build import build
from kg.vocab import ID, KG, OA, RDF, SCHEMA


def paper(number: int, year: int, venue: str, topic: str, names: list[str], text: str) -> dict[str, object]:
    return {
        "id": f"v/{number}",
        "title": f"Paper number {number} about things",
        "abstract": text,
        "authors": [{"name": n} for n in names],
        "year": year,
        "venue": venue,
        "topics": [topic.replace("/", " · ")],
    }


PAPERS = [
    paper(1, 2022, "ICML", "Vision/Depth", ["Ada Abel", "Bo Bell"], "We propose FooNet, a network. FooNet is tested on ImageNet."),
    paper(2, 2023, "ICML", "Vision", ["Bo Bell"], "We propose BarNet, a network. BarNet beats FooNet on ImageNet and on MNIST."),
    paper(3, 2024, "NeurIPS", "Language", ["Cy Cole"], "We propose BazNet, a network. BazNet is tested on MNIST."),
]  # fmt: skip


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = tmp_path_factory.mktemp("part")
    (folder / "in.jsonl").write_text("\n".join(map(json.dumps, PAPERS)))
    build([folder / "in.jsonl"], folder / "g", workers=1)
    return Graph(folder / "g")


def labels(graph: Graph, selection: Selection) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for iri in entities(graph.store, graph.index, graph.lookup, selection):
        match = graph.find(iri)
        found.setdefault(match.kind, set()).add(match.label)
    return found


def numbers(graph: Graph, selection: Selection) -> set[int]:
    return {int(label.split()[2]) for label in labels(graph, selection).get("paper", set())}


@pytest.mark.parametrize(
    ("selection", "papers"),
    [
        (Selection(), {1, 2, 3}),
        (Selection(first=2023), {2, 3}),
        (Selection(last=2023), {1, 2}),
        (Selection(first=2023, last=2023), {2}),
        (Selection(venue="ICML"), {1, 2}),
        (Selection(topic="Vision"), {1, 2}),
        (Selection(topic="Vision · Depth"), {1}),
        (Selection(topic="Vision", first=2023), {2}),
        (Selection(query="dataset-papers", params={"dataset": "MNIST"}), {2, 3}),
        (Selection(query="dataset-users", params={"dataset": "MNIST"}), {1, 2, 3}),
        (Selection(around="Ada Abel", hops=1), {1}),
        (Selection(around="Ada Abel", hops=3), {1, 2}),
        (Selection(around="Ada Abel", hops=3, first=2023), {2}),
    ],
)
def test_papers_of_a_selection(selection: Selection, papers: set[int], graph: Graph) -> None:
    assert numbers(graph, selection) == papers


def test_what_belongs_to_the_papers_comes_with_them(graph: Graph) -> None:
    found = labels(graph, Selection(topic="Vision · Depth"))
    assert found["person"] == {"Ada Abel", "Bo Bell"}
    assert found["dataset"] == {"ImageNet"} and "FooNet" in found["method"]
    assert found["topic"] == {"Vision · Depth", "Vision"} and found["venue"] == {"ICML"}
    assert set(labels(graph, Selection(kinds=("person",), topic="Vision"))) == {"person"}


@pytest.mark.parametrize(
    "selection",
    [
        Selection(first=2023),
        Selection(topic="Vision · Depth"),
        Selection(around="ImageNet", hops=2),
        Selection(kinds=("paper", "method")),
        Selection(kinds=("person",)),
    ],
)
def test_the_part_holds_exactly_the_statements_among_its_entities(selection: Selection, graph: Graph) -> None:
    chosen = entities(graph.store, graph.index, graph.lookup, selection)
    whole = set(graph.store.quads())
    with selected(graph.store, graph.index, graph.lookup, selection) as store:
        part = set(store.quads())
    assert part < whole
    plain = {q for q in whole if q.subject.value in chosen}
    between = {
        q for q in plain if not isinstance(q.object, ox.NamedNode) or not _is_entity(q.object.value) or q.object.value in chosen
    }  # fmt: skip
    own = {q for q in between if not str(q.object.value).startswith(ID) or str(q.object.value) in chosen}
    assert own <= part
    subjects = {q.subject.value for q in part}
    for quad in part:  # nothing dangles
        target = str(quad.object.value)
        if isinstance(quad.object, ox.NamedNode) and target.startswith(ID):
            assert target in subjects, quad
    claims = {q.subject.value for q in whole if q.predicate.value == RDF.subject and q.object.value in chosen}
    kept = {q.subject.value for q in whole if q.predicate.value == RDF.object and q.object.value in chosen} & claims
    assert kept == {q.subject.value for q in part if q.predicate.value == RDF.subject}
    if kept:
        assert any(q.predicate.value == OA.exact for q in part)


def test_a_selection_of_everything_is_the_whole_graph(graph: Graph) -> None:
    with selected(graph.store, graph.index, graph.lookup, Selection()) as store:
        assert set(store.quads()) == set(graph.store.quads())


def test_nothing_selected_is_told(graph: Graph) -> None:
    with pytest.raises(QueryError, match="nothing in the graph"):
        entities(graph.store, graph.index, graph.lookup, Selection(first=1990, last=1991))
    with pytest.raises(QueryError, match="no venue is called"):
        entities(graph.store, graph.index, graph.lookup, Selection(venue="ICMLL"))


def test_the_command_writes_a_part(graph: Graph, tmp_path: Path) -> None:
    run = CliRunner().invoke
    arguments = ["-g", str(graph.path), "-o", str(tmp_path / "x.csl.json"), "--venue", "ICML", "--year", "2023"]
    result = run(command, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    (only,) = json.loads((tmp_path / "x.csl.json").read_text())
    assert only["title"].startswith("Paper number 2")
    assert run(command, [*arguments, "--from", "2022"]).exit_code == 2
    assert run(command, ["-g", str(graph.path), "-o", str(tmp_path / "y.nt"), "-p", "a=b"]).exit_code == 2


def test_rdf12_is_read_back_equal(graph: Graph, tmp_path: Path) -> None:
    export(graph.store, tmp_path / "plain.nq")
    plain = set(ox.parse(path=str(tmp_path / "plain.nq"), format=ox.RdfFormat.N_QUADS))
    reification = {RDF.subject, RDF.predicate, RDF.object}
    about: dict[ox.NamedNode, dict[str, ox.Term]] = {}
    for q in plain:
        if q.predicate.value in reification:
            about.setdefault(q.subject, {})[q.predicate.value] = q.object
    expected = {q for q in plain if q.predicate.value not in reification}
    graph_name = next(q.graph_name for q in plain if q.predicate.value == RDF.subject)
    for assertion, parts in about.items():
        term = ox.Triple(parts[RDF.subject], parts[RDF.predicate], parts[RDF.object])
        expected.add(ox.Quad(assertion, ox.NamedNode(RDF.reifies), term, graph_name))
    assert len(about) > 3
    for suffix, format in (("nq", ox.RdfFormat.N_QUADS), ("trig", ox.RdfFormat.TRIG)):
        export(graph.store, tmp_path / f"g.{suffix}", rdf12=True)
        assert set(ox.parse(path=str(tmp_path / f"g.{suffix}"), format=format)) == expected
    triples = {q.triple for q in expected}
    for suffix, format in (("ttl", ox.RdfFormat.TURTLE), ("nt", ox.RdfFormat.N_TRIPLES), ("rdf", ox.RdfFormat.RDF_XML)):
        export(graph.store, tmp_path / f"g.{suffix}", rdf12=True)
        assert {q.triple for q in ox.parse(path=str(tmp_path / f"g.{suffix}"), format=format)} == triples


def test_rdf12_can_be_asked(graph: Graph, tmp_path: Path) -> None:
    export(graph.store, tmp_path / "g.trig", rdf12=True)
    store = ox.Store()
    store.load(path=str(tmp_path / "g.trig"), format=ox.RdfFormat.TRIG)
    query = f"""SELECT (COUNT(*) AS ?n) {{ ?a <{RDF.reifies}> <<( ?p <{KG.usesDataset}> ?d )>> . ?p a <{SCHEMA.ScholarlyArticle}> }}"""
    (row,) = store.query(query, use_default_graph_as_union=True)
    assert int(row["n"].value) == sum(1 for _ in graph.store.quads(None, KG.usesDataset))


@pytest.mark.parametrize("name", ["g.jsonld", "g.csv", "g.bib", "g.graphml"])
def test_rdf12_where_there_is_none_is_an_error(name: str, graph: Graph, tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="RDF 1.2") as caught:
        export(graph.store, tmp_path / name, rdf12=True)
    assert caught.value.place == str(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_hops_without_a_centre_are_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, ["--hops", "2", "-o", str(tmp_path / "x.ttl"), "-g", str(tmp_path)])
    assert done.exit_code == 2 and "--around" in done.output

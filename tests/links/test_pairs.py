"""Links agree with what SPARQL and networkx say of the same graph."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from kg.api import Graph
from kg.errors import QueryError
from kg.links.sentences import quote
from kg.pipeline.build import build

DEMO = Path(__file__).parents[2] / "kg" / "demo" / "corpus"


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    folder = tmp_path_factory.mktemp("links") / "g"
    build([DEMO / "icml2025_topics.txt", DEMO / "icml2025_abstracts.txt"], folder, workers=1)
    return Graph(folder)


def counted(graph: Graph, relation: str) -> Counter[tuple[str, str]]:
    """Pairs of things that stand on one paper, counted over the networkx graph by hand."""
    of: dict[str, set[str]] = {}
    for paper, other, key in graph.networkx().edges(keys=True):
        if key in relation.split():
            of.setdefault(paper, set()).add(other)
    return Counter(pair for members in of.values() for pair in combinations(sorted(members), 2))


@pytest.mark.parametrize(
    ("relation", "ends", "keys"),
    [
        ("coauthors", "person", "creator"),
        ("datasets", "dataset", "usesDataset introducesDataset"),
        ("methods", "method", "usesMethod proposesMethod"),
        ("code", "repository", "hasRepository mentionsRepository"),
    ],
)
def test_pairs_of_entities_equal_networkx(graph: Graph, relation: str, ends: str, keys: str) -> None:
    expected = counted(graph, keys)
    found = graph.links(relation, top=100_000, ends=ends)
    assert {tuple(sorted((p.a.iri, p.b.iri))): p.count for p in found} == expected
    counts = [p.count for p in found]
    assert counts == sorted(counts, reverse=True)


def test_coauthors_of_a_person_equal_the_query(graph: Graph) -> None:
    person = graph.rows("top-authors")[0]["name"]
    links = {(p.b.iri, p.count) for p in graph.coauthors(person, top=1000)}
    assert links == {(r["coauthor"], r["papers"]) for r in graph.rows("coauthors", person=person)}
    assert links


def test_papers_that_share_data_sets_equal_sparql(graph: Graph) -> None:
    rows = graph.rows(
        """SELECT ?a ?b (COUNT(DISTINCT ?d) AS ?n) WHERE {
             ?a kg:mentionsDataset ?d . ?b kg:mentionsDataset ?d FILTER(STR(?a) < STR(?b)) } GROUP BY ?a ?b"""
    )
    found = graph.links("datasets", top=100_000)
    assert {(*sorted((p.a.iri, p.b.iri)), p.count) for p in found} == {(r["a"], r["b"], r["n"]) for r in rows}
    assert rows
    assert all(p.shared and {m.kind for m in p.shared} == {"dataset"} for p in found)


def test_two_people_are_explained_by_their_papers(graph: Graph) -> None:
    pair = graph.coauthors(top=1)[0]
    explained = graph.links("coauthors", pair.a.iri, pair.b.iri)[0]
    assert explained.count == pair.count == len(explained.shared)
    for paper in explained.shared:
        creators = {r["p"] for r in graph.rows("SELECT ?p WHERE { ?paper dcterms:creator ?p }", paper=paper.iri)}
        assert {pair.a.iri, pair.b.iri} <= creators


def test_people_can_be_linked_through_data_sets(graph: Graph) -> None:
    paper = graph.links("datasets", top=1)[0].a.iri
    authors = graph.rows("paper-authors", paper=paper)
    if not authors:
        pytest.skip("the closest papers of the demo have no authors")
    assert graph.links("datasets", authors[0]["person"])


def test_unlinked_and_impossible_pairs(graph: Graph) -> None:
    people = [r["person"] for r in graph.rows("SELECT ?person WHERE { ?person a foaf:Person } ORDER BY ?person")]
    known = {frozenset((p.a.iri, p.b.iri)) for p in graph.coauthors(top=100_000)}
    a, b = next(pair for pair in combinations(people, 2) if frozenset(pair) not in known)
    assert graph.links("coauthors", a, b) == []
    with pytest.raises(QueryError, match="no links are called"):
        graph.links("friends")
    with pytest.raises(QueryError, match="do not link pairs"):
        graph.links("coauthors", ends="dataset")


def test_every_claim_quotes_its_paper(graph: Graph) -> None:
    texts = {
        r["p"]: {"abstract": r["abstract"] or "", "title": r["title"] or ""}
        for r in graph.rows(
            """SELECT ?p ?abstract ?title WHERE { ?p a schema:ScholarlyArticle
               OPTIONAL { ?p dcterms:abstract ?abstract } OPTIONAL { ?p dcterms:title ?title } }"""
        )
    }
    rows = graph.rows(
        """SELECT ?s ?source ?start ?end ?exact WHERE { ?a a kg:Assertion ; rdf:subject ?s ; kg:evidence/oa:hasTarget ?t .
             ?t oa:hasSource ?source ; oa:hasSelector ?x . ?x oa:start ?start ; oa:end ?end ; oa:exact ?exact }"""
    )
    assert len(rows) > 100
    for r in rows:
        assert texts[r["s"]][r["source"].rsplit("#")[-1]][r["start"] : r["end"]] == r["exact"]
    unproved = graph.rows(
        """SELECT ?p ?o WHERE { VALUES ?r { kg:proposesMethod kg:usesMethod kg:usesDataset kg:introducesDataset }
             ?p ?r ?o FILTER NOT EXISTS { ?a rdf:subject ?p ; rdf:predicate ?r ; rdf:object ?o ; kg:evidence ?e } }"""
    )
    assert unproved == []


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [
        ("First one. We call it NameNet here. Last one.", "NameNet", "We call it NameNet here."),
        ("NameNet", "NameNet", "NameNet"),
        (
            "It gains 2.5 points with NameNet v1.2 on 3 sets! Done",
            "NameNet",
            "It gains 2.5 points with NameNet v1.2 on 3 sets!",
        ),
        ("Über 𝒳 and 🙂. A NameNet 🙂 works. End", "NameNet", "A NameNet 🙂 works."),
    ],
)
def test_quote_is_the_sentence_and_its_slice_the_name(text: str, name: str, sentence: str) -> None:
    start = text.index(name)
    found = quote(text, start, start + len(name))
    assert found.sentence == sentence
    assert found.sentence[found.start : found.end] == name


def test_a_path_is_made_of_statements_of_the_graph(graph: Graph) -> None:
    network = graph.networkx().to_undirected()
    pair = graph.links("datasets", top=1)[0]
    writers = [[r["person"] for r in graph.rows("paper-authors", paper=end.iri)] for end in (pair.a, pair.b)]
    a, b = (people[0] if people else end.iri for people, end in zip(writers, (pair.a, pair.b), strict=True))
    start, steps = graph.path_between(a, b)
    nodes = [start.iri, *(s.to.iri for s in steps)]
    assert len(steps) >= 2
    assert all(network.has_edge(x, y) for x, y in zip(nodes, nodes[1:], strict=False))
    assert nodes[-1] == b
    assert graph.path_between("ImageNet", "ImageNet")[1] == []


def test_a_path_goes_round_a_hub() -> None:
    """Two papers share one data set of all papers, and are linked through rare things in more steps."""
    import sqlite3

    from kg.links.paths import shortest_path
    from kg.query.index import _SCHEMA
    from kg.query.lookup import Lookup

    db = sqlite3.connect(":memory:")
    db.executescript(_SCHEMA)
    kinds = ["paper"] * 3 + ["dataset", "person", "method"]
    sizes = [0, 0, 0, 5000, 2, 2]
    things = [(i, f"e{i}", k, f"E{i}", None, None, n) for i, (k, n) in enumerate(zip(kinds, sizes, strict=True))]
    db.executemany("INSERT INTO thing VALUES (?, ?, ?, ?, ?, ?, ?)", things)
    hub = [("datasets", 3, p, "used") for p in range(3)]
    rare = [
        ("coauthors", 4, 0, "author"),
        ("coauthors", 4, 1, "author"),
        ("methods", 5, 1, "used"),
        ("methods", 5, 2, "proposed"),
    ]
    db.executemany("INSERT INTO member (relation, entity, paper, role) VALUES (?, ?, ?, ?)", hub + rare)
    lookup = Lookup(db)
    steps = shortest_path(db, lookup.by_number(0), lookup.by_number(2))
    assert [s.to.id for s in steps] == [4, 1, 5, 2]
    assert [s.verb for s in steps] == ["was written by", "wrote", "uses", "is proposed by"]

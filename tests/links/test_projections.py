"""Counts, weights and confidences of links equal networkx's own projections and the catalogue of queries."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import networkx as nx
import pytest
from networkx.algorithms import bipartite as projections

from kg.api import Graph
from kg.errors import QueryError
from kg.links import pairs
from kg.links.filters import Filter, make_filter
from kg.links.groups import find_groups
from kg.query.lookup import Lookup

FILTERS: list[dict[str, Any]] = [{}, {"first": 2021}, {"venue": "ICLR"}, {"first": 2020, "venue": "ICML"}]
ALL = 10**6
KEYS = {
    "coauthors": {"creator": "author"},
    "datasets": {"usesDataset": "used", "introducesDataset": "introduced"},
    "methods": {"usesMethod": "used", "proposesMethod": "proposed"},
    "code": {"hasRepository": "own", "mentionsRepository": "mentioned"},
}


def bipartite(
    whole: nx.MultiDiGraph, relation: str, *, first: int = 0, venue: str = "", role: str = "", least: float = 0.0
) -> tuple[nx.Graph, set[str], set[str]]:
    """Papers and their entities, as far as they pass; `sure` of an edge is its highest confidence. Papers, entities."""
    graph = nx.Graph()
    papers, entities = set(), set()
    for paper, entity, key, data in whole.edges(keys=True, data=True):
        node = whole.nodes[paper]
        sure = data.get("confidence", 1.0)
        if key not in KEYS[relation] or (role and KEYS[relation][key] != role) or sure < least:
            continue
        if (first and node.get("year", 0) < first) or (venue and venue not in str(node.get("venue"))):
            continue
        before = graph.get_edge_data(paper, entity, {"sure": 0.0})["sure"]
        graph.add_edge(paper, entity, sure=max(sure, before))
        papers.add(paper)
        entities.add(entity)
    return graph, papers, entities


def projected(graph: nx.Graph, nodes: set[str], how: Any = projections.weighted_projected_graph) -> nx.Graph:
    """The projection on some nodes; networkx refuses to project nothing."""
    return how(graph, nodes) if nodes else nx.Graph()


def weights(projection: nx.Graph) -> dict[tuple[str, ...], Any]:
    return {tuple(sorted((a, b))): w for a, b, w in projection.edges(data="weight")}


@pytest.fixture(scope="module")
def whole(any_graph: Graph) -> nx.MultiDiGraph:
    return any_graph.networkx()


def db_of(graph: Graph) -> Any:
    return graph.lookup._db


@pytest.mark.parametrize("given", FILTERS, ids=str)
@pytest.mark.parametrize("relation", ["coauthors", "datasets", "methods", "code"])
def test_pairs_of_entities_are_the_projection(
    any_graph: Graph, whole: nx.MultiDiGraph, relation: str, given: dict[str, Any]
) -> None:
    graph, _, entities = bipartite(whole, relation, **given)
    expected = weights(projected(graph, entities))
    kind = pairs.ENTITY_KIND[relation]
    found = pairs.top_pairs(db_of(any_graph), relation, ALL, kind, Filter(**given))
    assert {tuple(sorted((p.a.iri, p.b.iri))): p.count for p in found} == expected
    assert [p.count for p in found] == sorted((p.count for p in found), reverse=True)


@pytest.mark.parametrize(
    "given", [{}, {"first": 2021}, {"venue": "ICML"}, {"role": "used"}, {"role": "own"}, {"least": 0.9}], ids=str
)
@pytest.mark.parametrize("relation", ["datasets", "methods", "code"])
def test_pairs_of_papers_are_the_projection(
    any_graph: Graph, whole: nx.MultiDiGraph, relation: str, given: dict[str, Any]
) -> None:
    graph, papers, _ = bipartite(whole, relation, **given)
    expected = weights(projected(graph, papers))
    given = {"min_confidence" if k == "least" else k: v for k, v in given.items()}
    found = pairs.top_pairs(db_of(any_graph), relation, ALL, "paper", Filter(**given))
    assert {tuple(sorted((p.a.iri, p.b.iri))): p.count for p in found} == expected


def test_the_random_graph_has_something_of_everything(random_graph: Graph) -> None:
    for relation in ("coauthors", "datasets", "methods", "code"):
        assert len(pairs.top_pairs(db_of(random_graph), relation, 50, pairs.ENTITY_KIND[relation])) >= (
            20 if relation != "code" else 0
        )
        assert len(pairs.top_pairs(db_of(random_graph), relation, 50)) >= 20


@pytest.mark.parametrize("relation", ["datasets", "methods"])
def test_a_pair_is_as_sure_as_its_surest_reason_and_has_its_years(
    any_graph: Graph, whole: nx.MultiDiGraph, relation: str
) -> None:
    graph, _, _ = bipartite(whole, relation)
    for pair in pairs.top_pairs(db_of(any_graph), relation, 200, pairs.ENTITY_KIND[relation]):
        common = sorted(nx.common_neighbors(graph, pair.a.iri, pair.b.iri))
        sure = max(min(graph[p][pair.a.iri]["sure"], graph[p][pair.b.iri]["sure"]) for p in common)
        assert pair.confidence == pytest.approx(sure)
        years = [whole.nodes[p]["year"] for p in common if "year" in whole.nodes[p]]
        assert (pair.first, pair.last) == (min(years, default=None), max(years, default=None))
        assert {m.iri for m in pair.shared} <= set(common) and len(pair.shared) == min(len(common), 12)


@pytest.mark.parametrize("relation", ["coauthors", "datasets", "methods"])
def test_partners_are_the_pairs_of_one(any_graph: Graph, relation: str) -> None:
    db, where = db_of(any_graph), Filter(first=2020)
    of: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for p in pairs.top_pairs(db, relation, ALL, pairs.ENTITY_KIND[relation], where):
        of[p.a.iri].add((p.b.iri, p.count))
        of[p.b.iri].add((p.a.iri, p.count))
    for iri in sorted(of)[:8]:
        found = pairs.partners(db, relation, any_graph.find(iri), ALL, where)
        assert {(p.b.iri, p.count) for p in found} == of[iri]


_EVERY_FILTER: list[dict[str, Any]] = [*FILTERS, {"last": 2020}, {"min_confidence": 0.9}, {"role": True}]
_ASKED = [
    (relation, ends, given)
    for relation in KEYS
    for ends in ("entity", "paper")
    for given in _EVERY_FILTER
    # Papers are no pairs of authors, and none of these is unsure: a source states them.
    if relation != "coauthors" or (ends == "entity" and "min_confidence" not in given)
]


@pytest.mark.parametrize(("relation", "ends", "given"), _ASKED, ids=str)
def test_filtered_pairs_equal_a_query(any_graph: Graph, relation: str, ends: str, given: dict[str, Any]) -> None:
    """The same question in SPARQL, each filter in its own words."""
    predicates = {role: f"kg:{key}" if key != "creator" else "dcterms:creator" for key, role in KEYS[relation].items()}
    if "role" in given:
        given = {"role": sorted(predicates)[-1]}
        predicates = {given["role"]: predicates[given["role"]]}
    a, b = ("?p ?r ?a", "?p ?s ?b") if ends == "entity" else ("?a ?r ?e", "?b ?s ?e")
    counted = "?p" if ends == "entity" else "?e"
    tests = ["STR(?a) < STR(?b)"]
    papers = ["?p"] if ends == "entity" else ["?a", "?b"]
    body = [f"VALUES ?{r} {{ {' '.join(predicates.values())} }}" for r in "rs"] + [f"{a} . {b} ."]
    for i, paper in enumerate(papers):
        if "first" in given or "last" in given:
            body.append(f"{paper} fabio:hasPublicationYear ?y{i} .")
            tests += [f"?y{i} >= {given['first']}"] if "first" in given else []
            tests += [f"?y{i} <= {given['last']}"] if "last" in given else []
        if "venue" in given:
            body.append(f'{paper} bibo:presentedAt/schema:superEvent/schema:name "{given["venue"]}" .')
    if "min_confidence" in given:
        for i, statement in enumerate((a, b)):
            s, p, o = statement.split()
            body.append(f"?c{i} rdf:subject {s} ; rdf:predicate {p} ; rdf:object {o} ; kg:confidence ?k{i} .")
            tests.append(f"?k{i} >= {given['min_confidence']}")
    query = f"""SELECT ?a ?b (COUNT(DISTINCT {counted}) AS ?n)
        WHERE {{ {" ".join(body)} FILTER({" && ".join(tests)}) }} GROUP BY ?a ?b"""
    expected = {(row["a"], row["b"]): row["n"] for row in any_graph.rows(query)}
    kind = pairs.ENTITY_KIND[relation] if ends == "entity" else "paper"
    found = pairs.top_pairs(db_of(any_graph), relation, ALL, kind, Filter(**given))
    assert {tuple(sorted((p.a.iri, p.b.iri))): p.count for p in found} == expected


@pytest.mark.parametrize(
    ("relation", "query", "param", "column", "count"),
    [
        ("datasets", "dataset-companions", "dataset", "other", "papers"),
        ("methods", "method-companions", "method", "other", "papers"),
        ("coauthors", "coauthors", "person", "coauthor", "papers"),
    ],
)
def test_partners_equal_the_catalogue(
    any_graph: Graph, relation: str, query: str, param: str, column: str, count: str
) -> None:
    for pair in pairs.top_pairs(db_of(any_graph), relation, 5, pairs.ENTITY_KIND[relation]):
        rows = any_graph.rows(query, **{param: pair.a.iri})
        found = pairs.partners(db_of(any_graph), relation, pair.a, ALL)
        assert {(p.b.iri, p.count) for p in found} == {(r[column], r[count]) for r in rows}


def test_people_through_data_sets_equal_the_catalogue(any_graph: Graph) -> None:
    """The query counts what stands on a paper of both as well; links need a paper of each."""
    db, compared = db_of(any_graph), 0
    for (person,) in db.execute("SELECT id FROM thing WHERE kind = 'person' ORDER BY id LIMIT 40"):
        of = Lookup(db).by_number(person)
        found = {p.b.iri: p.count for p in pairs.partners(db, "datasets", of, ALL)}
        joint = {p.b.iri for p in pairs.partners(db, "coauthors", of, ALL)}
        for row in any_graph.rows("author-shared-datasets", person=of.iri):
            if row["other"] not in joint:
                assert found[row["other"]] == row["shared"]
                compared += 1
    assert compared > 3


def test_venue_pairs_equal_the_catalogue(random_graph: Graph) -> None:
    rows = random_graph.rows("venue-coauthors", venue="ICML", year=2021)
    where = make_filter(random_graph.lookup, venue="ICML", year=2021)
    found = pairs.top_pairs(db_of(random_graph), "coauthors", ALL, None, where)
    counts = {tuple(sorted((p.a.iri, p.b.iri))): p.count for p in found}
    assert rows and all(counts[tuple(sorted((r["a"], r["b"])))] == r["papers"] for r in rows)


@pytest.mark.parametrize("given", FILTERS, ids=str)
@pytest.mark.parametrize(
    ("kind", "relation"), [("people", "coauthors"), ("methods", "methods"), ("datasets", "datasets")]
)
def test_weights_and_centrality_are_those_of_networkx(
    any_graph: Graph, whole: nx.MultiDiGraph, kind: str, relation: str, given: dict[str, Any]
) -> None:
    graph, _, entities = bipartite(whole, relation, **given)
    newman = projected(graph, entities, projections.collaboration_weighted_projected_graph)
    groups = find_groups(db_of(any_graph), kind, Filter(**given))
    lookup = Lookup(db_of(any_graph))
    names = [lookup.by_number(int(n)).iri for n in groups.numbers]
    found = {
        tuple(sorted((names[a], names[b]))): w
        for a, b, w in zip(groups.a.tolist(), groups.b.tolist(), groups.weight.tolist(), strict=True)
    }
    assert found == pytest.approx(weights(newman))
    ranks = nx.pagerank(newman, tol=1e-12, max_iter=1000) if newman else {}
    assert dict(zip(names, groups.pagerank.tolist(), strict=True)) == pytest.approx(
        {name: rank * len(names) for name, rank in ranks.items()}, abs=1e-4
    )
    communities = dict(zip(names, groups.community.tolist(), strict=True))
    for name, score in zip(names, groups.bridging.tolist(), strict=True):
        to: dict[int, float] = defaultdict(float)
        for other, data in newman[name].items():
            to[communities[other]] += data["weight"]
        total = sum(to.values())
        spread = 1 - sum((w / total) ** 2 for w in to.values()) if total else 0.0
        assert score == pytest.approx(total * spread, abs=1e-5)


def test_a_filter_says_what_is_wrong(random_graph: Graph) -> None:
    lookup = random_graph.lookup
    with pytest.raises(QueryError, match="coauthors cannot be filtered by the role"):
        make_filter(lookup, "coauthors", role="used")
    with pytest.raises(QueryError, match="datasets cannot be filtered by the role 'proposed'"):
        make_filter(lookup, "datasets", role="proposed")
    with pytest.raises(QueryError, match="no venue is called"):
        make_filter(lookup, venue="ICMM")
    with pytest.raises(QueryError, match="no year is from 2024"):
        make_filter(lookup, first=2024, last=2020)
    with pytest.raises(QueryError, match="one year, and from"):
        make_filter(lookup, year=2024, first=2020)
    assert make_filter(lookup, "methods", role="used", year=2020) == Filter(first=2020, last=2020, role="used")


def test_a_topic_lets_in_what_is_below_it(demo_graph: Graph) -> None:
    rows = demo_graph.rows("topic-papers", topic="Applications")
    where = make_filter(demo_graph.lookup, topic="Applications")
    found = {i for (i,) in db_of(demo_graph).execute(f"SELECT id FROM {where.papers()}", where.values)}
    assert {demo_graph.find(r["paper"]).id for r in rows} == found
    assert len(found) > 3


def test_an_index_without_confidences_still_answers(random_graph: Graph) -> None:
    """Graphs of the version before are read; what they lack is said where it is asked for."""
    import sqlite3

    from kg.errors import GraphError

    db = sqlite3.connect(":memory:")
    db_of(random_graph).backup(db)
    db.executescript("DROP INDEX member_paper; ALTER TABLE member DROP COLUMN confidence;")
    found, whole = (pairs.top_pairs(d, "datasets", 5, "dataset") for d in (db, db_of(random_graph)))
    assert [(p.a, p.b, p.count) for p in found] == [(p.a, p.b, p.count) for p in whole]
    assert {p.confidence for p in found} == {None}
    with pytest.raises(GraphError, match="before confidences were kept"):
        pairs.top_pairs(db, "datasets", 5, "dataset", Filter(min_confidence=0.5))

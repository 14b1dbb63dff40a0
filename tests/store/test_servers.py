"""Oxigraph and Virtuoso answer as a graph folder does: queries, names, links, paths, pictures, transfers."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from handmade import statements
from test_catalogue import CASES, CATALOGUE, answered

from kg.api import Graph
from kg.errors import EndpointError, QueryError, UsageError
from kg.links.filters import make_filter
from kg.links.pairs import Pair, between, find_ends, partners, top_pairs
from kg.links.paths import paths
from kg.query.bind import bind
from kg.query.index import build_index
from kg.query.lookup import Lookup, Match
from kg.query.run import to_term
from kg.remote import RemoteGraph, push
from kg.store.http import Connection
from kg.store.oxigraph import OxigraphStore
from kg.store.push import graph_store_of
from kg.store.remote import RemoteStore
from kg.view import select
from kg.vocab import EVIDENCE_GRAPH, STATEMENTS_GRAPH

TIMEFILTER = "TimeFilter: Patch-Specific Spatial-Temporal Graph Filtration for Time Series Forecasting"
HANDMADE = {"s": "urn:test:handmade", "e": "urn:test:handmade-evidence"}


@pytest.fixture(scope="module")
def remote(server: Any) -> RemoteGraph:
    return RemoteGraph(server.endpoint)


@pytest.fixture(scope="module")
def handmade(server: Any) -> RemoteStore:
    """The hand-made graph of tests/query on the same server, in graphs of its own."""
    connection = Connection(graph_store_of(server.endpoint), user=server.user)
    tail = f" <{EVIDENCE_GRAPH}> .\n"
    lines = list(statements())
    for key, part in (
        ("e", [line.removesuffix(tail) + " .\n" for line in lines if line.endswith(tail)]),
        ("s", [line for line in lines if not line.endswith(tail)]),
    ):
        connection.send(
            "PUT", data="".join(part).encode(), params={"graph": HANDMADE[key]}, headers={"Content-Type": "text/turtle"}
        )
    return RemoteStore(server.endpoint, default_graphs=HANDMADE.values(), named_graphs=[HANDMADE["e"]])


@pytest.fixture(scope="module")
def names() -> Lookup:
    return Lookup(build_index(statements(), ":memory:"))


@pytest.fixture(scope="module")
def local() -> OxigraphStore:
    return OxigraphStore.in_memory("".join(statements()).encode())


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_question_has_the_same_answer(name: str, remote: RemoteGraph, demo: Graph) -> None:
    query = CATALOGUE[name]
    text = bind(query.text, {p.name: to_term(demo.lookup, p, p.example) for p in query.params if not p.optional})
    assert answered(remote.store, text) == answered(demo.store, text)


@pytest.mark.parametrize(
    ("name", "params"),
    [(n, p) for n, p, _ in CASES if "GRAPH " not in CATALOGUE[n].text],
    ids=[f"{n}-{'-'.join(p.values())}" for n, p, _ in CASES if "GRAPH " not in CATALOGUE[n].text],
)
def test_every_expected_answer(
    name: str, params: dict[str, str], handmade: RemoteStore, local: OxigraphStore, names: Lookup
) -> None:
    query = CATALOGUE[name]
    text = bind(query.text, {p.name: to_term(names, p, params[p.name]) for p in query.params if p.name in params})
    assert answered(handmade, text) == answered(local, text)


def plain(found: Any) -> Any:
    """Without the numbers that entities have in an index."""
    if isinstance(found, Match):
        return found.iri, found.kind, found.label, found.papers
    if isinstance(found, Pair):
        return plain([found.a, found.b, found.count, *found.shared, found.first, found.last, found.confidence])
    return [plain(x) for x in found] if isinstance(found, (list, tuple)) else found


@pytest.mark.parametrize(
    "name",
    ["Sungroh Yoon", "sungroh YOON", "CAROTS", "carots", "cauchy-schwarz", "id:method/carots", "MNIST", "mnist", "ETT",
     "Causality-Aware Contrastive Learning for Robust Multivariate Time-Series Anomaly Detection"],
)  # fmt: skip
def test_a_name_means_the_same(name: str, remote: RemoteGraph, demo: Graph) -> None:
    assert plain(remote.lookup.all(name)) == plain(demo.lookup.all(name))


def test_every_kind_is_found_by_its_labels_and_addresses(remote: RemoteGraph, demo: Graph) -> None:
    for kind in ("paper", "person", "method", "dataset", "repository", "topic", "venue"):
        rows = demo.index.execute("SELECT label FROM thing WHERE kind = ? ORDER BY id LIMIT 5", (kind,))
        for (label,) in rows.fetchall():
            assert plain(remote.lookup.all(label, kind)) == plain(demo.lookup.all(label, kind)), label


def test_accents_and_case_do_not_matter(handmade: RemoteStore, names: Lookup) -> None:
    from kg.query.distant import RemoteLookup
    from kg.query.excerpt import Excerpt
    from kg.query.run import ask

    run = lambda text: ask(handmade, text)  # noqa: E731
    far = RemoteLookup(run, Excerpt(run))
    for name in ("ada byte", "ADA BYTE", "openreview:~Ada_Byte1", "~Ada_Byte1", "alphanet", "cifar 10", "AlphaNet"):
        assert plain(far.all(name)) == plain(names.all(name)), name


def test_an_unknown_name_brings_suggestions(remote: RemoteGraph) -> None:
    with pytest.raises(QueryError, match="did you mean 'Sungroh Yoon'"):
        remote.find("Sungroh Yon", "person")
    with pytest.raises(QueryError, match="no entity is called 'zzzz'"):
        remote.find("zzzz")
    assert remote.lookup.all("") == [] and remote.lookup.all('" } UNION { ?s ?p ?o') == []


@pytest.mark.parametrize("relation", ["coauthors", "datasets", "methods", "code"])
def test_the_strongest_pairs(relation: str, remote: RemoteGraph, demo: Graph) -> None:
    for ends in (
        None,
        {"coauthors": "person", "datasets": "dataset", "methods": "method", "code": "repository"}[relation],
    ):
        assert plain(remote.pairs(relation, [], 15, ends)) == plain(top_pairs(demo.index, relation, 15, ends))


@pytest.mark.parametrize(
    ("relation", "name"),
    [("coauthors", "Zaixiang Zheng"), ("datasets", TIMEFILTER), ("datasets", "MNIST"), ("methods", "MCTS"),
     ("datasets", "Zhiyong Wang"), ("methods", "Zaixiang Zheng"), ("code", TIMEFILTER)],
)  # fmt: skip
def test_partners_and_what_is_behind_them(relation: str, name: str, remote: RemoteGraph, demo: Graph) -> None:
    near, far = find_ends(demo.lookup, relation, name)[0], find_ends(remote.lookup, relation, name)[0]
    expected = partners(demo.index, relation, near, 10)
    assert plain(remote.pairs(relation, [far], 10)) == plain(expected)
    for pair in expected[:2]:
        again = remote.pairs(relation, [far, remote.find(pair.b.iri)])
        assert plain(again) == plain([between(demo.index, relation, near, pair.b)])


@pytest.mark.parametrize(
    "given",
    [{"year": 2025}, {"first": 2026}, {"venue": "ICML"}, {"topic": "Applications"}, {"role": "used"}, {"min_confidence": 0.95}],
    ids=str,
)  # fmt: skip
def test_filters(given: dict[str, Any], remote: RemoteGraph, demo: Graph) -> None:
    here, there = (make_filter(g.lookup, "datasets", **given) for g in (demo, remote))
    assert here == there
    for ends in ("paper", "dataset"):
        assert plain(remote.pairs("datasets", [], 20, ends, there)) == plain(
            top_pairs(demo.index, "datasets", 20, ends, here)
        )
    near, far = demo.find("TimeFilter", "paper"), remote.find("TimeFilter", "paper")
    assert plain(remote.pairs("datasets", [far], 20, None, there)) == plain(
        partners(demo.index, "datasets", near, 20, here)
    )


@pytest.mark.parametrize(
    ("a", "b"), [("Zaixiang Zheng", "Dongyu Xue"), ("TimeFilter", "TimeBridge"), ("CAROTS", "MNIST"), ("MCTS", "Quanquan Gu")]
)  # fmt: skip
def test_paths(a: str, b: str, remote: RemoteGraph, demo: Graph) -> None:
    expected = paths(demo.index, demo.find(a), demo.find(b), 3)
    assert [(p.words(), p.cost) for p in remote.paths(a, b, 3)] == [(p.words(), p.cost) for p in expected]


def same(a: nx.MultiDiGraph, b: nx.MultiDiGraph) -> bool:
    return dict(a.nodes(data=True)) == dict(b.nodes(data=True)) and list(a.edges(keys=True, data=True)) == list(
        b.edges(keys=True, data=True)
    )


@pytest.mark.parametrize("hops", [0, 1, 2])
def test_a_picture_of_a_neighbourhood(hops: int, remote: RemoteGraph, demo: Graph) -> None:
    start = [demo.find("CAROTS").iri, demo.find("MNIST").iri]
    assert same(select(remote.around(start, hops), start, hops), select(demo.networkx(), start, hops))


def test_the_whole_graph(remote: RemoteGraph, demo: Graph) -> None:
    assert same(remote.networkx(), demo.networkx())
    assert remote.counts == {name: demo.counts[name] for name in remote.counts}


def test_sentences(remote: RemoteGraph, demo: Graph) -> None:
    assert remote.claims("TimeFilter") == demo.claims("TimeFilter")


def run(*arguments: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "kg", *arguments], capture_output=True, text=True, env=os.environ, timeout=120
    )
    return done.returncode, done.stdout, done.stderr


def test_the_commands_say_the_same(server: Any, demo: Graph) -> None:
    for arguments in (
        ("query", "coauthors", "-p", "person=Sungroh Yoon", "-f", "csv"),
        ("show", "TimeFilter"),
        ("links", "datasets", "TimeFilter", "TimeBridge"),
    ):
        assert run(*arguments, "--endpoint", server.endpoint) == run(*arguments, "-g", str(demo.path))


def test_a_second_transfer_replaces_the_first(server: Any, demo: Graph) -> None:
    for options in ({"chunk": 1000}, {"atomic": True}):
        done = push(demo, server.endpoint, user=server.user, **options)  # type: ignore[arg-type]
        assert sum(done.sent.values()) == len(demo.store.raw) and done.resumed == 0


def test_a_broken_transfer_goes_on(server: Any, demo: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    send, left = Connection.send, [3]

    def broken(self: Connection, method: str, **more: Any) -> Any:
        if method in ("PUT", "POST") and "params" in more:
            left[0] -= 1
            if left[0] < 0:
                raise EndpointError("gone", place=self.url)
        return send(self, method, **more)

    monkeypatch.setattr(Connection, "send", broken)
    with pytest.raises(EndpointError, match="gone"):
        push(demo, server.endpoint, user=server.user, chunk=1000)
    (state,) = demo.path.glob("push-*.json")
    assert "dba" not in json.dumps(json.loads(state.read_text()))
    left[0] = 1000
    done = push(demo, server.endpoint, user=server.user, chunk=1000)
    assert done.resumed == 3000 and sum(done.sent.values()) == len(demo.store.raw)
    assert not list(demo.path.glob("push-*.json"))


def test_a_server_that_lost_what_was_sent_is_found_out(plain_oxigraph: str, demo: Graph) -> None:
    push(demo, plain_oxigraph)
    connection = Connection(graph_store_of(plain_oxigraph))
    send = Connection.send

    def forgetful(self: Connection, method: str, **more: Any) -> Any:
        if more.get("params", {}).get("graph") == STATEMENTS_GRAPH:
            more["data"] = more["data"][: more["data"].rindex(b"\n", 0, -1) + 1]
        return send(self, method, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "send", forgetful)
        with pytest.raises(EndpointError, match="server counts"):
            push(demo, plain_oxigraph)
    connection.close()


def test_a_default_graph_without_the_evidence(plain_oxigraph: str, demo: Graph) -> None:
    with pytest.raises(EndpointError, match="shows no papers"):
        RemoteGraph(plain_oxigraph).find("CAROTS")
    push(demo, plain_oxigraph, unnamed=True)
    remote = RemoteGraph(plain_oxigraph)
    assert remote.claims("TimeFilter") == demo.claims("TimeFilter")  # Oxigraph is asked for the union
    assert answered(remote.store, CATALOGUE["graph-counts"].text) == answered(
        demo.store, CATALOGUE["graph-counts"].text
    )
    chosen = RemoteGraph(plain_oxigraph, default_graphs=[EVIDENCE_GRAPH])
    assert not chosen.query("ASK { ?p a schema:ScholarlyArticle }") and chosen.query("ASK { ?a a kg:Assertion }")


def test_where_a_graph_store_lies() -> None:
    assert graph_store_of("http://x:7878/query") == "http://x:7878/store"
    assert graph_store_of("http://x/sparql/") == "http://x/sparql-graph-crud-auth"
    with pytest.raises(UsageError, match="not known"):
        graph_store_of("http://x/repositories/papers")


def test_nothing_connects_without_an_endpoint(demo: Graph, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from click.testing import CliRunner

    from kg.cli import cli

    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setenv("KG_GRAPH", str(demo.path))
    for arguments in (["query", "top-authors"], ["show", "CAROTS"], ["links", "coauthors"], ["path", "TimeFilter", "TimeBridge"],
                      ["view", "CAROTS", "-o", str(tmp_path / "v.html")]):  # fmt: skip
        assert CliRunner().invoke(cli, arguments, catch_exceptions=False).exit_code == 0
    assert CliRunner().invoke(cli, ["push"]).exit_code == 2
    assert CliRunner().invoke(cli, ["query", "top-authors", "--user", "ada"]).exit_code == 2

"""`kg serve --endpoint`: another server's graph, served from here, answers what its own folder would."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from serving import ID, Server, start, stop

ASKED = [
    "/api/map/all.json", "/api/map/coauthors.json", "/api/map/datasets.json", "/api/map/methods.json", "/api/map/code.json",
    "/api/map/all.json?around=method/alpha&hops=2", "/api/search.json?q=gamma", "/api/search.json?q=",
    "/api/complete.json?q=a", "/api/queries.json", "/api/terms.json",
]  # fmt: skip


def oxigraph() -> str:
    beside = Path(sys.executable).with_name("oxigraph")
    command = str(beside) if beside.is_file() else shutil.which("oxigraph")
    if not command:
        pytest.skip("the command oxigraph is not installed (PyPI package oxigraph, extra test)")
    return command


@pytest.fixture(scope="session")
def endpoint(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> Iterator[str]:
    """`oxigraph serve` with the hand-made graph."""
    command = oxigraph()
    folder = tmp_path_factory.mktemp("endpoint")
    (folder / "g.nq").write_text("".join(lines), "utf-8")
    loading = [command, "load", "--location", str(folder / "store"), "--file", str(folder / "g.nq")]
    subprocess.run(loading, check=True, capture_output=True)
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    process = subprocess.Popen(
        [command, "serve-read-only", "--location", str(folder / "store"), "--bind", f"127.0.0.1:{port}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    for _ in range(300):
        try:
            urlopen(f"http://127.0.0.1:{port}/query?query=ASK%7B%7D", timeout=2).close()
            break
        except (URLError, OSError):
            time.sleep(0.1)
    yield f"http://127.0.0.1:{port}/query"
    process.terminate()
    process.wait(20)


@pytest.fixture(scope="session")
def distant(endpoint: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """`kg serve` on that endpoint."""
    folder = tmp_path_factory.mktemp("distant")
    running = start(
        folder / "none", folder / "log", "--endpoint", endpoint, "--timeout", "8", "--rows", "2000"
    )  # no such folder: all comes from the endpoint
    yield running
    stop(running)


def entities(server: Server) -> list[str]:
    return list(
        server.get("/api/map/all.json?kinds=paper,person,method,dataset,repository,topic,venue").json["nodes"]["id"]
    )


@pytest.mark.parametrize("path", ASKED)
def test_maps_search_and_lists_are_those_of_the_folder(server: Server, distant: Server, path: str) -> None:
    here, there = server.get(path), distant.get(path)
    assert there.status == here.status
    mine, theirs = dict(here.json) if isinstance(here.json, dict) else here.json, there.json
    for answer in (mine, theirs):
        if isinstance(answer, dict):
            answer.pop("took_ms", None)
    assert theirs == mine


def test_every_entity_has_the_same_page(server: Server, distant: Server) -> None:
    found = entities(server)
    assert len(found) > 20
    for tail in found:
        assert distant.get(f"/api/entity/{tail}.json").json == server.get(f"/api/entity/{tail}.json").json, tail
        assert distant.get(f"/api/neighbours/{tail}.json").json == server.get(f"/api/neighbours/{tail}.json").json


def test_links_and_paths_come_with_their_evidence(server: Server, distant: Server) -> None:
    columns = server.get("/api/map/all.json").json
    names, edges = columns["nodes"]["id"], columns["edges"]
    pairs = [(names[a], names[b]) for a, b in zip(edges["source"], edges["target"], strict=True)]
    quoted = 0
    for a, b in pairs:
        here, there = (s.get("/api/link.json", {"a": a, "b": b}).json for s in (server, distant))
        assert there == here
        quoted += sum(len(p["mentions"]) for p in there["papers"])
    assert quoted > 0
    for a, b in zip(names[:8], names[-8:], strict=True):
        if a != b:
            assert (
                distant.get("/api/paths.json", {"a": a, "b": b}).json
                == server.get("/api/paths.json", {"a": a, "b": b}).json
            )


@pytest.mark.parametrize("query", [
    "SELECT ?s ?p ?o { ?s ?p ?o } ORDER BY ?s ?p ?o LIMIT 50", "ASK { ?p a schema:ScholarlyArticle }",
    "CONSTRUCT { ?p dcterms:title ?t } { ?p dcterms:title ?t }",
    "SELECT (COUNT(*) AS ?n) { ?a kg:confidence ?c }",
])  # fmt: skip
def test_queries_are_answered_by_the_endpoint(server: Server, distant: Server, query: str) -> None:
    here, there = server.sparql(query), distant.sparql(query)
    assert there.status == 200 and there.body == here.body


def test_statements_and_documents(server: Server, distant: Server) -> None:
    paper = next(t for t in entities(server) if t.startswith("paper/"))
    for path in (f"/api/entity/{paper}.nt", f"/id/{paper}"):
        here, there = (
            set(s.get(path, None, Accept="application/n-triples").text.splitlines()) for s in (server, distant)
        )
        assert there == here and there
    for path in ("/api/map/all.bib", "/api/map/all.ttl", "/api/map/all.csv", "/api/map/all.gexf"):
        assert distant.get(path).body == server.get(path).body, path
    assert "DriftNet" in distant.get("/api/map/all.html").text or distant.get("/api/map/all.html").status == 200


@pytest.mark.parametrize(("query", "status"), [
    ("SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }", 400), ("SELECT * {", 400),
    ("DELETE WHERE { ?s ?p ?o }", 400), ("SELECT * { ?a ?b ?c . ?d dcterms:title ?f }", 413),
])  # fmt: skip
def test_the_same_is_refused(distant: Server, query: str, status: int) -> None:
    answer = distant.sparql(query)
    assert answer.status == status, answer.text
    assert answer.json["error"]["message"]


def test_an_unknown_entity_is_told(distant: Server) -> None:
    assert distant.get("/api/entity/method/nobody-knows.json").status == 404
    assert distant.get("/id/method/nobody-knows", None, Accept="text/turtle").status == 404


def test_what_was_fetched_goes_with_the_server(endpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    running = start(tmp_path / "none", tmp_path / "log", "--endpoint", endpoint)
    assert list((tmp_path / "tmp").rglob("index.sqlite"))
    stop(running)
    assert list((tmp_path / "tmp").iterdir()) == []


def run(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kg", "serve", "--port", "0", *options], capture_output=True, text=True, timeout=120
    )


def test_an_endpoint_that_is_none_is_told(tmp_path: Path) -> None:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{s.getsockname()[1]}/query"
    found = run("--endpoint", nobody)
    assert found.returncode == 1 and nobody in found.stderr and "Traceback" not in found.stderr
    assert run("--user", "ada").returncode == 2


def test_a_server_that_cuts_its_answers_off_is_found_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from kg.errors import EndpointError
    from kg.serve import endpoint as module
    from kg.store.oxigraph import OxigraphStore

    class Cutting:
        """Counts right, and gives one statement less."""

        class connection:
            url = "http://cutting.example/"

        def __init__(self, data: str) -> None:
            self.store = OxigraphStore.in_memory(data.encode())

        def query(self, text: str, **given: Any) -> Any:
            found = self.store.query(text, **given)
            return list(found)[1:] if found.kind == "triples" else found

    data = f"<{ID}paper/a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://schema.org/ScholarlyArticle> .\n"
    with pytest.raises(EndpointError, match="0 of 1 statements"):
        module.fetch_index(Cutting(data), tmp_path)  # type: ignore[arg-type]
    monkeypatch.setattr(module, "MOST_PAPERS", 0)
    with pytest.raises(EndpointError, match="1 papers"):
        module.fetch_index(Cutting(data), tmp_path)  # type: ignore[arg-type]

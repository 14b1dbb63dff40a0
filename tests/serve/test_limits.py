"""Queries that take too long, return or hold too much, and those beside them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from serving import NASTY, Server, start, stop, write_generation

KILLER = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
HUNGRY = "SELECT DISTINCT ?a ?d ?g ?j { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
PAPERS = "SELECT (COUNT(?p) AS ?n) { ?p a schema:ScholarlyArticle }"


def number(server: Server, query: str = PAPERS) -> int:
    answer = server.sparql(query)
    assert answer.status == 200, answer.text
    return int(answer.json["results"]["bindings"][0]["n"]["value"])


@pytest.fixture
def strict(tmp_path: Path, lines: list[str]) -> Iterator[Server]:
    """A server with little time and memory."""
    write_generation(tmp_path / "graph", "one", lines)
    running = start(tmp_path / "graph", tmp_path / "log", "--timeout", "2", "--memory", "256", "--workers", "2")
    yield running
    stop(running)


def test_a_query_that_runs_too_long_is_stopped_while_others_go_on(strict: Server) -> None:
    before = strict.workers()
    began = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        killed = pool.submit(strict.sparql, KILLER)
        while not killed.done():
            assert number(strict) == 8
        answer = killed.result()
    assert answer.status == 504
    assert "2 s" in answer.json["error"]["message"] and "--timeout" in answer.json["error"]["hint"]
    assert time.monotonic() - began < 30
    assert number(strict) == 8
    for _ in range(100):
        if len(after := strict.workers()) == 2:
            break
        time.sleep(0.1)
    assert len(after) == 2 and set(after) != set(before), "the process is really gone, and another is there"


def test_a_client_that_goes_away_takes_its_query_with_it(strict: Server) -> None:
    before = set(strict.workers())
    with socket.create_connection(("127.0.0.1", strict.port)) as client:
        from urllib.parse import quote

        client.sendall(f"GET /sparql?query={quote(KILLER)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        time.sleep(0.5)
    for _ in range(40):
        if before - set(strict.workers()):
            break
        time.sleep(0.1)
    assert before - set(strict.workers())
    assert number(strict) == 8


def test_too_many_rows_and_triples_are_an_error_not_a_shorter_answer(server: Server) -> None:
    for accept in ("application/sparql-results+json", "application/sparql-results+xml", "text/csv",
                   "text/tab-separated-values"):  # fmt: skip
        for limit, status in ((2000, 200), (2001, 413)):
            answer = server.sparql(f"SELECT * {{ ?a ?b ?c . ?d ?e ?f }} LIMIT {limit}", Accept=accept)
            assert answer.status == status, (accept, limit)
    assert "2,000 rows" in answer.json["error"]["message"]
    triples = server.sparql("CONSTRUCT { ?a ?e ?f } { ?a ?b ?c . ?d ?e ?f }")
    assert triples.status == 413


def test_a_query_that_needs_too_much_memory_ends_alone(tmp_path: Path, lines: list[str]) -> None:
    if sys.platform != "linux":
        pytest.skip("memory of a process can be bounded on Linux only")
    write_generation(tmp_path / "graph", "one", lines)
    server = start(tmp_path / "graph", tmp_path / "log", "--timeout", "120", "--memory", "200", "--workers", "1")
    try:
        answer = server.sparql(HUNGRY + " ORDER BY ?a ?d ?g ?j")
        assert answer.status in (503, 413), answer.text
        assert "memory" in answer.json["error"]["message"]
        assert number(server) == 8
    finally:
        stop(server)


def test_a_process_killed_from_outside_is_replaced(strict: Server) -> None:
    for _ in range(3):
        for worker in strict.workers():
            os.kill(worker, signal.SIGKILL)
        assert number(strict) == 8
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(strict.sparql, KILLER)
        time.sleep(0.5)
        for worker in strict.workers():
            os.kill(worker, signal.SIGKILL)
        assert running.result().status == 503
    assert number(strict) == 8


def test_fifty_clients_at_once_get_right_answers(server: Server) -> None:
    papers = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
    wrong = []

    def client(n: int) -> None:
        paper = papers[n % len(papers)]
        query = f"SELECT (COUNT(?a) AS ?n) {{ id:paper\\/{paper} dcterms:creator ?a }}"
        authors = {"alpha": 3, "beta": 2, "gamma": 2, "delta": 3, "eta": 0}.get(paper, 1)
        for _ in range(4):
            if number(server, query) != authors or server.get(f"/api/entity/paper/{paper}.json").status != 200:
                wrong.append(paper)

    threads = [threading.Thread(target=client, args=(n,)) for n in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_workers_end_with_the_server(tmp_path: Path, lines: list[str]) -> None:
    write_generation(tmp_path / "graph", "one", lines)
    for end in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
        server = start(tmp_path / "graph", tmp_path / "log")
        number(server)
        workers = server.workers()
        assert workers
        server.process.send_signal(end)
        server.process.wait(20)
        deadline = time.monotonic() + 10
        while any(_lives(w) for w in workers) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not any(_lives(w) for w in workers), end


def _lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_rebuilt_graph_is_taken_up_and_answers_under_way_finish(tmp_path: Path, lines: list[str]) -> None:
    graph = tmp_path / "graph"
    write_generation(graph, "one", [line for line in lines if "method/nasty" not in line])
    server = start(graph, tmp_path / "log", "--timeout", "20", "--workers", "2")
    try:
        assert server.get("/api/entity/method/nasty.json").status == 404
        tag = server.get("/api/map/all.json").headers["etag"]
        slow = "SELECT (COUNT(*) AS ?n) { ?a a kg:Method . ?d ?e ?f . ?g ?h ?i FILTER(?e = ?h) }"
        with ThreadPoolExecutor(1) as pool:
            under_way = pool.submit(server.sparql, slow)
            time.sleep(0.2)
            write_generation(graph, "two", lines)
            for _ in range(100):
                if server.get("/api/entity/method/nasty.json").status == 200:
                    break
                time.sleep(0.2)
            assert under_way.result().status == 200
        assert server.get("/api/entity/method/nasty.json").json["entity"]["label"] == NASTY
        assert number(server, "SELECT (COUNT(?m) AS ?n) { ?m a kg:Method }") == 7
        assert server.get("/api/map/all.json", If_None_Match=tag).status == 200
        new = server.get("/api/map/all.json").headers["etag"]
        assert server.get("/api/map/all.json", If_None_Match=new).status == 304
    finally:
        stop(server)


def kg(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kg", "serve", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_a_port_in_use_and_a_missing_graph_are_messages(server: Server, tmp_path: Path) -> None:
    taken = kg("-g", server.graph, "--port", server.port)
    assert taken.returncode == 1 and f"port {server.port} is in use" in taken.stderr and "--port" in taken.stderr
    missing = kg("-g", tmp_path / "nothing")
    assert missing.returncode == 1 and "no such folder" in missing.stderr and "kg build" in missing.stderr
    nowhere = kg("-g", server.graph, "--host", "no.such.host.invalid")
    assert nowhere.returncode == 1 and "no address" in nowhere.stderr
    for done in (taken, missing, nowhere):
        assert "Traceback" not in done.stderr and done.stdout == ""


def test_help_loads_nothing_of_the_server() -> None:
    program = "import sys, kg.cli; kg.cli.cli.main(['--help'], standalone_mode=False); print([m for m in sys.modules if m.split('.')[0] in ('starlette', 'uvicorn', 'numpy', 'anyio', 'pyoxigraph')])"
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout
    assert "serve" in out and out.rstrip().endswith("[]")

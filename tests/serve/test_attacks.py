"""Attacks tried on the server: each must fail in a way that tells nothing and harms nobody."""

from __future__ import annotations

import csv
import io
import json
import socket
import time
from pathlib import Path

import pytest
from serving import NASTY, Server

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; worker-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"


def raw(server: Server, data: bytes, wait: float = 20) -> bytes:
    """What comes back for these bytes until the server closes the connection."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=wait) as client:
        found = b""
        try:
            client.sendall(data)
            while piece := client.recv(65536):
                found += piece
        except ConnectionError:  # closed while we were still sending
            pass
        return found


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "[::2]", "", "a b",
     "127.0.0.1@evil.example", "0.0.0.0", "localhost:99999999"],
)  # fmt: skip
def test_dns_rebinding(server: Server, host: str) -> None:
    reply = raw(server, f"GET /api/meta.json HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    assert reply.split()[1] in (b"421", b"400")
    assert b"counts" not in reply


def test_two_host_headers_or_none(server: Server) -> None:
    for head in ("Host: localhost\r\nHost: evil.example\r\n", ""):
        reply = raw(server, f"GET / HTTP/1.1\r\n{head}Connection: close\r\n\r\n".encode())
        assert reply.split()[1] in (b"400", b"421")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "[::1]"])
def test_own_names_are_served(server: Server, host: str) -> None:
    assert server.get("/api/meta.json", Host=f"{host}:{server.port}").status == 200


def test_pages_of_other_sites_can_neither_read_nor_make_the_server_work(server: Server) -> None:
    slow = "/sparql?query=SELECT+*+%7B%7D"
    for path in (slow, "/api/meta.json", "/api/map/all.json"):
        assert server.get(path, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors").status == 403
        assert server.get(path, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate").status == 403
        assert server.get(path, Origin="https://evil.example").status == 403
        assert server.get(path, Origin="null").status == 403
        own = server.get(path, Origin=f"http://127.0.0.1:{server.port}", Sec_Fetch_Site="same-origin")
        assert own.status == 200
        assert not [name for name in own.headers if name.startswith("access-control")]
    preflight = server.ask("OPTIONS", "/sparql", Origin="https://evil.example", Access_Control_Request_Method="POST")
    assert preflight.status == 403
    form = server.ask("POST", "/sparql", b"query=ASK%7B%7D", Content_Type="application/x-www-form-urlencoded",
                      Origin="https://evil.example")  # fmt: skip
    assert form.status == 403
    link = server.get("/", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate")
    assert link.status == 200, "a link to the explorer may stand anywhere"


def test_every_answer_has_the_headers_that_bind_a_browser(server: Server) -> None:
    for path in ("/", "/map", "/api/meta.json", "/sparql", "/nowhere", "/assets/nothing.js", "/sparql?query=x"):
        headers = server.get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
    assert server.sparql("ASK {}").headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    ["/assets/../../../pyproject.toml", "/assets/%2e%2e/%2e%2e/index.html", "/assets/..%2f..%2f..%2fetc/passwd",
     "/assets//etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%5c..%5cwindows", "/assets/%00", "/id/../../etc/passwd",
     "/api/entity/../../../etc/passwd.ttl", "/api/query/..%2f..%2fkg.json", "/api/query/%2e%2e.json"],
)  # fmt: skip
def test_paths_that_climb(server: Server, path: str) -> None:
    answer = server.get(path)
    assert answer.status in (400, 404), answer.text
    assert b"root:" not in answer.body and b"build-system" not in answer.body


@pytest.mark.parametrize(
    "path",
    ["/id/x%0d%0aSet-Cookie:%20a=b", "/id/method/%0d%0aX: y", "/api/map/all%0d%0aX:y.csv",
     "/api/query/top-methods%0d%0aX:y.csv"],
)  # fmt: skip
def test_headers_cannot_be_injected(server: Server, path: str) -> None:
    for accept in ("text/html", "text/turtle"):
        reply = raw(
            server,
            f"GET {path.replace(' ', '%20')} HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\nConnection: close\r\n\r\n".encode(),
        )
        head = reply.split(b"\r\n\r\n")[0].lower()
        assert b"\r\nset-cookie" not in head and b"\r\nx: y" not in head and b"\r\nx:y" not in head


@pytest.mark.parametrize("tail", ["x%3E%20%7B%7D%20%23", "x> } UNION { ?s ?p ?o } #", 'a"b', "a%20b", "a\\b"])
def test_an_address_is_never_part_of_a_query(server: Server, tail: str) -> None:
    for path in (f"/id/{tail}", f"/api/entity/{tail}.ttl"):
        answer = server.get(path.replace(" ", "%20"), Accept="text/turtle")
        assert answer.status in (400, 404), answer.text


def test_a_parameter_is_never_part_of_a_query(server: Server) -> None:
    for value in ('alphanet" } UNION { ?s ?p ?o } #', "method/alphanet> . ?s ?p ?o . <x", "?x", "'); DROP"):
        answer = server.get("/api/query/method-papers.json", {"method": value})
        assert answer.status in (400, 404), answer.text


def test_names_that_attack_pages_stay_text(server: Server) -> None:
    found = server.get("/api/entity/method/nasty.json")
    assert found.headers["content-type"] == "application/json"
    assert found.json["entity"]["label"] == NASTY
    page = server.get("/api/map/all.html", {"around": "method/nasty"})
    assert page.status == 200
    assert "<img" not in page.text and "</script><" not in page.text.replace("</script><script", "")
    assert page.headers["content-disposition"].startswith("attachment")
    gexf = server.get("/api/map/all.gexf").text
    assert "<img" not in gexf and "&lt;img" in gexf


def test_tables_hold_no_formulas(server: Server) -> None:
    for path in ("/api/search.csv?q=script", "/api/map/all.csv", "/api/entity/paper/gamma.csv"):
        answer = server.get(path)
        assert answer.status == 200
        for row in csv.reader(io.StringIO(answer.text)):
            assert not [cell for cell in row if cell[:1] in ("=", "+", "@", "\t") or cell[:2] == "-c"]


def test_huge_addresses_headers_and_bodies(server: Server) -> None:
    reply = raw(server, b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert reply == b"" or reply.split()[1] in (b"400", b"414", b"431")
    reply = raw(server, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 200_000 + b"\r\n\r\n")
    assert reply == b"" or reply.split()[1] in (b"400", b"431")
    chunk = b"10000\r\n" + b"a" * 65536 + b"\r\n"
    head = b"POST /sparql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/sparql-query\r\nTransfer-Encoding: chunked\r\n\r\n"
    reply = raw(server, head + chunk * 40 + b"0\r\n\r\n")
    assert reply == b"" or b" 413 " in reply[:40]
    for length in ("-1", "x", "9" * 40):
        reply = raw(server, f"POST /sparql HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n".encode())
        assert reply == b"" or reply.split()[1] in (b"400", b"413")
    assert server.sparql("ASK {}").status == 200


def test_clients_that_say_nothing_are_sent_away(server: Server) -> None:
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as silent:
        assert silent.recv(10) == b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as slow:
        slow.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        slow.settimeout(1)
        for n in range(60):
            try:
                slow.sendall(f"X-{n}: y\r\n".encode())
                if slow.recv(10) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        else:
            pytest.fail("a client that sends a header now and then holds its connection for ever")
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as half:
        half.sendall(
            b"POST /sparql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/sparql-query\r\nContent-Length: 100\r\n\r\nASK"
        )
        assert half.recv(1000)[:12] == b"HTTP/1.1 408"
    assert time.monotonic() - began < 90


@pytest.mark.parametrize(
    "query",
    ["SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }", "SELECT * { SERVICE SILENT ?s { ?s ?p ?o } }",
     "SELECT * { { SELECT * { SERVICE <file:///etc/passwd> {} } } }", "LOAD <http://127.0.0.1:1/x>", "CLEAR ALL",
     "INSERT DATA { <a:a> <a:b> <a:c> }", "PREFIX x: <a:> DROP ALL", "DELETE WHERE { ?s ?p ?o }",
     "SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }"],
)  # fmt: skip
def test_queries_that_would_leave_the_graph_or_change_it(server: Server, query: str) -> None:
    answer = server.ask("POST", "/sparql", query.encode(), Content_Type="application/sparql-query")
    assert answer.status == 400 or answer.json["results"]["bindings"] == []
    assert server.sparql("ASK { <a:a> ?p ?o }").json["boolean"] is False


def test_deep_and_strange_queries_end_in_an_answer(server: Server) -> None:
    for query in ("ASK {" * 3000, "SELECT * {" + "{" * 5000 + "}" * 5000 + "}", "SELECT (" + "(" * 20000 + "1",
                  "ASK { FILTER(" + "!" * 20000 + "true) }", "\0", "SELECT * { ?s ?p \"" + "\\" * 1001 + "\" }"):  # fmt: skip
        answer = server.ask("POST", "/sparql", query.encode(), Content_Type="application/sparql-query")
        assert answer.status in (200, 400, 413, 500, 503, 504), query[:40]
        json.loads(answer.body)
    assert server.sparql("ASK {}").status == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/map/none.json", 404), ("/api/map/all.exe", 404), ("/api/map/all.json?kinds=x", 400),
        ("/api/map/all.json?year_from=abc", 400), ("/api/map/all.json?min_confidence=7", 400),
        ("/api/map/all.json?min_confidence=nan", 400), ("/api/map/all.json?role=king", 400),
        ("/api/map/all.json?topic=nothing-like-it", 404), ("/api/map/all.json?around=nothing-like-it", 404),
        ("/api/map/all.json?limit=-5", 200), ("/api/map/all.json?limit=99999999999999999999999", 200),
        ("/api/search.json?limit=1e9", 400), ("/api/search.json?q=%00%ff", 200), ("/api/search.json?offset=99999", 200),
        ("/api/entity/method/none.json", 404), ("/api/entity/method/alphanet.exe", 404), ("/api/link.json?a=alphanet", 400),
        ("/api/link.json?a=method/alphanet&b=person/fay", 404), ("/api/paths.json?a=Ada+Byte&b=Ada+Byte", 400),
        ("/api/query/none.json", 404), ("/api/query/coauthors.json", 400), ("/api/query/coauthors.json?person=Nobody", 400),
        ("/nowhere", 404), ("/id/method/none", 404),
    ],
)  # fmt: skip
def test_wrong_questions_are_told_what_is_wrong(server: Server, path: str, status: int) -> None:
    answer = server.get(path, Accept="application/json, text/turtle;q=0.5" if path.startswith("/id") else "*/*")
    if answer.status == 303:
        answer = server.get(answer.headers["location"])
    assert answer.status == status, answer.text
    if status != 200:
        assert answer.json["error"]["code"] == status and answer.json["error"]["message"]


def test_the_server_wrote_nothing_into_the_graph(server: Server) -> None:
    names = sorted(f.name for f in (server.graph / "graphs" / "one").iterdir())
    assert names == ["complete", "explore.sqlite", "index.sqlite", "s.nq", "store"]
    assert "Traceback" not in Path(server.log).read_text()

"""What goes wrong between a client and a server, against a server that does it."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest

from kg.errors import EndpointError, UsageError
from kg.store import http
from kg.store.remote import RemoteStore, kind_of, with_prefixes

JSON = "application/sparql-results+json"
ROWS = '{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"literal","value":"1"}}]}}'
Start = Callable[[Callable[[BaseHTTPRequestHandler, int], None]], Any]


def say(
    handler: BaseHTTPRequestHandler, status: int, body: str = "", media: str = "text/plain", **headers: str
) -> None:
    """An answer."""
    data = body.encode()
    handler.send_response(status)
    handler.send_header("Content-Type", media)
    handler.send_header("Content-Length", str(len(data)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(data)


def drop(handler: BaseHTTPRequestHandler) -> None:
    """No answer: the connection ends."""
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "_PAUSE", 0.01)
    monkeypatch.delenv("KG_PASSWORD", raising=False)


def ask(url: str, **more: Any) -> list[str]:
    return [row[0].value for row in RemoteStore(url, **more).query("SELECT ?x {}")]


def test_a_query_is_posted_as_a_form_with_its_graphs(scripted: Start) -> None:
    server = scripted(lambda h, n: say(h, 200, ROWS, JSON))
    assert ask(server.url, default_graphs=["urn:a", "urn:b"], named_graphs=["urn:b"]) == ["1"]
    method, _, body, headers = server.requests[0]
    assert method == "POST" and headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert body.count(b"default-graph-uri=urn%3A") == 2 and b"named-graph-uri=urn%3Ab" in body
    assert headers["Accept"] == JSON and "Authorization" not in headers


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_busy_server_is_asked_again(scripted: Start, status: int) -> None:
    server = scripted(lambda h, n: say(h, 200, ROWS, JSON) if n == 2 else say(h, status, "wait", Retry_After="0"))
    assert ask(server.url) == ["1"] and len(server.requests) == 3


def test_a_server_that_stays_busy_is_left_alone_after_three_times(scripted: Start) -> None:
    server = scripted(lambda h, n: say(h, 503, "full"))
    with pytest.raises(EndpointError, match=r"busy or down \(503: full\)"):
        ask(server.url)
    assert len(server.requests) == 3


def test_a_dropped_connection_is_tried_again_and_then_told(scripted: Start) -> None:
    once = scripted(lambda h, n: say(h, 200, ROWS, JSON) if n else drop(h))
    assert ask(once.url) == ["1"]
    always = scripted(lambda h, n: drop(h))
    with pytest.raises(EndpointError, match="dropped the connection|cannot be reached"):
        ask(always.url)
    assert len(always.requests) == 3


def test_an_answer_that_breaks_off_is_no_answer(scripted: Start) -> None:
    def half(handler: BaseHTTPRequestHandler, n: int) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", JSON)
        handler.send_header("Content-Length", "5000")
        handler.end_headers()
        handler.wfile.write(ROWS.encode())
        handler.close_connection = True

    with pytest.raises(EndpointError):
        ask(scripted(half).url)


def test_a_slow_server_is_not_asked_twice(scripted: Start) -> None:
    server = scripted(lambda h, n: time.sleep(1.0))
    with pytest.raises(EndpointError, match=r"no answer within 0\.3 s"):
        ask(server.url, timeout=0.3)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "body", "media", "message"),
    [
        (400, "line 1: what is FOO?", "text/plain", "what is FOO"),
        (400, "<html><script>x()</script><b>Parse\x1b error</b></html>", "text/html", "request: Parse error"),
        (401, "", "text/plain", "refuses access"),
        (403, "no", "text/plain", "refuses access"),
        (404, "<h1>Not here</h1>", "text/html", "no SPARQL service answers"),
        (405, "", "text/plain", "no SPARQL service answers"),
        (413, "", "text/plain", "too large"),
        (500, "trouble", "text/plain", r"failed \(500: trouble\)"),
        (200, "<html>Welcome</html>", "text/html", "answers with a web page"),
        (200, "x,y", "text/csv", "answers with text/csv"),
        (200, '{"head":{"vars":[', JSON, "cannot be read"),
    ],
)
def test_what_a_server_says_is_told_once_with_a_remedy(
    scripted: Start, status: int, body: str, media: str, message: str
) -> None:
    server = scripted(lambda h, n: say(h, status, body, media))
    with pytest.raises(EndpointError, match=message) as told:
        ask(server.url)
    assert len(server.requests) == 1
    assert told.value.hint and told.value.place == server.url and "\x1b" not in str(told.value)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_on_the_same_server_keeps_the_query(scripted: Start, status: int) -> None:
    server = scripted(lambda h, n: say(h, 200, ROWS, JSON) if n else say(h, status, Location="/elsewhere"))
    assert ask(server.url) == ["1"]
    first, second = server.requests
    assert second[:2] == ("POST", "/elsewhere") and second[2] == first[2]


def test_redirects_elsewhere_and_in_circles_are_not_followed(scripted: Start) -> None:
    away = scripted(lambda h, n: say(h, 302, Location="http://example.invalid/sparql"))
    with pytest.raises(EndpointError, match="another place: http://example.invalid"):
        ask(away.url)
    with pytest.raises(EndpointError, match="circle"):
        ask(scripted(lambda h, n: say(h, 302, Location="/sparql")).url)


def test_a_closed_port_and_an_unknown_host() -> None:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    with pytest.raises(EndpointError, match="refused"):
        ask(f"http://127.0.0.1:{port}/sparql")


@pytest.mark.parametrize(
    "url", ["localhost:7878/query", "ftp://x/y", "http://", "/tmp/graph", "http://x:99999/q", "http://[x"]
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(UsageError, match="no web address"):
        RemoteStore(url)


def test_a_password_in_an_address_is_refused_and_not_repeated() -> None:
    with pytest.raises(UsageError) as told:
        RemoteStore("http://ada:secret@localhost/sparql")
    assert "secret" not in str(told.value)


@pytest.mark.parametrize(
    ("asked", "begins"), [('Basic realm="x"', "Basic "), ('Digest realm="x", nonce="1", qop="auth"', "Digest ")]
)
def test_a_login_goes_out_only_when_it_is_asked_for(
    scripted: Start, monkeypatch: pytest.MonkeyPatch, asked: str, begins: str
) -> None:
    monkeypatch.setenv("KG_PASSWORD", "secret")
    server = scripted(
        lambda h, n: say(h, 200, ROWS, JSON) if "Authorization" in h.headers else say(h, 401, WWW_Authenticate=asked)
    )
    assert ask(server.url, user="ada") == ["1"]
    sent = [r[3].get("Authorization", "") for r in server.requests]
    assert sent[0] == "" and sent[-1].startswith(begins)


def test_a_wrong_password_is_an_error_that_does_not_show_it(scripted: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KG_PASSWORD", "secret")
    server = scripted(lambda h, n: say(h, 401, WWW_Authenticate='Basic realm="x"'))
    with pytest.raises(EndpointError, match="refuses access") as told:
        ask(server.url, user="ada")
    assert "secret" not in str(told.value) and len(server.requests) == 2


def test_a_password_from_netrc(scripted: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login ada password secret\n")
    (tmp_path / "netrc").chmod(0o600)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    server = scripted(
        lambda h, n: say(h, 200, ROWS, JSON) if "Authorization" in h.headers else say(h, 401, WWW_Authenticate="Basic")
    )
    assert ask(server.url, user="ada") == ["1"]
    with pytest.raises(UsageError, match="no password for the user 'bo'"):
        RemoteStore(server.url, user="bo")
    with pytest.raises(EndpointError, match="refuses access"):
        ask(server.url)  # the file alone sends nothing
    assert "Authorization" not in server.requests[-1][3]


def test_an_answer_that_the_server_cut_off_is_told(scripted: Start) -> None:
    cut = scripted(lambda h, n: say(h, 200, ROWS, JSON, X_SPARQL_MaxRows="10000", X_SQL_State="S1TAT"))
    store = RemoteStore(cut.url)
    store.query("SELECT ?x {}")
    assert "10000" in store.notes[0] and "incomplete" in store.notes[1]


def test_ask_as_a_truth_and_as_old_servers_give_it(scripted: Start) -> None:
    bodies = ['{"head":{},"boolean":true}', '{"head":{},"boolean":false}', ROWS, ROWS.replace('"1"', '"0"'),
              '{"head":{"vars":["x"]},"results":{"bindings":[]}}']  # fmt: skip
    server = scripted(lambda h, n: say(h, 200, bodies[n], JSON))
    store = RemoteStore(server.url)
    assert [bool(store.query("ASK {}")) for _ in bodies] == [True, False, True, False, False]


@pytest.mark.parametrize(
    ("media", "body"),
    [
        ("application/n-triples", "<urn:a> <urn:b> <urn:c> ."),
        ("text/turtle;charset=utf-8", "@prefix u: <urn:> . <urn:a> <urn:b> <urn:c> ."),
        ("application/rdf+xml", '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:u="urn:">'
         '<r:Description r:about="urn:a"><u:b r:resource="urn:c"/></r:Description></r:RDF>'),
    ],
)  # fmt: skip
def test_triples_in_the_formats_of_servers(scripted: Start, media: str, body: str) -> None:
    server = scripted(lambda h, n: say(h, 200, body, media))
    result = RemoteStore(server.url).query("CONSTRUCT { ?a ?b ?c } { ?a ?b ?c }")
    assert result.kind == "triples"
    assert [tuple(t.value for t in row) for row in result] == [("urn:a", "urn:b", "urn:c")]
    assert server.requests[0][3]["Accept"].startswith("application/n-triples")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("select * {}", "SELECT"),
        ("# ASK\nPREFIX a: <urn:select#> BASE <urn:x>\n construct {} {}", "CONSTRUCT"),
        ("PREFIX : <urn:x> DESCRIBE :a", "DESCRIBE"),
        ("ASK{}", "ASK"),
        ("DROP ALL", ""),
    ],
)
def test_the_form_of_a_query(text: str, kind: str) -> None:
    assert kind_of(text) == kind


def test_prefixes_are_declared_once_and_keep_the_lines() -> None:
    given = {"kg": "urn:kg#", "foaf": "urn:foaf#", "oa": "urn:oa#"}
    text = with_prefixes("PREFIX foaf: <urn:mine#>\nSELECT * { ?s a kg:Method ; foaf:name ?n }", given)
    assert text.count("foaf:") == 2 and "oa:" not in text
    assert text.startswith("PREFIX kg: <urn:kg#> PREFIX foaf: <urn:mine#>\nSELECT")

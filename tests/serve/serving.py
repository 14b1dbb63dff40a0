"""Helpers: a graph folder made by hand, and a server that really runs on it, as a process of its own."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from kg.links.pairs import ENTITY_KIND
from kg.links.top import keep_strongest
from kg.query.index import build_index
from kg.store.oxigraph import OxigraphStore

NASTY = "</script><img src=x onerror=alert(1)> =cmd|' /C calc'!A0"
ID = "https://w3id.org/paperkg/id/"
KG = "https://w3id.org/paperkg/ontology#"


def method_lines(key: str, label: str) -> list[str]:
    """Statements of one more method, which paper gamma uses."""
    about, text = f"<{ID}method/{key}>", json.dumps(label)
    return [
        f"{about} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{KG}Method> .\n",
        f"{about} <http://www.w3.org/2004/02/skos/core#prefLabel> {text} .\n",
        f"<{ID}paper/gamma> <{KG}usesMethod> {about} .\n",
    ]


def write_generation(folder: Path, name: str, lines: list[str]) -> None:
    """Makes a generation of a graph folder the current one, as a build does."""
    graph = folder / "graphs" / name
    graph.mkdir(parents=True)
    (graph / "s.nq").write_text("".join(lines), encoding="utf-8")
    OxigraphStore.load(graph / "store", [graph / "s.nq"])
    db = build_index(lines, graph / "index.sqlite")
    keep_strongest(db, ENTITY_KIND)
    db.close()
    (graph / "complete").touch()
    manifest = {"format": 1, "version": "9.9", "settings": "s", "model": "m", "parts": [], "inputs": [],
                "graph": name, "counts": {"papers": 8, "people": 8}}  # fmt: skip
    temporary = folder / "manifest.new"
    temporary.write_text(json.dumps(manifest))
    os.replace(temporary, folder / "manifest.json")


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")


@dataclass
class Server:
    """A running `kg serve`."""

    process: subprocess.Popen[str]
    url: str
    graph: Path
    log: Path
    sent: dict[str, str] = field(default_factory=dict)

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 0

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """One request; header names with _ for -. An empty header value leaves the header out."""
        given = {k.replace("_", "-"): v for k, v in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.putrequest(method, path, skip_host="Host" in given, skip_accept_encoding=True)
            for name, value in given.items():
                if value:
                    connection.putheader(name, value)
            if body is not None and "Content-Length" not in given:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            return Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        finally:
            connection.close()

    def get(self, path: str, parameters: Mapping[str, Any] | None = None, **headers: str) -> Answer:
        return self.ask("GET", f"{path}?{urlencode(parameters, doseq=True)}" if parameters else path, None, **headers)

    def sparql(self, query: str, **headers: str) -> Answer:
        return self.get("/sparql", {"query": query}, **headers)

    def workers(self) -> list[int]:
        """Numbers of the query processes."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(c) for c in children if b"kg.serve.worker" in Path(f"/proc/{c}/cmdline").read_bytes()]


def start(graph: Path, log: Path, *options: str) -> Server:
    """Starts a server on a free port and waits until it listens."""
    command = [sys.executable, "-m", "kg", "serve", "-g", str(graph), "--port", "0", *options]
    errors = open(log, "w")  # noqa: SIM115
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
    assert process.stdout
    line = process.stdout.readline()
    assert line.startswith("http://"), (line, log.read_text())
    server = Server(process, line.split()[0].rstrip("/"), graph, log)
    for _ in range(100):
        try:
            if server.get("/api/meta.json").status == 200:
                break
        except OSError:
            pass
        time.sleep(0.1)
    return server


def stop(server: Server) -> None:
    server.process.send_signal(signal.SIGTERM)
    try:
        server.process.wait(20)
    finally:
        server.process.kill()

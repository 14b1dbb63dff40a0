"""Two real servers on this machine, and one that misbehaves on purpose; nothing leaves the machine."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from kg.api import Graph
from kg.demo.run import CORPUS, INPUTS
from kg.pipeline.build import build
from kg.remote import push

PASSWORD = "dba"  # of a new Virtuoso, whose data base lives as long as the test
_INI = """
[Database]
DatabaseFile = virtuoso.db
ErrorLogFile = virtuoso.log
LockFile = virtuoso.lck
TransactionFile = virtuoso.trx
xa_persistent_file = virtuoso.pxa
FileExtend = 200
MaxCheckpointRemap = 2000
[TempDatabase]
DatabaseFile = virtuoso-temp.db
TransactionFile = virtuoso-temp.trx
MaxCheckpointRemap = 2000
[Parameters]
ServerPort = 127.0.0.1:{sql}
DisableUnixSocket = 1
ServerThreads = 10
CheckpointInterval = 0
NumberOfBuffers = 10000
MaxDirtyBuffers = 6000
[HTTPServer]
ServerPort = 127.0.0.1:{http}
ServerThreads = 5
[SPARQL]
ResultSetMaxRows = 100000
MaxQueryExecutionTime = 60
"""


class Server(NamedTuple):
    """A running server: address of its query service, user who may write."""

    name: str
    endpoint: str
    user: str


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(url: str, process: subprocess.Popen, seconds: float) -> bool:
    """Whether a server answers before its time is up, and lives."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            urlopen(url, timeout=2).close()
            return True
        except URLError as error:
            if hasattr(error, "code"):  # it answers, if only to say no
                return True
        except OSError:
            pass
        time.sleep(0.1)
    return False


def oxigraph_command() -> str | None:
    beside = Path(sys.executable).with_name("oxigraph")
    return str(beside) if beside.is_file() else shutil.which("oxigraph")


def start_oxigraph(*options: str) -> tuple[subprocess.Popen, str]:
    if (command := oxigraph_command()) is None:
        pytest.skip("the command oxigraph is not installed (PyPI package oxigraph, extra test)")
    port = free_port()
    process = subprocess.Popen(
        [command, "serve", "--bind", f"127.0.0.1:{port}", *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    base = f"http://127.0.0.1:{port}"
    if not wait_for(base, process, 30):
        process.kill()
        pytest.skip("oxigraph serve did not start")
    return process, base


def start_virtuoso(folder: Path) -> tuple[subprocess.Popen, str]:
    if (command := shutil.which("virtuoso-t")) is None:
        pytest.skip("virtuoso-t is not installed (Debian: virtuoso-opensource-7-bin)")
    http = free_port()
    (folder / "virtuoso.ini").write_text(_INI.format(sql=free_port(), http=http))
    process = subprocess.Popen(
        [command, "+foreground", "+configfile", "virtuoso.ini"],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    base = f"http://127.0.0.1:{http}"
    if not wait_for(f"{base}/sparql?query=ASK%7B%7D", process, 90):
        process.kill()
        log = folder / "virtuoso.log"
        pytest.skip(f"Virtuoso did not start: {log.read_text()[-300:] if log.is_file() else 'no log'}")
    return process, base


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    """The graph of the packaged demo corpus."""
    folder = tmp_path_factory.mktemp("remote") / "graph"
    build([CORPUS / name for name in INPUTS], folder, workers=1)
    return Graph(folder)


@pytest.fixture(scope="session", params=["oxigraph", "virtuoso"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, demo: Graph) -> Iterator[Server]:
    """A server that holds the demo graph, as `kg push` put it there."""
    if request.param == "oxigraph":
        process, base = start_oxigraph()
        found = Server("oxigraph", f"{base}/query", "")
    else:
        process, base = start_virtuoso(tmp_path_factory.mktemp("virtuoso"))
        found = Server("virtuoso", f"{base}/sparql", "dba")
    before = os.environ.get("KG_PASSWORD")
    os.environ["KG_PASSWORD"] = PASSWORD
    try:
        push(demo, found.endpoint, user=found.user, chunk=2000)
        yield found
    finally:
        if before is None:
            os.environ.pop("KG_PASSWORD", None)
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture
def plain_oxigraph() -> Iterator[str]:
    """An empty Oxigraph whose default graph is the unnamed one alone: the address of its query service."""
    process, base = start_oxigraph()
    yield f"{base}/query"
    process.terminate()
    process.wait(10)


Answer = Callable[[BaseHTTPRequestHandler, int], None]


class Scripted(NamedTuple):
    """A server that answers its n-th request as told."""

    url: str
    requests: list[tuple[str, str, bytes, dict[str, str]]]


@pytest.fixture
def scripted() -> Iterator[Callable[[Answer], Scripted]]:
    """Starts servers that do what a function says: it gets the handler and the number of the request, from 0."""
    running = []

    def start(answer: Answer) -> Scripted:
        seen: list[tuple[str, str, bytes, dict[str, str]]] = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                seen.append((self.command, self.path, body, dict(self.headers)))
                answer(self, len(seen) - 1)

            do_GET = do_POST = do_PUT = handle_any

            def log_message(self, *_: object) -> None: ...

        http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=http.serve_forever, daemon=True).start()
        running.append(http)
        return Scripted(f"http://127.0.0.1:{http.server_port}/sparql", seen)

    yield start
    for http in running:
        http.shutdown()
        http.server_close()

"""`kg serve` under load: what fifty clients wait for, while a query that never ends runs beside them.

    python tests/benchmarks/bench_serve.py GRAPH [--clients 50] [--seconds 20]

Prints one table: requests, wrong and refused ones, median, 95th percentile and worst milliseconds of each kind of request,
then the resident memory of the server and its query processes before, during and after, and how long a
search takes letter by letter.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path
from urllib.parse import quote, urlencode

KILLER = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
TYPED = ("attention", "diffusion polcy", "imgenet", "graph neural network", "kaiming he")


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("graph", type=Path)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    command = [sys.executable, "-m", "kg", "serve", "-g", str(given.graph), "--port", "0", "--timeout", "5"]
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    port = int(process.stdout.readline().split("//")[1].split("/")[0].rsplit(":", 1)[1])
    try:
        ask(port, "/api/meta.json")
        print(f"ready after {time.perf_counter() - began:.1f} s; memory {memory(process.pid)}")
        letters(port)
        maps(port)
        load(port, given.clients, given.seconds, process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def ask(port: int, path: str) -> tuple[int, bytes]:
    """Status and body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def memory(server: int) -> str:
    """Resident MB of the server and of each query process."""
    children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    return " + ".join(f"{_resident(int(p))} MB" for p in (server, *children))


def _resident(process: int) -> int:
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") // 2**20


def letters(port: int) -> None:
    """How long a search takes, letter by letter, as the client sees it."""
    times = []
    for text in TYPED:
        for n in range(1, len(text) + 1):
            start = time.perf_counter()
            status, body = ask(port, "/api/search.json?" + urlencode({"q": text[:n]}))
            times.append((1000 * (time.perf_counter() - start), text[:n], json.loads(body)["total"], status))
    values = sorted(t for t, *_ in times)
    worst = max(times)
    print(f"search  {len(values)} key presses: median {statistics.median(values):.0f} ms, 95 % {values[len(values) * 95 // 100]:.0f} ms, "
          f"worst {worst[0]:.0f} ms ({worst[1]!r}, {worst[2]:,} found)")  # fmt: skip


def maps(port: int) -> None:
    """How long each map takes, first and again."""
    for lens in ("all", "coauthors", "datasets", "methods", "code"):
        times = []
        for _ in range(2):
            start = time.perf_counter()
            _, body = ask(port, f"/api/map/{lens}.json")
            times.append(1000 * (time.perf_counter() - start))
        found = json.loads(body)["total"]
        print(
            f"map     {lens}: {found['nodes']:,} nodes, {found['edges']:,} edges, {len(body) / 1e6:.1f} MB; {times[0]:.0f} ms, again {times[1]:.0f} ms"
        )


def load(port: int, clients: int, seconds: float, server: int) -> None:
    """Clients that ask without a pause, and one query that never ends beside them."""
    papers = [e["id"] for e in json.loads(ask(port, "/api/search.json?kind=paper&limit=200")[1])["items"]]
    times: dict[str, list[float]] = defaultdict(list)
    wrong: dict[str, int] = defaultdict(int)
    refused: dict[str, int] = defaultdict(int)
    expected = {p: ask(port, _titles(p))[1] for p in papers[:50]}
    end = time.monotonic() + seconds

    def client(n: int) -> None:
        chance = random.Random(n)
        while time.monotonic() < end:
            paper = chance.choice(papers[:50])
            kind, path = chance.choice([
                ("sparql", _titles(paper)), ("entity", f"/api/entity/{paper}.json"),
                ("search", f"/api/search.json?q={chance.choice(TYPED)[: chance.randint(2, 12)].replace(' ', '+')}"),
                ("neighbours", f"/api/neighbours/{paper}.json"),
            ])  # fmt: skip
            start = time.perf_counter()
            try:
                status, body = ask(port, path)
            except OSError:
                status, body = 0, b""
            times[kind].append(1000 * (time.perf_counter() - start))
            if status == 200 and kind == "sparql" and body != expected[paper]:
                wrong[kind] += 1
            elif status != 200:  # a query that waited for its turn as long as it may run is told so
                refused[kind] += 1

    def killer() -> None:
        while time.monotonic() < end:
            start = time.perf_counter()
            status, _ = ask(port, "/sparql?query=" + quote(KILLER))
            times[f"killer ({status})"].append(1000 * (time.perf_counter() - start))

    threads = [threading.Thread(target=client, args=(n,)) for n in range(clients)]
    threads.append(threading.Thread(target=killer))
    for thread in threads:
        thread.start()
    time.sleep(seconds / 2)
    print(f"memory under load: {memory(server)}")
    for thread in threads:
        thread.join()
    print(f"memory afterwards: {memory(server)}")
    total = sum(len(v) for k, v in times.items() if not k.startswith("killer"))
    print(f"{clients} clients, {seconds:g} s: {total / seconds:.0f} requests/s")
    print(f"{'kind':<14}{'requests':>9}{'wrong':>7}{'refused':>9}{'median':>8}{'95 %':>8}{'worst':>8}  ms")
    for kind in sorted(times):
        values = sorted(times[kind])
        print(
            f"{kind:<14}{len(values):>9}{wrong[kind]:>7}{refused[kind]:>9}{statistics.median(values):>8.0f}{values[len(values) * 95 // 100]:>8.0f}{values[-1]:>8.0f}"
        )


def _titles(paper: str) -> str:
    query = (
        f"SELECT ?t ?a {{ <https://w3id.org/paperkg/id/{paper}> dcterms:title ?t ; dcterms:creator ?a }} ORDER BY ?a"
    )
    return "/sparql?query=" + quote(query)


if __name__ == "__main__":
    main()

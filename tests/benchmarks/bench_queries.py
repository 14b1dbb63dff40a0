"""How long each question of the catalogue takes from the key press: one new process each.

    python tests/benchmarks/bench_queries.py GRAPH [--runs N] [NAME...]

Parameters are the entities that stand in most papers, so these are the slowest answers. Prints the
wall time and the processor time of the whole command (interpreter, imports, look-up, query, output),
the best of N runs, and the number of lines it wrote. The last rows are look-ups of a misspelt name.
"""

from __future__ import annotations

import argparse
import resource
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from kg.pipeline.folder import Folder
from kg.query.catalogue import load_catalogue
from kg.query.index import open_index


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_intermixed_args()
    values = heaviest(open_index(Folder(Path(given.graph)).current()[1] / "index.sqlite"))
    print(f"{'query':28} {'wall s':>7} {'cpu s':>7} {'lines':>7}")
    slow = 0
    for name, query in load_catalogue().items():
        if given.names and name not in given.names:
            continue
        wanted = [f"{p.name}={values.get(p.name) or values[p.type]}" for p in query.params if not p.optional]
        command = ["query", name, "-g", given.graph, "-f", "nt" if "CONSTRUCT" in query.text else "json"]
        wall, cpu, lines = best(command + [x for w in wanted for x in ("-p", w)], given.runs)
        slow += wall > 1
        print(f"{name:28} {wall:7.2f} {cpu:7.2f} {lines:7,}{'  over 1 s' if wall > 1 else ''}", flush=True)
    if not given.names:
        for kind in ("person", "method", "dataset"):
            typo = values[f"{kind} name"][:-2] + values[f"{kind} name"][:-3:-1]
            wall, cpu, _ = best(["show", typo, "-g", given.graph], given.runs, fails=True)
            print(f"{'typo: ' + typo:28} {wall:7.2f} {cpu:7.2f}", flush=True)
    print(f"{slow} over one second")


def heaviest(index: sqlite3.Connection) -> dict[str, str]:
    """A value for each type of parameter."""
    values = {"decimal": "0.6", "text": "graph"}
    for kind in ("person", "method", "dataset", "repository", "topic"):
        query = "SELECT iri, label FROM entity WHERE kind = ? ORDER BY papers DESC, id LIMIT 1"
        values[kind], values[f"{kind} name"] = index.execute(query, (kind,)).fetchone()
    values["entity"] = values["dataset"]
    paper = "SELECT paper FROM member GROUP BY paper ORDER BY COUNT(*) DESC LIMIT 1"
    values["paper"] = index.execute(f"SELECT iri FROM entity WHERE id = ({paper})").fetchone()[0]
    venue = "SELECT venue FROM entity WHERE kind = 'paper' GROUP BY venue ORDER BY COUNT(*) DESC LIMIT 1"
    values["venue"] = index.execute(venue).fetchone()[0]
    latest = "SELECT year FROM entity WHERE kind = 'paper' GROUP BY year ORDER BY COUNT(*) DESC LIMIT 1"
    values["integer"] = str(index.execute(latest).fetchone()[0])
    two = "SELECT iri FROM entity WHERE kind = 'person' ORDER BY papers DESC, id LIMIT 2"
    values["a"], values["b"] = (row[0] for row in index.execute(two))
    return values


def best(command: list[str], runs: int, fails: bool = False) -> tuple[float, float, int]:
    """(wall seconds, processor seconds, lines) of the quickest of several runs."""
    found = []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        done = subprocess.run([sys.executable, "-m", "kg", *command], capture_output=True, check=False)
        wall = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if bool(done.returncode) is not fails:
            raise SystemExit(f"{' '.join(command)}: {done.stderr.decode()}")
        cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        found.append((wall, cpu, done.stdout.count(b"\n") + done.stdout.count(b"},{")))
    return min(found)


if __name__ == "__main__":
    main()

"""What an export costs, format by format: `python tests/benchmarks/bench_export.py GRAPH [SUFFIX...]`.

Each runs as a command of its own, cold start included. Wall clock, processor time (user and system) of the
command and its children, the largest resident memory of one process, and the bytes written. Options of the
command can follow `--`: `bench_export.py GRAPH ttl -- --no-evidence`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from kg.export import SUFFIXES


def measured(graph: str, target: Path, options: list[str]) -> tuple[float, float, float]:
    """Seconds of wall clock and processor, and megabytes, of one export."""
    command = [sys.executable, "-m", "kg", "export", "-g", graph, "-o", str(target), *options]
    begin = time.perf_counter()
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    if running.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {running.returncode}")
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return time.perf_counter() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / unit


def size(path: Path) -> int:
    return sum(f.stat().st_size for f in path.iterdir()) if path.is_dir() else path.stat().st_size


def main() -> None:
    arguments, _, options = " ".join(sys.argv[1:]).partition(" -- ")
    graph, *suffixes = arguments.split()
    print("| format | wall s | CPU s | peak MB | MB written |\n|---|---|---|---|---|")
    for suffix in suffixes or SUFFIXES:
        with TemporaryDirectory(prefix="bench-export-") as folder:
            target = Path(folder) / f"g.{suffix}"
            wall, cpu, peak = measured(graph, target, options.split())
            print(f"| .{suffix} | {wall:.1f} | {cpu:.1f} | {peak:.0f} | {size(target) / 1e6:.1f} |", flush=True)


if __name__ == "__main__":
    main()

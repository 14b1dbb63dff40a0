"""Frames a second while the map is dragged, and time until it shows, for several renderers.

    python tests/benchmarks/frames/run.py [--sizes 1000,5000,25000,100000] [--libs own,vis,...]

Needs Node, the test extra's Playwright and Debian's Chromium. Positions are given, no physics runs; headless Chromium
draws with software on this machine's cores. Each figure is the median of three drags of two seconds by real mouse
events; the mouse moves every few milliseconds and never stops. A page that is not ready in 40 seconds is not tried
with more nodes.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import statistics
import subprocess
import threading
import time
from pathlib import Path

from playwright.sync_api import Page, TimeoutError, sync_playwright

HERE = Path(__file__).resolve().parent
LIBS = [
    "vis",
    "vis-hide",
    "cytoscape",
    "cytoscape-fast",
    "sigma",
    "sigma-hide",
    "force-graph",
    "force-graph-lod",
    "pixi",
    "own",
]
WAIT = 40.0  # seconds after which a page counts as never ready
DRAG = 2.0  # seconds
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]  # WebGL without a graphics card


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def build() -> None:
    if not (HERE / "node_modules").is_dir():
        subprocess.run(["npm", "ci"], cwd=HERE, check=True)
    subprocess.run(["npx", "vite", "build", "--logLevel", "error"], cwd=HERE, check=True)


def drag(page: Page) -> float:
    """Frames a second during one drag to and fro of DRAG seconds."""
    page.mouse.move(640, 400)
    page.mouse.down()
    page.evaluate(
        """() => { window.frames_ = 0; window.counting = true;
            const tick = () => { if (window.counting) { window.frames_++; requestAnimationFrame(tick); } };
            requestAnimationFrame(tick); }"""
    )
    start = time.perf_counter()
    i = 0
    while time.perf_counter() - start < DRAG:
        i += 1
        at = abs((i * 4) % 800 - 400)
        page.mouse.move(440 + at, 300 + at / 3)
        time.sleep(0.004)
    seconds = time.perf_counter() - start
    frames = page.evaluate("() => { window.counting = false; return window.frames_; }")
    page.mouse.up()
    return frames / seconds


def measure(page: Page, base: str, lib: str, count: int) -> tuple[float | None, float | None]:
    """Seconds until the graph shows and frames a second; None where the page was not ready in WAIT seconds."""
    page.goto(f"{base}/?lib={lib}&n={count}", wait_until="commit")
    try:
        page.wait_for_function("window.ready", timeout=WAIT * 1000)
        ready = page.evaluate("window.ready") / 1000
        page.wait_for_timeout(500)
        return ready, statistics.median(drag(page) for _ in range(3))
    except TimeoutError:
        return None, None


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--sizes", default="1000,5000,25000,100000")
    ask.add_argument("--libs", default=",".join(LIBS))
    options = ask.parse_args()
    build()
    serve = functools.partial(Quiet, directory=str(HERE / "dist"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}"
    sizes = [int(s) for s in options.sizes.split(",")]
    print("| renderer | " + " | ".join(f"{n:,} nodes" for n in sizes) + " |")
    print("|---|" + "---|" * len(sizes))
    with sync_playwright() as p:
        for lib in options.libs.split(","):
            cells = []
            for count in sizes:
                if "not ready" in cells:
                    cells.append("-")
                    continue
                browser = p.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                page.set_default_timeout(WAIT * 1000)
                ready, frames = measure(page, base, lib, count)
                cells.append("not ready" if ready is None or frames is None else f"{ready:.2f} s, {frames:.0f}")
                browser.close()
            print(f"| {lib} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()

"""How long a page takes to make, to open and to pan, by size: `python tests/benchmarks/view_page.py`.

Needs Playwright and Chromium; draws in software, so a machine with a GPU does better.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent / "view")]

from graphs import conference  # noqa: E402

from kg.view import layout, write_html  # noqa: E402

COUNT = "window.__n = 0; (function next() { window.__n++; requestAnimationFrame(next); })()"


def main() -> None:
    print("papers  nodes   edges   layout s  write s  MB    ready s  pan frames/s")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for papers in (30, 330, 1_000, 4_300):
            graph, path = conference(papers), Path(folder) / "page.html"
            started = time.perf_counter()
            positions = layout(graph)
            laid = time.perf_counter()
            write_html(graph, path, title="Benchmark", positions=positions)
            written = time.perf_counter()
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(path.as_uri())
            page.wait_for_function("window.paperkg && window.paperkg.ready", timeout=120_000)
            ready = time.perf_counter()
            page.evaluate(COUNT)
            page.mouse.move(700, 450)
            page.mouse.down()
            first, begun, step = page.evaluate("__n"), time.perf_counter(), 0
            while time.perf_counter() - begun < 3:
                step += 1
                page.mouse.move(700 + step * 3 % 200, 450 + step * 2 % 100)
            frames = (page.evaluate("__n") - first) / (time.perf_counter() - begun)
            page.close()
            print(
                f"{papers:<7,} {len(graph):<7,} {graph.number_of_edges():<7,} {laid - started:<9.1f} {written - laid:<8.1f} "
                f"{path.stat().st_size / 1e6:<5.1f} {ready - written:<8.1f} {frames:.0f}"
            )
        browser.close()


if __name__ == "__main__":
    main()

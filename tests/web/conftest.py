"""The explorer in a real browser: a graph is built, `kg serve` runs on it, and no other address can be reached."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from kg.demo.run import CORPUS, INPUTS

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "kg" / "web"
DIST = WEB / "dist"
# names the page must never read as anything but text
HOSTILE = [
    "</script><img src=x onerror=alert(1)> and scripts",
    '"><svg onload=alert(2)> or shapes',
    "{{ 7 * 7 }} ${alert(3)} & templates",
    "javascript:alert(4) as a title",
]
METHODS = ["MarshNet", "TidalFormer", "QuillBERT", "FernFlow"]
HOSTILE_AUTHOR = "<b onmouseover=alert(5)>Eve</b> O'Script"


@pytest.fixture(scope="session")
def bundle() -> Path:
    """The built front end; the test is skipped where it was not built."""
    if not (DIST / "index.html").is_file():
        pytest.skip("needs kg/web/dist, which is not built (in kg/web: npm ci && npm run build)")
    return DIST


@pytest.fixture(scope="session")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo corpus and a few papers with names that would like to be markup."""
    from kg.pipeline.build import build

    folder = tmp_path_factory.mktemp("explorer")
    papers = [
        {"title": title, "authors": [HOSTILE_AUTHOR, f"Ada {name}"], "year": 2020 + i,
         "abstract": f"We propose {name}, a <i>robust</i> network. {name} is trained on ImageNet and beats ResNet-50. "
                     f"Code is at https://github.com/example/{name}."}
        for i, (title, name) in enumerate(zip(HOSTILE, METHODS, strict=True))
    ]  # fmt: skip
    extra = folder / "hostile.jsonl"
    extra.write_text("".join(json.dumps(p) + "\n" for p in papers), "utf-8")
    build([*(CORPUS / name for name in INPUTS), extra], folder / "graph", fresh=True)
    return folder / "graph"


@pytest.fixture(scope="session")
def address(bundle: Path, graph: Path) -> Iterator[str]:
    """Where `kg serve` answers."""
    server = subprocess.Popen(
        [sys.executable, "-m", "kg", "serve", "-g", str(graph), "--port", "0"], cwd=ROOT,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert server.stdout
    told = []
    for line in server.stdout:
        told.append(line)
        if found := re.search(r"http://127\.0\.0\.1:\d+", line):
            break
    else:
        pytest.fail("kg serve ended: " + "".join(told))
    yield found.group()
    server.terminate()
    server.wait(30)


@dataclass
class Visit:
    """A page of the explorer and what it did."""

    page: Any
    address: str
    elsewhere: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)

    def clean(self) -> None:
        """Asks for nothing elsewhere, and has nothing to complain of."""
        assert self.elsewhere == []
        assert self.console == []

    def go(self, path: str) -> None:
        self.page.goto(self.address + path)

    def map_ready(self, at_least: int = 1) -> None:
        """Waits until the map's picture is drawn in full."""
        self.page.wait_for_function(
            "n => window.paperkg && window.paperkg.graph.count >= n && window.paperkg.view.state().complete",
            arg=at_least,
        )

    def place(self, entity: str) -> tuple[float, float]:
        """Where a node stands in the window."""
        x, y = self.page.evaluate(
            """id => { const { view, graph } = paperkg, box = view.canvas.getBoundingClientRect(),
                 [x, y] = view.screen(graph.index.get(id)); return [x + box.x, y + box.y]; }""",
            entity,
        )
        return x, y

    def params(self) -> dict[str, str]:
        return dict(self.page.evaluate("[...new URLSearchParams(location.search)]"))

    def colors(self) -> int:
        """How many colours the map's canvas shows (one for an empty one)."""
        return self.page.evaluate(
            """() => { const c = paperkg.view.canvas, d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
                 const seen = new Set();
                 for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 200) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
                 return seen.size; }"""
        )


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Callable[..., Visit]]:
    """Opens a page: `visit("/map", width=1280, scheme="dark")`."""
    contexts = []

    def open_page(
        path: str, *, width: int = 1280, height: int = 800, scheme: str = "light", motion: str = "reduce"
    ) -> Visit:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            reduced_motion=motion,
            accept_downloads=True,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        found = Visit(page, address)
        page.on("console", lambda m: found.console.append(f"{m.type}: {m.text}"))
        page.on("pageerror", lambda e: found.console.append(f"error: {e}"))
        page.on("dialog", lambda d: (found.console.append(f"dialog: {d.message}"), d.dismiss()))

        def route(asked: Any) -> None:
            if asked.request.url.startswith((address, "blob:", "data:")):
                asked.continue_()
            else:
                found.elsewhere.append(asked.request.url)
                asked.abort()

        context.route("**/*", route)
        found.go(path)
        return found

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def ask(address: str) -> Callable[[str], Any]:
    """JSON that the server answers."""
    import urllib.request

    def get(path: str) -> Any:
        with urllib.request.urlopen(address + quote(path, safe="/?&=%:~.-_")) as answer:
            return json.load(answer)

    return get


@pytest.fixture(scope="session")
def find(ask: Callable[[str], Any]) -> Callable[..., str]:
    """The id of the first entity a search finds."""

    def first(text: str, kind: str = "") -> str:
        items = ask(f"/api/search.json?q={text}&kind={kind}")["items"]
        assert items, f"nothing is called {text}"
        return items[0]["id"]

    return first


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, from the front end's development packages."""
    source = WEB / "node_modules" / "axe-core" / "axe.min.js"
    if not source.is_file():
        pytest.skip("needs axe-core (in kg/web: npm ci)")
    return source.read_text("utf-8")

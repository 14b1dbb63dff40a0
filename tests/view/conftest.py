"""A real browser without any network, and pages opened in it with everything they do written down."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from kg.view import write_html


@dataclass
class Opened:
    """A page and what it did."""

    page: Any
    path: Path
    requests: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def clean(self) -> bool:
        """Whether it asked for nothing but itself and had nothing to complain of."""
        asked = [url for url in self.requests if url.split("#")[0] != self.path.as_uri()]
        assert asked == [] and self.console == [] and self.dialogs == []
        return True


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Write a graph as a page and open it from disk: `opened(graph, width=1440, scheme="light")`."""
    contexts = []

    def open_page(graph: nx.MultiDiGraph, *, width: int = 1440, height: int = 900, scheme: str = "light",
                  title: str = "Test page", fragment: str = "", **options: Any) -> Opened:  # fmt: skip
        path = tmp_path / f"page-{len(contexts)}.html"
        write_html(graph, path, title=title, **options)
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, offline=True, reduced_motion="reduce"
        )
        contexts.append(context)
        context.set_default_timeout(10_000)
        result = Opened(context.new_page(), path)
        context.on("request", lambda request: result.requests.append(request.url))
        result.page.on("console", lambda message: result.console.append(message.text))
        result.page.on("pageerror", lambda error: result.console.append(str(error)))
        result.page.on("dialog", lambda dialog: (result.dialogs.append(dialog.message), dialog.dismiss()))
        result.page.goto(path.as_uri() + fragment)
        if len(graph):
            result.page.wait_for_function("window.paperkg && window.paperkg.ready")
        return result

    yield open_page
    for context in contexts:
        context.close()

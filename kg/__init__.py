"""paperkg: a local-first knowledge graph of papers, authors, named methods, data sets and code.

    import kg

    kg.build(["papers.txt"], "graph")
    g = kg.open("graph")
    for row in g.rows("coauthors", person="Ada Lovelace"):
        print(row)

Everything is imported when it is first used, so `import kg` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kg._version import __version__

if TYPE_CHECKING:
    from kg.api import Graph
    from kg.api import open_graph as open
    from kg.errors import KgError
    from kg.pipeline.build import build
    from kg.settings import Settings

__all__ = ["Graph", "KgError", "Settings", "__version__", "build", "extract", "open"]

_WHERE = {
    "Graph": ("kg.api", "Graph"),
    "KgError": ("kg.errors", "KgError"),
    "Settings": ("kg.settings", "Settings"),
    "build": ("kg.pipeline.build", "build"),
    "open": ("kg.api", "open_graph"),
}


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        from importlib import import_module

        module, attribute = _WHERE[name]
        return getattr(import_module(module), attribute)
    raise AttributeError(f"module 'kg' has no attribute {name!r}")


def extract(text: str, title: str = "") -> Any:
    """What one abstract (and its title) says: a `kg.model.Extraction`."""
    from kg.extract import Extractor

    global _extractor
    if _extractor is None:
        _extractor = Extractor()
    return _extractor.extract(title, text)


_extractor: Any = None

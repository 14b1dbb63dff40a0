"""paperkg: a local-first knowledge graph of papers, authors, named methods, data sets and code.

    import kg

    kg.build(["papers.txt"], "graph")
    with kg.open("graph") as g:
        print(g.show("ImageNet"))
        g.query("coauthors", person="Ada Lovelace").to_pandas()

Everything is imported when it is first used, so `import kg` costs nothing. Every error raised on
purpose is a `kg.KgError` with a `code`, a `place` and a `hint`.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from kg._version import __version__

if TYPE_CHECKING:
    from kg.api import Graph
    from kg.api import open_graph as open
    from kg.errors import ExportError, GraphError, KgError, QueryError, SettingsError, SourceError, UsageError
    from kg.export import Selection
    from kg.extract import Extractor
    from kg.model import Extraction
    from kg.pipeline.build import build
    from kg.settings import Settings

_WHERE = {
    "ExportError": ("kg.errors", "ExportError"),
    "Graph": ("kg.api", "Graph"),
    "GraphError": ("kg.errors", "GraphError"),
    "KgError": ("kg.errors", "KgError"),
    "QueryError": ("kg.errors", "QueryError"),
    "Selection": ("kg.export", "Selection"),
    "Settings": ("kg.settings", "Settings"),
    "SettingsError": ("kg.errors", "SettingsError"),
    "SourceError": ("kg.errors", "SourceError"),
    "UsageError": ("kg.errors", "UsageError"),
    "build": ("kg.pipeline.build", "build"),
    "open": ("kg.api", "open_graph"),
}

__all__ = [
    "ExportError",
    "Graph",
    "GraphError",
    "KgError",
    "QueryError",
    "Selection",
    "Settings",
    "SettingsError",
    "SourceError",
    "UsageError",
    "__version__",
    "build",
    "extract",
    "open",
]


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        from importlib import import_module

        module, attribute = _WHERE[name]
        return getattr(import_module(module), attribute)
    raise AttributeError(f"module 'kg' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def extract(text: str, title: str = "") -> Extraction:
    """What one abstract (and its title) says.

    >>> kg.extract("We propose FooNet, a network for depth estimation. FooNet beats ResNet.").methods[0].name
    'FooNet'
    """
    from kg.extract import Extractor

    global _extractor
    if _extractor is None:
        _extractor = Extractor()
    return _extractor.extract(title, text)


_extractor: Extractor | None = None


class _Callable(ModuleType):
    """The folder `kg.extract` as a module that can be called like the function of its name."""

    __call__ = staticmethod(extract)


class _Package(ModuleType):
    """Importing a module of the folder `kg.extract` binds that folder here, in place of the function."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "extract" and isinstance(value, ModuleType):
            value.__class__ = _Callable
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package

"""Extraction: named methods, data sets and repositories of one paper, as a spaCy pipeline.

Importing this package loads no spaCy; making an `Extractor` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kg.extract.extractor import Extractor

__all__ = ["Extractor"]


def __getattr__(name: str) -> Any:
    if name == "Extractor":
        from kg.extract.extractor import Extractor

        return Extractor
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

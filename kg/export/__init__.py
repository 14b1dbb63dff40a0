"""Writers, chosen by file suffix: sorted, atomic, the same bytes for the same graph."""

from kg.export.selection import Selection, selected
from kg.export.write import SUFFIXES, export

__all__ = ["SUFFIXES", "Selection", "export", "selected"]

"""Writers, chosen by file suffix: sorted, atomic, the same bytes for the same graph."""

from kg.export.write import SUFFIXES, export

__all__ = ["SUFFIXES", "export"]

"""Runs extraction in this process or on all cores; the same result, byte for byte."""

from kg.engine.local import extract_all

__all__ = ["extract_all"]

"""A graph as one HTML file that works from disk, offline: layout, selection, page.

Importing this package is cheap; pyvis, igraph and Jinja2 are loaded by the functions that need them.
"""

from __future__ import annotations

from kg.view.page import write_html
from kg.view.positions import layout
from kg.view.selection import select

__all__ = ["layout", "select", "write_html"]

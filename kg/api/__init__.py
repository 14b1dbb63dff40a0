"""The Python side: one object for a graph folder, with what the commands do."""

from kg.api.graph import Graph, open_graph

__all__ = ["Graph", "open_graph"]

"""A drawn graph that shows itself in a notebook and can be saved."""

from __future__ import annotations

import html
from pathlib import Path


class Page:
    """An interactive graph as one HTML text, complete and offline.

    Attributes:
        html: the page. nodes, edges: how many it shows.
    """

    def __init__(self, text: str, nodes: int, edges: int) -> None:
        self.html, self.nodes, self.edges = text, nodes, edges

    def save(self, path: str | Path) -> Path:
        """Writes the page; the file is complete or is not there.

        Raises:
            ExportError: the file cannot be written.
        """
        from kg.export.write import atomic

        with atomic(Path(path)) as out:
            out.write(self.html.encode("utf-8"))
        return Path(path)

    def _repr_html_(self) -> str:
        """What a notebook shows: the page in a frame of its own, apart from the notebook's scripts and style."""
        source = html.escape(self.html, quote=True)
        return (
            f'<iframe srcdoc="{source}" sandbox="allow-scripts allow-popups allow-downloads" '
            'style="width:100%;height:640px;border:0" loading="lazy"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<kg page: {self.nodes} nodes, {self.edges} edges>"

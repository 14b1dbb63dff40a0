"""What a user can set, in one frozen record whose digest is part of the graph."""

from __future__ import annotations

import msgspec

from kg.text import digest

# Names of the extraction components, in order; `kg.extract` registers them with spaCy.
DEFAULT_PIPELINE = ("kg_repositories", "kg_abbreviations", "kg_candidates", "kg_typing", "kg_entities", "kg_tasks")


class Settings(msgspec.Struct, frozen=True):
    """Settings of a build.

    Attributes:
        pipeline: spaCy component names, in order.
        min_confidence: extracted statements below this probability stay out of the graph.
    """

    pipeline: tuple[str, ...] = DEFAULT_PIPELINE
    min_confidence: float = 0.5

    def digest(self) -> str:
        """Twelve hexadecimal digits that change when any setting changes."""
        return digest(msgspec.json.encode(self, order="sorted").decode())

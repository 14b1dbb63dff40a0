"""What the components of the pipeline hand to each other about one paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kg.extract.abbreviations import Abbreviation
from kg.extract.candidates import Candidate
from kg.extract.tokens import MAX_ABSTRACT, MAX_TITLE, Tokens
from kg.model import Extraction, Link, Named, Repository


class Reading(NamedTuple):
    """What a candidate was read as.

    Attributes:
        kind: "method" or "dataset"; role: see `kg.model.Named`; confidence: that kind and role are right.
        cue: reason for people; span: token span of the deciding place.
    """

    key: str
    kind: str
    role: str
    confidence: float
    cue: str
    span: tuple[int, int]


class Analysis:
    """One paper on its way through the pipeline; each component fills what it is named after."""

    __slots__ = ("title", "abstract", "links", "_tokens", "abbreviations", "candidates", "readings",
                 "methods", "datasets", "repositories", "tasks")  # fmt: skip

    def __init__(self, title: str, abstract: str, links: Sequence[Link] = ()) -> None:
        self.title, self.abstract, self.links = title[:MAX_TITLE], abstract[:MAX_ABSTRACT], links
        self._tokens: Tokens | None = None
        self.abbreviations: list[Abbreviation] = []
        self.candidates: dict[str, Candidate] = {}
        self.readings: list[Reading] = []
        self.methods: tuple[Named, ...] = ()
        self.datasets: tuple[Named, ...] = ()
        self.repositories: tuple[Repository, ...] = ()
        self.tasks: tuple[Named, ...] = ()

    @property
    def tokens(self) -> Tokens:
        """Tokens of title and abstract, made on first use."""
        if self._tokens is None:
            self._tokens = Tokens(self.title, self.abstract)
        return self._tokens

    def result(self) -> Extraction:
        """What was found."""
        return Extraction(self.methods, self.datasets, self.repositories, self.tasks)

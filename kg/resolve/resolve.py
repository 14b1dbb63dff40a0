"""All entities of a graph from its papers and what extraction found in them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from kg.model import Extraction, Paper
from kg.resolve.names import Names, resolve_names
from kg.resolve.people import People, resolve_people
from kg.resolve.repositories import Repositories, resolve_repositories


class Resolved(Struct):
    """Papers, what was found in each (same order), and the entities behind the mentions."""

    papers: Sequence[Paper]
    extractions: Sequence[Extraction]
    people: People
    methods: Names
    datasets: Names
    repositories: Repositories


def resolve(papers: Sequence[Paper], extractions: Sequence[Extraction]) -> Resolved:
    """Resolves people, methods, data sets and repositories; the order of the papers is irrelevant."""
    keys = [p.key for p in papers]
    return Resolved(
        papers,
        extractions,
        resolve_people(papers),
        resolve_names(papers, [e.methods for e in extractions], "method"),
        resolve_names(papers, [e.datasets for e in extractions], "dataset"),
        resolve_repositories(zip(keys, (e.repositories for e in extractions), strict=True)),
    )

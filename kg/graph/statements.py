"""The whole graph as N-Quads lines: the default graph for questions, the evidence graph for why."""

from __future__ import annotations

from collections.abc import Iterator

from kg.graph.evidence import evidence_lines, run_iri, run_lines
from kg.graph.names import claim_lines, claims, entity_lines
from kg.graph.papers import event_lines, origin_lines, paper_lines, topic_lines
from kg.graph.people import authorship_lines, person_lines
from kg.resolve.resolve import Resolved
from kg.settings import Settings


def statement_lines(
    resolved: Resolved, settings: Settings, *, version: str, model: str, inputs: dict[str, str]
) -> Iterator[str]:
    """Every statement of the graph as one N-Quads line; each occurs once.

    Args:
        version: of the package. model: version of the extractor. inputs: see `run_lines`.
    """
    run = run_iri(settings.digest(), model)
    used: dict[str, set[str]] = {"method": set(), "dataset": set(), "repo": set()}
    topics: set[tuple[str, ...]] = set()
    editions: set[tuple[str, int | None]] = set()
    files: set[str] = set()
    for index, paper in enumerate(resolved.papers):
        found = claims(resolved, index, settings.min_confidence)
        for claim in found:
            if claim.review != "rejected":
                used[claim.kind].add(claim.key)
        topics.update(paper.topics)
        files.update(origin.file for origin in paper.origins)
        if paper.venue:
            editions.add((paper.venue, paper.year))
        yield from paper_lines(paper, resolved.extractions[index])
        yield from authorship_lines(paper, resolved.people)
        yield from claim_lines(paper.key, found)
        yield from evidence_lines(paper.key, found, run)
    yield from person_lines(resolved.people)
    yield from entity_lines(resolved, used)
    yield from topic_lines(topics)
    yield from event_lines(editions)
    yield from origin_lines(files, set(inputs))
    yield from run_lines(run, version, settings.digest(), model, inputs)

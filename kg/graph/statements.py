"""The whole graph as N-Quads lines: the default graph for questions, the evidence graph for why."""

from __future__ import annotations

from collections.abc import Iterator

from kg.graph.evidence import evidence_lines, run_iri, run_lines
from kg.graph.names import claim_lines, claims, entity_lines, used_entities
from kg.graph.outward import outward_lines
from kg.graph.papers import event_lines, origin_lines, paper_lines, topic_lines
from kg.graph.people import authorship_lines, former_lines, person_lines
from kg.graph.tasks import task_lines
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
    for index in range(len(resolved.papers)):
        yield from paper_statements(resolved, index, settings.min_confidence, run)
    yield from person_lines(resolved.people)
    yield from shared_statements(resolved, settings, version=version, model=model, inputs=inputs)


def paper_statements(resolved: Resolved, index: int, min_confidence: float, run: str) -> Iterator[str]:
    """The statements that one paper brings: about it, its authorships, its assertions and their places.

    Args:
        run: IRI of the build, see `run_iri`.
    """
    paper = resolved.papers[index]
    found = claims(resolved, index, min_confidence)
    yield from paper_lines(paper, resolved.extractions[index])
    yield from authorship_lines(paper, resolved.people)
    yield from claim_lines(paper.key, found)
    yield from evidence_lines(paper.key, found, run)


def shared_statements(
    resolved: Resolved, settings: Settings, *, version: str, model: str, inputs: dict[str, str]
) -> Iterator[str]:
    """The statements about what papers share, people aside: entities, topics, venues, input files, the run."""
    used = used_entities(resolved, settings.min_confidence)
    yield from entity_lines(resolved, used)
    yield from task_lines(used["task"])
    yield from outward_lines(resolved.outward, used)
    yield from former_lines(resolved.former)
    yield from topic_lines({path for paper in resolved.papers for path in paper.topics})
    yield from event_lines({(paper.venue, paper.year) for paper in resolved.papers if paper.venue})
    files = {origin.file for paper in resolved.papers for origin in paper.origins}
    yield from origin_lines(files | {link.file for link in resolved.outward}, set(inputs))
    run = run_iri(settings.digest(), model)
    yield from run_lines(run, version, settings.digest(), model, inputs)

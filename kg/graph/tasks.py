"""Statements about tasks: which a paper addresses, and the concepts they are."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from kg.extract.tasks import task_named, tasks
from kg.graph.rdf import about, ref, text
from kg.ids import iri, slug
from kg.model import Extraction, Mention, Paper
from kg.vocab import RDF, RDFS, SKOS


def addressed(paper: Paper, extraction: Extraction) -> Iterator[tuple[str, float, str, tuple[Mention, ...]]]:
    """Tasks of one paper as (key, confidence, cue, places): those its text names and those its keywords are."""
    for named in extraction.tasks:
        yield slug(named.name), named.confidence, named.cue, named.mentions
    for keyword in sorted(set(paper.keywords)):
        if name := task_named(keyword):
            yield slug(name), 1.0, "keyword of the source", ()


def task_lines(used: Collection[str]) -> Iterator[str]:
    """Statements about the tasks with these keys and all above them."""
    by_key = {slug(task.name): task for task in tasks().values()}
    every = set()
    for key in used:
        while key and key not in every:
            every.add(key)
            key = slug(by_key[key].broader)
    if every:
        scheme = [(RDF.type, f"<{SKOS.ConceptScheme}>"), (RDFS.label, text("Tasks, by a list of names"))]
        yield from about(ref(iri("task", "scheme")), scheme)
    for key in sorted(every):
        task = by_key[key]
        pairs = [(RDF.type, f"<{SKOS.Concept}>"), (SKOS.prefLabel, text(task.name)), (SKOS.notation, text(task.name))]
        pairs += [(SKOS.altLabel, text(other)) for other in task.others]
        pairs.append((SKOS.inScheme, ref(iri("task", "scheme"))))
        if task.broader:
            pairs.append((SKOS.broader, ref(iri("task", slug(task.broader)))))
        yield from about(ref(iri("task", key)), pairs)

"""Who is who: mentions of authors to persons.

All weights come with the package, so what happens in a block of one name depends on that block's papers,
on who else their co-authors wrote with, and (for name variants) on the clusters of those co-authors, never
on totals over all papers. New papers therefore leave most blocks as they were, and a `Memory` of an earlier
call lets them keep their clusters; the outcome is the same with and without it, so it cannot depend on history.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from kg.model import Paper
from kg.resolve.people.blocks import cluster_blocks
from kg.resolve.people.corrections import Corrections, Group, read_corrections
from kg.resolve.people.evidence import Evidence
from kg.resolve.people.explain import Decisions, Explainer
from kg.resolve.people.identifiers import Identifiers
from kg.resolve.people.join import Joiner
from kg.resolve.people.memory import Clustering, Memory
from kg.resolve.people.persons import build_persons, replacements
from kg.resolve.people.records import People
from kg.resolve.people.table import Blocks, Mention, Table
from kg.resolve.people.variants import candidates
from kg.text import squeeze


def resolve_people(
    papers: Sequence[Paper],
    *,
    previous: Mapping[Mention, str] | None = None,
    same: Sequence[Group] = (),
    different: Sequence[Group] = (),
    memory: Memory | None = None,
) -> People:
    """Groups the authors of papers into persons.

    The outcome depends on the papers and corrections alone: not on their order, nor on what was known
    before.

    Args:
        papers: linked papers, each with its own key.
        previous: an earlier outcome's `of`; says which keys were replaced, and lets corrections name
            people by keys of that time.
        same, different: a user's corrections: groups of person keys (or IRIs) and mentions
            (paper key, position from 1) that are one person, or that are all different people. They
            outrank all evidence.
        memory: of an earlier call, for speed alone.

    Raises:
        KgError: when two papers have one key.
        SettingsError: when a correction names what does not exist or cannot be.
    """
    with _without_collector():
        return _resolve(papers, previous or {}, same, different, memory)


def _resolve(
    papers: Sequence[Paper],
    previous: Mapping[Mention, str],
    same: Sequence[Group],
    different: Sequence[Group],
    memory: Memory | None,
) -> People:
    table = Table(papers)
    blocks = Blocks(table)
    evidence = Evidence(table, blocks)
    identifiers = Identifiers(table)
    corrections = Corrections()
    if same or different:
        known: dict[str, list[Mention]] = {}
        for mention, key in previous.items():
            known.setdefault(key, []).append(mention)
        if any(isinstance(ref, str) for group in (*same, *different) for ref in group):
            plain = _resolve(papers, {}, (), (), memory)
            known |= {k: list(p.mentions) for k, p in plain.persons.items()}
        corrections = read_corrections(table, identifiers, same, different, known)
    found, memory = cluster_blocks(evidence, identifiers, corrections, memory)
    _label_bodies(table, found.labels)
    joiner = Joiner(table, found.labels, identifiers, corrections)
    joiner.join_corrected()
    joiner.join_identified()
    joiner.join_variants(candidates(table, found.labels, evidence.affiliations))
    _weaken(found, joiner)
    persons = build_persons(table, found.labels, identifiers, found.weakest, found.evidenced, corrections.touched)
    of = {mention: key for key, person in persons.items() for mention in person.mentions}
    explainer = Explainer(evidence, identifiers, corrections, of)
    return People(
        of=dict(sorted(of.items())),
        persons=persons,
        decisions=Decisions(table, found, joiner.steps, explainer),
        rejections=tuple(identifiers.rejections),
        replaced=replacements(previous, of, persons),
        memory=memory,
        _explain=explainer.explain,
    )


@contextmanager
def _without_collector() -> Iterator[None]:
    """Pauses the search for reference cycles: none are made here, and it would walk all papers again
    and again while millions of small objects are born."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _label_bodies(table: Table, labels: np.ndarray) -> None:
    """Collaborations are one agent for each printed name; case and blanks do not count."""
    first: dict[str, int] = {}
    for i, kind in enumerate(table.kind):
        if kind == "collaboration":
            labels[i] = first.setdefault(squeeze(table.authors[i].name).casefold(), i)


def _weaken(found: Clustering, joiner: Joiner) -> None:
    """A join across blocks bounds how sure its mentions are, and is evidence beyond the name."""
    for step in joiner.steps:
        if not step.refusal:
            for mention in (step.left, step.right):
                found.weakest[mention] = min(found.weakest[mention], step.probability)
                found.evidenced[mention] = True

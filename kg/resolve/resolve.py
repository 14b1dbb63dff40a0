"""All entities of a graph from its papers and what extraction found in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kg.errors import SettingsError
from kg.model import Extraction, Paper
from kg.resolve.additions import ALREADY, Base, prepare, shown
from kg.resolve.corrections import Corrector, Statement, review
from kg.resolve.names import Names, resolve_names
from kg.resolve.overrides import Overrides
from kg.resolve.people import People, resolve_people
from kg.resolve.people.memory import Memory
from kg.resolve.references import Entity, Place, References, nearest
from kg.resolve.repositories import Repositories, resolve_repositories


class Outward(Struct, frozen=True, order=True):
    """One link outward.

    Attributes:
        kind, key: the entity, as in its IRI. match: "exact", "close", "broad", "narrow", or "page" for a landing page. target: IRI.
        why: what the match rests on. file, line: where it is stated.
    """

    kind: str
    key: str
    match: str
    target: str
    why: str
    file: str
    line: int


class Resolved(Struct):
    """Papers, what was found in each (same order), and the entities behind the mentions.

    Attributes:
        reviews: statement (paper key, kind, entity key, relation) -> "confirmed" or "rejected" by a person.
        applied: what a person's corrections changed, one line each.
        outward: links to the same things elsewhere, see `kg.resolve.outward`.
        former: (old key, new key) of people whom an earlier graph knew under another key.
    """

    papers: Sequence[Paper]
    extractions: Sequence[Extraction]
    people: People
    methods: Names
    datasets: Names
    repositories: Repositories
    reviews: Mapping[Statement, str] = {}
    applied: Sequence[str] = ()
    outward: Sequence[Outward] = ()
    former: Sequence[tuple[str, str]] = ()


def resolve(
    papers: Sequence[Paper],
    extractions: Sequence[Extraction],
    overrides: Overrides | None = None,
    memory: Memory | None = None,
) -> Resolved:
    """Resolves people, methods, data sets and repositories.

    The outcome depends on the set of papers and the corrections alone: not on the order of the papers,
    nor on what was built before.

    Args:
        memory: `people.memory` of an earlier outcome; for speed alone.

    Raises:
        SettingsError: a correction names what does not exist, or cannot be.
    """
    base = _by_rules(papers, extractions)
    if not overrides:
        return _resolved(papers, extractions, resolve_people(papers, memory=memory), base)
    known = {"repo": base.repositories.entities, **{kind: n.entities for kind, n in base.names.items()}}
    refs = References(overrides, papers, extractions, known)
    prepared = prepare(overrides, refs, papers, extractions, base)
    after = base if not (prepared.moved or prepared.added) else _by_rules(papers, prepared.extractions)
    corrector = Corrector(overrides, refs, base, prepared, after.names)
    names = corrector.names()
    people, people_applied = _people(overrides, refs, papers, memory)
    reviews, reviewed = review(overrides, refs, base, prepared, extractions, names, after.repositories)
    final = Base(names, after.repositories)
    applied = [*prepared.applied, *corrector.applied, *people_applied, *reviewed]
    return replace(_resolved(papers, prepared.extractions, people, final), reviews=reviews, applied=applied)


def _by_rules(papers: Sequence[Paper], extractions: Sequence[Extraction]) -> Base:
    keys = [p.key for p in papers]
    return Base(
        {
            "method": resolve_names(papers, [e.methods for e in extractions], "method"),
            "dataset": resolve_names(papers, [e.datasets for e in extractions], "dataset"),
        },
        resolve_repositories(zip(keys, (e.repositories for e in extractions), strict=True)),
    )


def _resolved(papers: Sequence[Paper], extractions: Sequence[Extraction], people: People, base: Base) -> Resolved:
    return Resolved(papers, extractions, people, base.names["method"], base.names["dataset"], base.repositories)


def _people(
    overrides: Overrides, refs: References, papers: Sequence[Paper], memory: Memory | None
) -> tuple[People, list[str]]:
    """Who is who, with the corrections that speak of people; and what those were, in words."""
    groups: dict[str, list[tuple[str | tuple[str, int], ...]]] = {"same": [], "different": []}
    entries = {}
    applied = []
    for what in groups:
        for entry in getattr(overrides, what):
            things = [refs.any(thing, entry) for thing in entry.things]
            if all(thing.kind == "person" for thing in things):
                groups[what].append(tuple(map(_person, things)))
                entries.update((t.key, entry) for t in things if isinstance(t, Entity))
                applied.append(f"{what}: {', '.join(map(shown, entry.things))}")
    try:
        people = resolve_people(papers, same=groups["same"], different=groups["different"], memory=memory)
    except SettingsError as error:
        entry = next((e for key, e in entries.items() if key in f"{error.place} {error.message}"), None)
        if entry is None:
            raise SettingsError(error.message, place=f"{overrides.path}: {error.place}", hint=error.hint) from None
        raise refs.fail(entry, f"{error.place}: {error.message}", error.hint) from None
    persons = dict(people.persons)
    for entry in overrides.rename:
        thing = refs.any(entry.thing, entry)
        if thing.kind == "person":
            key = people.of.get((thing.paper, thing.index), "") if isinstance(thing, Place) else thing.key
            if key not in persons:
                raise refs.fail(
                    entry, f"no person of this graph is {shown(entry.thing)!r}", nearest(key, persons, "id:person/")
                )
            done = persons[key].name != entry.label
            persons[key] = replace(persons[key], name=entry.label)
            applied.append(f"rename: {shown(entry.thing)} is shown as {entry.label!r}{'' if done else ALREADY}")
    return replace(people, persons=persons), applied


def _person(thing: Entity | Place) -> str | tuple[str, int]:
    return (thing.paper, thing.index) if isinstance(thing, Place) else thing.key

"""Corrections that change what was found in a paper: `[[kind]]`, and what `[[right]]` adds."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from kg.extract.repositories import canonical, kind_of
from kg.model import Extraction, Mention, Named, Paper, Repository
from kg.resolve.names import Names
from kg.resolve.overrides import Overrides, Printed, Right, Wrong
from kg.resolve.references import Entity, Place, References, is_address, is_url
from kg.resolve.repositories import Repositories, key_of

HAND = "stated by hand"
ROLES = {
    ("method", "proposes"): "proposed",
    ("method", "uses"): "used",
    ("dataset", "introduces"): "introduced",
    ("dataset", "uses"): "used",
}
RELATIONS = {(kind, role): relation for (kind, relation), role in ROLES.items()}
LISTS = {"method": "methods", "dataset": "datasets", "repo": "repositories"}
_AS_OTHER = {"proposed": "introduced", "introduced": "proposed", "used": "used"}


class Base(Struct):
    """What the rules alone make of the papers: methods and data sets by kind, and repositories."""

    names: Mapping[str, Names]
    repositories: Repositories

    def places(self, thing: Entity | Place) -> list[Place]:
        """The uses behind a reference."""
        if isinstance(thing, Place):
            return [thing]
        names = self.names.get(thing.kind)
        return sorted(Place(thing.kind, *use) for use, key in names.of.items() if key == thing.key) if names else []


class Prepared(Struct):
    """Papers' extractions with what corrections add and re-type, before names are resolved.

    Attributes:
        moved: where a use stood before -> where it stands now, for papers that were changed.
        added: number of a `[[right]]` entry -> the place of what was added for it.
        meant: places that were added, and the entity (as the rules make it) each means.
        applied: what was done, in words.
    """

    extractions: list[Extraction]
    moved: dict[Place, Place]
    added: dict[int, Place]
    meant: dict[Place, Entity]
    applied: list[str]

    def now(self, place: Place) -> Place:
        """Where a use stands now."""
        return self.moved.get(place, place)


Addition = tuple[int, str, Named | Repository, Entity | None]


def prepare(
    overrides: Overrides, refs: References, papers: Sequence[Paper], extractions: Sequence[Extraction], base: Base
) -> Prepared:
    """Applies `[[kind]]`, and adds what `[[right]]` states and extraction did not find."""
    prepared = Prepared(list(extractions), {}, {}, {}, [])
    other: dict[Place, str] = {}
    for entry in overrides.kind:
        places = base.places(refs.any(entry.thing, entry))
        if not places or places[0].kind not in ("method", "dataset"):
            raise refs.fail(entry, "only a method or a data set can be said to be the other")
        wrong = [p for p in places if p.kind != entry.kind]
        other.update(dict.fromkeys(wrong, entry.kind))
        prepared.applied.append(f"kind: {shown(entry.thing)} is a {entry.kind}{'' if wrong else ALREADY}")
    added: dict[str, list[Addition]] = defaultdict(list)
    for number, right in enumerate(overrides.right):
        paper = refs.paper(right.paper, right)
        if not stated(right, refs, paper, extractions[refs.index(paper)], base):
            added[paper].append((number, *_statement(right, refs, papers[refs.index(paper)], base)))
    for paper in sorted({p.paper for p in other} | set(added)):
        _rebuild(paper, refs.index(paper), other, added[paper], prepared)
    return prepared


def _rebuild(paper: str, index: int, other: Mapping[Place, str], added: Sequence[Addition], prepared: Prepared) -> None:
    """One paper's extraction after re-typing and additions."""
    old = prepared.extractions[index]
    result: dict[str, list[Any]] = {"method": [], "dataset": [], "repo": list(old.repositories)}
    for kind in ("method", "dataset"):
        for i, named in enumerate(getattr(old, LISTS[kind])):
            place = Place(kind, paper, i)
            target = other.get(place, kind)
            if target != kind:
                named = replace(named, role=_AS_OTHER[named.role])
            prepared.moved[place] = Place(target, paper, len(result[target]))
            result[target].append(named)
    for number, kind, item, entity in added:
        place = prepared.added[number] = Place(kind, paper, len(result[kind]))
        if entity is not None:
            prepared.meant[place] = entity
        result[kind].append(item)
    prepared.extractions[index] = Extraction(tuple(result["method"]), tuple(result["dataset"]), tuple(result["repo"]))


def _statement(
    entry: Right, refs: References, paper: Paper, base: Base
) -> tuple[str, Named | Repository, Entity | None]:
    """What to add for a statement that extraction did not make."""
    url = _link(entry, refs, base)
    if url:
        if entry.relation not in ("", "code"):
            raise refs.fail(entry, f"a link is nothing that a paper {entry.relation}", 'relation = "code"')
        address = canonical(url)
        return "repo", Repository(address, url, kind_of(address), True, "source", 1.0, HAND), None
    entity = refs.entity(entry.thing, entry)
    role = ROLES.get((entity.kind, entry.relation))
    if role is None:
        able = " or ".join(f'"{relation}"' for kind, relation in ROLES if kind == entity.kind)
        raise refs.fail(entry, "the graph says nothing of these two, so say what is right", f"relation = {able}")
    known = base.names[entity.kind].entities[entity.key]
    mentions = _mentions(paper, (known.label, *known.aliases))
    return entity.kind, Named(known.label, role, 1.0, (), HAND, mentions), entity


def _mentions(paper: Paper, names: Sequence[str]) -> tuple[Mention, ...]:
    """Where a paper prints one of the names, so that the statement has its evidence."""
    found: list[Mention] = []
    for field, text in (("title", paper.title), ("abstract", paper.abstract)):
        for name in sorted(names, key=lambda n: (-len(n), n)):
            for m in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
                if all(m.end() <= x.start or x.end <= m.start() for x in found if x.field == field):
                    found.append(Mention(field, m.start(), m.end(), m.group()))  # type: ignore[arg-type]
    return tuple(sorted(found, key=lambda m: (m.field != "title", m.start)))


def stated(entry: Wrong, refs: References, paper: str, extraction: Extraction, base: Base) -> list[Place]:
    """The uses of one paper, as extraction found them, that a `[[wrong]]` or `[[right]]` speaks of."""
    url = _link(entry, refs, base)
    if url:
        return [
            Place("repo", paper, i)
            for i, repository in enumerate(extraction.repositories)
            if key_of(repository.url) == key_of(canonical(url))
        ]
    if is_address(entry.thing):
        entity = refs.entity(entry.thing, entry)
        if entity.kind not in base.names:
            hint = "who is who is set right with [[same]] and [[different]]"
            raise refs.fail(entry, f"a {entity.kind} is no statement about a paper", hint)
        of = base.names[entity.kind].of
        items = getattr(extraction, LISTS[entity.kind])
        found = [Place(entity.kind, paper, i) for i in range(len(items)) if of[paper, i] == entity.key]
    else:
        found = refs.named(paper, entry.thing)
        if not found:
            refs.printed(Printed(paper, entry.thing), entry)  # tells what the paper prints
            raise refs.fail(entry, f"{entry.thing!r} is an author, not a statement about a paper")
    roles = [getattr(extraction, LISTS[p.kind])[p.index].role for p in found]
    return [p for p, role in zip(found, roles, strict=True) if entry.relation in ("", RELATIONS[p.kind, role])]


def _link(entry: Wrong, refs: References, base: Base) -> str:
    """The web address an entry speaks of; "" when it speaks of something else."""
    if is_url(entry.thing):
        return entry.thing
    if is_address(entry.thing):
        entity = refs.entity(entry.thing, entry)
        if entity.kind == "repo":
            return base.repositories.entities[entity.key].url
    return ""


ALREADY = " (already so)"


def shown(ref: str | Printed) -> str:
    """A reference in words."""
    return ref if isinstance(ref, str) else f"{ref.name} in {ref.paper}"

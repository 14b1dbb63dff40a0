"""Corrections applied: stronger than any rule, and gone when their entry is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kg.model import Extraction, Repository
from kg.resolve.additions import ALREADY, LISTS, RELATIONS, Base, Prepared, shown, stated
from kg.resolve.edit import NameEditor
from kg.resolve.names import Names
from kg.resolve.overrides import Different, Overrides, Right, Same, Wrong
from kg.resolve.references import Entity, Place, References
from kg.resolve.repositories import Repositories

Statement = tuple[str, str, str, str]  # paper key, kind ("method", "dataset", "repo"), entity key, relation


class Corrector:
    """Applies the corrections of methods and data sets to what the rules made of them.

    Attributes:
        applied: what was done, in words.
    """

    def __init__(
        self, overrides: Overrides, refs: References, base: Base, prepared: Prepared, names: Mapping[str, Names]
    ) -> None:
        """`names`: the outcome for `prepared`; `base`: the outcome without any correction."""
        self._overrides, self._refs, self._base, self._prepared = overrides, refs, base, prepared
        self._editors = {
            kind: NameEditor(names[kind], [getattr(e, LISTS[kind]) for e in prepared.extractions], refs.positions)
            for kind in ("method", "dataset")
        }
        self.applied: list[str] = []

    def names(self) -> dict[str, Names]:
        """Methods and data sets after `[[different]]`, `[[same]]` and `[[rename]]`.

        Raises:
            SettingsError: an entry names what does not exist or cannot be.
        """
        for place, entity in self._prepared.meant.items():
            key = self._key(entity)
            if key:
                self._editors[place.kind].move((place.paper, place.index), key)
        for entry in self._overrides.different:
            self._group("different", entry, self._apart)
        for entry in self._overrides.same:
            self._group("same", entry, self._together)
        for entry in self._overrides.rename:
            thing = self._refs.any(entry.thing, entry)
            if thing.kind in self._editors:
                self._editors[self._kind(thing)].rename(self._require(thing, entry), entry.label)
                self.applied.append(f"rename: {shown(entry.thing)} is shown as {entry.label!r}")
            elif thing.kind != "person":
                raise self._refs.fail(entry, f"the name of a {thing.kind} is what its source says")
        return {kind: editor.finish() for kind, editor in self._editors.items()}

    def _group(self, what: str, entry: Same | Different, apply: Any) -> None:
        things = [self._refs.any(thing, entry) for thing in entry.things]
        kinds = {self._kind(thing) for thing in things}
        if len(kinds) > 1:
            hint = "say first what each is, with [[kind]]" if kinds == {"method", "dataset"} else ""
            raise self._refs.fail(entry, f"things of several kinds: {', '.join(sorted(kinds))}", hint)
        if kinds == {"person"}:
            return  # who is who is decided elsewhere
        if not kinds <= self._editors.keys():
            raise self._refs.fail(
                entry, f"a {kinds.pop()} is known by its identifiers; it cannot be joined or split here"
            )
        done = apply(things, entry)
        self.applied.append(f"{what}: {', '.join(map(shown, entry.things))}{'' if done else ALREADY}")

    def _apart(self, things: Sequence[Entity | Place], entry: Different) -> int:
        taken: set[str] = set()
        parted = 0
        for thing in sorted(things, key=lambda t: isinstance(t, Place)):  # whole entities keep their address
            key = self._require(thing, entry)
            if key in taken:
                if isinstance(thing, Entity):
                    hint = "name uses of it: { paper = …, name = … }"
                    raise self._refs.fail(entry, "two of these are one entity", hint)
                place = self._prepared.now(thing)
                key = self._editors[place.kind].part((place.paper, place.index))
                self._refs.made[place.kind].add(key)
                parted += 1
            taken.add(key)
        return parted

    def _together(self, things: Sequence[Entity | Place], entry: Same) -> int:
        target = self._require(things[0], entry)
        done = 0
        for thing in things[1:]:
            editor, key = self._editors[self._kind(thing)], self._require(thing, entry)
            if key == target:
                continue
            done += 1
            if isinstance(thing, Entity):
                editor.merge(key, target)
            else:
                place = self._prepared.now(thing)
                editor.move((place.paper, place.index), target)
        return done

    def _kind(self, thing: Entity | Place) -> str:
        """What a thing is after `[[kind]]`; of an entity, what its uses are."""
        places = [thing] if isinstance(thing, Place) else self._base.places(thing)[:1]
        return self._prepared.now(places[0]).kind if places else thing.kind

    def _key(self, thing: Entity | Place) -> str:
        """The entity, as it is now, that a reference means; "" when it is gone."""
        if isinstance(thing, Entity) and thing.key in self._refs.made[thing.kind]:
            return thing.key
        now = [self._prepared.now(p) for p in self._base.places(thing)]
        keys = Counter((p.kind, self._editors[p.kind].of[p.paper, p.index]) for p in now)
        return min(keys, key=lambda k: (-keys[k], k))[1] if keys else ""

    def _require(self, thing: Entity | Place, entry: Any) -> str:
        key = self._key(thing)
        if not key:
            raise self._refs.fail(entry, "nothing is left of one of these")
        return key


def review(
    overrides: Overrides,
    refs: References,
    base: Base,
    prepared: Prepared,
    extractions: Sequence[Extraction],
    names: Mapping[str, Names],
    repositories: Repositories,
) -> tuple[dict[Statement, str], list[str]]:
    """What a person confirmed or rejected.

    Args:
        extractions: as extraction made them; `names`, `repositories`: the final outcome.

    Returns:
        Statement -> "confirmed" or "rejected", and what was done, in words.

    Raises:
        SettingsError: an entry speaks of a statement that the graph does not make, or two contradict.
    """
    found: dict[Statement, str] = {}
    applied = []
    entries: list[tuple[int, Wrong]] = [*enumerate(overrides.right), *((-1, entry) for entry in overrides.wrong)]
    for number, entry in entries:
        verdict = "confirmed" if isinstance(entry, Right) else "rejected"
        paper = refs.paper(entry.paper, entry)
        places = stated(entry, refs, paper, extractions[refs.index(paper)], base)
        now = [prepared.now(p) for p in places] or ([prepared.added[number]] if number in prepared.added else [])
        if not now:
            raise refs.fail(entry, f"the graph does not say this of paper {paper}", _said(paper, names))
        for place in now:
            item = getattr(prepared.extractions[refs.index(paper)], LISTS[place.kind])[place.index]
            if isinstance(item, Repository):
                key, relation = repositories.of[paper, place.index], "code" if item.own else "mentions"
            else:
                key, relation = names[place.kind].of[paper, place.index], RELATIONS[place.kind, item.role]
            statement = (paper, place.kind, key, relation)
            if found.setdefault(statement, verdict) != verdict:
                raise refs.fail(entry, "another entry says the opposite")
        relation = f" {entry.relation}" if entry.relation else ""
        applied.append(f"{'right' if verdict == 'confirmed' else 'wrong'}: {entry.paper}{relation} {entry.thing}")
    return found, applied


def _said(paper: str, names: Mapping[str, Names]) -> str:
    said = sorted({f"id:{kind}/{key}" for kind, n in names.items() for (p, _), key in n.of.items() if p == paper})
    return f"it speaks of {', '.join(said[:8])}" if said else "it speaks of no method and no data set"

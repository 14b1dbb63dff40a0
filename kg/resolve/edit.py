"""Names set right by hand: uses moved between entities, labels replaced."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from msgspec.structs import replace

from kg.model import Named
from kg.resolve.forms import name_form
from kg.resolve.names import NamedEntity, Names
from kg.text import digest, slug

Use = tuple[str, int]


class NameEditor:
    """Changes an outcome of `resolve_names`, one correction after the other.

    Attributes:
        replaced: key of an entity that is no more -> key of the one it went into.
    """

    def __init__(self, names: Names, lists: Sequence[tuple[Named, ...]], index: dict[str, int]) -> None:
        """`lists`: what was found in each paper; `index`: position of each paper by key."""
        self.of = dict(names.of)
        self._names, self._lists, self._index = names, lists, index
        self._members: dict[str, list[Use]] = defaultdict(list)
        for use, key in self.of.items():
            self._members[key].append(use)
        self._touched: set[str] = set()
        self._labels: dict[str, str] = {}
        self._apart: set[str] = set()
        self.replaced: dict[str, str] = {}

    def uses(self, key: str) -> list[Use]:
        """The uses behind an entity."""
        return sorted(self._members[key])

    def move(self, use: Use, key: str) -> None:
        """One use means another entity."""
        old = self.of[use]
        if old != key:
            self._members[old].remove(use)
            self._members[key].append(use)
            self.of[use] = key
            self._touched |= {old, key}

    def merge(self, key: str, into: str) -> None:
        """Two entities are one."""
        for use in self.uses(key):
            self.move(use, into)
        self._touched.add(into)
        self.replaced[key] = into

    def part(self, use: Use) -> str:
        """One use becomes an entity of its own; gives its key."""
        name = self._named(use).name
        key = f"{slug(name) or digest(name, length=8)}-{digest(use[0], length=6)}"
        while self._members[key] and self._members[key] != [use]:
            key = f"{key}-{use[1]}"
        self.move(use, key)
        self._apart.add(key)
        return key

    def rename(self, key: str, label: str) -> None:
        """The name to show; the label before becomes another name."""
        self._labels[key] = label
        self._touched.add(key)

    def finish(self) -> Names:
        """The outcome with all changes."""
        entities = dict(self._names.entities)
        for key in sorted(self._touched):
            members = [self._named(use) for use in self.uses(key)]
            if not members:
                entities.pop(key, None)
                continue
            spellings = Counter(n.name for n in members)
            label = self._labels.get(key) or min(spellings, key=lambda s: (-spellings[s], s))
            others = {a for n in members for a in (n.name, *n.aliases)} - {label}
            known = entities.get(key)
            form = known.form if known else name_form(label)
            coiner = known.coiner if known else ""
            ambiguous = bool(known and known.ambiguous) and key not in self.replaced.values()
            entities[key] = NamedEntity(key, label, tuple(sorted(others)), ambiguous, coiner, form)
        by_form: dict[str, list[str]] = defaultdict(list)
        for key in sorted(entities):
            by_form[entities[key].form].append(key)
        several = {form: keys for form, keys in sorted(by_form.items()) if len(keys) > 1}
        broader = {
            k: b
            for k, b in ((k, self.replaced.get(b, b)) for k, b in self._names.broader.items())
            if k in entities and b in entities and k != b
        }
        return replace(
            self._names,
            entities=dict(sorted(entities.items())),
            of=self.of,
            homographs=several,
            broader=broader,
            replaced=dict(sorted(self.replaced.items())),
        )

    def _named(self, use: Use) -> Named:
        return self._lists[self._index[use[0]]][use[1]]

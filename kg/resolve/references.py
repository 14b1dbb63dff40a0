"""What a correction speaks of: papers by any identifier, things by address or as a paper prints them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any
from urllib.parse import unquote

from msgspec import Struct

from kg.errors import SettingsError
from kg.model import Extraction, Paper
from kg.resolve.forms import name_form
from kg.resolve.overrides import Overrides, Printed
from kg.text import fold
from kg.vocab import ID

KINDS = ("method", "dataset", "repo", "person", "paper")


class Place(Struct, frozen=True, order=True):
    """One use: the method, data set, repository or author number `index` of a paper (authors from 1)."""

    kind: str
    paper: str
    index: int


class Entity(Struct, frozen=True):
    """An entity by its address."""

    kind: str
    key: str


class References:
    """Reads the references of corrections against the papers of a graph and what was found in them."""

    def __init__(
        self,
        overrides: Overrides,
        papers: Sequence[Paper],
        extractions: Sequence[Extraction],
        known: Mapping[str, Mapping[str, Any]],
    ) -> None:
        """`known`: for methods, data sets and repositories, the entities by key as the rules make them."""
        self._overrides, self._known = overrides, known
        self.made: dict[str, set[str]] = {kind: set() for kind in known}  # keys that corrections made
        self._papers = {p.key: i for i, p in enumerate(papers)}
        self._all, self._extractions = papers, extractions

    @cached_property
    def _ids(self) -> dict[str, str]:
        found = {}
        for paper in self._all:
            found.update({o.source_id: paper.key for o in paper.origins if o.source_id})
        for paper in self._all:
            found.update({curie: paper.key for curie in paper.ids})
        return found

    @property
    def positions(self) -> dict[str, int]:
        """Position of each paper among the papers, by key."""
        return self._papers

    def index(self, key: str) -> int:
        """Position of a paper among the papers."""
        return self._papers[key]

    def paper(self, text: str, entry: Any) -> str:
        """The key of a paper given by key, identifier or IRI.

        Raises:
            SettingsError: there is none; with the nearest identifiers.
        """
        tail = _tail(text)
        for candidate in (tail.removeprefix("paper/"), tail):
            if candidate in self._papers:
                return candidate
            if candidate in self._ids:
                return self._ids[candidate]
        raise self._overrides.error(
            entry, f"no paper of this graph is {text!r}", nearest(tail, [*self._papers, *self._ids])
        )

    def entity(self, text: str, entry: Any) -> Entity:
        """The entity at an address. Whether a person's key exists, only resolution of people can tell.

        Raises:
            SettingsError: the address is of no known kind, or there is no such entity.
        """
        kind, _, key = _tail(text).partition("/")
        if kind not in KINDS or not key:
            raise self._overrides.error(
                entry,
                f"{text!r} is no address of this graph",
                "write id:method/…, id:dataset/…, id:person/… or id:repo/… (kg show NAME tells it), "
                "or { paper = …, name = … }",
            )
        key = unquote(key)
        if kind in self._known and key not in self._known[kind] and key not in self.made[kind]:
            hint = nearest(key, self._known[kind], prefix=f"id:{kind}/")
            raise self._overrides.error(entry, f"no {kind} of this graph is {text!r}", hint)
        return Entity(kind, key)

    def printed(self, ref: Printed, entry: Any) -> Place:
        """The use that a paper prints: a method or data set, else an author.

        Raises:
            SettingsError: the paper prints no such name, or a method and a data set of it.
        """
        key = self.paper(ref.paper, entry)
        found = self.named(key, ref.name)
        if not found:
            authors = self._all[self._papers[key]].authors
            found = [Place("person", key, n) for n, a in enumerate(authors, 1) if fold(a.name) == fold(ref.name)]
        if len(found) != 1:
            what = "prints it more than once" if found else "prints no such name"
            hint = "name it by its address, id:…" if found else self._what_it_prints(key)
            raise self._overrides.error(entry, f"{ref.name!r}: paper {key} {what}", hint)
        return found[0]

    def named(self, paper: str, name: str) -> list[Place]:
        """Methods and data sets of a paper that it calls by a name."""
        form = name_form(name)
        extraction = self._extractions[self._papers[paper]]
        return [
            Place(kind, paper, i)
            for kind, found in (("method", extraction.methods), ("dataset", extraction.datasets))
            for i, named in enumerate(found)
            if form in map(name_form, (named.name, *named.aliases))
        ]

    def _what_it_prints(self, paper: str) -> str:
        extraction = self._extractions[self._papers[paper]]
        names = [n.name for n in (*extraction.methods, *extraction.datasets)]
        names += [a.name for a in self._all[self._papers[paper]].authors]
        return f"it prints {', '.join(names[:12])}" if names else "nothing was found in this paper"

    def any(self, ref: str | Printed, entry: Any) -> Entity | Place:
        """What a reference of either form means."""
        return self.printed(ref, entry) if isinstance(ref, Printed) else self.entity(ref, entry)

    def fail(self, entry: Any, message: str, hint: str = "") -> SettingsError:
        """An error about an entry."""
        return self._overrides.error(entry, message, hint)


def is_address(text: str) -> bool:
    """Whether a text is an IRI of the graph or its short form."""
    return text.strip("<>").startswith((ID, "id:"))


def is_url(text: str) -> bool:
    """Whether a text is a web address of something else."""
    return text.startswith(("http://", "https://")) and not is_address(text)


def _tail(text: str) -> str:
    return text.strip().strip("<>").removeprefix(ID).removeprefix("id:")


def nearest(text: str, known: Iterable[str], prefix: str = "") -> str:
    """A hint with the known keys most like a text; "" when none is."""
    from rapidfuzz import fuzz, process

    best = process.extract(text, list(known), scorer=fuzz.WRatio, limit=3, score_cutoff=65)
    return "did you mean " + ", ".join(f"{prefix}{key}" for key, _, _ in best) + "?" if best else ""

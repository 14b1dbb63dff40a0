"""What changed between two graphs, in terms of entities: added, removed, changed, merged, split.

Who a printed author is, and what a quoted name means, is known in both graphs by place: the position on a paper, the
characters of its text. An entity of the new graph whose places came from several entities of the old one is
a merge; an old entity whose places went to several is a split.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from kg.pipeline.folder import Folder
from kg.query.index import open_index
from kg.store.oxigraph import OxigraphStore
from kg.vocab import BIBO, DCTERMS, FABIO, ID, KG, OA, SCHEMA, SKOS, SOA

KINDS = ("paper", "person", "method", "dataset", "repository")
_TYPES = {"person": "person", "method": "method", "dataset": "dataset", "repo": "repository"}
# What a paper says of itself, and the words for it; who its authors are and what it speaks of are told elsewhere.
_OF_PAPER = {
    DCTERMS.title: "title", DCTERMS.abstract: "abstract", DCTERMS.identifier: "identifiers", KG.nameAsPrinted: "authors",
    FABIO.hasPublicationYear: "year", BIBO.presentedAt: "venue", DCTERMS.subject: "topics",
    SCHEMA.keywords: "keywords", SCHEMA.url: "address", SKOS.prefLabel: "label",
}  # fmt: skip


class Difference(Struct, frozen=True):
    """One thing that differs.

    Attributes:
        kind: see `KINDS`. what: "added", "removed", "changed", "merged" or "split".
        entity: short form (`method/lora`) of the new entity, of the old one for "removed" and "split"; label: its name.
        detail: for people: what changed, or the other side of a merge or split.
        others: short forms of the old entities of a merge, of the new ones of a split.
    """

    kind: str
    what: str
    entity: str
    label: str
    detail: str = ""
    others: tuple[str, ...] = ()


def diff(old: Path, new: Path) -> list[Difference]:
    """Differences between two graph folders, by kind, what and entity.

    Raises:
        GraphError: one of them cannot be read.
    """
    sides = [_Side(path) for path in (old, new)]
    moved = _moves(*sides)
    found = [*_merges(*sides, moved), *_splits(*sides, moved)]
    joined = {other for d in found if d.what == "merged" for other in d.others}
    made = {other for d in found if d.what == "split" for other in d.others}
    for tail, (kind, label) in sides[0].things.items():
        if tail not in sides[1].things and tail not in joined:
            target = moved.get(tail, Counter())
            if target:  # one entity under another key
                (name,) = target
                found.append(Difference(kind, "changed", name, sides[1].label(name), f"was {tail}", (tail,)))
                made.add(name)
            elif not any(d.what == "split" and d.entity == tail for d in found):
                found.append(Difference(kind, "removed", tail, label))
    for tail, (kind, label) in sides[1].things.items():
        if tail not in sides[0].things:
            if tail not in made and not any(d.what == "merged" and d.entity == tail for d in found):
                found.append(Difference(kind, "added", tail, label))
        elif detail := _changed(*sides, tail, kind):
            found.append(Difference(kind, "changed", tail, label, detail))
    order = ("merged", "split", "removed", "changed", "added")
    return sorted(found, key=lambda d: (KINDS.index(d.kind), order.index(d.what), d.entity))


def summary(found: list[Difference]) -> list[tuple[str, int, int, int, int, int]]:
    """(kind, added, removed, changed, merged, split) for each kind."""
    counts = Counter((d.kind, d.what) for d in found)
    whats = ("added", "removed", "changed", "merged", "split")
    return [(kind, *(counts[kind, what] for what in whats)) for kind in KINDS]  # type: ignore[misc]


class _Side:
    """One of the two graphs: its things and their names, from the index, and its statements."""

    def __init__(self, path: Path) -> None:
        _, current = Folder(path).current()
        self.store = OxigraphStore.open(current / "store")
        self.db: sqlite3.Connection = open_index(current / "index.sqlite")
        rows = self.db.execute("SELECT tail, kind, label, year, venue FROM thing")
        self.things: dict[str, tuple[str, str]] = {}
        self.said: dict[str, tuple[object, ...]] = {}
        for tail, kind, *said in rows:
            if kind in KINDS:
                self.things[tail] = (kind, said[0])
                self.said[tail] = tuple(said)
        self.names: dict[str, set[str]] = defaultdict(set)
        for tail, name in self.db.execute("SELECT tail, name FROM name JOIN thing ON id = entity"):
            self.names[tail].add(name)

    def label(self, tail: str) -> str:
        return self.things[tail][1] if tail in self.things else tail

    def places(self) -> Iterator[tuple[str, str]]:
        """(place and kind, entity) of every authorship and every quoted name."""
        begin = len(ID)
        for predicate in (SOA.hasAuthor, OA.hasBody):
            for quad in self.store.quads(None, predicate):
                entity = quad.object.value[begin:]  # type: ignore[union-attr]
                yield f"{quad.subject.value[begin:]} {entity.partition('/')[0]}", entity  # type: ignore[union-attr]


def _moves(old: _Side, new: _Side) -> dict[str, Counter[str]]:
    """Old entity -> new entities that its places went to, and how many."""
    before: dict[str, list[str]] = defaultdict(list)
    for place, entity in old.places():
        before[place].append(entity)
    after: dict[str, list[str]] = defaultdict(list)
    for place, entity in new.places():
        after[place].append(entity)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for place, entities in before.items():
        now = after.get(place, [])
        gone, come = sorted(set(entities) - set(now)), sorted(set(now) - set(entities))
        for entity in set(entities) & set(now):
            found[entity][entity] += 1
        if len(gone) == len(come) == 1:
            found[gone[0]][come[0]] += 1
    return found


def _merges(old: _Side, new: _Side, moved: dict[str, Counter[str]]) -> Iterator[Difference]:
    sources: dict[str, set[str]] = defaultdict(set)
    for before, after in moved.items():
        for entity in after:
            sources[entity].add(before)
    for entity, came in sources.items():
        # An entity that stays and takes over only a part of another is told as that other's split.
        whole = {e for e in came if e == entity or len(moved[e]) == 1}
        if len(whole) > 1 and entity in new.things:
            names = ", ".join(f"{old.label(e)} ({e})" for e in sorted(whole))
            yield Difference(new.things[entity][0], "merged", entity, new.label(entity), names, tuple(sorted(whole)))


def _splits(old: _Side, new: _Side, moved: dict[str, Counter[str]]) -> Iterator[Difference]:
    for entity, went in moved.items():
        if len(went) > 1 and entity in old.things:
            names = ", ".join(f"{new.label(e)} ({e}): {went[e]} places" for e in sorted(went))
            yield Difference(old.things[entity][0], "split", entity, old.label(entity), names, tuple(sorted(went)))


def _changed(old: _Side, new: _Side, tail: str, kind: str) -> str:
    """What is said otherwise of one entity, in words; "" for nothing."""
    if kind == "paper":
        differing = _paper_statements(old, tail) ^ _paper_statements(new, tail)
        return ", ".join(sorted({_OF_PAPER[predicate] for predicate, _ in differing}))
    said = []
    if old.said[tail][0] != new.said[tail][0]:
        said.append(f"name: {old.said[tail][0]} -> {new.said[tail][0]}")
    come, gone = sorted(new.names[tail] - old.names[tail]), sorted(old.names[tail] - new.names[tail])
    if come:
        said.append(f"new names: {', '.join(come)}")
    if gone:
        said.append(f"names gone: {', '.join(gone)}")
    return "; ".join(said)


def _paper_statements(side: _Side, tail: str) -> set[tuple[str, str]]:
    quads = list(side.store.quads(ID + tail))
    for quad in side.store.quads(ID + tail, SOA.hasAuthorship):
        printed = side.store.quads(quad.object.value, KG.nameAsPrinted)  # type: ignore[union-attr]
        quads += printed
    return {
        (q.predicate.value, f"{q.object} {q.subject}" if q.predicate.value == KG.nameAsPrinted else str(q.object))
        for q in quads
        if q.predicate.value in _OF_PAPER
    }

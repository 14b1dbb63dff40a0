"""The graph as nodes and edges in a fixed order, for the formats that know nothing of statements.

The sorted statements are read once; what is found goes through files sorted outside memory. What is held at once are
the names of the nodes, never their texts or the edges.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec

from kg.export.sorting import Sorter
from kg.export.statements import Facts, Statements, bracketed, subjects
from kg.graph.networkx import ATTRIBUTES, EDGES, KINDS, LABELS, LISTS, TOPICS, local_name
from kg.store.oxigraph import OxigraphStore
from kg.vocab import BIBO, DCTERMS, FABIO, KG, PRISM, RDF, SCHEMA, SOA

# What is said of an authorship and of an assertion, by the name it has here.
_AUTHORSHIP = {SOA.hasAuthor: "person", SOA.position: "position", KG.nameAsPrinted: "name"}
_CLAIM = {RDF.subject: "s", RDF.predicate: "p", RDF.object: "o", KG.confidence: "confidence", KG.cue: "cue"}
# A term named like a method of str (title) has no type that a checker knows.
_FACTS = {**{str(p): name for p, name in ATTRIBUTES.items()}, PRISM.doi: "doi"}
_LISTS = {str(p): name for p, name in LISTS.items()}
_LABELS = {str(p): rank for p, rank in LABELS.items()}
_SINGLE = {DCTERMS.creator, BIBO.presentedAt, SCHEMA.superEvent, SCHEMA.name, SOA.hasAuthorship, RDF.type}
_WANTED = bracketed(*_AUTHORSHIP, *_CLAIM, *_FACTS, *_LABELS, *_LISTS, *EDGES, *_SINGLE)
_CLASSES = tuple(bracketed(*KINDS))
_RANKS = list(KINDS.values())  # of several kinds the last one here counts

_pack, _unpack = msgspec.json.encode, msgspec.json.decode


class Node(NamedTuple):
    """An entity: its IRI and plain values; `kind` and `label` are always there, lists are lists."""

    id: str
    values: dict[str, Any]


class Edge(NamedTuple):
    """A statement between two entities; `values` may hold year, confidence, cue, position, name."""

    source: str
    target: str
    relation: str
    predicate: str
    values: dict[str, Any]


class Elements:
    """Nodes and edges of a store, sorted; use it as a context manager, for the sorted facts are files.

    Args:
        only: kinds of nodes; a node of another kind is left out, and with it its edges.

    Attributes:
        papers: node -> on how many papers it stands.
        nodes, edges: functions that go through them once more at each call.
    """

    def __init__(self, store: OxigraphStore, only: Collection[str] = tuple(KINDS.values())) -> None:
        self._store = store
        self._only = only
        self._stack = ExitStack()
        self.papers: Counter[str] = Counter()
        self._kinds: dict[str, str] = {}
        self._years: dict[str, int] = {}

    def __enter__(self) -> Elements:
        folder = Path(self._stack.enter_context(TemporaryDirectory(prefix="kg-elements-")))
        self._nodes, self._edges = folder / "nodes", folder / "edges"
        with Sorter() as nodes, Sorter() as edges:
            with Statements(self._store) as statements, Sorter() as authorships:
                self._sort(statements.lines(), nodes, edges, authorships)
            self._kinds = dict(sorted(self._kinds.items()))
            with open(self._nodes, "wb") as out:
                out.writelines(nodes)
            with open(self._edges, "wb") as out:
                out.writelines(self._whole(edges))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def __len__(self) -> int:
        return len(self._kinds)

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Ends of every edge."""
        return ((e.source, e.target) for e in self.edges())

    def nodes(self) -> Iterator[Node]:
        """Every entity, by IRI; `papers` says on how many papers it stands."""
        for iri, facts in groupby(_read(self._nodes), key=itemgetter(0)):
            kind = self._kinds.get(iri)
            if kind is None:
                continue
            values: dict[str, Any] = {"kind": kind, "label": iri}
            authors = []
            for _, name, _, value in facts:
                if name == "authors":
                    authors.append(value)
                elif name == "venue":
                    values["venue"] = value
                else:
                    values |= value
            if authors:
                values["authors"] = authors
            if kind != "paper":
                values["papers"] = self.papers[iri]
            yield Node(iri, values)

    def edges(self) -> Iterator[Edge]:
        """Every statement between two entities, by its ends; year is that of the paper it is about."""
        names = {str(p): local_name(p) for p in EDGES}
        for source, target, predicate, values in _read(self._edges):
            yield Edge(source, target, names[predicate], predicate, values)

    def _sort(self, lines: Iterable[bytes], nodes: Sorter, edges: Sorter, authorships: Sorter) -> None:
        """One pass over the statements: nodes by IRI, edges and what is claimed of them by their ends."""
        series: dict[str, str] = {}
        names: dict[str, str] = {}
        presented: dict[str, str] = {}
        for iri, found in subjects(lines, _WANTED, _CLASSES):
            kind = _kind(iri, found)
            if kind in self._only:
                self._kinds[iri] = kind
                nodes.write(_line((iri, "", "", _attributes(found))))
                if years := found.get(FABIO.hasPublicationYear):
                    self._years[iri] = int(min(years))
            for predicate in found.keys() & EDGES if kind in self._only else ():
                for target in found[predicate]:
                    edges.write(_line((iri, target, predicate, {})))
            if SOA.hasAuthor in found:
                own = {name: found[p][0] for p, name in _AUTHORSHIP.items() if p in found}
                authorships.write(_line((iri, "", "", own)))
            for authorship in found.get(SOA.hasAuthorship, ()):
                authorships.write(_line((authorship, "paper", "", iri)))
            if RDF.subject in found:
                claim = {name: found[p][0] for p, name in _CLAIM.items() if p in found}
                if {"s", "p", "o", "confidence"} <= claim.keys():
                    ends = claim.pop("s"), claim.pop("o"), claim.pop("p")
                    edges.write(_line((*ends, claim)))
            if SCHEMA.superEvent in found:
                series[iri] = sys.intern(found[SCHEMA.superEvent][0])
            if SCHEMA.name in found:
                names[iri] = found[SCHEMA.name][0]
            if BIBO.presentedAt in found:
                presented[iri] = sys.intern(found[BIBO.presentedAt][0])
        for iri, event in presented.items():
            if venue := names.get(series.get(event, "")):
                nodes.write(_line((iri, "venue", "", venue)))
        self._authors(authorships, nodes, edges)

    @staticmethod
    def _authors(authorships: Sorter, nodes: Sorter, edges: Sorter) -> None:
        """Names as printed in order, and of each edge to an author its place; joined in a sorted file."""
        about, own = "", {}
        for authorship, name, _, value in map(_fact, authorships):
            if name != "paper":
                about, own = authorship, value
            elif authorship == about and len(own) == len(_AUTHORSHIP):
                details = {"position": own["position"], "name": own["name"]}
                nodes.write(_line((value, "authors", f"{own['position']:06d}", own["name"])))
                edges.write(_line((value, own["person"], DCTERMS.creator, details)))

    def _whole(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Edges with all that is said of them, a line each; counts papers by the way."""
        last = b"", b""
        for key, found in groupby(lines, key=lambda line: line[: line.rindex(b"\t{") + 1]):
            details = [line[len(key) : -1] for line in found]
            source, target, _ = key.split(b"\t", 2)
            start, end = source.decode(), target.decode()
            if b"{}" not in details or start not in self._kinds or end not in self._kinds:
                continue  # a claim whose statement is not in this graph
            values = details[0]  # what is said stands before {}
            if start in self._years:
                values = b'%s%s"year":%d}' % (values[:-1], b"," if len(values) > 2 else b"", self._years[start])
            yield b"%s%s\n" % (key, values)
            if last != (source, target) and self._kinds[start] == "paper":
                self.papers[end] += 1
            last = source, target


def _kind(iri: str, found: Facts) -> str:
    kinds = [KINDS[c] for c in found.get(RDF.type, ()) if c in KINDS]
    if not iri.startswith(TOPICS):
        kinds = [k for k in kinds if k != "topic"]
    return max(kinds, key=_RANKS.index, default="")


def _attributes(found: Facts) -> dict[str, Any]:
    """Plain values of a node by name."""
    values: dict[str, Any] = {}
    for predicate, name in _FACTS.items():
        if predicate in found and name not in values:
            values[name] = min(found[predicate])
    for predicate, name in _LISTS.items():
        if predicate in found:
            values[name] = sorted(found[predicate], key=_pack)
    labels = [(rank, min(found[predicate])) for predicate, rank in _LABELS.items() if predicate in found]
    if labels:
        values["label"] = min(labels)[1]
    return values


def _read(file: Path) -> Iterator[tuple[str, str, str, Any]]:
    """Facts of four parts: three words and a value."""
    with open(file, "rb") as lines:
        yield from map(_fact, lines)


def _fact(line: bytes) -> tuple[str, str, str, Any]:
    first, second, third, value = line.split(b"\t", 3)
    return first.decode(), second.decode(), third.decode(), _unpack(value)


def _line(fact: tuple[Any, ...]) -> bytes:
    """Words and a value as a line; a tab sorts before any letter of an IRI or number."""
    *words, value = fact
    return b"%s\t%s\n" % ("\t".join(words).encode(), _pack(value))

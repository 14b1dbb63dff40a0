"""The graph as nodes and edges in a fixed order, for the formats that know nothing of statements.

Facts are read from the store one predicate at a time, written as lines, sorted outside memory and
grouped: what is held at once are the names of the nodes, never their texts or the edges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
import pyoxigraph as ox

from kg.export.sorting import sorted_lines
from kg.graph.networkx import ATTRIBUTES, EDGES, KINDS, LABELS, LISTS, local_name
from kg.store.oxigraph import OxigraphStore
from kg.store.results import python_value
from kg.vocab import BIBO, DCTERMS, ID, KG, PRISM, RDF, SCHEMA, SOA

# What is said of an authorship and of an assertion, by the name it has here.
_AUTHORSHIP = {SOA.hasAuthor: "person", SOA.position: "position", KG.nameAsPrinted: "name", SOA.hasAuthorship: "paper"}
_CLAIM = {RDF.subject: "s", RDF.predicate: "p", RDF.object: "o", KG.confidence: "confidence", KG.cue: "cue"}
_FACTS = {**ATTRIBUTES, PRISM.doi: "doi"}

_value: Callable[..., Any] = python_value
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

    Attributes:
        papers: node -> on how many papers it stands.
        nodes, edges: functions that go through them once more at each call.
    """

    def __init__(self, store: OxigraphStore) -> None:
        self._store = store
        self._quads: Callable[..., Iterable[Any]] = store.quads
        self._stack = ExitStack()
        self.papers: Counter[str] = Counter()
        self._kinds: dict[str, str] = {}
        self._years: dict[str, int] = {}

    def __enter__(self) -> Elements:
        self._folder = folder = Path(self._stack.enter_context(TemporaryDirectory(prefix="kg-elements-")))
        self._nodes, self._edges = folder / "nodes", folder / "edges"
        with open(folder / "nodes.raw", "wb") as nodes, open(folder / "edges.raw", "wb") as edges:
            nodes.writelines(map(_line, self._node_facts()))
            edges.writelines(map(_line, self._edge_facts()))
            for found in self._joined(_AUTHORSHIP):
                if len(found) == len(_AUTHORSHIP):
                    details = {"position": found["position"], "name": found["name"]}
                    nodes.write(_line((found["paper"], "authors", f"{found['position']:06d}", found["name"])))
                    edges.write(_line((found["paper"], found["person"], DCTERMS.creator, details)))
            for found in self._joined(_CLAIM):
                if {"s", "p", "o", "confidence"} <= found.keys():
                    details = {name: found[name] for name in ("confidence", "cue") if name in found}
                    edges.write(_line((found["s"], found["o"], found["p"], details)))
        for file in (self._nodes, self._edges):
            raw = file.with_suffix(".raw")
            with open(file, "wb") as out:
                out.writelines(sorted_lines(raw))
            raw.unlink()
        for (source, target), _ in groupby(self.edges(), key=itemgetter(0, 1)):
            if self._kinds[source] == "paper":
                self.papers[target] += 1
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
        for iri, facts in groupby(self._read(self._nodes), key=itemgetter(0)):
            kind = self._kinds.get(iri)
            if kind is None:
                continue
            values: dict[str, Any] = {"kind": kind, "label": iri}
            labels = []
            for _, name, rank, value in facts:
                if name == "label":
                    labels.append((rank, value))
                elif name in ("aliases", "identifiers", "keywords", "authors"):
                    values.setdefault(name, []).append(value)
                else:
                    values.setdefault(name, value)
            if labels:
                values["label"] = min(labels)[1]
            if kind != "paper":
                values["papers"] = self.papers[iri]
            yield Node(iri, values)

    def edges(self) -> Iterator[Edge]:
        """Every statement between two entities, by its ends; year is that of the paper it is about."""
        for (source, target, predicate), found in groupby(self._read(self._edges), key=itemgetter(0, 1, 2)):
            details = [values for *_, values in found]
            if {} not in details or source not in self._kinds or target not in self._kinds:
                continue  # a claim whose statement is not in this graph
            values: dict[str, Any] = next((d for d in details if d), {})
            if source in self._years:
                values["year"] = self._years[source]
            yield Edge(source, target, local_name(predicate), predicate, values)

    def _read(self, file: Path) -> Iterator[tuple[str, str, str, Any]]:
        """Facts of four parts: three words and a value."""
        with open(file, "rb") as lines:
            yield from map(self._fact, lines)

    @staticmethod
    def _fact(line: bytes) -> tuple[str, str, str, Any]:
        first, second, third, value = line.split(b"\t", 3)
        return first.decode(), second.decode(), third.decode(), _unpack(value)

    def _node_facts(self) -> Iterator[tuple[Any, ...]]:
        """(IRI, name, rank, value)"""
        for cls, kind in KINDS.items():
            for quad in self._quads(None, RDF.type, ox.NamedNode(cls)):
                iri = quad.subject.value
                if kind != "topic" or (iri.startswith(f"{ID}topic/") and iri != f"{ID}topic/scheme"):
                    self._kinds[iri] = kind
        self._kinds = dict(sorted(self._kinds.items()))
        for predicate, rank in LABELS.items():
            yield from self._literals(predicate, "label", str(rank + 1))
        for predicate, name in (*_FACTS.items(), *LISTS.items()):
            yield from self._literals(predicate, name, "0")
        series = {q.subject.value: q.object.value for q in self._quads(None, SCHEMA.superEvent)}
        names = {q.subject.value: q.object.value for q in self._quads(None, SCHEMA.name)}
        for quad in self._quads(None, BIBO.presentedAt):
            venue = names.get(series.get(quad.object.value, ""))
            if venue is not None:
                yield quad.subject.value, "venue", "0", venue

    def _literals(self, predicate: str, name: str, rank: str) -> Iterator[tuple[Any, ...]]:
        for quad in self._quads(None, predicate):
            iri, value = quad.subject.value, _value(quad.object)
            if iri not in self._kinds:
                continue
            if name == "year":
                self._years[iri] = min(int(value), self._years.get(iri, 9999))
            yield iri, name, rank, value

    def _edge_facts(self) -> Iterator[tuple[Any, ...]]:
        """(source, target, predicate, no values): the statements themselves."""
        for predicate in sorted(EDGES):
            for quad in self._quads(None, predicate):
                yield quad.subject.value, quad.object.value, predicate, {}

    def _joined(self, parts: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        """What some predicates say of one thing, as values by name, thing by thing.

        The predicates are read one after the other and joined in a sorted file: several times faster than the
        store's own join, which looks up every row anew. `SOA.hasAuthorship` is read from its object.
        """
        raw = self._folder / "joined.raw"
        with open(raw, "wb") as out:
            for predicate, name in parts.items():
                for quad in self._quads(None, predicate):
                    about, value = quad.subject.value, quad.object
                    if predicate == SOA.hasAuthorship:
                        about, value = value.value, quad.subject
                    out.write(_line((about, name, "", _value(value))))
        lines = (self._fact(line) for line in sorted_lines(raw))
        for _, facts in groupby(lines, key=itemgetter(0)):
            found: dict[str, Any] = {}
            for _, name, _, value in facts:
                found.setdefault(name, value)
            yield found


def _line(fact: tuple[Any, ...]) -> bytes:
    """Words and a value as a line; a tab sorts before any letter of an IRI or number."""
    *words, value = fact
    return b"%s\t%s\n" % ("\t".join(words).encode(), _pack(value))

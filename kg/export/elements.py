"""The graph as nodes and edges in a fixed order, for the formats that know nothing of statements.

Facts are read from the store one predicate at a time, written as lines, sorted outside memory and
grouped: what is held at once are the names of the nodes, never their texts or the edges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
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
from kg.vocab import DCTERMS, ID, PREFIXES, PRISM, RDF

_AUTHORS = """SELECT ?paper ?person ?position ?printed { ?paper soa:hasAuthorship ?s . ?s soa:hasAuthor ?person ;
    soa:position ?position ; kg:nameAsPrinted ?printed }"""
_CLAIMS = """SELECT ?s ?p ?o ?confidence ?cue { ?a rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o ;
    kg:confidence ?confidence OPTIONAL { ?a kg:cue ?cue } }"""
_VENUES = "SELECT ?p ?name { ?p bibo:presentedAt/schema:superEvent/schema:name ?name }"
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
        folder = Path(self._stack.enter_context(TemporaryDirectory(prefix="kg-elements-")))
        self._nodes, self._edges = folder / "nodes", folder / "edges"
        with open(folder / "nodes.raw", "wb") as nodes, open(folder / "edges.raw", "wb") as edges:
            nodes.writelines(map(_line, self._node_facts()))
            edges.writelines(map(_line, self._edge_facts()))
            for paper, person, position, printed in self._rows(_AUTHORS):  # asked once: it is the longest answer
                nodes.write(_line((paper, "authors", f"{position:06d}", printed)))
                edges.write(_line((paper, person, DCTERMS.creator, {"position": position, "name": printed})))
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

    def _read(self, file: Path) -> Iterator[tuple[Any, ...]]:
        """Facts of four parts: three words and a value."""
        with open(file, "rb") as lines:
            for line in lines:
                *words, value = line.split(b"\t", 3)
                yield (*(w.decode() for w in words), _unpack(value))

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
        for paper, venue in self._rows(_VENUES):
            yield paper, "venue", "0", venue

    def _literals(self, predicate: str, name: str, rank: str) -> Iterator[tuple[Any, ...]]:
        for quad in self._quads(None, predicate):
            iri, value = quad.subject.value, _value(quad.object)
            if iri not in self._kinds:
                continue
            if name == "year":
                self._years[iri] = min(int(value), self._years.get(iri, 9999))
            yield iri, name, rank, value

    def _edge_facts(self) -> Iterator[tuple[Any, ...]]:
        """(source, target, predicate, values); a statement itself has no values, what is said of it has."""
        for predicate in sorted(EDGES):
            for quad in self._quads(None, predicate):
                yield quad.subject.value, quad.object.value, predicate, {}
        for s, p, o, confidence, cue in self._rows(_CLAIMS):
            yield s, o, p, {"confidence": confidence} | ({"cue": cue} if cue else {})

    def _rows(self, query: str) -> Iterator[tuple[Any, ...]]:
        for row in self._store.query(query, prefixes=PREFIXES):
            yield tuple(map(_value, row))


def _line(fact: tuple[Any, ...]) -> bytes:
    """Words and a value as a line; a tab sorts before any letter of an IRI or number."""
    *words, value = fact
    return b"%s\t%s\n" % ("\t".join(words).encode(), _pack(value))

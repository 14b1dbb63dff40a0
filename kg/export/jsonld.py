"""JSON-LD 1.1 in the short names of the project's own context, which stands in the file.

Compaction as in https://www.w3.org/TR/json-ld11-api/#compaction-algorithms, for flat nodes without blank nodes and
lists, which is what a graph of this project is made of; written as it is read. Whole numbers and truths are
JSON's own; fractions are strings, since JSON-LD would make another form of them (8.3E-1).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from kg.export.statements import graph_of, split, value_of
from kg.shared import shared_folder
from kg.vocab import RDF, XSD

_TYPE = f"<{RDF.type}>".encode()
_STRING, _NATIVE = str(XSD.string), (str(XSD.integer), str(XSD.boolean))
_SAFE = 2**53  # numbers of JSON are exact up to here


class Term(NamedTuple):
    """A short name: for which IRI, with which type of its values ("" for none), and whether these are always a list."""

    name: str
    iri: str
    type: str
    set: bool


class Context:
    """The short names of a JSON-LD context."""

    def __init__(self, source: Mapping[str, Any]) -> None:
        definitions: dict[str, dict[str, Any]] = {
            n: {"@id": d} if isinstance(d, str) else d for n, d in source.items() if n[0] != "@"
        }
        self._prefixes = {n: d["@id"] for n, d in definitions.items() if d["@id"].endswith(("/", "#"))}
        self._terms: dict[str, Term] = {}
        self._scoped: dict[str, dict[str, Term]] = {}  # short name of a type -> the names it brings
        for name, definition in definitions.items():
            if name not in self._prefixes and definition["@id"][0] != "@":
                term = self._term(name, definition)
                self._terms[term.iri] = term
                own = (self._term(n, {"@id": d}) for n, d in definition.get("@context", {}).items())
                self._scoped[name] = {t.iri: t for t in own}

    def _term(self, name: str, definition: Mapping[str, Any]) -> Term:
        type = self._expanded(definition.get("@type", ""))
        return Term(name, self._expanded(definition["@id"]), type, definition.get("@container") == "@set")

    def _expanded(self, name: str) -> str:
        prefix, colon, rest = name.partition(":")
        return self._prefixes[prefix] + rest if colon and prefix in self._prefixes else name

    def short(self, iri: str) -> str:
        """An IRI with a prefix, where one fits."""
        for prefix, namespace in self._prefixes.items():
            if iri.startswith(namespace) and not iri.startswith("//", len(namespace)):
                return f"{prefix}:{iri[len(namespace) :]}"
        return iri

    def kind(self, iri: str) -> str:
        """The short name of a class."""
        term = self._terms.get(iri)
        return term.name if term else self.short(iri)

    def node(self, subject: bytes, lines: Iterable[bytes]) -> dict[str, Any]:
        """All statements about a subject, in one graph."""
        types: list[str] = []
        others: list[tuple[str, bytes]] = []
        for line in lines:
            _, predicate, value = split(line)
            if predicate == _TYPE:
                types.append(self.kind(value[1:-1].decode()))
            else:
                others.append((predicate[1:-1].decode(), value))
        node: dict[str, Any] = {"id": self.short(subject[1:-1].decode())}
        if types:
            node["type"] = types if len(types) > 1 else types[0]
        scoped = {i: t for name in sorted(types) for i, t in self._scoped.get(name, {}).items()}
        for predicate, found in groupby(others, key=lambda o: o[0]):
            term = scoped.get(predicate) or self._terms.get(predicate)
            for _, value in found:
                self._add(node, predicate, term, value)
        return node

    def _add(self, node: dict[str, Any], predicate: str, term: Term | None, value: bytes) -> None:
        shown, type = self._value(value)
        if term and term.type == type:
            key = term.name
        else:
            # The name would give the value another type, so the IRI stands for it.
            key = term.name if term and not term.type else self.short(predicate)
            if type == "@id":
                shown = {"id": shown}
            elif type != _STRING:
                shown = (
                    {"@language": type[1:], "@value": shown}
                    if type[0] == "@"
                    else {"@type": self.short(type), "@value": shown}
                )
        if key not in node:
            node[key] = [shown] if term and term.set and key == term.name else shown
        elif isinstance(node[key], list):
            node[key].append(shown)
        else:
            node[key] = [node[key], shown]

    def _value(self, value: bytes) -> tuple[Any, str]:
        """A term as JSON shows it, and its type: "@id", "@" and a language, or a datatype."""
        plain = value_of(value)
        if value[:1] == b"<":
            return self.short(str(plain)), "@id"
        suffix = value[value.rindex(b'"') + 1 :].decode()
        if suffix[:1] == "@":
            return plain, suffix
        type = suffix[3:-1] or _STRING
        text = value[1 : value.rindex(b'"')].decode()
        if type == _STRING or isinstance(plain, str):
            return plain, type
        exact = type in _NATIVE and json.dumps(plain) == text and abs(plain) < _SAFE
        return plain if exact else text, type


def jsonld(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Sorted N-Quads lines as a JSON-LD document, a node a line; nodes of a named graph stand inside it."""
    source = json.loads((shared_folder("ontology") / "context.jsonld").read_text(encoding="utf-8"))["@context"]
    context = Context(source)
    yield b'{"@context":%s,\n"@graph":[' % msgspec.json.encode(source)
    between = b"\n"
    for graph, inside in groupby(_nodes(lines), key=lambda node: node[0]):
        if graph:
            yield b'%s{"id":%s,"@graph":[' % (between, msgspec.json.encode(context.short(graph[1:-1].decode())))
            between = b"\n"
        for _, subject, own in inside:
            yield between + msgspec.json.encode(context.node(subject, own))
            between = b",\n"
        if graph:
            yield b"\n]}"
            between = b",\n"
    yield b"\n]}\n"


def _nodes(lines: Iterable[bytes]) -> Iterator[tuple[bytes, bytes, list[bytes]]]:
    """(graph or nothing, subject, lines)"""
    for subject, about in groupby(lines, key=lambda line: line[: line.index(b" ")]):
        graphs: dict[bytes, list[bytes]] = {}
        for line in about:
            graphs.setdefault(graph_of(line), []).append(line)
        for graph, own in sorted(graphs.items()):
            yield graph, subject, own

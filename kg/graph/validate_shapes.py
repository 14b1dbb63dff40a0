"""SHACL shapes as SPARQL: each constraint becomes one query that finds everything that breaks it.

Covers the part of SHACL Core (https://www.w3.org/TR/shacl/) that `ontology/shapes.ttl` uses; a constraint
it does not know is an error, never skipped. The SPARQL constraints of the file run as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rdflib import RDF, SH, XSD, Graph, URIRef
from rdflib.collection import Collection

if TYPE_CHECKING:
    from rdflib.term import Node

_DESCRIPTIVE = {
    RDF.type, SH.path, SH.message, SH.severity, SH.property, SH.name, SH.description, SH.order, SH.flags,
    SH.ignoredProperties, SH.targetClass, SH.targetSubjectsOf, SH.targetObjectsOf,
}  # fmt: skip
# Of a literal with the right datatype: what its text must look like; numbers are left to isNumeric.
_LEXICAL = {
    XSD.date: "^-?[0-9]{4,}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(Z|[+-][0-9]{2}:[0-9]{2})?$",
    XSD.boolean: "^(true|false|0|1)$",
}
_FURTHER_PATTERN = re.compile(r"\.\s+(\?\w+) (\w+:\w+) (\?\w+)(?=[\s}])")
_NUMBERS = {XSD.integer, XSD.decimal, XSD.double, XSD.float}
_KINDS = {SH.IRI: "!isIRI(?value)", SH.Literal: "!isLiteral(?value)", SH.IRIOrLiteral: "isBlank(?value)"}


@dataclass(frozen=True)
class Check:
    """One constraint of one shape.

    Attributes:
        shape, component: IRIs as in a SHACL report. path: IRI, property path as SPARQL writes it, or "".
        severity: "Violation", "Warning" or "Info". message: the rule, for people.
        query: selects ?this and, where there is one, ?value (and ?path) for each breach.
        guard: query without an answer when this and all other constraints with the same guard are kept; or "".
    """

    shape: str
    component: str
    path: str
    severity: str
    message: str
    query: str
    guard: str = ""


class UnknownConstraint(Exception):
    """The shapes use a part of SHACL that is not covered here."""


def compile_shapes(shapes: Graph) -> list[Check]:
    """All constraints of all node shapes that have a target, in a fixed order.

    Raises:
        UnknownConstraint: a shape uses a part of SHACL that is not covered.
    """
    checks: list[Check] = []
    for shape in sorted(set(shapes.subjects(RDF.type, SH.NodeShape)), key=str):
        focus = focus_pattern(shapes, shape)
        checks += _Compiler(shapes, shape, shape, focus).checks()
        for prop in shapes.objects(shape, SH.property):
            checks += _Compiler(shapes, shape, prop, focus).checks()
    return sorted(checks, key=lambda c: (c.shape, c.path, c.component, c.query))


def focus_pattern(shapes: Graph, shape: Node) -> str:
    """SPARQL pattern that binds ?this to each focus node of a shape."""
    parts = [f"?this a {_term(c)}" for c in shapes.objects(shape, SH.targetClass)]
    parts += [f"?this {_term(p)} ?any" for p in shapes.objects(shape, SH.targetSubjectsOf)]
    parts += [f"?any {_term(p)} ?this" for p in shapes.objects(shape, SH.targetObjectsOf)]
    if not parts:
        raise UnknownConstraint(f"{shape} has no target")
    return " UNION ".join(f"{{ {part} }}" for part in sorted(parts))


class _Compiler:
    """The constraints of one node shape itself, or of one of its property shapes."""

    def __init__(self, shapes: Graph, shape: Node, node: Node, focus: str) -> None:
        self.g, self.shape, self.node, self.focus = shapes, shape, node, focus
        path = shapes.value(node, SH.path)
        self.path = None if path is None else _path(shapes, path)
        self.shown = "" if path is None else path_text(shapes, path)
        self.severity = str(shapes.value(node, SH.severity) or shapes.value(shape, SH.severity) or SH.Violation)
        self.message = str(shapes.value(node, SH.message) or "")
        self.bad = self.crowd = ""  # of the query made last: its filter, the guard of its own

    def checks(self) -> Iterator[Check]:
        made: list[tuple[str, str, str]] = []
        for predicate, value in sorted(self.g.predicate_objects(self.node), key=str):
            if predicate in _DESCRIPTIVE or (predicate == SH.closed and not value.toPython()):
                continue
            if predicate == SH.sparql:
                yield self._sparql(value)
                continue
            build = _BUILDERS.get(predicate)
            if build is None:
                raise UnknownConstraint(f"{self.shape}: {predicate} is not covered")
            name = str(predicate).rsplit("#", 1)[-1]
            component = f"{SH}{name[0].upper()}{name[1:]}ConstraintComponent"
            self.bad = self.crowd = ""
            query = build(self, value)
            if self.crowd:
                yield self._check(component, query, self.message, self.crowd)
            else:
                made.append((component, query, self.bad))
        # One pass over the values of a property tells that all is well with them, which it nearly always is.
        filters = [f"({bad})" for _, _, bad in made if bad]
        guard = f"{self.values(' || '.join(filters))} LIMIT 1" if len(filters) > 1 else ""
        for component, query, bad in made:
            yield self._check(component, query, self.message, guard if bad else "")

    def _check(self, component: str, query: str, message: str, guard: str = "") -> Check:
        severity = self.severity.rsplit("#", 1)[-1]
        return Check(str(self.shape), component, self.shown, severity, message, query, guard)

    def _sparql(self, constraint: Node) -> Check:
        # What Oxigraph answers row by row it answers at once when it is written another way, some ten times faster.
        query = str(self.g.value(constraint, SH.select)).replace("$this", "?this")
        query = _FURTHER_PATTERN.sub(r"{ SELECT \1 \3 { \1 \2 \3 } }", query.replace("FILTER NOT EXISTS", "MINUS"))
        return self._check(
            str(SH.SPARQLConstraintComponent), query, str(self.g.value(constraint, SH.message) or self.message)
        )

    def values(self, bad: str, pattern: str = "") -> str:
        """Query for the values that a filter calls bad; the values first, as few of them fail."""
        self.bad = "" if pattern else bad
        if self.path is None:
            return f"SELECT DISTINCT ?this ?value {{ {self.focus} BIND(?this AS ?value) FILTER({bad}) }}"
        if self.path == _term(RDF.type):  # every node has a type, few are of this shape
            return f"SELECT DISTINCT ?this ?value {{ {self.focus} ?this {self.path} ?value FILTER({bad}) }}"
        found = f"SELECT DISTINCT ?this ?value {{ ?this {self.path} ?value {pattern} FILTER({bad}) }}"
        return f"SELECT DISTINCT ?this ?value {{ {{ {found} }} {self.focus} }}"

    def cls(self, value: Node) -> str:
        found = f"SELECT DISTINCT ?this ?value {{ ?this {self.path} ?value MINUS {{ ?value a {_term(value)} }} }}"
        return f"SELECT DISTINCT ?this ?value {{ {{ {found} }} {self.focus} }}"

    def datatype(self, value: Node) -> str:
        good = f"isLiteral(?value) && datatype(?value) = {_term(value)}"
        if value in _NUMBERS:
            good += " && isNumeric(?value)"
        elif value in _LEXICAL:
            good += f" && REGEX(STR(?value), {_string(_LEXICAL[value])})"
        return self.values(f"!({good})")

    def pattern(self, value: Node) -> str:
        flags = self.g.value(self.node, SH.flags)
        more = f", {_string(str(flags))}" if flags else ""
        return self.values(f"isBlank(?value) || !REGEX(STR(?value), {_string(str(value))}{more})")

    def one_of(self, value: Node) -> str:
        return self.values(f"?value NOT IN ({', '.join(map(_term, Collection(self.g, value)))})")

    def min_count(self, value: Node) -> str:
        least = int(str(value))
        if least == 1:
            return f"SELECT DISTINCT ?this {{ {self.focus} MINUS {{ ?this {self.path} ?value }} }}"
        enough = f"SELECT ?this {{ {self.focus} ?this {self.path} ?value }} GROUP BY ?this HAVING (COUNT(DISTINCT ?value) >= {least})"
        return f"SELECT DISTINCT ?this {{ {self.focus} MINUS {{ {enough} }} }}"

    def max_count(self, value: Node) -> str:
        most = int(str(value))
        typed = self.path == _term(RDF.type)
        inner = self.focus if typed else ""
        values = f"SELECT ?this {{ {inner} ?this {self.path} ?value }} GROUP BY ?this"
        if not typed:  # shapes that share a property share the guard
            self.crowd = f"{values} HAVING (COUNT(?value) > {most}) LIMIT 1"
        found = f"{values} HAVING (COUNT(DISTINCT ?value) > {most})"
        return f"SELECT DISTINCT ?this {{ {{ {found} }} {self.focus} }}"

    def has_value(self, value: Node) -> str:
        return f"SELECT DISTINCT ?this {{ {self.focus} MINUS {{ ?this {self.path} {_term(value)} }} }}"

    def closed(self, _: Node) -> str:
        allowed = {str(self.g.value(p, SH.path)) for p in self.g.objects(self.node, SH.property)}
        allowed |= {str(p) for p in Collection(self.g, self.g.value(self.node, SH.ignoredProperties))}
        known = ", ".join(f"<{p}>" for p in sorted(allowed) if ":" in p)
        return f"SELECT ?this ?path ?value {{ {self.focus} ?this ?path ?value FILTER(?path NOT IN ({known})) }}"


def _compared(sign: str) -> Callable[[_Compiler, Node], str]:
    return lambda c, bound: c.values(f"!COALESCE(?value {sign} {_term(bound)}, false)")


_BUILDERS: dict[Node, Callable[[_Compiler, Node], str]] = {
    SH["class"]: _Compiler.cls,
    SH.datatype: _Compiler.datatype,
    SH.nodeKind: lambda c, kind: c.values(_KINDS[kind]),
    SH.pattern: _Compiler.pattern,
    SH["in"]: _Compiler.one_of,
    SH.minCount: _Compiler.min_count,
    SH.maxCount: _Compiler.max_count,
    SH.minLength: lambda c, n: c.values(f"isBlank(?value) || STRLEN(STR(?value)) < {n}"),
    SH.maxLength: lambda c, n: c.values(f"isBlank(?value) || STRLEN(STR(?value)) > {n}"),
    SH.minInclusive: _compared(">="),
    SH.maxInclusive: _compared("<="),
    SH.hasValue: _Compiler.has_value,
    SH.lessThan: lambda c, p: c.values(
        "!COALESCE(?value < ?other, false)", f"{{ SELECT ?this ?other {{ ?this {_term(p)} ?other }} }}"
    ),
    SH.disjoint: lambda c, p: c.values("true", f"{{ SELECT ?this ?value {{ ?this {_term(p)} ?value }} }}"),
    SH.closed: _Compiler.closed,
}


def path_text(shapes: Graph, path: Node) -> str:
    """The IRI of a path that is one property, else the path as SPARQL writes it."""
    return str(path) if isinstance(path, URIRef) else _path(shapes, path)


def _path(shapes: Graph, path: Node) -> str:
    if isinstance(path, URIRef):
        return _term(path)
    if (inverse := shapes.value(path, SH.inversePath)) is not None:
        return f"^{_path(shapes, inverse)}"
    if (several := shapes.value(path, SH.alternativePath)) is not None:
        return f"({'|'.join(_path(shapes, p) for p in Collection(shapes, several))})"
    raise UnknownConstraint("a property path that is neither inverse nor alternative is not covered")


def _term(node: Node) -> str:
    return node.n3()


def _string(text: str) -> str:
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'

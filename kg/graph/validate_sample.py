"""A second opinion: pySHACL on some nodes of each shape, with all around them that Core constraints look at."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
from rdflib import RDF, SH, XSD, Graph, Literal, URIRef
from rdflib.collection import Collection

from kg.graph.validate_report import Breach
from kg.graph.validate_shapes import Check, focus_pattern, path_text
from kg.vocab import PREFIXES

if TYPE_CHECKING:
    from rdflib.term import Node

    from kg.graph.validate import Store


def check_sample(store: Store, shapes: Graph, checks: list[Check], size: int) -> tuple[set[Breach], int, bool]:
    """Runs pySHACL, Core constraints only, on at most `size` nodes of each shape.

    The same graph gives the same sample: nodes come in the order of the store's index, which is one of digests.

    Returns:
        The breaches, the number of nodes checked, and whether these were all nodes that any shape is about.
    """
    from pyshacl import validate

    core = Graph()
    for triple in shapes:
        if triple[1] != SH.sparql:
            core.add(triple)
    nodes, whole = _sample(store, core, size)
    data = _surroundings(store, nodes, _inverse(core))
    _, results, _ = validate(data, shacl_graph=core, focus_nodes=[URIRef(n) for n in nodes], inplace=True)
    return set(_breaches(results, checks)), len(nodes), whole


def _sample(store: Store, shapes: Graph, size: int) -> tuple[list[str], bool]:
    nodes: set[str] = set()
    whole = True
    for shape in shapes.subjects(RDF.type, SH.NodeShape):
        if (shape, SH.property, None) not in shapes and (shape, SH.nodeKind, None) not in shapes:
            continue
        query = f"SELECT DISTINCT ?this {{ {focus_pattern(shapes, shape)} FILTER(isIRI(?this)) }} LIMIT {size + 1}"
        found = [row[0].value for row in store.query(query, prefixes=PREFIXES)]
        whole = whole and len(found) <= size
        nodes.update(found[:size])
    return sorted(nodes), whole


def _inverse(shapes: Graph) -> set[str]:
    """Properties that some shape follows backwards."""
    found: set[str] = set()
    for path in shapes.objects(None, SH.inversePath):
        several = shapes.value(path, SH.alternativePath)
        found |= {str(path)} if several is None else {str(p) for p in Collection(shapes, several)}
    return found


def _surroundings(store: Store, nodes: Iterable[str], inverse: set[str]) -> Graph:
    """All statements about the nodes, those that point at them through `inverse`, and the types of their values."""
    graph = Graph()
    values: set[str] = set()
    for node in nodes:
        for quad in store.quads(node):
            graph.add((URIRef(node), URIRef(quad.predicate.value), _term(quad.object)))
            if isinstance(quad.object, ox.NamedNode):
                values.add(quad.object.value)
        for predicate in inverse:
            for quad in store.quads(None, predicate, ox.NamedNode(node)):
                graph.add((URIRef(quad.subject.value), URIRef(predicate), URIRef(node)))
    for value in values:
        for quad in store.quads(value, str(RDF.type)):
            graph.add((URIRef(value), RDF.type, _term(quad.object)))
    return graph


def _term(term: Any) -> Node:
    if isinstance(term, ox.Literal):
        # The lexical form as it stands: "01" is not "1" to who looks for faults. Shapes have plain strings.
        plain = term.language or term.datatype.value == str(XSD.string)
        kind = None if plain else URIRef(term.datatype.value)
        return Literal(term.value, lang=term.language, datatype=kind, normalize=False)
    return URIRef(term.value)


def _breaches(results: Graph, checks: list[Check]) -> Iterable[Breach]:
    shape_of = {(c.message, c.component, c.path): c.shape for c in checks}
    for result in results.subjects(RDF.type, SH.ValidationResult):
        path, value = results.value(result, SH.resultPath), results.value(result, SH.value)
        shown = "" if path is None else path_text(results, path)
        message, component = (
            str(results.value(result, SH.resultMessage)),
            str(results.value(result, SH.sourceConstraintComponent)),
        )
        severity = str(results.value(result, SH.resultSeverity)).rsplit("#", 1)[-1]
        # A closed shape reports the stray property as the path, so that is no part of its key.
        shape = shape_of.get((message, component, shown)) or shape_of.get((message, component, "")) or ""
        focus = str(results.value(result, SH.focusNode))
        yield Breach(shape, shown, component, focus, _shown(value), severity, message)


def _shown(value: Node | None) -> str:
    if value is None:
        return ""
    if isinstance(value, Literal):
        if value.language:
            return str(ox.Literal(str(value), language=value.language))
        return str(ox.Literal(str(value), datatype=ox.NamedNode(value.datatype) if value.datatype else None))
    return str(ox.NamedNode(str(value)))

"""The ontology's terms, for completion in an editor and as labels of facts."""

from __future__ import annotations

from functools import cache
from typing import Any

import pyoxigraph as ox

from kg.query.index import prefixed
from kg.shared import shared_folder
from kg.vocab import OWL, RDF, RDFS, SKOS

_KINDS = {
    OWL.Class: "class", RDFS.Class: "class", OWL.ObjectProperty: "property", OWL.DatatypeProperty: "property",
    OWL.AnnotationProperty: "property", RDF.Property: "property",
}  # fmt: skip
_NOTES = (RDFS.comment, SKOS.definition, SKOS.scopeNote)


@cache
def terms() -> list[dict[str, Any]]:
    """Every class and property that a graph uses: prefixed name, IRI, kind, label, comment."""
    found: dict[str, dict[str, str]] = {}
    with open(shared_folder("ontology") / "kg.ttl", "rb") as source:
        for quad in ox.parse(source, ox.RdfFormat.TURTLE):
            if isinstance(quad.subject, ox.BlankNode):
                continue
            values = found.setdefault(quad.subject.value, {})
            if quad.predicate.value == RDF.type and quad.object.value in _KINDS:
                values["kind"] = _KINDS[quad.object.value]
            elif isinstance(quad.object, ox.Literal):
                values.setdefault(quad.predicate.value, quad.object.value)
    return [
        {
            "prefixed": prefixed(iri),
            "iri": iri,
            "kind": values["kind"],
            "label": values.get(RDFS.label, ""),
            "comment": next((values[n] for n in _NOTES if n in values), ""),
        }
        for iri, values in sorted(found.items())
        if "kind" in values
    ]


@cache
def label_of(iri: str) -> str:
    """What a term is called; its short form where the ontology does not say."""
    return next((t["label"] for t in terms() if t["iri"] == iri and t["label"]), prefixed(iri))

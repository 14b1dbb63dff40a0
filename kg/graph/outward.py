"""Statements that lead out of the graph: what a data set, method or topic is elsewhere, and why that is said.

The links themselves stand in the default graph; each has a `kg:Mapping` in the evidence graph, after the
mappings of SSSOM (https://mapping-commons.github.io/sssom/). None is `owl:sameAs`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from kg.graph.papers import source_iri
from kg.graph.rdf import EVIDENCE, about, ref, text, web
from kg.ids import iri
from kg.resolve.resolve import Outward
from kg.text import digest
from kg.vocab import KG, PROV, RDF, SCHEMA, SKOS

PREDICATES = {
    "exact": SKOS.exactMatch,
    "close": SKOS.closeMatch,
    "broad": SKOS.broadMatch,
    "narrow": SKOS.narrowMatch,
    "page": SCHEMA.url,
}


def outward_lines(links: Sequence[Outward], used: Mapping[str, Collection[str]]) -> Iterator[str]:
    """The links of what the graph holds (`used`: kind -> keys; all topics are), each with its reason."""
    for link in links:
        if link.key not in used.get(link.kind, (link.key,)):
            continue
        subject, predicate, target = iri(link.kind, link.key), PREDICATES[link.match], web(link.target)
        yield from about(ref(subject), [(predicate, target)])
        mapping = iri("mapping", digest(subject, predicate, link.target, length=16))
        pairs = [
            (RDF.type, f"<{KG.Mapping}>"),
            (RDF.subject, ref(subject)),
            (RDF.predicate, ref(predicate)),
            (RDF.object, target),
            (KG.matchReason, text(link.why)),
            (PROV.wasDerivedFrom, ref(source_iri(link.file))),
            (KG.place, text(f"line {link.line}")),
        ]
        yield from about(ref(mapping), pairs, EVIDENCE)

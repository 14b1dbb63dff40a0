"""What the endpoint says of itself (https://www.w3.org/TR/sparql11-service-description/)."""

from __future__ import annotations

import io

import msgspec
import pyoxigraph as ox

from kg.vocab import EVIDENCE_GRAPH, PREFIXES, RDF

SD = "http://www.w3.org/ns/sparql-service-description#"
_FORMATS = "http://www.w3.org/ns/formats/"
DESCRIPTIONS = {
    "text/turtle": "ttl",
    "application/n-triples": "nt",
    "application/rdf+xml": "rdf",
    "application/ld+json": "jsonld",
    "application/json": "json",
}
_RESULTS = (
    "SPARQL_Results_JSON", "SPARQL_Results_XML", "SPARQL_Results_CSV", "SPARQL_Results_TSV", "Turtle", "N-Triples",
    "RDF_XML", "JSON-LD",
)  # fmt: skip
_RDF = {
    "ttl": ox.RdfFormat.TURTLE, "nt": ox.RdfFormat.N_TRIPLES, "rdf": ox.RdfFormat.RDF_XML,
    "jsonld": ox.RdfFormat.JSON_LD,
}  # fmt: skip


def describe(endpoint: str, format: str) -> bytes:
    """The description of the endpoint at an address, in a format of `DESCRIPTIONS`."""
    if format == "json":
        return msgspec.json.encode(
            {
                "endpoint": endpoint,
                "languages": ["SPARQL 1.1 Query"],
                "results": list(_RESULTS),
                "defaultGraph": "all graphs together",
                "namedGraphs": [EVIDENCE_GRAPH],
                "prefixes": {prefix: str(namespace) for prefix, namespace in PREFIXES.items()},
            }
        )
    out = io.BytesIO()
    prefixes = None if format == "nt" else {"sd": SD}
    ox.serialize(_triples(endpoint), out, _RDF[format], prefixes=prefixes)
    return out.getvalue()


def _triples(endpoint: str) -> list[ox.Triple]:
    service, dataset = endpoint, f"{endpoint}#dataset"
    default, named = f"{endpoint}#default", f"{endpoint}#evidence"
    rows = [
        (service, RDF.type, SD + "Service"),
        (service, SD + "endpoint", endpoint),
        (service, SD + "supportedLanguage", SD + "SPARQL11Query"),
        (service, SD + "feature", SD + "UnionDefaultGraph"),
        *((service, SD + "resultFormat", _FORMATS + name) for name in _RESULTS),
        (service, SD + "defaultDataset", dataset),
        (dataset, RDF.type, SD + "Dataset"),
        (dataset, SD + "defaultGraph", default),
        (default, RDF.type, SD + "Graph"),
        (dataset, SD + "namedGraph", named),
        (named, RDF.type, SD + "NamedGraph"),
        (named, SD + "name", EVIDENCE_GRAPH),
    ]
    return [ox.Triple(*map(ox.NamedNode, row)) for row in rows]

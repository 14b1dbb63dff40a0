"""Every namespace and term the package writes, in one place.

A prefix here is bound by default in every query. Terms are plain strings (full IRIs): cheap to
import, and the same whether rdflib, Oxigraph or a text writer uses them.
"""

from __future__ import annotations

from typing import Final


class Namespace(str):
    """An IRI prefix; `ns.term` and `ns["term"]` give full IRIs, also for terms named like a string method.

    >>> Namespace("http://example.org/").title
    'http://example.org/title'
    """

    def __init__(self, _: str) -> None:
        # An instance's own entry comes before a method of its class, and before __getattr__ is asked.
        self.__dict__.update({name: f"{self}{name}" for name in dir(str) if not name.startswith("_")})

    def __getattr__(self, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.__dict__.setdefault(name, f"{self}{name}")

    def __getitem__(self, name: str) -> str:  # type: ignore[override]
        return f"{self}{name}"


KG: Final = Namespace("https://w3id.org/paperkg/ontology#")
ID: Final = Namespace("https://w3id.org/paperkg/id/")
RDF: Final = Namespace("http://www.w3.org/1999/02/22-rdf-syntax-ns#")
RDFS: Final = Namespace("http://www.w3.org/2000/01/rdf-schema#")
OWL: Final = Namespace("http://www.w3.org/2002/07/owl#")
XSD: Final = Namespace("http://www.w3.org/2001/XMLSchema#")
SCHEMA: Final = Namespace("https://schema.org/")
DCTERMS: Final = Namespace("http://purl.org/dc/terms/")
FOAF: Final = Namespace("http://xmlns.com/foaf/0.1/")
SKOS: Final = Namespace("http://www.w3.org/2004/02/skos/core#")
FABIO: Final = Namespace("http://purl.org/spar/fabio/")
SOA: Final = Namespace("https://semopenalex.org/ontology/")
PROV: Final = Namespace("http://www.w3.org/ns/prov#")
OA: Final = Namespace("http://www.w3.org/ns/oa#")
PRISM: Final = Namespace("http://prismstandard.org/namespaces/basic/2.0/")
BIBO: Final = Namespace("http://purl.org/ontology/bibo/")
CITO: Final = Namespace("http://purl.org/spar/cito/")

PREFIXES: Final[dict[str, str]] = {
    "kg": KG, "id": ID, "rdf": RDF, "rdfs": RDFS, "owl": OWL, "xsd": XSD, "schema": SCHEMA,
    "dcterms": DCTERMS, "foaf": FOAF, "skos": SKOS, "fabio": FABIO, "soa": SOA, "prov": PROV,
    "oa": OA, "prism": PRISM, "bibo": BIBO, "cito": CITO,
}  # fmt: skip

# Evidence lives in its own named graph, so that plain questions and plain exports stay small.
EVIDENCE_GRAPH: Final = ID["graph/evidence"]
# Where the plain statements go on a server, all of whose graphs have names.
STATEMENTS_GRAPH: Final = ID["graph/statements"]

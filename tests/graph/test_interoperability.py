"""A question over this graph and a few records in SemOpenAlex's terms, loaded side by side."""

from __future__ import annotations

import pyoxigraph as ox
import rdflib
from small import lines

from kg.store.oxigraph import OxigraphStore
from kg.vocab import PREFIXES

# As SemOpenAlex 4 writes them: DOI as an xsd:anyURI with its address, positions from 0, ORCID as an address.
SEMOPENALEX = """
@prefix cito: <http://purl.org/spar/cito/> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix fabio: <http://purl.org/spar/fabio/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix org: <http://www.w3.org/ns/org#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix prism: <http://prismstandard.org/namespaces/basic/2.0/> .
@prefix soa: <https://semopenalex.org/ontology/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

<https://semopenalex.org/work/W900001> a soa:Work ;
  dcterms:title "GRAPE: Graphs pruned early" ; fabio:hasPublicationYear 2024 ;
  prism:doi "https://doi.org/10.1234/grape"^^xsd:anyURI ; soa:citedByCount 57 ;
  dcterms:creator <https://semopenalex.org/author/A900001> ;
  soa:hasAuthorship <https://semopenalex.org/authorship/W900001A900001> .
<https://semopenalex.org/authorship/W900001A900001> a soa:Authorship ;
  soa:hasAuthor <https://semopenalex.org/author/A900001> ; soa:position "0"^^xsd:integer .
<https://semopenalex.org/author/A900001> a soa:Author ; foaf:name "Ada Lovelace" ;
  owl:sameAs <https://orcid.org/0000-0001-2345-6789> ; org:memberOf <https://semopenalex.org/institution/I900001> .
<https://semopenalex.org/institution/I900001> a soa:Institution ; foaf:name "Analytical Society" .

<https://semopenalex.org/work/W900002> a soa:Work ;
  dcterms:title "Figs" ; fabio:hasPublicationYear 2023 ;
  prism:doi "https://doi.org/10.1234/figs"^^xsd:anyURI ; soa:citedByCount 4 .
<https://semopenalex.org/work/W900003> a soa:Work ;
  dcterms:title "A survey of early pruning" ; fabio:hasPublicationYear 2025 ; soa:citedByCount 1 ;
  prism:doi "https://doi.org/10.9999/survey"^^xsd:anyURI ;
  cito:cites <https://semopenalex.org/work/W900001> , <https://semopenalex.org/work/W900002> .
"""

# Which methods and data sets are new in papers that SemOpenAlex knows, how often are those cited, and by what?
NEW_AND_CITED = """
SELECT ?what ?count ?citing WHERE {
  ?paper a schema:ScholarlyArticle ; kg:proposesMethod|kg:introducesDataset ?entity ; owl:sameAs ?doi .
  ?entity skos:prefLabel ?what .
  ?work a soa:Work ; prism:doi ?address ; soa:citedByCount ?count .
  FILTER(STR(?address) = STR(?doi))
  OPTIONAL { ?other cito:cites ?work ; dcterms:title ?citing }
} ORDER BY DESC(?count) ?what
"""

# Where do the people work who propose a method here? The affiliation as an entity is only there.
WHERE_THEY_WORK = """
SELECT DISTINCT ?name ?institution WHERE {
  ?paper kg:proposesMethod ?method ; dcterms:creator ?person .
  ?person foaf:name ?name ; owl:sameAs ?orcid .
  ?author a soa:Author ; owl:sameAs ?orcid ; <http://www.w3.org/ns/org#memberOf>/foaf:name ?institution .
}
"""

# The habits are the same: one query finds the authorships of both graphs.
BOTH_KINDS_OF_AUTHORSHIP = """
SELECT ?name (COUNT(DISTINCT ?authorship) AS ?n) WHERE {
  ?authorship a soa:Authorship ; soa:hasAuthor/foaf:name ?name FILTER(?name = "Ada Lovelace")
} GROUP BY ?name
"""


def both(query: str) -> list[tuple[str, ...]]:
    """The rows, which Oxigraph and rdflib must agree on."""
    theirs = list(ox.parse(SEMOPENALEX, ox.RdfFormat.TURTLE))
    together = lines() + ox.serialize(theirs, format=ox.RdfFormat.N_QUADS)
    found = OxigraphStore.in_memory(together).query(query, prefixes=PREFIXES)
    rows = [tuple("" if t is None else t.value for t in row) for row in found]
    graph = rdflib.Dataset(default_union=True)
    graph.parse(data=together, format="nquads")
    again = graph.query(query, initNs={k: rdflib.Namespace(str(v)) for k, v in PREFIXES.items()})
    assert sorted(tuple("" if t is None else str(t) for t in row) for row in again) == sorted(rows)
    return rows


def test_new_here_and_cited_there() -> None:
    assert both(NEW_AND_CITED) == [
        ("GRAPE", "57", "A survey of early pruning"),
        ("FigBench", "4", "A survey of early pruning"),
    ]


def test_method_here_and_institution_there() -> None:
    assert both(WHERE_THEY_WORK) == [("Ada Lovelace", "Analytical Society")]


def test_one_pattern_matches_both_graphs() -> None:
    assert both(BOTH_KINDS_OF_AUTHORSHIP) == [("Ada Lovelace", "4")]

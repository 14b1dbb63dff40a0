"""Statements about people and about who wrote what, in which order, printed how."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kg.graph.rdf import EVIDENCE, about, integer, ref, text
from kg.ids import iri
from kg.model import Paper
from kg.resolve.people import People
from kg.vocab import DCTERMS, FOAF, KG, OWL, RDF, SCHEMA, SKOS, SOA


def authorship_lines(paper: Paper, people: People) -> Iterator[str]:
    """The authors of one paper: the short way (`dcterms:creator`) and the ordered way (authorships).

    A printed field that names nobody ("et al.") keeps its authorship and position, without an author.
    """
    subject = ref(iri("paper", paper.key))
    for position, author in enumerate(paper.authors, 1):
        key = people.of.get((paper.key, position))
        authorship = ref(iri("authorship", f"{paper.key}.{position}"))
        yield from about(subject, [(SOA.hasAuthorship, authorship)])
        pairs = [(RDF.type, f"<{SOA.Authorship}>")]
        if key is not None:
            person = ref(iri("person", key))
            yield from about(subject, [(DCTERMS.creator, person)])
            pairs.append((SOA.hasAuthor, person))
        pairs += [
            (SOA.position, integer(position)),
            (KG.nameAsPrinted, text(author.name)),
        ]
        pairs += [(SOA.rawAffiliation, text(a)) for a in sorted(set(author.affiliations))]
        yield from about(authorship, pairs)


def person_lines(people: People) -> Iterator[str]:
    """Every person: name, variants, identifiers, and how sure the resolution is."""
    for key in sorted(people.persons):
        person = people.persons[key]
        pairs = [
            (RDF.type, f"<{FOAF.Person}>"),
            (RDF.type, f"<{SCHEMA.Person}>"),
            (FOAF.name, text(person.name)),
            (KG.resolutionStatus, text(person.status)),
        ]
        pairs += [(SKOS.altLabel, text(v)) for v in sorted(set(person.variants) - {person.name})]
        for curie in sorted(person.ids):
            scheme, _, value = curie.partition(":")
            pairs.append((DCTERMS.identifier, text(curie)))
            if scheme == "orcid":
                pairs.append((OWL.sameAs, ref(f"https://orcid.org/{value}")))
        yield from about(ref(iri("person", key)), pairs)


def former_lines(former: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Where people went whom an earlier graph knew under another key (old key, new key).

    They stand beside the evidence: plain statements are the same whatever the order papers came in.
    """
    for old, new in former:
        yield from about(ref(iri("person", old)), [(DCTERMS.isReplacedBy, ref(iri("person", new)))], EVIDENCE)

"""All that is known of one entity: facts, links out, and what it is joined to."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pyoxigraph as ox

from kg.display import display
from kg.links.network import EDGE_TYPES, STATED
from kg.query.index import KINDS
from kg.query.lookup import Match
from kg.serve.evidence import claims, mentions
from kg.serve.snapshot import Snapshot
from kg.serve.terms import label_of
from kg.serve.things import entity, short, years
from kg.store.results import python_value
from kg.vocab import BIBO, DCTERMS, FABIO, FOAF, ID, KG, PRISM, PROV, RDF, SCHEMA, SKOS, SOA

_LISTED = 50  # members of a group that are listed
_FAR = 20  # members of a group joined through papers that are listed
_HIDDEN = {
    RDF.type, SOA.hasAuthorship, KG.mentionsMethod, KG.mentionsDataset, PROV.wasDerivedFrom, SKOS.altLabel, SKOS.inScheme,
    DCTERMS.creator, KG.proposesMethod, KG.usesMethod, KG.introducesDataset, KG.usesDataset, KG.hasRepository,
    KG.mentionsRepository, KG.addressesTask, DCTERMS.subject, FOAF.name, SKOS.prefLabel, KG.displayTitle, SKOS.notation,
}  # fmt: skip
_ORDER = [DCTERMS.title, FABIO.hasPublicationYear, BIBO.presentedAt, SCHEMA.url, SCHEMA.codeRepository,
          DCTERMS.identifier, SCHEMA.keywords, DCTERMS.abstract]  # fmt: skip
# title of a group by edge type, seen from the paper and from the other end
_GROUPS = {
    "creator": ("Authors", "Papers"),
    "proposesMethod": ("Proposes", "Proposed by"),
    "usesMethod": ("Uses methods", "Used by"),
    "introducesDataset": ("Introduces data sets", "Introduced by"),
    "usesDataset": ("Uses data sets", "Used by"),
    "hasRepository": ("Code and data", "Code of"),
    "mentionsRepository": ("Links to", "Linked by"),
    "subject": ("Topics", "Papers"),
    "addressesTask": ("Tasks", "Papers"),
}
_FAR_TITLES = {
    "person": "People",
    "method": "Methods",
    "dataset": "Data sets",
    "repository": "Repositories",
    "topic": "Topics",
}
_STATUS = {
    "source-id": "An identifier of a source says who this is.",
    "curated": "A correction by hand says who this is.",
    "clustered": "Records were joined by more than the name.",
    "name-only": "Only the name says who this is: two people of one name may be one here.",
}
_RESOLVERS = {
    "doi": "https://doi.org/{}", "arxiv": "https://arxiv.org/abs/{}", "openreview": "https://openreview.net/forum?id={}",
    "acl": "https://aclanthology.org/{}", "openalex": "https://openalex.org/{}", "pubmed": "https://pubmed.ncbi.nlm.nih.gov/{}",
    "orcid": "https://orcid.org/{}", "dblp": "https://dblp.org/rec/{}", "s2": "https://www.semanticscholar.org/paper/{}",
}  # fmt: skip


def describe(snapshot: Snapshot, match: Match) -> dict[str, Any]:
    """Answers `/api/entity/{type}/{key}.json`."""
    statements: dict[str, list[Any]] = defaultdict(list)
    for predicate, value in snapshot.about(match.iri):
        statements[predicate].append(value)
    facts = _facts(snapshot, statements)
    decided = [_STATUS.get(o.value, f"Resolved by {o.value}.") for o in statements.get(KG.resolutionStatus, ())]
    if match.kind == "paper":
        found = claims(snapshot, match)
        facts += [_claim(snapshot, match, claim) for claim in found]
        decided += _reviewed(snapshot, match)
    elif match.kind in ("method", "dataset", "topic"):
        decided += _mapped(snapshot, match)
    if statements.get(KG.ambiguousName):
        decided.append("Several things have this name; each keeps its own papers.")
    return {
        "entity": entity(match, papers=match.papers, year=years(snapshot, match.id)),
        "aliases": _aliases(snapshot, match),
        "facts": facts,
        "links_out": _links_out(match, statements),
        "groups": groups(snapshot, match),
        "decided": decided,
    }


def _facts(snapshot: Snapshot, statements: dict[str, list[Any]]) -> list[dict[str, Any]]:
    rows = []
    place = {predicate: i for i, predicate in enumerate(_ORDER)}
    for predicate in sorted(statements, key=lambda p: (place.get(p, len(place)), p)):
        if predicate in _HIDDEN:
            continue
        for term in sorted(statements[predicate], key=str):
            value = python_value(term)
            fact: dict[str, Any] = {"label": label_of(predicate), "value": value}
            if isinstance(term, ox.NamedNode):
                known = snapshot.lookup.all(term.value) if term.value.startswith(ID) else []
                if known:
                    fact |= {"value": display(known[0].label), "entity": entity(known[0])}
                elif predicate == BIBO.presentedAt:
                    fact |= _event(snapshot, term)
                elif term.value.startswith(ID):
                    fact["value"] = short(term.value)
                elif _web(term.value):
                    fact["href"] = term.value
            rows.append(fact)
    return rows


def _event(snapshot: Snapshot, event: ox.NamedNode) -> dict[str, Any]:
    """An edition by its name, with the series as the entity."""
    about = _about(snapshot, event.value)
    fact: dict[str, Any] = {"value": about.get(SCHEMA.name, short(event.value))}
    series = snapshot.lookup.all(about[SCHEMA.superEvent]) if SCHEMA.superEvent in about else []
    return {**fact, "entity": entity(series[0])} if series else fact


def value_of(term: Any) -> str:
    """The IRI or the text of a term."""
    return str(term.value)


def _about(snapshot: Snapshot, iri: str) -> dict[str, str]:
    """What is said of something that has one value a predicate."""
    return {predicate: value_of(value) for predicate, value in snapshot.about(iri)}


def _claim(snapshot: Snapshot, paper: Match, claim: Any) -> dict[str, Any]:
    known = snapshot.lookup.all(claim.object)
    fact: dict[str, Any] = {"label": label_of(claim.predicate), "value": short(claim.object)}
    if known:
        fact |= {"value": display(known[0].label), "entity": entity(known[0])}
    return {**fact, "confidence": round(claim.confidence, 2), "evidence": mentions(paper, claim)}


def _reviewed(snapshot: Snapshot, paper: Match) -> list[str]:
    """What a person confirmed or rejected about a paper."""
    found = []
    for status, predicate, thing in _assertions(snapshot, paper, "kg:reviewStatus"):
        known = snapshot.lookup.all(thing)
        found.append(f"A person {status} that it {label_of(predicate)} {known[0].label if known else short(thing)}.")
    return sorted(found)


def _mapped(snapshot: Snapshot, match: Match) -> list[str]:
    """Why lists of links say that an entity is this or that elsewhere."""
    return sorted(f"{label_of(p)} {o}: {why}." for why, p, o in _assertions(snapshot, match, "kg:matchReason"))


def _assertions(snapshot: Snapshot, match: Match, saying: str) -> list[tuple[str, str, str]]:
    """(what is said, predicate, object) of the assertions about an entity of which something is said."""
    text = f"SELECT ?said ?p ?o WHERE {{ ?a rdf:subject $s ; {saying} ?said ; rdf:predicate ?p ; rdf:object ?o }}"
    rows = snapshot.ask(text, s=ox.NamedNode(match.iri))
    return [(value_of(said), value_of(p), value_of(o)) for said, p, o in rows]


def _aliases(snapshot: Snapshot, match: Match) -> list[str]:
    rows = snapshot.atlas.execute("SELECT name FROM alias WHERE entity = ? ORDER BY name", (match.id,))
    return [name for (name,) in rows if name != match.label]


def _links_out(match: Match, statements: dict[str, list[Any]]) -> list[dict[str, str]]:
    """Pages elsewhere: what the sources state, and what identifiers resolve to. Only http and https."""
    found: dict[str, str] = {}
    for predicate in (SCHEMA.url, SCHEMA.codeRepository):
        for term in statements.get(predicate, ()):
            found.setdefault(term.value, term.value.partition("://")[2].partition("/")[0])
    schemes = [(PRISM.doi, "doi"), (FABIO.hasArXivId, "arxiv")]
    pairs = [(scheme, t.value) for predicate, scheme in schemes for t in statements.get(predicate, ())]
    for term in statements.get(DCTERMS.identifier, ()):
        scheme, colon, value = term.value.partition(":")
        if colon:
            pairs.append((scheme, value))
    for scheme, value in pairs:
        if scheme == "openreview" and match.kind == "person":
            found.setdefault(f"https://openreview.net/profile?id={value}", "OpenReview profile")
        elif scheme == "dblp" and match.kind == "person":
            found.setdefault(f"https://dblp.org/pid/{value}", "dblp")
        elif scheme in _RESOLVERS and not any(c in value for c in '\r\n<>"'):
            found.setdefault(_RESOLVERS[scheme].format(value), scheme)
    return [{"label": label, "href": href} for href, label in found.items() if _web(href)]


def _web(address: str) -> bool:
    return address.startswith(("https://", "http://"))


def groups(snapshot: Snapshot, match: Match) -> list[dict[str, Any]]:
    """What an entity is joined to: directly, by kind of statement, then through its papers, by kind."""
    network = snapshot.network
    edges = snapshot.edges_at(match.id)
    own = network.paper[edges] == match.id
    found = []
    for number, (_, role, name) in enumerate(EDGE_TYPES):
        for from_paper in (True, False):
            chosen = edges[(network.type[edges] == number) & (own == from_paper)]
            if not len(chosen):
                continue
            others = (network.entity if from_paper else network.paper)[chosen]
            order = _best(snapshot, others, by_year=not from_paper)
            if from_paper and name == "creator":
                order = _printed_order(snapshot, match, others)
            items = [
                _member(snapshot, int(others[i]), role, int(network.confidence[chosen[i]])) for i in order[:_LISTED]
            ]
            title = _GROUPS[name][0 if from_paper else 1]
            found.append({"title": title, "relation": name, "total": len(chosen), "items": items})
    return found + _through_papers(snapshot, match, edges)


def _best(snapshot: Snapshot, numbers: np.ndarray, by_year: bool) -> np.ndarray:
    first = snapshot.network.year[numbers] if by_year else snapshot.network.papers[numbers]
    return np.lexsort((numbers, -first.astype(np.int64)))


def _printed_order(snapshot: Snapshot, paper: Match, people: np.ndarray) -> np.ndarray:
    """Authors in the order of the paper's author line."""
    place: dict[str, int] = {}
    text = "SELECT ?person ?at WHERE { $s soa:hasAuthorship ?a . ?a soa:hasAuthor ?person ; soa:position ?at }"
    for person, at in snapshot.ask(text, s=ox.NamedNode(paper.iri)):
        number = int(value_of(at))
        place[value_of(person)] = min(number, place.get(value_of(person), number))
    spots = [place.get(snapshot.lookup.by_number(int(n)).iri, len(place) + 1) for n in people]
    return np.argsort(spots, kind="stable")


def _member(snapshot: Snapshot, number: int, role: str, confidence: int) -> dict[str, Any]:
    found = snapshot.lookup.by_number(number)
    sure = None if confidence == STATED else confidence / 100
    note = "" if found.kind == "paper" else f"{found.papers:,} paper{'' if found.papers == 1 else 's'}"
    return entity(found, year=years(snapshot, number), role=role, confidence=sure, note=note)


def _through_papers(snapshot: Snapshot, match: Match, edges: np.ndarray) -> list[dict[str, Any]]:
    """What else the papers of an entity speak of, most papers first."""
    if match.kind == "paper":
        return []
    network = snapshot.network
    papers = np.unique(network.paper[edges])
    chosen = np.concatenate([np.arange(snapshot.first_edge[p], snapshot.first_edge[p + 1]) for p in papers] or [edges])
    pairs = np.unique(network.entity[chosen].astype(np.int64) * network.size + network.paper[chosen])
    others, counts = np.unique(pairs // network.size, return_counts=True)
    found = []
    for kind, title in _FAR_TITLES.items():
        good = (network.kind[others] == KINDS.index(kind)) & (others != match.id)
        if not good.any():
            continue
        numbers, shared = others[good], counts[good]
        order = np.lexsort((numbers, -shared))[:_FAR]
        if kind == "person" and match.kind == "person":
            title = "Co-authors"
        items = []
        for i in order:
            item = _member(snapshot, int(numbers[i]), "", STATED)
            items.append({**item, "note": f"{shared[i]:,} paper{'' if shared[i] == 1 else 's'} in common"})
        found.append({"title": title, "relation": f"through-papers:{kind}", "total": int(good.sum()), "items": items})
    return found

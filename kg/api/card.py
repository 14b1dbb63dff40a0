"""Everything about one entity, in one record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox
from msgspec import Struct

from kg.links.sentences import Claim
from kg.query.index import prefixed
from kg.query.lookup import Match
from kg.store.results import python_value
from kg.vocab import ID

if TYPE_CHECKING:
    from kg.api.graph import Graph

_FACTS = "SELECT ?p ?o WHERE { $e ?p ?o }"
_PAPERS = "SELECT DISTINCT ?p ?paper WHERE { ?paper ?p $e }"
_LEFT_OUT = {"hasAuthorship", "mentionsMethod", "mentionsDataset", "type", "wasDerivedFrom"}


class Fact(Struct, frozen=True):
    """One statement about an entity: `value` as text or number, `entity` where it is one."""

    predicate: str
    value: object
    entity: Match | None = None


class Card(Struct, frozen=True):
    """What the graph knows of an entity.

    Attributes:
        facts: its own statements, predicates in short form ("dcterms:title"). papers: predicate -> papers
            that have it to this entity, `counts` how many there are. claims: what the text of a paper says.
    """

    entity: Match
    facts: tuple[Fact, ...]
    papers: dict[str, tuple[Match, ...]]
    counts: dict[str, int]
    claims: tuple[Claim, ...]

    def words(self) -> str:
        """The card for people."""
        lines = [f"{self.entity.label} ({self.entity.kind})", self.entity.iri]
        for fact in self.facts:
            shown = f"{fact.entity.label} ({prefixed(fact.entity.iri)})" if fact.entity else fact.value
            lines.append(f"{fact.predicate}: {shown}")
        for claim in self.claims:
            said = "".join(f": “{' '.join(q.sentence.split())}”" for q in claim.quotes[:1])
            review = f", {claim.review} by a person" if claim.review else ""
            lines.append(
                f"says {prefixed(claim.predicate)} {prefixed(claim.object)} [{claim.confidence:.2f}{review}]{said}"
            )
        for relation, papers in self.papers.items():
            lines.append(f"papers by {relation}: {self.counts[relation]}")
            lines += [f"- {paper.label} ({prefixed(paper.iri)})" for paper in papers]
        return "\n".join(lines)

    __str__ = words


def card(graph: Graph, found: Match, limit: int) -> Card:
    """The card of an entity, with at most `limit` papers for each relation."""
    term = ox.NamedNode(found.iri)
    facts = []
    for predicate, obj in sorted(graph.ask(_FACTS, {"e": term}), key=str):
        name = prefixed(str(predicate and predicate.value))
        if name.rsplit(":", 1)[-1] in _LEFT_OUT:
            continue
        known = graph.lookup.all(str(obj.value)) if isinstance(obj, ox.NamedNode) else []
        facts.append(Fact(name, python_value(obj), known[0] if known else None))
    if found.kind == "paper":
        return Card(found, tuple(facts), {}, {}, tuple(graph.claims(found.iri)))
    by_relation: dict[str, list[str]] = {}
    for predicate, paper in graph.ask(_PAPERS, {"e": term}):
        if predicate is None or paper is None or not str(paper.value).startswith(f"{ID}paper/"):
            continue
        name = prefixed(str(predicate.value))
        if name.rsplit(":", 1)[-1] not in _LEFT_OUT and "#" not in str(paper.value):
            by_relation.setdefault(name, []).append(str(paper.value))
    papers = {
        relation: tuple(graph.lookup.all(iri)[0] for iri in sorted(by_relation[relation])[:limit])
        for relation in sorted(by_relation)
    }
    return Card(found, tuple(facts), papers, {r: len(p) for r, p in by_relation.items()}, ())

"""Statements about methods, data sets and repositories, and about which paper speaks of which."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from kg.graph.rdf import about, boolean, ref, text, web
from kg.graph.tasks import addressed
from kg.ids import iri
from kg.model import Mention, Named
from kg.resolve.names import Names
from kg.resolve.repositories import Repositories
from kg.resolve.resolve import Resolved
from kg.vocab import DCTERMS, KG, RDF, SCHEMA, SKOS

PREDICATES = {
    ("method", "proposed"): KG.proposesMethod,
    ("method", "used"): KG.usesMethod,
    ("dataset", "introduced"): KG.introducesDataset,
    ("dataset", "used"): KG.usesDataset,
    ("task", "addressed"): KG.addressesTask,
}
# What `kg.resolve` calls the relations; it knows no RDF.
_RELATIONS = {
    KG.proposesMethod: "proposes",
    KG.usesMethod: "uses",
    KG.introducesDataset: "introduces",
    KG.usesDataset: "uses",
    KG.hasRepository: "code",
    KG.mentionsRepository: "mentions",
    KG.addressesTask: "addresses",
}
OWN = (KG.proposesMethod, KG.introducesDataset, KG.hasRepository)
PARENTS = {"method": KG.mentionsMethod, "dataset": KG.mentionsDataset}


@dataclass(slots=True)
class Claim:
    """One extracted statement about a paper, with what speaks for it.

    Attributes:
        predicate: IRI. kind: IRI type of the object ("method", "dataset", "repo", "task"); key: its key.
        mentions: places in the text, the deciding one first.
        stated_by: for repositories, who stated the link; else "".
        review: "confirmed" or "rejected" by a person; else "".
    """

    predicate: str
    kind: str
    key: str
    confidence: float
    cue: str
    mentions: tuple[Mention, ...]
    stated_by: str = ""
    review: str = ""


def claims(resolved: Resolved, index: int, min_confidence: float) -> list[Claim]:
    """The extracted statements of one paper, one for each predicate and entity (the surest).

    What is a paper's own it is not also said to use or mention. What a person confirmed is kept whatever its
    confidence; what a person rejected is marked so.
    """
    paper, extraction = resolved.papers[index], resolved.extractions[index]
    found: list[Claim] = []
    for kind, names, of in (
        ("method", extraction.methods, resolved.methods.of),
        ("dataset", extraction.datasets, resolved.datasets.of),
    ):
        for i, named in enumerate(names):
            predicate = PREDICATES[kind, named.role]
            key = of[paper.key, i]
            found.append(Claim(predicate, kind, key, named.confidence, named.cue, _deciding_first(named)))
    for i, repository in enumerate(extraction.repositories):
        found.append(
            Claim(
                KG.hasRepository if repository.own else KG.mentionsRepository,
                "repo",
                resolved.repositories.of[paper.key, i],
                repository.confidence,
                repository.cue,
                repository.mentions,
                repository.stated_by,
            )
        )
    found += [Claim(KG.addressesTask, "task", *task) for task in addressed(paper, extraction)]
    best: dict[tuple[str, str, str], Claim] = {}
    for claim in found:
        if resolved.reviews:
            claim.review = resolved.reviews.get((paper.key, claim.kind, claim.key, _RELATIONS[claim.predicate]), "")
        if claim.confidence < min_confidence and claim.review != "confirmed":
            continue
        place = (claim.predicate, claim.kind, claim.key)
        known = best.get(place)
        if known is None or claim.confidence > known.confidence:
            best[place] = claim
    own = {p[1:] for p, claim in best.items() if p[0] in OWN and claim.review != "rejected"}
    return [best[p] for p in sorted(best) if p[0] in OWN or p[1:] not in own or best[p].review]


def used_entities(resolved: Resolved, min_confidence: float) -> dict[str, set[str]]:
    """Keys of the entities that at least one kept claim speaks of, by kind; what `claims` keeps, much sooner."""
    used: dict[str, set[str]] = {"method": set(), "dataset": set(), "repo": set(), "task": set()}
    if resolved.reviews:
        for index in range(len(resolved.papers)):
            for claim in claims(resolved, index, min_confidence):
                if claim.review != "rejected":
                    used[claim.kind].add(claim.key)
        return used
    for paper, extraction in zip(resolved.papers, resolved.extractions, strict=True):
        for kind, found, of in (
            ("method", extraction.methods, resolved.methods.of),
            ("dataset", extraction.datasets, resolved.datasets.of),
            ("repo", extraction.repositories, resolved.repositories.of),
        ):
            used[kind].update(of[paper.key, i] for i, item in enumerate(found) if item.confidence >= min_confidence)
        used["task"].update(key for key, sure, *_ in addressed(paper, extraction) if sure >= min_confidence)
    return used


def claim_lines(paper_key: str, found: list[Claim]) -> Iterator[str]:
    """The plain statements of one paper's claims, each with its broader property."""
    subject = ref(iri("paper", paper_key))
    holds = [claim for claim in found if claim.review != "rejected"]
    for claim in holds:
        obj = ref(iri(claim.kind, claim.key))
        yield from about(subject, [(claim.predicate, obj)])
    for kind, parent in PARENTS.items():
        for key in sorted({c.key for c in holds if c.kind == kind}):
            yield from about(subject, [(parent, ref(iri(kind, key)))])


def entity_lines(resolved: Resolved, used: dict[str, set[str]]) -> Iterator[str]:
    """Statements about the entities that at least one kept claim speaks of (`used`: kind -> keys)."""
    yield from _named_lines("method", resolved.methods, used["method"], (KG.Method, SKOS.Concept))
    yield from _named_lines("dataset", resolved.datasets, used["dataset"], (SCHEMA.Dataset,))
    yield from _repository_lines(resolved.repositories, used["repo"])
    yield from _related(resolved, used)


def _named_lines(kind: str, names: Names, used: set[str], classes: tuple[str, ...]) -> Iterator[str]:
    for key in sorted(used):
        entity = names.entities[key]
        pairs = [(RDF.type, f"<{c}>") for c in classes]
        pairs.append((SKOS.prefLabel, text(entity.label)))
        pairs += [(SKOS.altLabel, text(a)) for a in entity.aliases]
        if entity.ambiguous:
            pairs.append((KG.ambiguousName, boolean(True)))
        if names.broader.get(key) in used:
            pairs.append((SKOS.broader, ref(iri(kind, names.broader[key]))))
        yield from about(ref(iri(kind, key)), pairs)
    for old, new in names.replaced.items():
        if old not in used and new in used:
            yield from about(ref(iri(kind, old)), [(DCTERMS.isReplacedBy, ref(iri(kind, new)))])


def _repository_lines(repositories: Repositories, used: set[str]) -> Iterator[str]:
    for key in sorted(used):
        entity = repositories.entities[key]
        pairs = [
            (RDF.type, f"<{SCHEMA.SoftwareSourceCode}>"),
            (SKOS.prefLabel, text(key)),
            (SCHEMA.codeRepository, web(entity.url)),
            (KG.repositoryKind, text(entity.kind)),
        ]
        yield from about(ref(iri("repo", key)), pairs)


def _related(resolved: Resolved, used: dict[str, set[str]]) -> Iterator[str]:
    """One name for a method and a data set, or for several methods: linked, never one node."""
    by_form: dict[str, list[str]] = defaultdict(list)
    for kind, names in (("dataset", resolved.datasets), ("method", resolved.methods)):
        for key in sorted(used[kind]):
            by_form[names.entities[key].form].append(iri(kind, key))
    for form in sorted(by_form):
        # A star, not every pair: thirty papers may coin one acronym.
        first, *others = by_form[form]
        for other in others:
            yield from about(ref(first), [(SKOS.related, ref(other))])
            yield from about(ref(other), [(SKOS.related, ref(first))])


def _deciding_first(named: Named) -> tuple[Mention, ...]:
    mentions = named.mentions
    if not mentions:
        return ()
    decisive = mentions[named.evidence]
    return (decisive, *(m for i, m in enumerate(mentions) if i != named.evidence))

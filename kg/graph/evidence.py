"""Why each extracted statement holds: assertions, the quoted places, and the build behind them.

Everything here goes into the evidence graph. Places follow the Web Annotation model
(https://www.w3.org/TR/annotation-model/): an annotation targets a part of the paper's title or
abstract through one selector that carries both the position (code points, half-open) and the quote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kg.graph.names import OWN, Claim
from kg.graph.papers import source_iri, source_name
from kg.graph.rdf import EVIDENCE, about, decimal, integer, ref, text
from kg.ids import iri
from kg.model import Mention
from kg.text import digest
from kg.vocab import DCTERMS, KG, OA, PROV, RDF, SCHEMA

# Further places of the same name say little more, and each costs ten statements: two for what is the paper's own
# (title and sentence), one for what it uses.
QUOTES_OF_OWN, QUOTES = 2, 1


def evidence_lines(paper_key: str, found: list[Claim], run: str) -> Iterator[str]:
    """Assertions and quoted places for the claims of one paper; `run` is the IRI of the build."""
    paper = iri("paper", paper_key)
    quoted: dict[str, tuple[Mention, set[str]]] = {}
    for claim in found:
        obj = iri(claim.kind, claim.key)
        pairs = [
            (RDF.type, f"<{KG.Assertion}>"),
            (RDF.subject, ref(paper)),
            (RDF.predicate, ref(claim.predicate)),
            (RDF.object, ref(obj)),
            (KG.confidence, decimal(claim.confidence)),
            (PROV.wasGeneratedBy, ref(run)),
        ]
        if claim.cue:
            pairs.append((KG.cue, text(claim.cue)))
        if claim.review:
            pairs.append((KG.reviewStatus, text(claim.review)))
        if claim.stated_by:
            pairs.append((KG.repositoryStatedBy, text(claim.stated_by)))
        for mention in claim.mentions[: QUOTES_OF_OWN if claim.predicate in OWN else QUOTES]:
            place = iri("mention", f"{paper_key}.{mention.field}.{mention.start}-{mention.end}")
            quoted.setdefault(place, (mention, set()))[1].add(obj)
            pairs.append((KG.evidence, ref(place)))
        yield from about(ref(assertion_iri(paper, claim.predicate, obj)), pairs, EVIDENCE)
    for place in sorted(quoted):
        mention, bodies = quoted[place]
        yield from _mention_lines(paper, place, mention, sorted(bodies))
    for field in sorted({mention.field for mention, _ in quoted.values()}):
        yield from about(ref(f"{paper}#{field}"), [(DCTERMS.isPartOf, ref(paper))], EVIDENCE)


def _mention_lines(paper: str, place: str, mention: Mention, bodies: Sequence[str]) -> Iterator[str]:
    target, selector = f"{place}/target", f"{place}/selector"
    annotation = [(RDF.type, f"<{OA.Annotation}>"), (OA.hasTarget, ref(target))]
    yield from about(ref(place), annotation + [(OA.hasBody, ref(b)) for b in bodies], EVIDENCE)
    yield from about(
        ref(target),
        [
            (OA.hasSource, ref(f"{paper}#{mention.field}")),
            (OA.hasSelector, ref(selector)),
        ],
        EVIDENCE,
    )
    yield from about(
        ref(selector),
        [
            (RDF.type, f"<{OA.TextPositionSelector}>"),
            (RDF.type, f"<{OA.TextQuoteSelector}>"),
            (OA.start, integer(mention.start)),
            (OA.end, integer(mention.end)),
            (OA.exact, text(mention.text)),
        ],
        EVIDENCE,
    )


def assertion_iri(subject: str, predicate: str, obj: str) -> str:
    """IRI of the assertion of a statement: a digest of the three IRIs."""
    return iri("assertion", digest(subject, predicate, obj, length=16))


def run_iri(settings_digest: str, model_version: str) -> str:
    """IRI of the derivation: the same settings and model over more papers are the same derivation."""
    return iri("run", f"{settings_digest}-{model_version}")


def run_lines(run: str, version: str, settings: str, model: str, inputs: dict[str, str]) -> Iterator[str]:
    """The one activity behind the extracted statements, its software and its input files.

    Args:
        inputs: base name of each input file -> SHA-256 of its bytes (several: joined by a blank).
    """
    agent = ref(iri("agent", "paperkg"))
    pairs = [
        (RDF.type, f"<{PROV.Activity}>"),
        (PROV.wasAssociatedWith, agent),
        (KG.configDigest, text(settings)),
        (KG.modelVersion, text(model)),
    ]
    pairs += [(PROV.used, ref(source_iri(name))) for name in sorted(inputs)]
    yield from about(ref(run), pairs, EVIDENCE)
    software = [
        (RDF.type, f"<{PROV.SoftwareAgent}>"),
        (RDF.type, f"<{SCHEMA.SoftwareApplication}>"),
        (SCHEMA.name, text("paperkg")),
        (SCHEMA.softwareVersion, text(version)),
    ]
    yield from about(agent, software, EVIDENCE)
    for name in sorted(inputs):
        entity = [(RDF.type, f"<{PROV.Entity}>"), (SCHEMA.name, text(source_name(name)))]
        entity += [(KG.sha256, text(d)) for d in sorted(set(inputs[name].split()))]
        yield from about(ref(source_iri(name)), entity, EVIDENCE)

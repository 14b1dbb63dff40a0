"""The marked sentences behind a statement, as the interface gives them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from kg.links.network import EDGE_TYPES
from kg.links.sentences import Claim, claims_of
from kg.query.lookup import Match
from kg.query.run import ask
from kg.serve.snapshot import Snapshot
from kg.serve.things import entity

_ROLE = {name: role for _, role, name in EDGE_TYPES}


def local(iri: str) -> str:
    """Last part of a term's IRI.

    >>> local("http://purl.org/dc/terms/creator")
    'creator'
    """
    return iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]


def claims(snapshot: Snapshot, paper: Match) -> list[Claim]:
    """What extraction says of a paper, with the sentences."""
    return claims_of(partial(_ask, snapshot), paper.iri)


def mentions(paper: Match, claim: Claim) -> list[dict[str, Any]]:
    """The sentences of a claim, cut at the name: what stands before it, itself, what stands after it."""
    said = {"confidence": round(claim.confidence, 2), "cue": claim.cue, "role": _ROLE.get(local(claim.predicate), "")}
    return [
        {
            "paper": entity(paper),
            "field": q.field,
            "before": q.sentence[: q.start],
            "text": q.sentence[q.start : q.end],
            "after": q.sentence[q.end :],
            **said,
        }
        for q in claim.quotes
    ]


def _ask(snapshot: Snapshot, text: str, bindings: Mapping[str, Any] | None = None) -> Any:
    return ask(snapshot.store, text, bindings)

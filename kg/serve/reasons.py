"""Why two entities are linked, and how they are connected."""

from __future__ import annotations

from typing import Any

import numpy as np

from kg.links.network import EDGE_TYPES
from kg.query.lookup import Match
from kg.serve.documents import Document, Way
from kg.serve.evidence import claims, mentions
from kg.serve.pool import Refused
from kg.serve.snapshot import Snapshot
from kg.serve.things import entity, shown, years
from kg.view.kinds import phrases

_LISTED = 40  # papers of a link that are listed with their sentences


def link(snapshot: Snapshot, a: Match, b: Match) -> dict[str, Any]:
    """Answers `/api/link.json`: the papers two entities share, or what two papers share, with the sentences.

    Raises:
        Refused: 404, nothing joins them directly.
    """
    if a.kind == b.kind == "paper":
        return _papers_linked(snapshot, a, b)
    shared = np.intersect1d(_papers(snapshot, a), _papers(snapshot, b))
    if not len(shared):
        raise Refused(404, f"no paper joins {shown(a)} and {shown(b)}", "/api/paths.json tells how they are connected")
    order = np.lexsort((shared, snapshot.network.year[shared]))
    found = [snapshot.lookup.by_number(int(shared[i])) for i in order[:_LISTED]]
    said = [year for p in shared if (year := years(snapshot, int(p)))]
    return {
        "a": entity(a),
        "b": entity(b),
        "relation": _sentence(snapshot, a, b, len(shared)),
        "count": len(shared),
        "years": sorted(set(said)),
        "papers": [_evidence(snapshot, paper, {a.iri, b.iri}) for paper in found],
    }


def _papers(snapshot: Snapshot, match: Match) -> np.ndarray:
    if match.kind == "paper":
        return np.array([match.id])
    if match.kind == "venue":
        return np.flatnonzero(snapshot.network.venue == match.id)
    return np.unique(snapshot.network.paper[snapshot.edges_at(match.id)])


def _evidence(snapshot: Snapshot, paper: Match, ends: set[str]) -> dict[str, Any]:
    found = [claim for claim in claims(snapshot, paper) if claim.object in ends]
    return {
        "paper": entity(paper),
        "year": years(snapshot, paper.id),
        "confidence": round(min(claim.confidence for claim in found), 2) if found else None,
        "mentions": [m for claim in found for m in mentions(paper, claim)],
    }


def _sentence(snapshot: Snapshot, a: Match, b: Match, count: int) -> str:
    papers = f"{count} paper{'' if count == 1 else 's'}"
    if "paper" in (a.kind, b.kind):
        paper, other = (a, b) if a.kind == "paper" else (b, a)
        verbs = _verbs(snapshot, paper, other) or ["speaks of"]
        return f"{shown(paper)} {' and '.join(verbs)} {shown(other)}."
    kinds = {a.kind, b.kind}
    if kinds == {"person"}:
        return f"{shown(a)} and {shown(b)} wrote {papers} together."
    if "person" in kinds:
        person, other = (a, b) if a.kind == "person" else (b, a)
        return f"{shown(person)} wrote {papers} that speak{'s' if count == 1 else ''} of {shown(other)}."
    return f"{papers} speak{'s' if count == 1 else ''} of both {shown(a)} and {shown(b)}."


def _verbs(snapshot: Snapshot, paper: Match, other: Match) -> list[str]:
    network = snapshot.network
    edges = snapshot.edges_at(other.id)
    types = np.unique(network.type[edges[network.paper[edges] == paper.id]])
    return [phrases(EDGE_TYPES[t][2])[0].replace("written by", "was written by") for t in types]


def _papers_linked(snapshot: Snapshot, a: Match, b: Match) -> dict[str, Any]:
    network = snapshot.network
    first, second = snapshot.edges_at(a.id), snapshot.edges_at(b.id)
    shared = np.intersect1d(network.entity[first], network.entity[second])
    if not len(shared):
        raise Refused(404, "the two papers share nothing", "/api/paths.json tells how they are connected")
    order = np.lexsort((shared, network.papers[shared]))  # the rarest says most
    found = [snapshot.lookup.by_number(int(shared[i])) for i in order[:_LISTED]]
    names = ", ".join(shown(m) for m in found[:5]) + (f" and {len(shared) - 5} more" if len(shared) > 5 else "")
    ends = {m.iri for m in found}
    return {
        "a": entity(a),
        "b": entity(b),
        "relation": f"Both papers share {names}.",
        "count": len(shared),
        "years": sorted({y for p in (a, b) if (y := years(snapshot, p.id))}),
        "shared": [entity(m) for m in found],
        "papers": [_evidence(snapshot, paper, ends) for paper in (a, b)],
    }


def asked_paths(a: Match, b: Match, count: int) -> Document:
    """What a query process is asked, since a search between two hubs takes seconds.

    Raises:
        Refused: 400, the two are one.
    """
    if a.id == b.id:
        raise Refused(400, "the two are the same entity", "name another one")
    return Document("paths", (a.iri, b.iri), count=count)


def told_paths(snapshot: Snapshot, a: Match, b: Match, found: list[Way]) -> dict[str, Any]:
    """Answers `/api/paths.json`: the ways from one entity to the other, the one that says most first."""
    answer: dict[str, Any] = {"a": entity(a), "b": entity(b), "paths": [_path(snapshot, a, way) for way in found]}
    if not found:
        answer["why_none"] = (
            f"No chain of papers leads from {shown(a)} to {shown(b)}: they lie in parts of the graph that share no "
            "author, method, data set, repository or topic."
        )
    return answer


def _path(snapshot: Snapshot, start: Match, way: Way) -> dict[str, Any]:
    """A way in words: each step goes from an entity to a paper or back."""
    rows, at = [], start
    for verb, number in way.steps:
        to = snapshot.lookup.by_number(number)
        paper = at if at.kind == "paper" else to
        rows.append(
            {
                "from": entity(at),
                "to": entity(to),
                "relation": verb,
                "words": f"{shown(at)} {verb} {shown(to)}",
                "papers": [entity(paper)],
            }
        )
        at = to
    return {"cost": round(way.cost, 2), "words": f"{way.words}.", "steps": rows}

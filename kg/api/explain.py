"""Why two entities are linked: everything they share, with the papers and the sentences that say so."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from msgspec import Struct

from kg.links.pairs import ENTITY_KIND, between
from kg.links.paths import RELATION_OF, Path, paths
from kg.links.sentences import Claim
from kg.query.lookup import Match

_MOST = 20  # papers of an entity and another that are quoted
Claims = Callable[[str], list[Claim]]


class Reason(Struct, frozen=True):
    """Something two entities share.

    Attributes:
        relation: "coauthors", "datasets", "methods", "code" or "topics": through what they are linked.
        shared: the paper that speaks of both, or the entity both papers speak of.
        claims: (paper, what it says of the shared or linked entity), with sentences.
    """

    relation: str
    shared: Match
    claims: tuple[tuple[Match, Claim], ...]


class Explanation(Struct, frozen=True):
    """Why two entities are linked; where nothing links them directly, `path` connects them if anything does."""

    a: Match
    b: Match
    reasons: tuple[Reason, ...]
    path: Path | None = None

    def words(self) -> str:
        """The explanation for people, a line for each reason and each sentence."""
        head = f"{self.a.label} ({self.a.kind}) and {self.b.label} ({self.b.kind})"
        if not self.reasons:
            return f"{head}: " + (self.path.words() if self.path else "nothing connects them")
        lines = [f"{head}: {len(self.reasons)} in common"]
        for reason in self.reasons:
            lines.append(f"- {reason.relation}: {reason.shared.label} ({reason.shared.kind})")
            for paper, claim in reason.claims:
                said = "".join(f": “{' '.join(q.sentence.split())}”" for q in claim.quotes[:1])
                predicate = claim.predicate.rsplit("#", 1)[-1]
                lines.append(f"    {paper.label} [{predicate}, {claim.confidence:.2f}]{said}")
        return "\n".join(lines)

    __str__ = words


def explain(db: sqlite3.Connection, claims_of: Claims, a: Match, b: Match) -> Explanation:
    """Why two entities are linked.

    Two papers are linked by the data sets, methods, code and authors they share; a paper and an entity by
    what the paper says of it; two other entities by the papers that speak of both.
    """
    held: dict[str, list[Claim]] = {}

    def said(paper: Match, *about: Match) -> tuple[tuple[Match, Claim], ...]:
        if paper.iri not in held:
            held[paper.iri] = claims_of(paper.iri)
        wanted = {m.iri for m in about}
        return tuple(
            (paper, claim) for claim in held[paper.iri] if claim.object in wanted and claim.review != "rejected"
        )

    if a.kind == b.kind == "paper":
        reasons = [
            Reason(relation, shared, said(a, shared) + said(b, shared))
            for relation in ("datasets", "methods", "code")
            if (pair := between(db, relation, a, b))
            for shared in pair.shared
        ]
        reasons += [Reason("coauthors", person, ()) for person in _both(db, "entity", "paper", a, b, "coauthors")]
    elif "paper" in (a.kind, b.kind):
        paper, other = (a, b) if a.kind == "paper" else (b, a)
        relation = RELATION_OF.get(other.kind, "")
        linked = (
            relation
            and db.execute(
                "SELECT 1 FROM member WHERE relation = ? AND entity = ? AND paper = ?", (relation, other.id, paper.id)
            ).fetchone()
        )
        reasons = [Reason(relation, paper, said(paper, other))] if linked else []
    else:
        relation = next((r for r, kind in ENTITY_KIND.items() if a.kind == b.kind == kind), "papers")
        reasons = [Reason(relation, paper, said(paper, a, b)) for paper in _both(db, "paper", "entity", a, b)]
    if reasons or a.id == b.id:
        return Explanation(a, b, tuple(reasons))
    found = paths(db, a, b, 1)
    return Explanation(a, b, (), found[0] if found else None)


def _both(
    db: sqlite3.Connection, wanted: str, given: str, a: Match, b: Match, relation: str | None = None
) -> list[Match]:
    """The papers that speak of both (by year), or the entities that both papers have."""
    only = "AND x.relation = :r" if relation else ""
    known = "(SELECT DISTINCT relation FROM member)"  # the key of the table begins with the relation
    rows = db.execute(
        f"""SELECT DISTINCT e.id, e.iri, e.kind, e.label, e.papers, e.year FROM member x
            JOIN member y ON y.{wanted} = x.{wanted} AND y.{given} = :b AND y.relation IN {known}
            JOIN entity e ON e.id = x.{wanted}
            WHERE x.{given} = :a AND x.relation IN {known} {only} ORDER BY e.year, e.iri LIMIT {_MOST}""",
        {"a": a.id, "b": b.id, "r": relation},
    )
    return [Match(*row[:5]) for row in rows]

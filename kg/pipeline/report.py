"""What a build did, in numbers and in words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from kg.model import Rejected
from kg.resolve.resolve import Resolved


@dataclass
class Report:
    """The outcome of one build.

    Attributes:
        read: records read now. known: those of them that the graph held already.
        rejected: records that could not be read now.
        merged: records of the whole graph that were joined to another record of the same paper.
        counts: what the whole graph holds now. extracted: papers whose text was extracted now.
        seconds: wall time by step. changed: False when the graph stayed as it was.
    """

    read: int = 0
    rejected: list[Rejected] = field(default_factory=list)
    merged: int = 0
    extracted: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    changed: bool = True

    def lines(self) -> list[str]:
        """A summary for people."""
        c = self.counts
        out = [f"read       {self.read:,} records, {len(self.rejected):,} rejected"]
        reasons = Counter(r.reason for r in self.rejected)
        out += [
            f"             {n:,} × {reason}" for reason, n in sorted(reasons.items(), key=lambda x: (-x[1], x[0]))[:5]
        ]
        if self.changed:
            out.append(f"merged     {self.merged:,} records into papers read from elsewhere or before")
            out.append(f"extracted  {self.extracted:,} abstracts now")
        else:
            out.append("unchanged  every record was in the graph already")
        out.append(
            f"graph      {c.get('papers', 0):,} papers, {c.get('people', 0):,} people, "
            f"{c.get('authorships', 0):,} authorships, {c.get('methods', 0):,} methods, "
            f"{c.get('datasets', 0):,} data sets, {c.get('repositories', 0):,} repositories, "
            f"{c.get('topics', 0):,} topics"
        )
        if self.changed:
            steps = ", ".join(f"{name} {seconds:.1f}" for name, seconds in self.seconds.items() if seconds >= 0.05)
            out.append(f"seconds    {sum(self.seconds.values()):.1f} ({steps})")
        return out


def count(resolved: Resolved, min_confidence: float) -> dict[str, int]:
    """How much of each kind a graph holds."""
    kept: dict[str, set[str]] = {"methods": set(), "datasets": set(), "repositories": set()}
    topics = set()
    for paper, extraction in zip(resolved.papers, resolved.extractions, strict=True):
        topics.update(path[:n] for path in paper.topics for n in range(1, len(path) + 1))
        for kind, found, of in (
            ("methods", extraction.methods, resolved.methods.of),
            ("datasets", extraction.datasets, resolved.datasets.of),
            ("repositories", extraction.repositories, resolved.repositories.of),
        ):
            kept[kind].update(of[paper.key, i] for i, x in enumerate(found) if x.confidence >= min_confidence)
    return {
        "papers": len(resolved.papers),
        "people": len(resolved.people.persons),
        "authorships": sum(len(p.authors) for p in resolved.papers),
        **{kind: len(keys) for kind, keys in kept.items()},
        "topics": len(topics),
    }

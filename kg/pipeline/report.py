"""What a build did, in numbers and in words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from kg.graph.names import used_entities
from kg.model import Rejected
from kg.records import Disagreement
from kg.resolve.outward import Linked
from kg.resolve.resolve import Resolved

_KINDS = {"method": "methods", "dataset": "datasets", "repo": "repositories"}
_SHOWN = 20  # corrections that the summary spells out


@dataclass
class Report:
    """The outcome of one build.

    Attributes:
        read: records read now. known: those of them that the graph held already.
        rejected: records that could not be read now.
        merged: records of the whole graph that were joined to another record of the same paper.
        counts: what the whole graph holds now. extracted: papers whose text was extracted now.
        seconds: wall time by step. changed: False when the graph stayed as it was.
        corrections: what the corrections in overrides.toml did, one line each.
        disagreements: what the sources of one paper do not agree on, of the whole graph.
        outward: what the lists of links outward did.
    """

    read: int = 0
    rejected: list[Rejected] = field(default_factory=list)
    merged: int = 0
    extracted: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    changed: bool = True
    corrections: list[str] = field(default_factory=list)
    disagreements: list[Disagreement] = field(default_factory=list)
    outward: Linked = field(default_factory=Linked)

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
            if self.disagreements:
                papers = len({d.paper for d in self.disagreements})
                out.append(f"disagree   the sources of {papers:,} papers; kg audit --kind sources shows where")
            out.append(f"extracted  {self.extracted:,} abstracts now")
        else:
            out.append("unchanged  every record was in the graph already")
        out.append(
            f"graph      {c.get('papers', 0):,} papers, {c.get('people', 0):,} people, "
            f"{c.get('authorships', 0):,} authorships, {c.get('methods', 0):,} methods, "
            f"{c.get('datasets', 0):,} data sets, {c.get('repositories', 0):,} repositories, "
            f"{c.get('topics', 0):,} topics"
        )
        if self.corrections:
            out.append(f"corrected  {len(self.corrections):,} entries of overrides.toml applied")
            out += [f"             {line}" for line in self.corrections[:_SHOWN]]
            if len(self.corrections) > _SHOWN:
                out.append(f"             … and {len(self.corrections) - _SHOWN:,} more")
        if self.outward.rows:
            things = len({(link.kind, link.key) for link in self.outward.links})
            out.append(
                f"linked     {len(self.outward.links):,} links of {things:,} things to elsewhere, from "
                f"{self.outward.rows:,} lines; {self.outward.absent:,} name what is not here, "
                f"{len(self.outward.unclear):,} are not clear"
            )
            out += [f"             {line}" for line in self.outward.unclear[:_SHOWN]]
            if len(self.outward.unclear) > _SHOWN:
                out.append(f"             … and {len(self.outward.unclear) - _SHOWN:,} more")
        if self.changed:
            steps = ", ".join(f"{name} {seconds:.1f}" for name, seconds in self.seconds.items() if seconds >= 0.05)
            out.append(f"seconds    {sum(self.seconds.values()):.1f} ({steps})")
        return out


def count(resolved: Resolved, min_confidence: float) -> dict[str, int]:
    """How much of each kind a graph holds."""
    used = used_entities(resolved, min_confidence)
    topics = {path[:n] for paper in resolved.papers for path in paper.topics for n in range(1, len(path) + 1)}
    return {
        "papers": len(resolved.papers),
        "people": len(resolved.people.persons),
        "authorships": sum(len(p.authors) for p in resolved.papers),
        **{name: len(used[kind]) for kind, name in _KINDS.items()},
        "topics": len(topics),
    }

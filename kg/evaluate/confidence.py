"""What confidence is worth: how often extractions so sure are right, and what a least confidence costs."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from kg.evaluate.names import KINDS, Extracts, GoldPaper, Report, same_name
from kg.model import Extraction, Named

BINS = 10
LEAST = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_ROWS = ("methods proposed", "methods", "datasets")


def extract_all(papers: Sequence[GoldPaper], extractor: Extracts) -> list[Extraction]:
    """Extractions of the papers, in order."""
    return list(extractor.pipe((p.title, p.abstract, ()) for p in papers))


def at_least(found: Extraction, least: float) -> Extraction:
    """The extraction without methods and data sets that are less sure."""
    kept = {kind: tuple(e for e in getattr(found, kind) if e.confidence >= least) for kind in KINDS}
    return msgspec.structs.replace(found, **kept)


def reliability(papers: Sequence[GoldPaper], found: Sequence[Extraction]) -> str:
    """For each tenth of confidence: readings, their mean confidence, and the share that is right in kind and role.

    Readings of optional names are left out. `found` should come from an extractor that drops next to nothing.
    """
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(BINS)]
    for paper, extraction in zip(papers, found, strict=True):
        for kind in KINDS:
            for e in getattr(extraction, kind):
                verdict = _verdict(paper, kind, e)
                if verdict is not None:
                    bins[min(int(e.confidence * BINS), BINS - 1)].append((e.confidence, verdict))
    lines = [f"{'confidence':12}{'readings':>10}{'mean':>8}{'right':>8}"]
    for k, rows in enumerate(bins):
        if rows:
            mean, right = sum(c for c, _ in rows) / len(rows), sum(r for _, r in rows) / len(rows)
            lines.append(f"{f'{k / BINS:.1f}-{(k + 1) / BINS:.1f}':12}{len(rows):>10}{mean:>8.3f}{right:>8.3f}")
    return "\n".join(lines)


def _verdict(paper: GoldPaper, kind: str, e: Named) -> bool | None:
    """Is the reading right? None where it counts neither way."""
    hit = next((g for g in getattr(paper, kind) if same_name(e, g)), None)
    if hit is not None:
        return hit.role == e.role
    return None if any(same_name(e, x) for x in getattr(paper, f"optional_{kind}")) else False


def curve(papers: Sequence[GoldPaper], found: Sequence[Extraction]) -> str:
    """Precision, recall and F by least confidence."""
    lines = [f"{'least confidence':18}" + "".join(f"{row + ' P/R/F':>24}" for row in _ROWS)]
    for least in LEAST:
        report = Report()
        for paper, extraction in zip(papers, found, strict=True):
            report.add(paper, at_least(extraction, least))
        figures = [report.rows[row] for row in _ROWS]
        lines.append(
            f"{least:<18.1f}" + "".join(f"{f'{x.precision:.3f}/{x.recall:.3f}/{x.f:.3f}':>24}" for x in figures)
        )
    return "\n".join(lines)

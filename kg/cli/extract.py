"""`kg extract`: extraction alone, without a graph."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from kg.cli.common import note


@click.command("extract")
@click.argument("inputs", nargs=-1, required=True, type=click.Path())
@click.option("-o", "--output", type=click.Path(), help="File to write. [default: standard output]")
@click.option("--format", "format", help="Format of the inputs, instead of detecting it.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes. [default: all cores]")
@click.option("--min-confidence", type=click.FloatRange(0, 1), default=None, help="Leave out names below this.")
def command(
    inputs: tuple[str, ...], output: str | None, format: str | None, workers: int | None, min_confidence: float | None
) -> None:
    """Extract methods, data sets and repositories: one JSON line a paper, in the order read."""
    from kg.engine import extract_all
    from kg.export.write import atomic
    from kg.model import Paper, Rejected
    from kg.settings import Settings
    from kg.sources import read

    papers: list[Paper] = []
    rejected = 0
    for record in read(inputs, format=format):
        if isinstance(record, Rejected):
            rejected += 1
            note(f"{record.file}, {record.place}: {record.reason}")
        else:
            papers.append(record)
    settings = Settings() if min_confidence is None else Settings(min_confidence=min_confidence)
    items = ((p.title, p.abstract, p.links) for p in papers)
    lines = []
    for paper, found in zip(papers, extract_all(items, settings, workers=workers, count=len(papers)), strict=True):
        line = json.dumps(as_json(paper, found), ensure_ascii=False)
        if output:
            lines.append(line.encode("utf-8", "replace") + b"\n")
        else:
            sys.stdout.buffer.write(line.encode("utf-8", "replace") + b"\n")
    if output:
        from pathlib import Path

        with atomic(Path(output)) as out:
            out.writelines(lines)


def as_json(paper: Any, found: Any) -> dict[str, Any]:
    """One paper's extraction in the shape of the contract."""
    origin = paper.origins[0] if paper.origins else None
    ident = (origin.source_id or f"{origin.file}#{origin.place}") if origin else ""
    return {
        "id": ident,
        "title": paper.title,
        "methods": [_named(m) for m in found.methods],
        "datasets": [_named(d) for d in found.datasets],
        "repositories": [
            {
                "url": r.url,
                "as_printed": r.as_printed,
                "kind": r.kind,
                "own": r.own,
                "stated_by": r.stated_by,
                "confidence": round(r.confidence, 4),
                "mentions": [_mention(m) for m in r.mentions],
            }
            for r in found.repositories
        ],
        "tasks": [_named(t) for t in found.tasks],
    }


def _named(named: Any) -> dict[str, Any]:
    return {
        "name": named.name,
        "aliases": list(named.aliases),
        "role": named.role,
        "confidence": round(named.confidence, 4),
        "cue": named.cue,
        "mentions": [_mention(m) for m in named.mentions],
    }


def _mention(mention: Any) -> dict[str, Any]:
    return {"start": mention.start, "end": mention.end, "text": mention.text, "field": mention.field}

"""Small papers with hand-made extractions, for tests of resolution."""

from __future__ import annotations

from collections.abc import Sequence

from kg.model import Author, Extraction, Named, Origin, Paper, Repository


def paper(
    key: str,
    year: int | None = 2024,
    text: str = "",
    authors: Sequence[str] = (),
    title: str = "",
    topics: tuple[tuple[str, ...], ...] = (),
) -> Paper:
    """A paper `key` whose source calls it `src:key`."""
    return Paper(
        key=key,
        ids=(f"arxiv:{key}",),
        title=title or f"About {key}",
        abstract=text,
        authors=tuple(Author(name) for name in authors),
        year=year,
        topics=topics,
        origins=(Origin("list.json", "record 1", "json", f"src:{key}"),),
    )


def coined(name: str, *aliases: str) -> Named:
    return Named(name, "proposed", 0.95, aliases, "title prefix")


def used(name: str, *aliases: str, confidence: float = 0.9) -> Named:
    return Named(name, "used", confidence, aliases, "on")


def methods(*found: Named) -> Extraction:
    return Extraction(methods=found)


def datasets(*found: Named) -> Extraction:
    return Extraction(datasets=found)


def code(*urls: str, own: bool = True) -> Extraction:
    return Extraction(repositories=tuple(Repository(url, url, own=own) for url in urls))

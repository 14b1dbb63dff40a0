"""Gold and corpus for training, with everything that a figure is reported on kept out of the statistics."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from kg.extract.tokens import key
from kg.text import fold

VALIDATION_SHARE = 0.2
_SHORTEST = 200  # characters of an abstract worth learning from


class GoldPaper(NamedTuple):
    """One annotated paper: per kind the key sets and roles of its entities, and the optional keys."""

    id: str
    title: str
    abstract: str
    methods: list[tuple[frozenset[str], str]]
    datasets: list[tuple[frozenset[str], str]]
    optional_methods: frozenset[str]
    optional_datasets: frozenset[str]


class Gold(NamedTuple):
    """The annotated papers by use."""

    fit: list[GoldPaper]
    validation: list[GoldPaper]
    dev: list[GoldPaper]
    seeds: list[GoldPaper]


def read_gold(path: Path) -> list[GoldPaper]:
    """Annotated papers of a JSON-lines file."""
    papers = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            r = json.loads(line)
            entities = {
                kind: [(_keys([e["name"], *e.get("aliases", [])]), e["role"]) for e in r[kind]]
                for kind in ("methods", "datasets")
            }
            optional = {kind: _keys(r.get(f"optional_{kind}", [])) for kind in ("methods", "datasets")}
            papers.append(
                GoldPaper(
                    r["id"],
                    r.get("title") or "",
                    r["abstract"],
                    entities["methods"],
                    entities["datasets"],
                    optional["methods"],
                    optional["datasets"],
                )  # fmt: skip
            )
    return papers


def _keys(names: list[str]) -> frozenset[str]:
    return frozenset(key(n.replace("**", "").replace("\\texttt", "")) for n in names) - {""}


def is_validation(paper_id: str) -> bool:
    """Does the digest of the id put the paper into the validation part?"""
    return int(sha256(paper_id.encode()).hexdigest()[:8], 16) < VALIDATION_SHARE * 2**32


def load_gold(data: Path) -> Gold:
    """All gold under `data/gold`."""
    train = read_gold(data / "gold" / "train.gold.jsonl")
    return Gold(
        [p for p in train if not is_validation(p.id)],
        [p for p in train if is_validation(p.id)],
        read_gold(data / "gold" / "dev.gold.jsonl"),
        read_gold(data / "gold" / "seeds.gold.jsonl"),
    )


def read_corpus(data: Path, gold: Gold) -> list[tuple[str, str]]:
    """Titles and abstracts of the corpus, each paper once, without any annotated paper."""
    seen = {fold(p.title) for part in gold for p in part if p.title}
    heads = {fold(p.abstract)[:150] for part in gold for p in part}
    seen |= {fold(t) for t in json.loads((data / "gold" / "seed_titles.json").read_text("utf-8")).values()}
    out = []
    for title, abstract in _records(data):
        t = fold(title)
        if len(abstract) < _SHORTEST or t in seen or fold(abstract[:400])[:150] in heads:
            continue
        seen.add(t)
        out.append((title, abstract))
    return out


def _records(data: Path) -> Iterator[tuple[str, str]]:
    for name in ("conferences", "iclr2026"):
        with gzip.open(data / "corpus" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                r = json.loads(line)
                yield r.get("title") or "", r.get("abstract") or ""

"""Gold and corpus for training, with everything that a figure is reported on kept out of the statistics."""

from __future__ import annotations

import gzip
import json
from collections.abc import Collection, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from kg.extract.tokens import key
from kg.text import fold

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
    """Annotated papers of a JSON-lines file that holds their texts."""
    with path.open(encoding="utf-8") as lines:
        return [_paper(r, r.get("title") or "", r["abstract"]) for r in map(json.loads, lines)]


def read_own_gold(data: Path) -> dict[str, list[GoldPaper]]:
    """By part, the papers of this project's annotation (see gold.md), their texts found in `data/corpus`."""
    lines = files("kg.extract.train").joinpath("gold.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(x) for x in lines]
    texts = texts_by_id(data / "corpus", {r["id"] for r in rows})
    parts: dict[str, list[GoldPaper]] = {"fit": [], "validation": []}
    for r in rows:
        if r["id"] in texts:
            parts[r["part"]].append(_paper(r, *texts[r["id"]]))
    return parts


def texts_by_id(corpus: Path, wanted: Collection[str]) -> dict[str, tuple[str, str]]:
    """Title and abstract of `file:record` ids, looked up in the compressed JSON lines of a folder."""
    return {i: (title, abstract) for i, title, abstract in _records(corpus) if i in wanted}


def _paper(r: dict[str, Any], title: str, abstract: str) -> GoldPaper:
    entities = {
        kind: [(_keys([e["name"], *e.get("aliases", [])]), e["role"]) for e in r[kind]]
        for kind in ("methods", "datasets")
    }
    optional = {kind: _keys(r.get(f"optional_{kind}", [])) for kind in ("methods", "datasets")}
    return GoldPaper(
        r["id"], title, abstract, entities["methods"], entities["datasets"], optional["methods"], optional["datasets"]
    )


def _keys(names: list[str]) -> frozenset[str]:
    return frozenset(key(n.replace("**", "").replace("\\texttt", "")) for n in names) - {""}


def load_gold(data: Path) -> Gold:
    """All gold: what is annotated under `data/gold`, and the project's own."""
    own = read_own_gold(data)
    return Gold(
        [*read_gold(data / "gold" / "train.gold.jsonl"), *own["fit"]],
        own["validation"],
        read_gold(data / "gold" / "dev.gold.jsonl"),
        read_gold(data / "gold" / "seeds.gold.jsonl"),
    )


def read_corpus(data: Path, gold: Gold) -> list[tuple[str, str]]:
    """Titles and abstracts of the corpus, each paper once, without any annotated paper."""
    seen = {fold(p.title) for part in gold for p in part if p.title}
    heads = {fold(p.abstract)[:150] for part in gold for p in part}
    seen |= {fold(t) for t in json.loads((data / "gold" / "seed_titles.json").read_text("utf-8")).values()}
    out = []
    for _, title, abstract in _records(data / "corpus"):
        t = fold(title)
        if len(abstract) < _SHORTEST or t in seen or fold(abstract[:400])[:150] in heads:
            continue
        seen.add(t)
        out.append((title, abstract))
    return out


def _records(corpus: Path) -> Iterator[tuple[str, str, str]]:
    """Id (`file:record`), title and abstract of every paper of a folder."""
    for name, own_id in (("conferences", "id"), ("iclr2026", "openreview_id")):
        with gzip.open(corpus / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                r = json.loads(line)
                yield f"{name}:{r[own_id]}", r.get("title") or "", r.get("abstract") or ""

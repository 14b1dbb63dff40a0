"""Scores of who-is-who against known persons: B-cubed and pairwise, by subset of names.

B-cubed is Bagga and Baldwin (1998), "Algorithms for scoring coreference chains"; pairwise counts the
pairs of mentions that are, and are said to be, one person.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from kg.errors import SourceError
from kg.model import Paper
from kg.records.link import link
from kg.resolve.people import resolve_people
from kg.sources import read

Place = tuple[str, int]


class GoldMention(NamedTuple):
    """One author whose person is known: id of the paper, position from 0, printed name, person."""

    paper: str
    position: int
    name: str
    person: str


class Score(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f: float


class AuthorScores(NamedTuple):
    """Scores of one subset of the mentions."""

    mentions: int
    b_cubed: Score
    pairwise: Score


def read_gold(path: Path) -> list[GoldMention]:
    """Reads a JSON list of [paper id, position from 0, name, person].

    Raises:
        SourceError: when the file is missing or shaped otherwise.
    """
    try:
        return [
            GoldMention(*row) for row in msgspec.json.decode(path.read_bytes(), type=list[tuple[str, int, str, str]])
        ]
    except OSError as error:
        raise SourceError("cannot be read", place=path.name, hint=str(error)) from error
    except msgspec.DecodeError as error:
        raise SourceError(
            "not a list of known authors", place=path.name, hint=f"[paper id, position, name, person]; {error}"
        ) from error


def evaluate_authors(gold: str | Path, papers: str | Path | None) -> str:
    """Resolves the people of `papers`, identifiers hidden, and tells how well it went, as a table.

    The two trivial answers, one person for each name and one for each mention, stand beside it.

    Raises:
        SourceError: when a file cannot be read, or the papers hold none of the known authors.
    """
    known = read_gold(Path(gold))
    if papers is None:
        raise SourceError("these are authors without papers", place=Path(gold).name, hint="--papers FILE")
    read_papers = link(without_ids(p) for p in read([papers]) if isinstance(p, Paper)).papers
    found = places(read_papers, resolve_people(read_papers).of)
    scores, missing = score_people(known, found)
    if not scores:
        raise SourceError("holds none of the known authors", place=Path(papers).name, hint="check the paper ids")
    present = [g for g in known if (g.paper, g.position) in found]
    answers = {
        "resolved": scores,
        "one for each name": score_people(present, {(g.paper, g.position): same_name(g.name) for g in present})[0],
        "one for each mention": score_people(present, {(g.paper, g.position): (g.paper, g.position) for g in present})[
            0
        ],
    }
    lines = [f"{'names':16} {'mentions':>8}  {'who is who':22} {'B-cubed P / R / F':>24} {'pairwise P / R / F':>24}"]
    for subset in scores:
        for answer, by in answers.items():
            b3, pairs = (" / ".join(f"{v:.3f}" for v in s) for s in by[subset][1:])
            lines.append(f"{subset:16} {by[subset].mentions:8}  {answer:22} {b3:>24} {pairs:>24}")
    if missing:
        lines.append(f"{len(missing)} known authors are not in the papers, {missing[0].paper} among others")
    return "\n".join(lines)


def without_ids(paper: Paper) -> Paper:
    """The paper without identifiers of its authors, so that they cannot give the answer away."""
    return replace(paper, authors=tuple(replace(a, ids=()) for a in paper.authors))


def score_people(
    gold: Sequence[GoldMention], found: Mapping[Place, Hashable]
) -> tuple[dict[str, AuthorScores], list[GoldMention]]:
    """Scores by subset, and the known mentions that `found` does not hold (they are left out).

    Args:
        found: (paper id, position from 0) -> cluster; see `places`.
    """
    missing = [g for g in gold if (g.paper, g.position) not in found]
    present = [g for g in gold if (g.paper, g.position) in found]
    scores = {
        name: AuthorScores(len(part), b_cubed(part, found), pairwise(part, found))
        for name, part in subsets(present).items()
        if part
    }
    return scores, missing


def places(papers: Iterable[Paper], of: Mapping[Place, Hashable]) -> dict[Place, Hashable]:
    """`People.of` under every id a gold file may use for a paper, with positions from 0.

    A paper is known by its key, its identifiers with and without their scheme, and its sources' ids.
    """
    found: dict[Place, Hashable] = {}
    for paper in papers:
        names = {paper.key, *paper.ids, *(i.partition(":")[2] for i in paper.ids)}
        names.update(o.source_id for o in paper.origins if o.source_id)
        for position in range(1, len(paper.authors) + 1):
            if (cluster := of.get((paper.key, position))) is not None:
                found.update(((name, position - 1), cluster) for name in names)
    return found


def same_name(name: str) -> str:
    """The form under which gold names count as one: Latin words without accents and case, sorted."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return " ".join(sorted(re.findall(r"[a-z]+", plain.lower())))


def subsets(gold: Sequence[GoldMention]) -> dict[str, list[GoldMention]]:
    """All mentions; those of names seen more than once; those of names with several persons."""
    count = Counter(same_name(g.name) for g in gold)
    persons: dict[str, set[str]] = defaultdict(set)
    for g in gold:
        persons[same_name(g.name)].add(g.person)
    return {
        "all": list(gold),
        "repeated names": [g for g in gold if count[same_name(g.name)] > 1],
        "ambiguous names": [g for g in gold if len(persons[same_name(g.name)]) > 1],
    }


def b_cubed(gold: Sequence[GoldMention], found: Mapping[Place, Hashable]) -> Score:
    """Mean over mentions of how much of its cluster, and of its person, is right."""
    clusters, persons, both = _counts(gold, found)
    total = max(len(gold), 1)
    precision = sum(n * n / clusters[c] for (c, _), n in both.items()) / total
    recall = sum(n * n / persons[p] for (_, p), n in both.items()) / total
    return _score(precision, recall)


def pairwise(gold: Sequence[GoldMention], found: Mapping[Place, Hashable]) -> Score:
    """Over pairs of mentions: right joins among the joins made, and among those to be made."""
    clusters, persons, both = _counts(gold, found)
    right, made, due = (sum(n * (n - 1) // 2 for n in c.values()) for c in (both, clusters, persons))
    return _score(right / max(made, 1), right / max(due, 1))


def _counts(gold: Sequence[GoldMention], found: Mapping[Place, Hashable]) -> tuple[Counter, Counter, Counter]:
    said = [(found[g.paper, g.position], g.person) for g in gold]
    return Counter(c for c, _ in said), Counter(p for _, p in said), Counter(said)


def _score(precision: float, recall: float) -> Score:
    return Score(precision, recall, 2 * precision * recall / max(precision + recall, 1e-9))

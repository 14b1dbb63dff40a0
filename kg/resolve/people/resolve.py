"""Who is who: mentions of authors to persons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kg.model import Paper
from kg.resolve.people.cluster import cut_blocks
from kg.resolve.people.evidence import Evidence
from kg.resolve.people.identifiers import Identifiers
from kg.resolve.people.persons import build_persons, replacements
from kg.resolve.people.records import Explanation, People
from kg.resolve.people.table import Blocks, Mention, Table
from kg.text import squeeze

CHUNK = 400_000  # pairs whose evidence is in memory at a time
CUT = 0.7


def resolve_people(
    papers: Sequence[Paper],
    *,
    previous: Mapping[Mention, str] | None = None,
    same: Sequence[Sequence[str | Mention]] = (),
    different: Sequence[Sequence[str | Mention]] = (),
) -> People:
    """Groups the authors of papers into persons.

    The outcome depends on the papers alone: not on their order, nor on what was known before.

    Args:
        papers: linked papers, each with its own key.
        previous: an earlier outcome's `of`; only used to say which keys were replaced.
        same, different: a user's corrections: groups of person keys or (paper key, position) that
            are one person, or that are all different people. They outrank all evidence.

    Raises:
        KgError: when two papers have one key.
    """
    table = Table(papers)
    blocks = Blocks(table)
    evidence = Evidence(table, blocks)
    identifiers = Identifiers(table)
    labels = np.full(len(table), -1, np.int64)
    weakest = np.ones(len(table))
    evidenced = np.zeros(len(table), bool)
    for low, high in blocks.chunks(CHUNK):
        begin, stop = int(blocks.bounds[low]), int(blocks.bounds[high])
        a, b = blocks.pairs(low, high)
        left, right = blocks.order[a], blocks.order[b]
        found = _judge(evidence, identifiers, low, high, left, right)
        here = cut_blocks(blocks, low, high, found.probability, found.never, CUT)
        labels[blocks.order[begin:stop]] = blocks.order[here]
        together = here[a - begin] == here[b - begin]
        n = stop - begin
        x, y, p = a[together] - begin, b[together] - begin, found.probability[together]
        total = np.bincount(x, p, n) + np.bincount(y, p, n)
        count = np.bincount(x, minlength=n) + np.bincount(y, minlength=n)
        weakest[blocks.order[begin:stop]] = np.where(count > 0, total / np.maximum(count, 1), 1.0)
        good = found.evidenced[together]
        support = np.bincount(x, good, n) + np.bincount(y, good, n)
        evidenced[blocks.order[begin:stop]] = support > 0
    _label_bodies(table, labels)
    persons = build_persons(table, labels, identifiers, weakest, evidenced, set())
    of = {mention: key for key, person in persons.items() for mention in person.mentions}

    def explain(one: Mention, other: Mention) -> Explanation:
        index = {m: i for i, m in enumerate(map(table.mention, range(len(table)))) if m in (one, other)}
        names = (table.authors[index[one]].name, table.authors[index[other]].name)
        return Explanation(one, other, names, of[one] == of[other], 0.0)

    return People(
        of=dict(sorted(of.items())),
        persons=persons,
        rejections=tuple(identifiers.rejections),
        replaced=replacements(previous or {}, of, persons),
        _explain=explain,
    )


class _Judged:
    def __init__(self, probability: np.ndarray, never: np.ndarray, evidenced: np.ndarray) -> None:
        self.probability, self.never, self.evidenced = probability, never, evidenced


def _judge(
    evidence: Evidence, identifiers: Identifiers, low: int, high: int, left: np.ndarray, right: np.ndarray
) -> _Judged:
    table = evidence.table
    pair, name = evidence.shared(low, high)
    shared = np.bincount(pair, evidence.rarity[name], len(left))
    _, inside = evidence.affiliations.compare(left, right)
    rare = evidence.log_bearers[table.block[left]] < -2.5
    same, differ, shift = identifiers.agree(left, right)
    odds = np.where((shared > 0) | (inside > 0.8) | rare, 3.0, -2.0) + shift
    probability = np.where(same, 0.998, 1 / (1 + np.exp(-odds)))
    never = (table.paper[left] == table.paper[right]) | differ
    return _Judged(probability, never, (shared > 0) | (inside > 0.8) | same)


def _label_bodies(table: Table, labels: np.ndarray) -> None:
    """Collaborations are one agent for each printed name; case and blanks do not count."""
    first: dict[str, int] = {}
    for i, kind in enumerate(table.kind):
        if kind == "collaboration":
            labels[i] = first.setdefault(squeeze(table.authors[i].name).casefold(), i)

"""Linking: records in, papers out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from operator import itemgetter

from msgspec import Struct
from msgspec.json import encode

from kg.model import Paper
from kg.records import evidence, untitled, variants
from kg.records.disagreement import Disagreement, disagreements
from kg.records.evidence import Pair
from kg.records.keys import Keys, Known, keys_of
from kg.records.merge import distinct_keys, merge


class Linked(Struct, frozen=True):
    """The outcome of linking.

    Attributes:
        papers: one per paper, with keys, sorted by key.
        merged: how many records were joined to another (records read minus papers).
        disagreements: what the sources of one paper do not agree on.
        reasons: how many pairs each kind of evidence joined.
    """

    papers: list[Paper]
    merged: int
    disagreements: list[Disagreement]
    reasons: dict[str, int]


def link(papers: Iterable[Paper], known: Known | None = None) -> Linked:
    """One `Paper` per real paper, the same whatever the order of the input.

    Args:
        known: keys of records that an earlier build made; afterwards the keys of these records.
    """
    known = known or Known()
    # In the order of their content, so that the order of the files does not matter.
    ordered = sorted(((encode(paper), paper) for paper in papers), key=itemgetter(0))
    records = [paper for _, paper in ordered]
    keys = known.of(records, [data for data, _ in ordered])
    del ordered
    groups, reasons = _groups(records, pairs(records, keys))
    merged = distinct_keys([merge([records[i] for i in group], keys[group[0]].paper) for group in groups])
    differing = [
        d
        for paper, group in zip(merged, groups, strict=True)
        if len(group) > 1
        for d in disagreements(paper, [records[i] for i in group])
    ]
    return Linked(
        papers=sorted(merged, key=lambda p: p.key),
        merged=len(records) - len(merged),
        disagreements=sorted(differing, key=lambda d: (d.paper, d.field)),
        reasons=reasons,
    )


def pairs(records: Sequence[Paper], keys: Sequence[Keys] | None = None) -> list[Pair]:
    """Every pair of records that evidence joins, by index into `records`; the strongest evidence first.

    `keys` are those of the records, where they are known already.
    """
    keys = keys or [keys_of(record) for record in records]
    found = [
        *evidence.by_identifier(records),
        *evidence.by_title(records, keys),
        *evidence.by_abstract(records, keys),
        *variants.by_changed_title(records, keys),
    ]
    return found + list(untitled.by_text(records, _roots(len(records), found)))


def _roots(size: int, joined: Iterable[Pair], reasons: dict[str, int] | None = None) -> list[int]:
    """For each record the first record of its group; counts, per kind of evidence, the joins it made."""
    parent = list(range(size))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for pair in joined:
        a, b = root(pair.a), root(pair.b)
        if a != b:
            parent[max(a, b)] = min(a, b)
            if reasons is not None:
                reasons[pair.why] = reasons.get(pair.why, 0) + 1
    return [root(i) for i in range(size)]


def _groups(records: Sequence[Paper], joined: Iterable[Pair]) -> tuple[list[list[int]], dict[str, int]]:
    """Connected records, each group in canonical order, and the number of joins by kind of evidence."""
    reasons: dict[str, int] = {}
    groups: dict[int, list[int]] = defaultdict(list)
    for i, first in enumerate(_roots(len(records), joined, reasons)):
        groups[first].append(i)
    return list(groups.values()), dict(sorted(reasons.items()))

"""One person under names of different comparison form: initials, call names, spacing, second surnames.

Clusters of different blocks become candidates when their names can be one person's *and* they share a
co-author (as a person, not as a name). Each kind of difference starts from its own odds against; only
shared co-authors and affiliations can outweigh them. A wholly new surname is left to identifiers and
corrections: among people with one given name and one circle, nearly all are two.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict

import numpy as np
from msgspec import Struct

from kg.resolve.people.affiliations import Affiliations
from kg.resolve.people.compatible import _FAMILY, Kind, compatible, loose
from kg.resolve.people.names import clean, nicknames, words
from kg.resolve.people.network import spread
from kg.resolve.people.rarity import name_parts
from kg.resolve.people.table import Table
from kg.text import fold

JOIN = 0.85  # probability from which two names become one person
LOOK = 0.4  # probability from which a refusal is worth a look
_AGAINST: dict[Kind, float] = {
    "spelling": -1.5, "extra names": -1.6, "initials": -2.2, "nickname": -2.4,
}  # fmt: skip
_COAUTHOR, _AFFILIATION, _OTHER_PLACE = 2.4, 1.5, -1.0
_MOST = 4  # further shared co-authors say nothing new
_BUSY = 60  # clusters that share a bucket and a co-author; more is a listing, not a trace
_TELLTALE = re.compile(r"[(\[\"“‘'\u2010-\u2015-]")
_PER_INITIAL = 20  # an initial tells about as much as a choice among so many
_SAMPLE = 12  # affiliations compared for each side


class Candidate(Struct, frozen=True):
    """Two clusters that may be one person. `shared`: labels of the co-authors in common."""

    left: int
    right: int
    kind: Kind
    probability: float
    shared: tuple[int, ...]
    affiliation: float


def candidates(table: Table, labels: np.ndarray, affiliations: Affiliations) -> list[Candidate]:
    """Pairs of clusters with compatible names and a co-author in common, the likeliest first."""
    members: dict[int, list[int]] = defaultdict(list)
    meetings = _meetings(table, labels)
    concerned = np.unique(np.array([m[:2] for m in meetings], np.int64))
    for mention in np.flatnonzero(np.isin(labels, concerned)).tolist():
        members[int(labels[mention])].append(mention)
    found = []
    for left, right, shared in meetings:
        one, other = members[left], members[right]
        kind = _kind(table, one, other)
        if kind in ("", "surname"):  # colleagues share given names and co-authors far too often
            continue
        if kind == "same":  # the words in another order
            kind = "spelling"
        alike = _alike(affiliations, one, other)
        odds = _AGAINST[kind] - 0.4 * _commonness(table, one, other)
        odds += _COAUTHOR * min(len(shared), _MOST)
        odds += _AFFILIATION if alike > 0.8 else _OTHER_PLACE if 0 <= alike < 0.2 else 0.0
        found.append(Candidate(left, right, kind, round(1 / (1 + math.exp(-odds)), 4), shared, alike))
    found.sort(key=lambda c: (-c.probability, table.mention(c.left), table.mention(c.right)))
    return found


def _meetings(table: Table, labels: np.ndarray) -> list[tuple[int, int, tuple[int, ...]]]:
    """(cluster, cluster, co-author clusters in common) for clusters whose names share a loose form."""
    buckets: dict[str, int] = {}
    extra = _printed_forms(table)
    of_block = [
        sorted({buckets.setdefault(f, len(buckets)) for f in loose_forms(key) | extra.get(i, set())})
        for i, key in enumerate(table.keys)
    ]
    mentions = np.flatnonzero(table.block >= 0)
    per_mention = np.array([len(of_block[b]) for b in table.block[mentions].tolist()], np.int64)
    owner, _ = spread(per_mention)
    bucket = np.array([f for b in table.block[mentions].tolist() for f in of_block[b]], np.int64)
    # Only buckets with several comparison forms can join anything.
    size = max(len(table), 1)
    spelling: dict[tuple[str, ...], int] = {}
    order = np.array([spelling.setdefault(words(table.authors[m].name), len(spelling)) for m in mentions], np.int64)
    forms = np.unique(bucket * size + order[owner]) // size
    several = np.bincount(forms, minlength=len(buckets)) > 1
    keep = several[bucket] if len(bucket) else np.zeros(0, bool)
    owner, bucket = owner[keep], bucket[keep]
    mention = mentions[owner]
    row, k = spread(table.size[mention].astype(np.int64))
    other = table.first[table.paper[mention]][row] + k
    use = (labels[other] >= 0) & (other != mention[row])
    row, other = row[use], other[use]
    # Bucket, co-author and cluster in one number: below 2**63 up to two million mentions.
    rows = np.unique((bucket[row] * size + labels[other]) * size + labels[mention[row]])
    if not len(rows):
        return []
    meeting, cluster = np.divmod(rows, size)
    change = np.flatnonzero(np.diff(meeting)) + 1
    found: dict[tuple[int, int], set[int]] = defaultdict(set)
    bounds = [0, *change.tolist(), len(rows)]
    sizes = np.diff(bounds)
    for i in np.flatnonzero((sizes > 1) & (sizes <= _BUSY)).tolist():
        group = cluster[bounds[i] : bounds[i + 1]].tolist()
        coauthor = int(meeting[bounds[i]] % size)
        for x, one in enumerate(group):
            for two in group[x + 1 :]:
                if words(table.authors[one].name) != words(table.authors[two].name):
                    found[one, two].add(coauthor)
    return [(a, b, tuple(sorted(c))) for (a, b), c in sorted(found.items())]


def loose_forms(key: str) -> set[str]:
    """Buckets of a comparison form: each surname with each given initial, the glued name, each long word.

    >>> bool(loose_forms("bob smith") & loose_forms("robert smith"))
    True
    """
    parts = key.split()
    if len(parts) < 2:
        return {"=" + loose(key)}
    forms = {"=" + "".join(sorted(loose("".join(parts))))}
    for i, name in enumerate(parts):
        if len(name) > 1:
            for j, given in enumerate(parts):
                if i != j:
                    forms.add(f"{loose(name)} {given[0]}")
                    forms |= {f"{loose(name)} #{family}" for family in _FAMILY.get(given, ())}
    return forms


def _printed_forms(table: Table) -> dict[int, set[str]]:
    """Further buckets, by comparison form, that only the printed name shows: call names in brackets or
    quotes, and the halves of hyphenated names."""
    extra: dict[int, set[str]] = defaultdict(set)
    for block, author in zip(table.block.tolist(), table.authors, strict=True):
        if block < 0 or not _TELLTALE.search(author.name):
            continue
        parts = words(author.name)
        for call in nicknames(author.name):
            extra[block] |= {f"{loose(p)} {call[0]}" for p in parts if len(p) > 1}
        halves = set(fold(clean(author.name)).split()) - set(parts)
        extra[block] |= {f"{loose(h)} {p[0]}" for h in halves if len(h) > 1 for p in parts}
    return extra


def _kind(table: Table, one: list[int], other: list[int]) -> Kind:
    """How the names of two clusters fit; "" as soon as any two do not."""
    kinds = {
        compatible(a, b)
        for a in sorted({table.authors[m].name for m in one})
        for b in sorted({table.authors[m].name for m in other})
    }
    order: tuple[Kind, ...] = ("", "surname", "nickname", "initials", "extra names", "spelling", "same")
    return next(k for k in order if k in kinds)


def _commonness(table: Table, one: list[int], other: list[int]) -> float:
    """Logarithm of how many people could carry the vaguer of the two names, from -4 to 8."""
    parts = name_parts()
    worst = -4.0
    for m in (one[0], other[0]):
        found = words(table.authors[m].name)
        if any(len(w) == 1 for w in (found[0], found[-1])):
            long = max(found, key=len)
            bearers = parts.last.get(long, 1) / _PER_INITIAL ** sum(len(w) == 1 for w in found)
        else:
            bearers = parts.bearers(table.keys[table.block[m]]) * 2 ** (len(found) > 2)
        worst = max(worst, math.log(bearers) + 2)
    return min(worst, 8.0)


def _alike(affiliations: Affiliations, one: list[int], other: list[int]) -> float:
    rows = [sorted({int(affiliations.of[m]) for m in side} - {-1})[:_SAMPLE] for side in (one, other)]
    if not rows[0] or not rows[1]:
        return -1.0
    x, y = np.repeat(rows[0], len(rows[1])), np.tile(rows[1], len(rows[0]))
    return float(affiliations.compare(x, y)[1].max())

"""From clusters of mentions to persons with keys, names and a status."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from kg.ids import PERSON_SCHEMES, person_key
from kg.resolve.people.identifiers import Identifiers
from kg.resolve.people.names import block_key, preferred
from kg.resolve.people.records import Person, Status
from kg.resolve.people.table import Mention, Table
from kg.text import squeeze, visible

_NO_YEAR = 9999


def build_persons(
    table: Table,
    labels: np.ndarray,
    identifiers: Identifiers,
    weakest: np.ndarray,
    evidenced: np.ndarray,
    curated: set[int],
) -> dict[str, Person]:
    """One `Person` for each cluster label.

    Args:
        labels: per mention, its cluster; -1 for what names nobody.
        weakest: per mention, its mean probability of belonging with its cluster.
        evidenced: per mention, whether more than the name ties it to its cluster.
        curated: mentions that a user's correction spoke of.
    """
    members: dict[int, list[int]] = defaultdict(list)
    for mention, label in enumerate(labels.tolist()):
        if label >= 0:
            members[label].append(mention)
    order = {m: (int(table.year[m]) or _NO_YEAR, *table.mention(m)) for ms in members.values() for m in ms}
    clusters = [sorted(ms, key=order.__getitem__) for ms in members.values()]
    clusters.sort(key=lambda ms: order[ms[0]])
    owner = _owners(clusters, identifiers)
    persons = {}
    for number, mentions in enumerate(clusters):
        person = _person(table, mentions, number, owner, identifiers, weakest, evidenced, curated)
        persons[person.key] = person
    return dict(sorted(persons.items()))


def _owners(clusters: list[list[int]], identifiers: Identifiers) -> dict[str, int]:
    """Which cluster an id gives its key to: where most of its mentions are; the earliest of equals."""
    votes: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for number, mentions in enumerate(clusters):
        for m in mentions:
            for curie in identifiers.of.get(m, ()):
                votes[curie][number] += 1
    return {curie: max(count, key=lambda n: (count[n], -n)) for curie, count in votes.items()}


def _person(
    table: Table,
    mentions: list[int],
    number: int,
    owner: Mapping[str, int],
    identifiers: Identifiers,
    weakest: np.ndarray,
    evidenced: np.ndarray,
    curated: set[int],
) -> Person:
    own = identifiers.of
    ids = sorted({c for m in mentions if m in own for c in own[m] if owner[c] == number}) if own else []
    first = mentions[0]
    key, position = table.mention(first)
    printed = sorted({squeeze(visible(name)) for name in {table.authors[m].name for m in mentions}})
    status: Status = "name-only"
    if curated.intersection(mentions):
        status = "curated"
    elif any(c.partition(":")[0] in PERSON_SCHEMES for c in ids):
        status = "source-id"
    elif len(mentions) > 1 and evidenced[mentions].all():
        status = "clustered"
    return Person(
        key=person_key(ids, f"{key}\n{position}\n{block_key(table.authors[first].name)}"),
        name=preferred(printed),
        variants=tuple(printed),
        ids=tuple(ids),
        mentions=tuple(table.mention(m) for m in mentions),
        status=status,
        probability=round(float(weakest[mentions].min()), 4) if len(mentions) > 1 else 1.0,
        kind=table.kind[first],
    )


def replacements(
    previous: Mapping[Mention, str], now: Mapping[Mention, str], persons: Mapping[str, Person]
) -> tuple[tuple[str, str], ...]:
    """(old key, new key) for every earlier person whose key no longer stands, by where mentions went."""
    went = {(old, now[mention]) for mention, old in previous.items() if mention in now}
    return tuple(sorted((old, new) for old, new in went if old not in persons))

"""A user's word on who is who, as constraints on mentions."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence

import numpy as np

from kg.errors import SettingsError
from kg.resolve.people.identifiers import FIRM, Identifiers
from kg.resolve.people.table import Mention, Table

Group = Sequence[str | Mention]


class Corrections:
    """Groups of mentions that are one person, and pairs of groups that are not.

    Attributes:
        same: groups of mentions, each to become one person.
        different: lists of groups no two of which may meet in one person.
        touched: every mention a correction speaks of.
    """

    def __init__(self) -> None:
        self.same: list[list[int]] = []
        self.different: list[list[list[int]]] = []
        self.touched: set[int] = set()

    def __bool__(self) -> bool:
        return bool(self.same or self.different)

    def forced(self, a: np.ndarray, b: np.ndarray, size: int) -> tuple[np.ndarray, np.ndarray]:
        """For mentions a and b of a table of `size` mentions: told to be one; told to be two."""
        together, apart = np.zeros(len(a), bool), np.zeros(len(a), bool)
        for group in self.same:
            member = np.zeros(size, bool)
            member[group] = True
            together |= member[a] & member[b]
        for sides in self.different:
            side = np.full(size, -1)
            for number, mentions in enumerate(sides):
                side[mentions] = number
            apart |= (side[a] >= 0) & (side[b] >= 0) & (side[a] != side[b])
        return together, apart

    def forbids(self, one: set[int], other: set[int]) -> bool:
        """Whether two clusters hold mentions that were told apart."""
        for sides in self.different:
            left = {n for n, side in enumerate(sides) if not one.isdisjoint(side)}
            right = {n for n, side in enumerate(sides) if not other.isdisjoint(side)}
            if any(x != y for x in left for y in right):
                return True
        return False


def read_corrections(
    table: Table,
    identifiers: Identifiers,
    same: Sequence[Group],
    different: Sequence[Group],
    persons: Mapping[str, Sequence[Mention]],
) -> Corrections:
    """Turns keys and mentions into constraints.

    A group that is one person takes along all mentions that carry the same firm identifier.

    Args:
        persons: known person keys and their mentions.

    Raises:
        SettingsError: when a key or mention is unknown, a group names one thing only, or two authors
            of one paper are said to be one person.
    """
    index = {table.mention(i): i for i in range(len(table))}
    found = Corrections()
    for group in same:
        sides = [_mentions(ref, index, persons) for ref in group]
        _at_least_two(group)
        merged = _with_ids({m for side in sides for m in side}, identifiers)
        papers = [int(table.paper[m]) for m in merged]
        if len(set(papers)) < len(papers):
            twice = next(p for p in papers if papers.count(p) > 1)
            raise SettingsError(
                "two authors of one paper cannot be one person",
                place=table.papers[twice].key,
                hint=f"check the correction that joins {', '.join(map(str, group))}",
            )
        found.same.append(sorted(merged))
        found.touched |= merged
    for group in different:
        _at_least_two(group)
        sides = [_mentions(ref, index, persons) for ref in group]
        found.different.append([sorted(side) for side in sides])
        found.touched.update(m for side in sides for m in side)
    return found


def _at_least_two(group: Group) -> None:
    if len(group) < 2:
        raise SettingsError("a correction needs two people or mentions", place=", ".join(map(str, group)))


def _mentions(ref: str | Mention, index: Mapping[Mention, int], persons: Mapping[str, Sequence[Mention]]) -> list[int]:
    if isinstance(ref, str):
        key = ref.rpartition("/person/")[2].removeprefix("person/")
        if key in persons:
            return [index[m] for m in persons[key] if m in index]
        near = difflib.get_close_matches(key, persons, n=3, cutoff=0.5)
        raise SettingsError("no such person", place=ref, hint=f"near: {', '.join(near)}" if near else "`kg show`")
    mention = (ref[0], int(ref[1]))
    if mention not in index:
        near = difflib.get_close_matches(mention[0], {k for k, _ in index}, n=3, cutoff=0.5)
        raise SettingsError(
            "no author at this place", place=f"{mention[0]}, author {mention[1]}", hint=f"near: {', '.join(near)}"
        )
    return [index[mention]]


def _with_ids(group: set[int], identifiers: Identifiers) -> set[int]:
    wanted = {c for m in group for c in identifiers.of.get(m, ()) if c.partition(":")[0] in FIRM}
    if not wanted:
        return group
    return group | {m for m, ids in identifiers.of.items() if not wanted.isdisjoint(ids)}

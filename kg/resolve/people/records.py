"""What resolving people gives: persons, the mentions behind them, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from kg.errors import KgError
from kg.resolve.people.memory import Memory
from kg.resolve.people.table import Mention

Status = Literal["source-id", "curated", "clustered", "name-only"]


class Person(Struct, frozen=True):
    """One person, or one body of people that signs papers.

    Attributes:
        key: last part of the IRI: an id of a source, else a digest; never the name alone.
        name: the name to show. variants: every printed form, sorted, as printed.
        ids: accepted identifiers as CURIEs, sorted.
        mentions: (paper key, position from 1), sorted by year, paper and position.
        status: "source-id" when an identifier stands behind it, "curated" when a user's correction
            does, "clustered" when more than the name joined its mentions, else "name-only".
        probability: of the least certain mention that it belongs with the others; 1 for one mention.
        kind: "person" or "collaboration".
    """

    key: str
    name: str
    variants: tuple[str, ...]
    ids: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    status: Status = "name-only"
    probability: float = 1.0
    kind: str = "person"


class Explanation(Struct, frozen=True):
    """What spoke for and against two mentions being one person.

    Attributes:
        left, right: the mentions; names: as printed.
        joined: whether they ended as one person.
        probability: what the pair alone suggests; the decision also weighs all other mentions.
        speaks_for, speaks_against: reasons for people, the weightiest first.
    """

    left: Mention
    right: Mention
    names: tuple[str, str]
    joined: bool
    probability: float
    speaks_for: tuple[str, ...] = ()
    speaks_against: tuple[str, ...] = ()


class Decision(Struct, frozen=True):
    """A join or a refusal that deserves a look.

    Attributes:
        verdict: "joined" or "kept apart".
        persons: the keys concerned: one for a join, two for a refusal.
        probability: that both sides are one person.
        pair: the two mentions that say most about it, with their reasons.
        why: what makes it worth a look ("weak join", "close call", "name variant", "source id").
    """

    verdict: Literal["joined", "kept apart"]
    persons: tuple[str, ...]
    probability: float
    pair: Explanation
    why: str


class Rejection(Struct, frozen=True):
    """An identifier refused as evidence for some mentions, and why."""

    id: str
    reason: str
    mentions: tuple[Mention, ...]
    names: tuple[str, ...]


class People(Struct):
    """Who is who in a set of papers.

    Attributes:
        of: (paper key, position from 1) -> person key; a field that names nobody has no entry.
        persons: by key, sorted.
        decisions: joins and refusals that deserve a look, the most doubtful first.
        rejections: identifiers refused as evidence.
        replaced: (old key, new key) of people whose key changed since `previous`, sorted; an old
            person who was split has several.
        memory: lets `resolve_people` do less when papers are added.
    """

    of: dict[Mention, str]
    persons: dict[str, Person]
    decisions: Sequence[Decision] = ()
    rejections: tuple[Rejection, ...] = ()
    replaced: tuple[tuple[str, str], ...] = ()
    memory: Memory | None = None
    _explain: Callable[[Mention, Mention], Explanation] | None = None

    def explain(self, one: str | Mention, other: str | Mention | None = None) -> list[Explanation]:
        """What spoke for and against a person's mentions being one, or two people or mentions being so.

        For one person: each mention beside the one it fits best. For two: their most alike mentions.

        Raises:
            KgError: when a key or mention is unknown.
        """
        left = self._mentions(one)
        if other is not None:
            right = self._mentions(other)
            pairs = [self._pair(a, b) for a in left for b in right if a != b]
            return [max(pairs, key=lambda e: e.probability)] if pairs else []
        best = []
        for a in left:
            pairs = [self._pair(a, b) for b in left if a != b]
            if pairs:
                best.append(max(pairs, key=lambda e: e.probability))
        return best

    def _mentions(self, who: str | Mention) -> tuple[Mention, ...]:
        if isinstance(who, str):
            if who not in self.persons:
                raise KgError("no such person", place=who, hint="give a key of `persons`")
            return self.persons[who].mentions
        if who not in self.of:
            raise KgError("no author at this position", place=f"{who[0]}, author {who[1]}")
        return (who,)

    def _pair(self, a: Mention, b: Mention) -> Explanation:
        assert self._explain is not None
        return self._explain(a, b)

"""One thing in a graph that deserves a look."""

from __future__ import annotations

from msgspec import Struct


class Finding(Struct, frozen=True):
    """One thing to look at.

    Attributes:
        value: papers concerned, weighed; kind: one of `kg.evaluate.audit.KINDS`; what: the sort of finding, in words.
        name: what it is about. why: what is suspicious. entities: addresses, as `id:…`.
        entry: what to paste into overrides.toml if the suspicion is right; "" where the sources must be mended.
    """

    value: float
    kind: str
    what: str
    name: str
    why: str
    entities: tuple[str, ...]
    entry: str

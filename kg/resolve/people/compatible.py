"""Whether two printed names can belong to one person, and through which kind of difference."""

from __future__ import annotations

from functools import lru_cache

from kg.resolve.people.names import block_key, words


@lru_cache(maxsize=1 << 16)
def compatible(one: str, other: str) -> str:
    """How two names can be one person's: "same", "initials", "extra names", … or "" when they cannot."""
    if block_key(one) == block_key(other):
        return "same"
    a, b = set(words(one)), set(words(other))
    common = {w for w in a & b if len(w) > 1}
    if not common:
        return ""
    rest_a, rest_b = sorted(a - common), sorted(b - common)
    if not rest_a or not rest_b:
        return "extra names"
    initials = {w[0] for w in rest_a} & {w[0] for w in rest_b}
    if initials and (any(len(w) == 1 for w in rest_a) or any(len(w) == 1 for w in rest_b)):
        return "initials"
    return ""

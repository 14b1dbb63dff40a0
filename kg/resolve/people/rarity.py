"""How many people probably bear a name, judged from name parts counted once over a large corpus.

Counts come with the package (`data/name_parts.json`, made by `train`), so the answer for a name does
not depend on which papers are being read: five papers and ninety thousand see the same "Wei Wang".
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np

_UNSEEN = 0.7
_EXTRA_WORD = 8.0  # a third name divides the number of bearers by about this much
_EXTRA_INITIAL = 4.0


class NameParts(NamedTuple):
    """Distinct full names in which a word stands first, and in which it stands last."""

    names: int
    first: dict[str, int]
    last: dict[str, int]

    def bearers(self, key: str) -> float:
        """Expected number of bearers of the name with this comparison form, in arbitrary units."""
        parts = key.split()
        if len(parts) < 2:
            return (self.last.get(key, _UNSEEN) + self.first.get(key, _UNSEEN)) * 1.0
        best, total = 0.0, 0.0
        for i, a in enumerate(parts):
            for j, b in enumerate(parts):
                if i != j:
                    value = self.first.get(a, _UNSEEN) * self.last.get(b, _UNSEEN) / self.names
                    best, total = max(best, value), total + value
        extra = 1.0
        for part in sorted(parts, key=len)[: len(parts) - 2]:
            extra *= _EXTRA_INITIAL if len(part) == 1 else _EXTRA_WORD
        return best / extra

    def log_bearers(self, keys: Sequence[str]) -> np.ndarray:
        """Natural logarithm of `bearers` for each key, rounded so that it is the same everywhere."""
        return np.round(np.log([self.bearers(k) for k in keys] or [1.0])[: len(keys)], 4)


def count_parts(ordered_words: Iterable[tuple[str, ...]], least: int = 3) -> NameParts:
    """Counts name parts over distinct names; parts in fewer than `least` names are left out."""
    names = {w for w in ordered_words if len(w) > 1}
    first, last = Counter(w[0] for w in names), Counter(w[-1] for w in names)
    keep = lambda c: {w: n for w, n in sorted(c.items()) if n >= least}  # noqa: E731
    return NameParts(len(names), keep(first), keep(last))


def save_parts(parts: NameParts, path: Path) -> None:
    """Writes counts of name parts."""
    save_counts(path, {"names": parts.names}, {"first": parts.first, "last": parts.last})


def save_counts(path: Path, totals: dict[str, int], counts: dict[str, dict[str, int]]) -> None:
    """Writes counts grouped by number, which is about half the size of one entry a word."""
    document: dict[str, object] = dict(totals)
    for field, words in counts.items():
        by_count: dict[int, list[str]] = {}
        for word, n in words.items():
            by_count.setdefault(n, []).append(word)
        document[field] = {str(n): " ".join(sorted(by_count[n])) for n in sorted(by_count)}
    path.write_text(json.dumps(document, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


@cache
def name_parts() -> NameParts:
    """The counts that come with the package."""
    document = json.loads(files(__package__).joinpath("data/name_parts.json").read_text(encoding="utf-8"))
    spread = lambda groups: {w: int(n) for n, words in groups.items() for w in words.split()}  # noqa: E731
    return NameParts(document["names"], spread(document["first"]), spread(document["last"]))

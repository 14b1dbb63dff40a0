"""Reasons for people: what spoke for and against two mentions being one person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kg.resolve.people.compatible import compatible
from kg.resolve.people.corrections import Corrections
from kg.resolve.people.evidence import COLUMN, Evidence
from kg.resolve.people.identifiers import Identifiers
from kg.resolve.people.join import Step
from kg.resolve.people.memory import Clustering
from kg.resolve.people.model import pair_model
from kg.resolve.people.records import Decision, Explanation
from kg.resolve.people.table import Mention, Table

_TELLING = 0.25  # log-odds below which a feature is not worth a line
_NAMED = 4


class Explainer:
    """Explains pairs of one table on demand."""

    def __init__(
        self,
        evidence: Evidence,
        identifiers: Identifiers,
        corrections: Corrections,
        of: Mapping[Mention, str],
    ) -> None:
        self.evidence, self.identifiers, self.corrections, self.of = evidence, identifiers, corrections, of
        self._index: dict[Mention, int] = {}
        self._rows: tuple[int, np.ndarray] = (-1, np.zeros((0, 0)))

    def explain(self, one: Mention, other: Mention) -> Explanation:
        """Explains two mentions given as (paper key, position)."""
        if not self._index:
            table = self.evidence.table
            self._index = {table.mention(i): i for i in range(len(table))}
        return self.pair(self._index[one], self._index[other])

    def pair(self, a: int, b: int, probability: float | None = None) -> Explanation:
        """Explains mentions a and b; `probability` replaces the model's when names differ."""
        table = self.evidence.table
        left, right = table.mention(a), table.mention(b)
        names = table.authors[a].name, table.authors[b].name
        good, bad = self._certain(a, b)
        if table.block[a] == table.block[b] >= 0 and table.paper[a] != table.paper[b]:
            row = self._features(a, b)
            if probability is None:
                _, _, shift = self.identifiers.agree(np.array([a]), np.array([b]))
                probability = float(pair_model().probability(row[None, :], shift)[0])
            more, less = self._reasons(row, a, b)
        else:
            more, less = self._across(a, b)
        if probability is None:
            probability = 0.0
        return Explanation(
            left,
            right,
            names,
            self.of.get(left) == self.of.get(right),
            round(probability, 4),
            tuple(good + more),
            tuple(bad + less),
        )

    def _certain(self, a: int, b: int) -> tuple[list[str], list[str]]:
        good, bad = [], []
        if self.evidence.table.paper[a] == self.evidence.table.paper[b]:
            bad.append("two authors of one paper")
        x, y = self.identifiers.of.get(a, ()), self.identifiers.of.get(b, ())
        good += [f"same identifier {curie}" for curie in x if curie in y]
        for curie in x:
            scheme = curie.partition(":")[0]
            rival = [c for c in y if c.partition(":")[0] == scheme and c not in x]
            if curie not in y and rival:
                bad.append(f"different identifiers {curie} and {rival[0]}")
        if self.corrections:
            together, apart = self.corrections.forced(np.array([a]), np.array([b]), len(self.evidence.table))
            if together[0]:
                good.append("a correction says so")
            if apart[0]:
                bad.append("a correction says so")
        return good, bad

    def _features(self, a: int, b: int) -> np.ndarray:
        blocks, block = self.evidence.blocks, int(self.evidence.table.block[a])
        low = int(np.searchsorted(blocks.block, block))
        if self._rows[0] != low:
            self._rows = (low, self.evidence.features(low, low + 1))
        places = blocks.order[blocks.bounds[low] : blocks.bounds[low + 1]]
        i, j = sorted((int(np.flatnonzero(places == a)[0]), int(np.flatnonzero(places == b)[0])))
        start = blocks.start[blocks.bounds[low] + i] - blocks.start[blocks.bounds[low]]
        return self._rows[1][start + j - i - 1]

    def _reasons(self, row: np.ndarray, a: int, b: int) -> tuple[list[str], list[str]]:
        """Reasons by weight; features of one kind count together."""
        shares = {name: float(value[0]) for name, value in pair_model().shares(row[None, :]).items()}
        kinds = (
            ("shared", "shared_weight", "shared_best", "shared_part"),
            ("path", "any_path"),
            ("second", "second_weight", "second_best"),
            ("affiliations", "affiliation_cosine", "affiliation_inside", "around_cosine", "around_inside"),
            ("bearers", "first_name", "last_name", "name_words", "name_letters"),
            ("spelling",),
            ("same_venue",),
            ("year_gap", "earliest"),
            ("first_author", "last_author", "place_gap"),
            ("block", "components", "density"),
        )
        weighed = [(sum(shares[f] for f in kind), kind[0]) for kind in kinds]
        weighed.sort(key=lambda w: (-abs(w[0]), w[1]))
        good, bad = [], []
        for weight, kind in weighed:
            if abs(weight) >= _TELLING:
                (good if weight > 0 else bad).append(f"{self._say(kind, row, a, b, weight)} ({weight:+.1f})")
        return good, bad

    def _say(self, kind: str, row: np.ndarray, a: int, b: int, weight: float) -> str:
        table = self.evidence.table
        value = {name: float(row[i]) for name, i in COLUMN.items()}
        if kind == "shared":
            names = self._shared(a, b)
            return f"co-authors in common: {', '.join(names)}" if names else "no co-author in common"
        if kind == "path":
            return "linked through other papers of this name" if value["any_path"] else "no chain of papers links them"
        if kind == "second":
            return "their co-authors wrote together elsewhere" if value["second"] else "their co-authors are strangers"
        if kind == "affiliations":
            x, y = (" / ".join(table.authors[m].affiliations) or "none printed" for m in (a, b))
            return f"affiliations: {x}; {y}"
        if kind == "bearers":
            return f"{'few' if weight > 0 else 'many'} people carry such a name"
        if kind == "spelling":
            return "spelled alike" if value["spelling"] else "spelled differently"
        if kind == "same_venue":
            return "same venue" if value["same_venue"] else "different venues"
        if kind == "year_gap":
            return f"{int(value['year_gap'])} years apart" if value["year_gap"] >= 0 else "a year is unknown"
        if kind == "first_author":
            return f"author {table.position[a]} of {table.size[a]} and {table.position[b]} of {table.size[b]}"
        return f"{round(np.exp(value['block']))} papers carry this name"

    def _shared(self, a: int, b: int) -> list[str]:
        table = self.evidence.table
        keys = [
            {int(table.block[m]): table.authors[m].name for m in range(*table.first[table.paper[x] :][:2])}
            for x in (a, b)
        ]
        both = sorted((keys[0].keys() & keys[1].keys()) - {-1, int(table.block[a])})
        both.sort(key=lambda k: -self.evidence.rarity[k])
        return [keys[0][k] for k in both[:_NAMED]] + (["…"] if len(both) > _NAMED else [])

    def _across(self, a: int, b: int) -> tuple[list[str], list[str]]:
        table = self.evidence.table
        if table.paper[a] == table.paper[b]:
            return [], []
        kind = compatible(table.authors[a].name, table.authors[b].name)
        good = [f"names differ by {kind}"] if kind else []
        bad = [] if kind else ["the names do not fit"]
        shared = self._shared(a, b)
        if shared:
            good.append(f"co-authors in common: {', '.join(shared)}")
        rows = self.evidence.affiliations.of[[a, b]]
        inside = float(self.evidence.affiliations.compare(rows[:1], rows[1:])[1][0])
        x, y = (" / ".join(table.authors[m].affiliations) for m in (a, b))
        if inside > 0.8:
            good.append(f"affiliations: {x}; {y}")
        elif 0 <= inside < 0.2:
            bad.append(f"affiliations: {x}; {y}")
        return good, bad


class Decisions(Sequence[Decision]):
    """The decision log, the most doubtful first; reasons are worked out when an entry is read."""

    def __init__(self, table: Table, found: Clustering, steps: list[Step], explainer: Explainer) -> None:
        self._explainer = explainer
        made = [(a, b, p, joined, "weak join" if joined else "close call") for a, b, p, joined in found.doubts]
        for s in steps:
            made.append((s.left, s.right, s.probability, not s.refusal, f"{s.why}: {s.refusal}".rstrip(": ")))
        of = [explainer.of.get(table.mention(i), "") for i in range(len(table))]
        # A later step may have decided otherwise; then the entry no longer says what happened.
        self._made = [m for m in made if (of[m[0]] == of[m[1]]) == m[3]]
        self._made.sort(key=lambda m: (round(abs(m[2] - 0.6), 4), of[m[0]], of[m[1]], m))
        self._of = of

    def __len__(self) -> int:
        return len(self._made)

    def __getitem__(self, index):  # type: ignore[override]
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        a, b, probability, joined, why = self._made[index]
        own = why in ("weak join", "close call")
        pair = self._explainer.pair(a, b, None if own else probability)
        persons = (self._of[a],) if joined else (self._of[a], self._of[b])
        return Decision("joined" if joined else "kept apart", persons, round(probability, 4), pair, why)

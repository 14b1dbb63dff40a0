"""What speaks for and against two mentions of one name being one person, as columns over all pairs.

Everything is computed for whole ranges of blocks at once. Weights come from fixed counts of name
parts, so the evidence in a block depends on its own papers and on who else its co-authors wrote with.
"""

from __future__ import annotations

from copy import copy
from functools import cached_property

import numpy as np

from kg.resolve.people.affiliations import Affiliations
from kg.resolve.people.names import words
from kg.resolve.people.network import Network, edges_of, levels, links_of
from kg.resolve.people.rarity import name_parts
from kg.resolve.people.table import Blocks, Table

FEATURES = (
    "shared", "shared_weight", "shared_best", "shared_part", "fewest_coauthors", "most_coauthors",
    "path", "any_path", "second", "second_weight", "second_best",
    "affiliations", "affiliation_cosine", "affiliation_inside", "around_cosine", "around_inside",
    "spelling", "bearers", "first_name", "last_name", "name_words", "name_letters",
    "block", "components", "density",
    "same_venue", "year_gap", "earliest",
    "first_author", "last_author", "place_gap",
)  # fmt: skip
COLUMN = {name: i for i, name in enumerate(FEATURES)}
_NO_YEAR_GAP = -1.0


class Evidence:
    """Evidence over the pairs of any range of blocks of one table.

    Attributes:
        rarity: per comparison form, how telling a shared co-author of that name is (0.04 to 1).
        links: pairs of names that wrote together, see `links_of`.
    """

    def __init__(self, table: Table, blocks: Blocks) -> None:
        self.table, self.blocks = table, blocks
        parts = name_parts()
        self.bearers = parts.log_bearers(table.keys)
        self.rarity = np.clip(4.0 - self.bearers, 0.5, 12.0) / 12.0
        self.affiliations = Affiliations(table)
        self.links = links_of(table)
        self._names(parts)
        venues: dict[str, int] = {}
        per_paper = [venues.setdefault(p.venue.casefold(), len(venues)) if p.venue else -1 for p in table.papers]
        self.venue = np.array(per_paper, np.int64)[table.paper] if per_paper else np.zeros(0, np.int64)

    @cached_property
    def network(self) -> Network:
        """Co-authors of the mentions of these blocks."""
        return Network(self.table, self.blocks, self.rarity, self.links)

    def over(self, blocks: Blocks) -> Evidence:
        """The same evidence over other blocks of the same table."""
        other = copy(self)
        other.__dict__.pop("network", None)
        other.blocks = blocks
        return other

    def _names(self, parts) -> None:
        spelled: dict[str, int] = {}
        rows, seen = [], {}
        for author in self.table.authors:
            if author.name not in seen:
                found = words(author.name) or ("",)
                seen[author.name] = (
                    spelled.setdefault(" ".join(found), len(spelled)),
                    parts.first.get(found[0], 1),
                    parts.last.get(found[-1], 1),
                    len(found),
                    min(len(found[0]), len(found[-1])),
                )
            rows.append(seen[author.name])
        columns = np.array(rows or [(0, 1, 1, 1, 1)], np.int64)[: len(self.table)].T
        self.spelled = columns[0]
        self.first_name, self.last_name = np.log(columns[1]), np.log(columns[2])
        self.name_words, self.name_letters = columns[3], columns[4]

    def features(self, low: int, high: int) -> np.ndarray:
        """Evidence for every pair of blocks `low`..`high`-1, in pair order, one column a feature."""
        t, b = self.table, self.blocks
        a, c = b.pairs(low, high)
        left, right = b.order[a], b.order[c]
        out = np.zeros((len(a), len(FEATURES)), np.float32)

        def put(name: str, values: np.ndarray) -> None:
            out[:, COLUMN[name]] = values

        pair, name = self.network.shared(low, high)
        count = np.bincount(pair, minlength=len(a))
        weight = np.bincount(pair, self.rarity[name], len(a))
        best = np.zeros(len(a))
        np.maximum.at(best, pair, self.rarity[name])
        sizes = t.size[left] - 1, t.size[right] - 1
        put("shared", np.minimum(count, 8))
        put("shared_weight", weight)
        put("shared_best", best)
        put("shared_part", count / np.maximum(sizes[0] + sizes[1] - count, 1))
        put("fewest_coauthors", np.log1p(np.minimum(*sizes)))
        put("most_coauthors", np.log1p(np.maximum(*sizes)))

        cosine, inside = self.affiliations.compare(self.affiliations.of[left], self.affiliations.of[right])
        around = self.affiliations.compare(self.affiliations.around[left], self.affiliations.around[right])
        printed = self.affiliations.of >= 0
        put("affiliations", printed[left].astype(int) + printed[right])
        put("affiliation_cosine", cosine)
        put("affiliation_inside", inside)
        put("around_cosine", around[0])
        put("around_inside", around[1])

        second = self.network.second(a, c, pair, name)
        for field, values in zip(("second", "second_weight", "second_best"), second, strict=True):
            put(field, values)

        begin, stop = int(b.bounds[low]), int(b.bounds[high])
        apart = t.paper[left] != t.paper[right]
        path, _ = levels(a - begin, c - begin, np.where(apart, weight, 0), stop - begin)
        put("path", path)
        link = weight + 0.5 * (inside > 0.8) + 0.5 * np.minimum(second[2], 0.8)
        any_path, _ = levels(a - begin, c - begin, np.where(apart, link, 0), stop - begin)
        put("any_path", any_path)
        owner = np.repeat(np.arange(high - low), np.diff(b.start[b.bounds[low : high + 1]]))
        members = np.diff(b.bounds[low : high + 1])
        put("block", np.log(members)[owner])
        edges = np.bincount(owner, (weight > 0.1) & apart, high - low)
        totals = np.maximum(np.bincount(owner, minlength=high - low), 1)
        put("density", (edges / totals)[owner])
        groups = edges_of(a - begin, c - begin, (weight > 0.1) & apart, stop - begin)
        block_of = np.repeat(np.arange(high - low), members)
        heads = np.unique(block_of * (stop - begin + 1) + groups)
        components = np.bincount(heads // (stop - begin + 1), minlength=high - low)
        put("components", (components / np.maximum(members, 1))[owner])

        put("spelling", self.spelled[left] == self.spelled[right])
        put("bearers", self.bearers[t.block[left]])
        put("first_name", np.minimum(self.first_name[left], self.first_name[right]))
        put("last_name", np.minimum(self.last_name[left], self.last_name[right]))
        put("name_words", np.minimum(self.name_words[left], 4))
        put("name_letters", np.minimum(self.name_letters[left], 10))

        venues = self.venue[left], self.venue[right]
        put("same_venue", (venues[0] == venues[1]) & (venues[0] >= 0))
        years = t.year[left], t.year[right]
        known = (years[0] > 0) & (years[1] > 0)
        put("year_gap", np.where(known, np.abs(years[0] - years[1]), _NO_YEAR_GAP))
        put("earliest", np.where(known, np.minimum(*years), 2015))
        place = t.position[left] - 1, t.position[right] - 1
        put("first_author", (place[0] == 0).astype(int) + (place[1] == 0))
        last = (place[0] == sizes[0]) & (sizes[0] > 0), (place[1] == sizes[1]) & (sizes[1] > 0)
        put("last_author", last[0].astype(int) + last[1])
        put("place_gap", np.abs(place[0] / np.maximum(sizes[0], 1) - place[1] / np.maximum(sizes[1], 1)))
        return out

"""What a run made of every name, so that a later run clusters anew only names whose inputs changed.

The clusters of a name rest on the papers that print it and on which of its co-authors wrote with each
other anywhere. A name is taken over when the digest of the first is as it was and none of the second came
or went. Everything is exact: with or without memory the outcome is the same to the last bit.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec
import numpy as np
import scipy
from msgspec import Struct

import kg.text
from kg.resolve.people.network import spread
from kg.resolve.people.table import Blocks, Table

FILE = "people.npz"  # where a graph keeps its memory; it may be deleted
Doubt = tuple[int, int, float, bool]  # mention, mention, probability, joined


class Clustering(Struct):
    """Per mention: its cluster (the index of a mention in it; -1 for no person), its mean probability
    of belonging there, and whether more than the name ties it. `doubts`: (mention, mention,
    probability, joined) of one pair for each close call."""

    labels: np.ndarray
    weakest: np.ndarray
    evidenced: np.ndarray
    doubts: list[Doubt]


class Memory(Struct, frozen=True):
    """The clusters of every name that stands at least twice, and what they rest on.

    Attributes:
        names: digest of each name. links: pairs of indices into `names` that wrote together.
        marks: per block, the digest of its mentions. sizes: per block, how many there are.
        labels, weakest, evidenced: per mention, block after block; labels count from the block's start.
        doubts: (block, mention, mention) from the block's start, joined (0 or 1). chances: their probabilities.
    """

    names: np.ndarray
    links: np.ndarray
    marks: np.ndarray
    sizes: np.ndarray
    labels: np.ndarray
    weakest: np.ndarray
    evidenced: np.ndarray
    doubts: np.ndarray
    chances: np.ndarray

    def encode(self) -> bytes:
        """As bytes for `decode`."""
        out = io.BytesIO()
        np.savez(out, version=np.array(version()), **msgspec.structs.asdict(self))
        return out.getvalue()


def read_memory(path: Path) -> Memory | None:
    """The memory in a file; None where there is none, or none that can be used."""
    try:
        return decode(path.read_bytes())
    except OSError:
        return None


def decode(data: bytes) -> Memory | None:
    """What `Memory.encode` made; None where it is damaged or of another version of this code."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as held:
            if held["version"].item() != version():
                return None
            return Memory(**{field: held[field] for field in Memory.__struct_fields__})
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile):
        return None


@cache
def version() -> str:
    """Digest of all code and data that decide who is who, and of the libraries that calculate."""
    found = hashlib.sha256(f"{np.__version__} {scipy.__version__}".encode())
    folder = files(__package__)
    sources = [*folder.iterdir(), *folder.joinpath("data").iterdir()]
    for source in sorted((s for s in sources if s.is_file()), key=lambda s: s.name):
        if source.name.endswith((".py", ".json")):
            found.update(source.read_bytes())
    found.update(files(kg.text.__package__).joinpath("text.py").read_bytes())
    return found.hexdigest()[:24]


class Present:
    """The inputs of every block of a table, to be compared with those of a memory.

    Args:
        links: see `network.links_of`. believed: accepted identifiers of mentions.
    """

    def __init__(
        self, table: Table, blocks: Blocks, links: np.ndarray, believed: Mapping[int, tuple[str, ...]]
    ) -> None:
        self.table, self.blocks, self.links = table, blocks, links
        digests = b"".join(
            hashlib.blake2b(k.encode("utf-8", "surrogatepass"), digest_size=8).digest() for k in table.keys
        )
        self.names = np.frombuffer(digests, np.uint64)
        marks = _marks(table, believed)[blocks.order]
        self.marks = np.add.reduceat(marks, blocks.bounds[:-1]) if len(blocks) else marks

    def unchanged(self, memory: Memory, but: set[int]) -> tuple[np.ndarray, np.ndarray]:
        """Blocks whose inputs are as they were, and beside each its row in the memory.

        Args:
            but: mentions whose blocks are left out.
        """
        if not len(memory.marks) or not len(self.marks):
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        order = np.argsort(memory.marks[:, 0], kind="stable")
        at = np.searchsorted(memory.marks[order, 0], self.marks[:, 0])
        row = order[np.minimum(at, len(order) - 1)]
        same = (memory.marks[row] == self.marks).all(axis=1) & (memory.sizes[row] == np.diff(self.blocks.bounds))
        same[self._between(*np.divmod(self._moved(memory), max(len(self.names), 1)))] = False
        same[self.of(but)] = False
        kept = np.flatnonzero(same)
        return kept, row[kept]

    def of(self, mentions: set[int]) -> np.ndarray:
        """The blocks of some mentions."""
        number = self._numbers()[self.table.block[sorted(mentions)]] if mentions else np.zeros(0, np.int64)
        return number[number >= 0]

    def _numbers(self) -> np.ndarray:
        """Per name, the number of its block; -1 where it has none, and for who is no person."""
        number = np.full(len(self.names) + 1, -1, np.int64)
        number[self.blocks.block] = np.arange(len(self.blocks))
        return number

    def _moved(self, memory: Memory) -> np.ndarray:
        """Links that came or went; those of a name that vanished are told by the papers that printed it."""
        order = np.argsort(self.names)
        at = order[np.minimum(np.searchsorted(self.names[order], memory.names), len(order) - 1)]
        now = np.where(self.names[at] == memory.names, at, -1)
        x, y = now[memory.links[:, 0]], now[memory.links[:, 1]]
        held = (x >= 0) & (y >= 0)
        return np.setxor1d(self.links, x[held] * len(self.names) + y[held], assume_unique=True)

    def _between(self, x: np.ndarray, y: np.ndarray) -> list[int]:
        """Blocks that have both names of any pair (x, y) among their co-authors."""
        t = self.table
        concerned = np.zeros(len(self.names) + 1, bool)
        concerned[x] = concerned[y] = True
        mention = np.flatnonzero(concerned[t.block])
        row, k = spread(t.size[mention].astype(np.int64))
        block = self._numbers()[t.block[t.first[t.paper[mention]][row] + k]]
        code = np.unique((t.block[mention][row].astype(np.int64) * (len(self.blocks) + 1) + block)[block >= 0])
        beside: dict[int, set[int]] = defaultdict(set)
        for name, number in zip(*(side.tolist() for side in np.divmod(code, len(self.blocks) + 1)), strict=True):
            beside[name].add(number)
        found: set[int] = set()
        for one, other in zip(x.tolist(), y.tolist(), strict=True):
            found |= beside[one] & beside[other]
        return sorted(found)

    def restore(self, found: Clustering, memory: Memory, blocks: np.ndarray, rows: np.ndarray) -> None:
        """Copies the clusters of rows of the memory to blocks of the present."""
        order, bounds = self.blocks.order, self.blocks.bounds
        owner, k = spread(memory.sizes[rows].astype(np.int64))
        begin = bounds[blocks][owner]
        old = (np.cumsum(memory.sizes) - memory.sizes)[rows][owner] + k
        here = order[begin + k]
        found.labels[here] = order[begin + memory.labels[old]]
        found.weakest[here] = memory.weakest[old]
        found.evidenced[here] = memory.evidenced[old]
        number = np.full(len(memory.sizes), -1, np.int64)
        number[rows] = blocks
        block = number[memory.doubts[:, 0]]
        use = block >= 0
        a, b = (order[bounds[block[use]] + memory.doubts[use, side]].tolist() for side in (1, 2))
        joined = memory.doubts[use, 3].astype(bool).tolist()
        found.doubts += zip(a, b, memory.chances[use].tolist(), joined, strict=True)

    def remember(self, found: Clustering, but: set[int]) -> Memory:
        """The memory of this run, without the blocks of some mentions."""
        order, bounds = self.blocks.order, self.blocks.bounds
        sizes = np.diff(bounds)
        keep = np.ones(len(sizes), bool)
        keep[self.of(but)] = False
        number = np.cumsum(keep) - 1
        block = np.repeat(np.arange(len(sizes)), sizes)
        place = np.zeros(len(self.table), np.int64)
        place[order] = np.arange(len(order)) - bounds[block]
        here = order[keep[block]]
        own = self._numbers()
        doubts = []
        for a, b, chance, joined in found.doubts:
            at = own[self.table.block[a]]
            if keep[at]:
                doubts.append((int(number[at]), int(place[a]), int(place[b]), joined, chance))
        doubts.sort()
        return Memory(
            self.names,
            np.stack(np.divmod(self.links, max(len(self.names), 1)), axis=1).astype(np.int32),
            self.marks[keep],
            sizes[keep].astype(np.int32),
            place[found.labels[here]].astype(np.int32),
            found.weakest[here],
            found.evidenced[here],
            np.array([d[:4] for d in doubts], np.int32).reshape(-1, 4),
            np.array([d[4] for d in doubts], np.float64),
        )


def _marks(table: Table, believed: Mapping[int, tuple[str, ...]]) -> np.ndarray:
    """Per mention, two numbers that stand for all its paper says and for which identifiers it is believed."""
    encode = msgspec.msgpack.Encoder().encode
    whole = b"".join(
        hashlib.blake2b(encode((p.key, p.year, p.venue, p.authors, p.affiliations)), digest_size=16).digest()
        for p in table.papers
    )
    marks = np.frombuffer(whole, np.uint64).reshape(-1, 2)[table.paper]
    place = table.position.astype(np.uint64)[:, None]
    ids = np.zeros_like(marks)
    if believed:
        whole = b"".join(hashlib.blake2b(encode(own), digest_size=16).digest() for own in believed.values())
        ids[list(believed)] = np.frombuffer(whole, np.uint64).reshape(-1, 2)
    return _mixed(_mixed(marks + place * np.uint64(0x9E3779B97F4A7C15)) + ids)


def _mixed(x: np.ndarray) -> np.ndarray:
    """Numbers whose every bit depends on every bit of those given (the finaliser of SplitMix64)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))

"""What records are grouped by, kept from one build to the next: folding every abstract anew takes most of linking."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct

from kg.ids import PAPER_SCHEMES, paper_key
from kg.model import Paper
from kg.records.compare import abstract_key, name_parts, title_key
from kg.text import fold

FILE = "keys.msgpack"  # in the folder of a graph
_ENDS = 120  # letters at either end of an abstract that make two of them worth comparing


class Keys(Struct, frozen=True, array_like=True):
    """Grouping keys of one record, as digests; 0 where there is none.

    Attributes:
        title: of the title. start, end: of the two ends of the abstract. people: of the author list.
        paper: key of the paper that this record alone would make.
    """

    title: int
    start: int
    end: int
    people: int
    paper: str


class Known(Struct):
    """Keys of the records of an earlier build; those of the records of this build once `of` was asked for them.

    Attributes:
        code: digest of the code that made them. keys: by digest of the record.
    """

    code: bytes = b""
    keys: dict[bytes, Keys] = {}

    def of(self, records: Sequence[Paper], encoded: Sequence[bytes]) -> list[Keys]:
        """The keys of each record; `encoded` is each record in its canonical form."""
        digests = [blake2b(data, digest_size=16).digest() for data in encoded]
        before = self.keys if self.code and self.code == _code() else {}
        found = [before.get(d) or keys_of(r) for d, r in zip(digests, records, strict=True)]
        self.code, self.keys = _code(), dict(zip(digests, found, strict=True))
        return found


def read_known(path: Path) -> Known:
    """What an earlier build kept; nothing where that is not there or cannot be read."""
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=Known)
    except (OSError, msgspec.DecodeError):
        return Known()


def keys_of(paper: Paper) -> Keys:
    """The grouping keys of a record."""
    abstract = abstract_key(paper.abstract)
    title = title_key(paper.title)
    people = ""
    if paper.title and len(paper.authors) > 1:
        people = "\n".join(sorted(" ".join((f, g[:1])) for f, g in map(name_parts, {a.name for a in paper.authors})))
    known = any(i.partition(":")[0] in PAPER_SCHEMES for i in paper.ids)
    alone = "" if known else abstract or _by_title(paper, title)
    return Keys(
        _digest(title),
        _digest(abstract[:_ENDS]),
        _digest(abstract[-_ENDS:]),
        _digest(people),
        paper_key(paper.ids, alone),
    )


def key_of(paper: Paper) -> str:
    """The key of a paper: by its identifiers, else by its abstract, else by its title and authors."""
    known = any(i.partition(":")[0] in PAPER_SCHEMES for i in paper.ids)
    return paper_key(
        paper.ids, "" if known else abstract_key(paper.abstract) or _by_title(paper, title_key(paper.title))
    )


def _by_title(paper: Paper, title: str) -> str:
    return "\n".join([title, *(fold(a.name) for a in paper.authors), fold(paper.abstract)])


def _digest(text: str) -> int:
    if not text:
        return 0
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little") or 1


@lru_cache(maxsize=1)
def _code() -> bytes:
    """Digest of the code that keys depend on, lest those of another version be taken for ours."""
    import kg.ids
    import kg.records.compare
    import kg.text

    body = blake2b(digest_size=16)
    for module in (kg.ids.__file__, kg.text.__file__, kg.records.compare.__file__, __file__):
        try:
            body.update(Path(module).read_bytes())
        except OSError:  # not in files of its own: then nothing is known of it, and nothing matches
            return b""
    return body.digest()

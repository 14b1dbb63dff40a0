"""Source records and extractions on disk, in parts that are written once."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from kg.errors import GraphError
from kg.model import Extraction, Paper, Rejected
from kg.pipeline.folder import write_atomically
from kg.text import digest

_paper_encoder = msgspec.json.Encoder()
_paper_decoder = msgspec.json.Decoder(Paper)
_msgpack = msgspec.msgpack.Encoder()
_extracted_decoder = msgspec.msgpack.Decoder(list[tuple[str, msgspec.Raw]])
_extraction_decoder = msgspec.msgpack.Decoder(Extraction)


def write_records(folder: Path, papers: Iterable[Paper]) -> str:
    """Writes one part of source records; its name is the digest of its content, so equal input is one part."""
    lines = [_paper_encoder.encode(p) + b"\n" for p in papers]
    body = hashlib.sha256()
    for line in lines:
        body.update(line)
    name = f"{body.hexdigest()[:16]}.jsonl.gz"
    if not (folder / name).exists():
        write_atomically(folder / name, gzip.compress(b"".join(lines), compresslevel=1, mtime=0))
    return name


def read_records(folder: Path, names: Iterable[str]) -> Iterator[Paper]:
    """The source records of the named parts.

    Raises:
        GraphError: a part is missing or damaged.
    """
    for name in names:
        try:
            with gzip.open(folder / name, "rb") as lines:
                for line in lines:
                    yield _paper_decoder.decode(line)
        except (OSError, EOFError, msgspec.DecodeError) as error:
            raise GraphError(
                f"a part of the graph cannot be read: {error}",
                place=str(folder / name),
                hint="build again from the inputs with --fresh",
            ) from None


class Extracted:
    """Extractions that earlier builds made with the same model and settings, by digest of the text."""

    def __init__(self, folder: Path, version: str) -> None:
        self.folder = folder / version
        self._known: dict[str, bytes | msgspec.Raw] = {}
        for part in sorted(self.folder.glob("*.msgpack")):
            self._known.update(_extracted_decoder.decode(part.read_bytes()))

    @staticmethod
    def key(paper: Paper) -> str:
        """Digest of all that extraction sees of a paper."""
        return digest(paper.title, paper.abstract, *(f"{link.kind} {link.url}" for link in paper.links), length=24)

    def __contains__(self, key: str) -> bool:
        return key in self._known

    def get(self, keys: Iterable[str]) -> dict[str, Extraction]:
        """The extractions of those keys that are known; decoded now, for most of them nobody needs before."""
        return {key: _extraction_decoder.decode(self._known[key]) for key in keys if key in self._known}

    def add(self, batch: list[tuple[str, Extraction]]) -> None:
        """Keeps a batch for good; a build killed later need not extract it again."""
        data = _msgpack.encode(batch)
        write_atomically(self.folder / f"{hashlib.sha256(data).hexdigest()[:16]}.msgpack", data)


def merge_rejected(path: Path, new: Iterable[Rejected]) -> None:
    """Adds rejected records to the list in the graph folder, each once, sorted."""
    known = set()
    if path.is_file():
        decoder = msgspec.json.Decoder(Rejected)
        known = {decoder.decode(line) for line in path.read_bytes().splitlines() if line.strip()}
    records = sorted(known | set(new), key=lambda r: (r.file, r.place, r.reason, r.head))
    if records or path.exists():
        write_atomically(path, b"".join(msgspec.json.encode(_with_line(r)) + b"\n" for r in records))


def _with_line(record: Rejected) -> dict[str, object]:
    """The record with its line as a number, where its place is one."""
    found = {"file": record.file, "place": record.place, "reason": record.reason, "head": record.head}
    line = re.search(r"\bline (\d+)", record.place)
    return {**found, "line": int(line[1])} if line else found

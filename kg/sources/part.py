"""One file to read (or one member of an archive): its name, its plain bytes, its text lines."""

from __future__ import annotations

import codecs
import tempfile
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

HEAD = 1 << 18
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Bytes(Protocol):
    """What a part reads from; `damage` (optional) tells why the bytes ended early."""

    def read(self, size: int = -1) -> bytes: ...


class _Utf8:
    """UTF-16 or UTF-32 read as UTF-8, so that readers know one encoding only."""

    def __init__(self, raw: Bytes, encoding: str) -> None:
        self._raw = raw
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")

    @property
    def damage(self) -> str:
        return getattr(self._raw, "damage", "")

    def read(self, size: int = -1) -> bytes:
        while True:
            data = self._raw.read(size)
            text = self._decoder.decode(data, final=not data)
            if text or not data:
                return text.encode("utf-8", "surrogatepass")


class Part:
    """An input in reading order. Bytes are UTF-8 without a byte order mark.

    Attributes:
        name: base name without the suffix of a compression ("papers.jsonl").
        path: the file itself when it is plain and on disk, for formats that need to jump in it.
        inside: True for a member of an archive.
        head: the first bytes (at most 256 KiB), for detection; reading starts before them again.
    """

    inside = False

    def __init__(self, name: str, raw: Bytes, path: Path | None = None) -> None:
        self.name, self.path, self._raw = name, path, raw
        self.head = _read(raw, HEAD)
        for bom, encoding in _BOMS:
            if self.head.startswith(bom):
                if encoding == "utf-8":
                    self.head = self.head[len(bom) :]
                else:
                    self._raw = _Utf8(_Joined(self.head[len(bom) :], raw), encoding)
                    self.head = _read(self._raw, HEAD)
                self.path = None
                break
        self._ahead = self.head
        self._copy: Any = None

    @property
    def damage(self) -> str:
        """Why the bytes ended before their time; "" when all is well."""
        return getattr(self._raw, "damage", "")

    @property
    def suffix(self) -> str:
        return Path(self.name).suffix.lower()

    @cached_property
    def text(self) -> str:
        """The head as text; undecodable bytes stand as surrogates."""
        return self.head.decode("utf-8", "surrogateescape")

    @cached_property
    def binary(self) -> bool:
        """True when the head cannot be text."""
        probe = self.head[:8192]
        odd = sum(b < 32 and b not in b"\t\n\r\f\x0b\x1b" for b in probe)
        return odd > len(probe) // 200

    def record(self, lists: tuple[str, ...] = ()) -> tuple[frozenset[str], Any]:
        """Keys of the outermost JSON object and the first record; see `jsonscan.first_record`."""
        if lists not in self._records:
            from kg.sources.jsonscan import first_record

            self._records[lists] = first_record(self.head, lists)
        return self._records[lists]

    @cached_property
    def _records(self) -> dict[tuple[str, ...], tuple[frozenset[str], Any]]:
        return {}

    def read(self, size: int = -1) -> bytes:
        """The next bytes, the head included; b"" at the end."""
        if self._ahead:
            data, self._ahead = self._ahead, b""
            return data + self._raw.read() if size < 0 else data
        return self._raw.read(size)

    def raw_lines(self) -> Iterator[bytes]:
        """Lines without their ends (LF, CRLF or lone CR), streaming."""
        rest = b""
        while data := self.read(1 << 18):
            data = rest + data
            held = b""
            if data.endswith(b"\r"):  # its LF may come with the next bytes
                data, held = data[:-1], b"\r"
            lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
            rest = lines.pop() + held
            yield from lines
        if rest:
            yield from rest.replace(b"\r\n", b"\n").replace(b"\r", b"\n").removesuffix(b"\n").split(b"\n")

    def lines(self) -> Iterator[str]:
        """Text lines; undecodable bytes stand as surrogates, which `finish` rejects with their record."""
        for line in self.raw_lines():
            yield line.decode("utf-8", "surrogateescape")

    def on_disk(self) -> Path:
        """A plain file with these bytes (a temporary copy unless the part is one already)."""
        if self.path:
            return self.path
        if self._copy is None:
            self._copy = tempfile.NamedTemporaryFile(suffix=self.suffix)  # noqa: SIM115 - lives as long as the part
            while data := self.read(1 << 20):
                self._copy.write(data)
            self._copy.flush()
        return Path(self._copy.name)


class _Joined:
    def __init__(self, first: bytes, rest: Bytes) -> None:
        self._first, self._rest = first, rest

    @property
    def damage(self) -> str:
        return getattr(self._rest, "damage", "")

    def read(self, size: int = -1) -> bytes:
        if self._first:
            data, self._first = self._first, b""
            return data
        return self._rest.read(size)


def _read(raw: Bytes, size: int) -> bytes:
    """Exactly `size` bytes or, at the end, fewer."""
    parts, have = [], 0
    while have < size and (data := raw.read(size - have)):
        parts.append(data)
        have += len(data)
    return b"".join(parts)

"""Compressed input as a plain byte stream that never loses what stands before a damage."""

from __future__ import annotations

from typing import Any, BinaryIO

_CHUNK = 1 << 16
_MOST_AT_ONCE = 1 << 20
# No list of papers shrinks more than this; a "zip bomb" does. Checked once the output is large.
MOST_RATIO = 300
BOMB_FROM = 64 << 20

_MAGIC = ((b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"), (b"\xfd7zXZ\x00", "xz"), (b"\x28\xb5\x2f\xfd", "zstd"))


def compression(head: bytes) -> str:
    """Name of the compression that the first bytes announce, or ""."""
    return next((name for magic, name in _MAGIC if head.startswith(magic)), "")


class _Zlib:
    """`zlib` with the interface that `bz2` and `lzma` share."""

    def __init__(self) -> None:
        import zlib

        self._one = zlib.decompressobj(wbits=31)

    eof = property(lambda self: self._one.eof)
    unused_data = property(lambda self: self._one.unused_data)
    needs_input = property(lambda self: not self._one.unconsumed_tail)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._one.decompress(self._one.unconsumed_tail + data, max_length)


class _Zstd:
    def __init__(self) -> None:
        import zstandard

        self._one = zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj()

    eof = property(lambda self: self._one.eof)
    unused_data = property(lambda self: self._one.unused_data)
    needs_input = True

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._one.decompress(data)


def _decompressor(kind: str) -> Any:
    if kind == "gzip":
        return _Zlib()
    if kind == "bzip2":
        import bz2

        return bz2.BZ2Decompressor()
    if kind == "xz":
        import lzma

        return lzma.LZMADecompressor(memlimit=1 << 28)
    return _Zstd()


class Inflate:
    """Reads the plain bytes of a compressed stream, several members in a row included.

    Attributes:
        damage: what is wrong with the data, for people; "" while nothing is. Data before the damage is
            returned as usual, then the stream ends.
    """

    def __init__(self, raw: BinaryIO, kind: str) -> None:
        self._raw, self._kind = raw, kind
        self._one = _decompressor(kind)
        # One zstd call cannot be bounded in output, so it is bounded in input.
        self._step = 1 << 12 if kind == "zstd" else _CHUNK
        self._in = self._out = 0
        self._pending = b""
        self._done = False
        self.damage = ""

    def read(self, size: int = -1) -> bytes:
        """At least one byte and (when `size` is given) about `size`, or b"" at the end."""
        parts: list[bytes] = []
        have = 0
        while not self._done and (size < 0 or have < size):
            piece = self._more()
            if piece:
                parts.append(piece)
                have += len(piece)
        return b"".join(parts)

    def _more(self) -> bytes:
        data = b""
        if self._pending:
            data, self._pending = self._pending, b""
        elif self._one.needs_input or self._one.eof:
            data = self._raw.read(self._step)
            self._in += len(data)
            if not data:
                self._done = True
                if not self._one.eof:
                    self.damage = f"the {self._kind} data end early: the file is cut off"
                return b""
        if self._one.eof:
            data = data.lstrip(b"\0")  # padding after the last member
            if not data:
                return b""
            self._one = _decompressor(self._kind)
        try:
            plain = self._one.decompress(data, _MOST_AT_ONCE)
        except Exception as error:  # each library has its own class; all mean the same here
            self._done = True
            self.damage = f"the {self._kind} data are damaged ({error})"
            return b""
        if self._one.eof:
            self._pending = self._one.unused_data
        self._out += len(plain)
        if self._out > BOMB_FROM and self._out > MOST_RATIO * self._in:
            self._done = True
            self.damage = f"the {self._kind} data expand more than {MOST_RATIO}-fold: refused"
            return b""
        return plain

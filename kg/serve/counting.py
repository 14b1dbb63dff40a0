"""A file that counts the rows written to it and stops the writer when there are too many.

Oxigraph writes the W3C's result formats itself and is asked for nothing but bytes, so rows are counted
in these: by what stands between two rows and cannot stand inside one.
"""

from __future__ import annotations

import re
from typing import BinaryIO

_BETWEEN = {"json": b'},{"', "xml": b"<result>", "tsv": b"\n"}
_QUOTED = re.compile(rb'"[^"]*"')


class TooMuch(Exception):
    """An answer is larger than the server gives."""


class Counting:
    """Passes bytes on and raises `TooMuch` at once when an answer outgrows its limits.

    A string that ends in `},{` counts as the end of a row of JSON: the count may be too high by such
    strings, never the answer too long.
    """

    def __init__(self, out: BinaryIO, format: str, rows: int, size: int) -> None:
        self._out, self._format, self._rows, self._size = out, format, rows, size
        self.rows = self.size = 0
        self._kept = b""  # the end of what was written, where a mark may begin
        self._open = False  # inside a quoted field of CSV

    def write(self, data: bytes) -> int:
        self.size += len(data)
        self.rows += self._count(bytes(data))
        # the head line of a table is no row, and between n rows of JSON stand n - 1 marks
        allowed = self._rows + {"csv": 1, "tsv": 1, "json": -1}.get(self._format, 0)
        if self._size and self.size > self._size:
            raise TooMuch(f"the answer is larger than {self._size // 2**20} MB")
        if self.rows > allowed:
            raise TooMuch(f"the answer has more than {self._rows:,} rows")
        return self._out.write(data)

    def flush(self) -> None:
        self._out.flush()

    def _count(self, data: bytes) -> int:
        if self._format == "csv":
            return self._lines(data)
        mark = _BETWEEN.get(self._format)
        if mark is None:
            return 0
        text = self._kept + data
        self._kept = text[max(len(text) - len(mark) + 1, 0) :]
        return text.count(mark)

    def _lines(self, data: bytes) -> int:
        """Line ends outside quotes; a doubled quote opens and closes, which changes nothing."""
        text = b'"' + data if self._open else data
        self._open = text.count(b'"') % 2 == 1
        text = _QUOTED.sub(b"", text)
        return (text.partition(b'"')[0] if self._open else text).count(b"\n")

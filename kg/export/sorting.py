"""Sorts lines that may be more than memory holds."""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

_CHUNK = 64 << 20  # bytes sorted in memory at once
_BLOCK = 2 << 20  # bytes read at once from each sorted chunk


class Sorter:
    """A place to write lines to; iterating gives the distinct ones in byte order. A context manager.

    What is more than `_CHUNK` goes to sorted files in a temporary folder.
    """

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self._size = 0
        self._chunks: list[Path] = []

    def __enter__(self) -> Sorter:
        self._folder = TemporaryDirectory(prefix="kg-sort-")
        return self

    def __exit__(self, *_: object) -> None:
        self._held.clear()
        self._folder.cleanup()

    def write(self, data: bytes) -> int:
        """Takes bytes of any length; lines may be cut anywhere."""
        self._held.append(data)
        self._size += len(data)
        if self._size >= _CHUNK:
            self._spill()
        return len(data)

    def flush(self) -> None:
        """Nothing to do; writers of files call it."""

    def _lines(self) -> list[bytes]:
        """The distinct lines held, in order; an unfinished one stays behind."""
        text = b"".join(self._held)
        end = text.rfind(b"\n") + 1
        self._held, self._size = [text[end:]], len(text) - end
        lines = io.BytesIO(text[:end]).readlines()
        lines.sort()
        return list(dict.fromkeys(lines))

    def _spill(self) -> None:
        chunk = Path(self._folder.name) / str(len(self._chunks))
        with open(chunk, "wb") as out:
            out.writelines(self._lines())
        self._chunks.append(chunk)

    def __iter__(self) -> Iterator[bytes]:
        if not self._chunks:
            lines = self._lines()
            self._held = [b"".join(lines)]
            yield from lines
            return
        if self._size:
            self._spill()
        with ExitStack() as stack:
            for block in _merged([stack.enter_context(open(chunk, "rb")) for chunk in self._chunks]):
                yield from block


def _merged(files: Sequence[BinaryIO]) -> Iterator[list[bytes]]:
    """Distinct lines of sorted files without repeats, in order, block by block.

    Of every file a block is held; all lines up to the least of the blocks' last lines are complete, and Python's
    sort, which looks for runs that are in order already (Tim Peters' listsort), merges them in native code.
    """
    held = [(file.readlines(_BLOCK), file) for file in files]
    while held := [(lines, file) for lines, file in held if lines]:
        bound = min(lines[-1] for lines, _ in held)
        block: list[bytes] = []
        for number, (lines, file) in enumerate(held):
            end = bisect_right(lines, bound)
            block += lines[:end]
            held[number] = (lines[end:] or file.readlines(_BLOCK), file)
        block.sort()
        yield list(dict.fromkeys(block))

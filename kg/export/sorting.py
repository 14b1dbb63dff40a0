"""Sorts the lines of a file that may be larger than memory."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

_CHUNK = 400_000  # lines held in memory at once, some 100 MB of statements


def sorted_lines(file: Path) -> Iterator[bytes]:
    """The distinct lines of a file in byte order: chunks are sorted, written and merged."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="kg-sort-")))
        source = stack.enter_context(open(file, "rb"))
        chunks: list[Path] = []
        while lines := list(islice(source, _CHUNK)):
            lines.sort()
            chunk = folder / str(len(chunks))
            with open(chunk, "wb") as out:
                out.writelines(lines)
            chunks.append(chunk)
        last = b""
        for line in heapq.merge(*(stack.enter_context(open(c, "rb")) for c in chunks)):
            if line != last:
                yield line
            last = line

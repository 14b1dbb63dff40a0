"""From what a user names (files, folders, archives, "-") to the parts that formats read."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePath
from typing import BinaryIO

from kg.errors import SourceError
from kg.model import Rejected
from kg.sources.archive import is_workbook, kind_of, tar_parts, zip_parts
from kg.sources.decompress import Inflate, compression
from kg.sources.part import Part

_PACKED = (".gz", ".bz2", ".xz", ".zst", ".zstd", ".lzma", ".bgz")
OnBytes = Callable[[int], None]


class _Counted:
    """A file that tells how many of its bytes were consumed."""

    def __init__(self, file: BinaryIO, on_bytes: OnBytes | None) -> None:
        self._file, self._on_bytes, self._ahead = file, on_bytes, b""

    def peek(self, size: int) -> bytes:
        while len(self._ahead) < size and (data := self._file.read(size - len(self._ahead))):
            self._ahead += data
        return self._ahead

    def read(self, size: int = -1) -> bytes:
        if self._ahead:
            data, self._ahead = (self._ahead, b"") if size < 0 else (self._ahead[:size], self._ahead[size:])
            if size < 0:
                data += self._file.read()
        else:
            data = self._file.read(size)
        if self._on_bytes and data:
            self._on_bytes(len(data))
        return data


def files(inputs: Sequence[str | Path]) -> Iterator[tuple[Path | None, bool]]:
    """Each file in order (None is standard input) and whether the user named it (rather than its folder).

    Raises SourceError for an input that does not exist.
    """
    for given in inputs:
        if str(given) == "-":
            yield None, True
            continue
        path = Path(given).expanduser()
        if path.is_dir():
            yield from ((p, False) for p in _walk(path))
        elif path.is_file() or path.exists():
            yield path, True
        else:
            raise SourceError("there is no such file or folder", place=str(given), hint=_near(path))


def _walk(folder: Path) -> Iterator[Path]:
    for base, folders, names in os.walk(folder):  # does not follow links to folders
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        yield from (Path(base, n) for n in sorted(names) if not n.startswith(".") and Path(base, n).is_file())


def _near(path: Path) -> str:
    from difflib import get_close_matches

    names = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
    close = get_close_matches(path.name, names, n=1)
    return (
        f"did you mean {path.parent / close[0]}?"
        if close
        else "check the spelling, or name a folder or - (standard input)"
    )


def total_bytes(inputs: Sequence[str | Path]) -> int:
    """Size of all files on disk, compressed as they are; standard input counts as 0."""
    return sum(path.stat().st_size for path, _ in files(inputs) if path)


def parts(path: Path | None, on_bytes: OnBytes | None = None) -> Iterator[Part | Rejected]:
    """The parts of one file: itself, or the members of an archive, opened one after the other.

    A member that is a link or not a regular file is rejected. Raises SourceError when the file cannot be
    opened at all.
    """
    name = path.name if path else "standard input"
    try:
        file = path.open("rb") if path else sys.stdin.buffer
    except OSError as error:
        raise SourceError(f"cannot be opened ({error.strerror or error})", place=str(path)) from None
    try:
        counted = _Counted(file, on_bytes)  # type: ignore[arg-type]
        kind = compression(counted.peek(6))
        raw = Inflate(counted, kind) if kind else counted  # type: ignore[arg-type]
        plain = PurePath(name).stem if kind and name.lower().endswith(_PACKED) else name
        if kind and name.lower().endswith(".tgz"):
            plain = PurePath(name).stem + ".tar"
        part = Part(plain, raw, None if kind else path)
        form = kind_of(part.head)
        if not form or form == "zip" and is_workbook(part.on_disk()):
            yield part
            return
        found = zip_parts(part.on_disk(), plain) if form == "zip" else tar_parts(part, plain)
        for one in found:
            if isinstance(one, Part):
                one.inside = True
            yield one
        if on_bytes and form == "zip" and part.path:  # it was not read in order
            on_bytes(max(0, part.path.stat().st_size - len(part.head)))
    finally:
        if path:
            file.close()

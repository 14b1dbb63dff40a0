"""Members of zip and tar archives, read in place: nothing is unpacked to disk, no link is followed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any

from kg.model import Rejected
from kg.sources.decompress import BOMB_FROM, MOST_RATIO, Inflate, compression
from kg.sources.part import Bytes, Part

_TAR_MAGIC = (b"ustar\x0000", b"ustar  \x00")


def kind_of(head: bytes) -> str:
    """Either "zip", "tar" or "" for the first bytes of a file."""
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    return "tar" if head[257:265] in _TAR_MAGIC else ""


def is_workbook(path: Path) -> bool:
    """True for an Excel workbook, which is a zip file but no archive of lists."""
    import zipfile

    try:
        with zipfile.ZipFile(path) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except (zipfile.BadZipFile, OSError):
        return False


class _Guarded:
    """A member's bytes; damage ends them instead of raising."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.damage, self._ahead = file, "", b""

    def peek(self, size: int) -> bytes:
        while len(self._ahead) < size and (data := self._read(size - len(self._ahead))):
            self._ahead += data
        return self._ahead

    def _read(self, size: int) -> bytes:
        try:
            return self._file.read(min(size, 1 << 13) if size > 0 else 1 << 13)  # little is lost with a bad end
        except Exception as why:  # zipfile, tarfile and zlib each have their own
            self.damage = f"the archive is damaged here ({why})"
            return b""

    def read(self, size: int = -1) -> bytes:
        if self._ahead:
            data, self._ahead = self._ahead, b""
            return data
        return self._read(size)


def member(name: str, file: IO[bytes]) -> Part | Rejected:
    """One member as a part; a compressed one is decompressed, an archive in an archive is rejected."""
    short = PurePosixPath(name).name
    raw: Bytes = _Guarded(file)
    if kind := compression(raw.peek(6)):  # type: ignore[attr-defined]
        raw, short = Inflate(raw, kind), PurePosixPath(short).stem  # type: ignore[arg-type]
    part = Part(short, raw)
    if (form := kind_of(part.head)) and not (form == "zip" and is_workbook(part.on_disk())):
        return Rejected(file=short, place="", reason="an archive inside an archive: unpack it first")
    return part


def _hidden(name: str) -> bool:
    return any(p != ".." and p.startswith((".", "__MACOSX")) for p in PurePosixPath(name).parts)


def zip_parts(path: Path, name: str) -> Iterator[Part | Rejected]:
    """Members of a zip file in order of their names."""
    import zipfile

    try:
        archive = zipfile.ZipFile(path)
    except zipfile.BadZipFile as why:
        yield Rejected(file=name, place="", reason=f"the zip archive is damaged or cut off ({why})")
        return
    with archive:
        for info in sorted(archive.infolist(), key=lambda i: i.filename):
            if info.is_dir() or _hidden(info.filename):
                continue
            short = PurePosixPath(info.filename).name
            if reason := _zip_fault(info):
                yield Rejected(file=short, place="", reason=reason)
                continue
            try:
                file = archive.open(info)
            except Exception as why:  # unknown compression, damaged header
                yield Rejected(file=short, place="", reason=f"cannot be read from the archive ({why})")
                continue
            with file:
                yield member(info.filename, file)


def _zip_fault(info: Any) -> str:
    if (info.external_attr >> 16) & 0o170000 == 0o120000:
        return "is a link, and links in archives are not followed"
    if info.flag_bits & 1:
        return "is encrypted"
    if info.file_size > BOMB_FROM and info.file_size > MOST_RATIO * max(1, info.compress_size):
        return f"would expand more than {MOST_RATIO}-fold: refused"
    return ""


def tar_parts(raw: Bytes, name: str) -> Iterator[Part | Rejected]:
    """Members of a tar stream in the order they stand there."""
    import tarfile

    try:
        with tarfile.open(fileobj=_Exact(raw), mode="r|") as archive:  # type: ignore[call-overload]
            for info in archive:
                if info.isdir() or _hidden(info.name):
                    continue
                short = PurePosixPath(info.name).name
                if info.issym() or info.islnk():
                    yield Rejected(file=short, place="", reason="is a link, and links in archives are not followed")
                elif not info.isfile():
                    yield Rejected(file=short, place="", reason="is no regular file")
                elif file := archive.extractfile(info):
                    yield member(info.name, file)
    except (tarfile.TarError, EOFError, OSError) as why:
        damage = getattr(raw, "damage", "")
        yield Rejected(file=name, place="", reason=damage or f"the tar archive is damaged or cut off ({why})")


class _Exact:
    """Reads exactly as many bytes as asked for, as tarfile expects."""

    def __init__(self, raw: Bytes) -> None:
        self._raw, self._rest = raw, b""

    def read(self, size: int) -> bytes:
        while len(self._rest) < size and (data := self._raw.read(size - len(self._rest))):
            self._rest += data
        data, self._rest = self._rest[:size], self._rest[size:]
        return data

"""Backups of a graph folder: one archive file, or a folder that shares the large files with the graph.

What the manifest names is never changed, only replaced, so a backup needs no lock: it may be taken while a
build runs and holds the graph as it was before or after it.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import tarfile
import uuid
from collections.abc import Iterator
from pathlib import Path

from kg.errors import GraphError
from kg.pipeline.folder import Folder, write_atomically
from kg.store.oxigraph import OxigraphStore

_ARCHIVES = {".tar": "w", ".tgz": "w:gz", ".tar.gz": "w:gz"}
_TRIES = 5
_FIXED = (".sst", ".gz", ".msgpack")  # suffixes of files that are written once and never changed


def backup(graph: Path, out: Path) -> int:
    """Copies a graph to `out`: an archive (.tar, .tar.gz, .tgz), else a folder.

    A folder takes hard links to what never changes, where the file system has them: quick, and nearly no space
    until the graph itself changes.

    Returns:
        Bytes of the graph in the backup.

    Raises:
        GraphError: there is no graph, `out` exists or cannot be written.
    """
    if out.exists():
        raise GraphError("there is something here already", place=str(out), hint="choose a new name")
    kind = next((k for k in sorted(_ARCHIVES, key=len, reverse=True) if out.name.endswith(k)), "")
    temporary = out.with_name(f".{out.name}.{uuid.uuid4().hex[:8]}.tmp")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        for attempt in range(_TRIES):
            try:
                size = _archive(graph, temporary, _ARCHIVES[kind]) if kind else _linked(graph, temporary)
                break
            except FileNotFoundError:  # builds went by and swept the graph away: take the one that is there now
                _remove(temporary)
                if attempt == _TRIES - 1:
                    raise
        os.rename(temporary, out)
    except OSError as error:
        raise GraphError(
            f"the backup cannot be written: {error.strerror or error}",
            place=str(error.filename or out),
            hint="make room or choose another place; the graph is as it was",
        ) from None
    finally:
        _remove(temporary)
    return size


def restore(source: Path, graph: Path) -> dict[str, int]:
    """Makes a graph folder of a backup.

    Returns:
        What the graph holds.

    Raises:
        GraphError: `source` is no whole backup, or `graph` holds something.
    """
    if graph.exists() and any(f.name != "lock" for f in graph.iterdir()):
        raise GraphError("this folder holds something", place=str(graph), hint="restore into a new folder")
    if not source.exists():
        raise GraphError("there is no such backup", place=str(source))
    temporary = graph.with_name(f".{graph.name}.{uuid.uuid4().hex[:8]}.tmp")
    try:
        graph.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            _linked(source, temporary)
        else:
            with tarfile.open(source) as archive:
                archive.extractall(temporary, filter="data")
        counts = _checked(temporary, source)
        if graph.exists():
            shutil.rmtree(graph)
        os.rename(temporary, graph)
        return counts
    except (tarfile.TarError, EOFError, gzip.BadGzipFile) as error:
        raise GraphError(f"this is no whole backup: {error}", place=str(source)) from None
    except OSError as error:
        raise GraphError(
            f"the backup cannot be restored: {error.strerror or error}", place=str(error.filename or graph)
        ) from None
    finally:
        _remove(temporary)


def _files(folder: Folder) -> tuple[bytes, Iterator[Path]]:
    """The manifest's bytes, and the files that belong to the graph it names, relative to the folder."""
    manifest, current = folder.current()
    data = folder.manifest_file.read_bytes()
    if folder.manifest() != manifest:
        raise FileNotFoundError(f"{folder.manifest_file}: replaced just now")

    def listed() -> Iterator[Path]:
        yield from (folder.records / part for part in manifest.parts)
        yield from sorted(folder.extracted.glob("*/*.msgpack"))
        yield from (path for path in sorted(current.rglob("*")) if path.is_file() and path.name != "LOCK")
        yield from (path for path in (folder.rejected, folder.overrides) if path.is_file())

    return data, (path.relative_to(folder.path) for path in listed())


def _linked(graph: Path, out: Path) -> int:
    data, files = _files(Folder(graph))
    size = len(data)
    for file in files:
        target = out / file
        target.parent.mkdir(parents=True, exist_ok=True)
        size += (graph / file).stat().st_size
        if file.suffix in _FIXED:
            try:
                os.link(graph / file, target)
                continue
            except FileNotFoundError:
                raise
            except OSError:  # another file system, or one without links
                pass
        shutil.copyfile(graph / file, target)
    write_atomically(out / "manifest.json", data)
    return size


def _archive(graph: Path, out: Path, mode: str) -> int:
    data, files = _files(Folder(graph))
    size = 0
    with tarfile.open(out, mode) as archive:  # type: ignore[call-overload]
        for file in files:
            archive.add(graph / file, arcname=str(file), recursive=False)
            size += (graph / file).stat().st_size
        manifest = out.with_name(f"{out.name}.manifest")
        try:
            manifest.write_bytes(data)
            archive.add(manifest, arcname="manifest.json")
        finally:
            manifest.unlink(missing_ok=True)
    return size + len(data)


def _checked(folder: Path, source: Path) -> dict[str, int]:
    """What a restored graph holds, once its records are what their names say and its store opens."""
    manifest, current = Folder(folder).current()
    for part in manifest.parts:
        try:
            with gzip.open(folder / "records" / part, "rb") as lines:
                digest = hashlib.file_digest(lines, "sha256").hexdigest()  # type: ignore[arg-type]
        except (OSError, EOFError) as error:
            raise GraphError(f"this is no whole backup: {error}", place=str(source)) from None
        if not part.startswith(digest[:16]):
            raise GraphError(f"this backup is damaged: records/{part} is not what it was", place=str(source))
    if not (current / "complete").is_file():
        raise GraphError("this is no whole backup: the graph in it is not complete", place=str(source))
    OxigraphStore.open(current / "store")
    return dict(manifest.counts)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)

"""Bulk loads in bounded memory, in this process or in one beside it that loads what is still being written.

Oxigraph's loader collects a million statements, hands them to a thread that sorts them into all its indexes, and
collects the next million meanwhile. `_Feed` holds the next million back until that thread has ended, which halves
the memory; and as the loader keeps tables of its own for the unnamed graph and for named ones, each of them as large
as if all statements were of its kind, statements of the two kinds should come one after the other, not mixed.
All files go through one call: each call would start the database's own compaction of the files of those before it,
and that writes them anew nearly twice as large.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol

import pyoxigraph as ox

_BATCH = 1_000_000  # statements that the loader collects for one thread
_HANDED_OVER = 1_000  # statements after which a batch is surely with its thread
_LONGEST = 300.0  # seconds to wait for a thread; then on, with more memory
_LOOK = 0.02  # seconds between two looks


class Event(Protocol):
    """What tells that the files are complete."""

    def is_set(self) -> bool: ...


class _Feed:
    """The bytes of several files as one stream, a batch at a time.

    Args:
        complete: a file that ends may still grow until this is set; None means that all are complete.
    """

    def __init__(self, files: Iterable[Path], complete: Event | None = None) -> None:
        self._chunks, self._complete = self._read(files), complete
        self._lines, self._pause = 0, _BATCH + _HANDED_OVER
        self._idle: int | None = None
        self._size = 1

    def read(self, size: int = -1) -> bytes:
        """The next bytes, at most `size`; empty at the end."""
        if self._idle is None:
            self._idle = _threads()
        if self._lines >= self._pause:
            self._pause += _BATCH
            self._wait()
        self._size = size if size > 0 else 1 << 16
        chunk = next(self._chunks, b"")
        self._lines += chunk.count(b"\n")
        return chunk

    def _read(self, files: Iterable[Path]) -> Iterator[bytes]:
        for path in files:
            with open(path, "rb") as file:
                while True:
                    whole = (
                        self._complete is None or self._complete.is_set()
                    )  # asked before, lest the last bytes be lost
                    if chunk := file.read(self._size):
                        yield chunk
                    elif whole:
                        break
                    else:
                        time.sleep(_LOOK)

    def _wait(self) -> None:
        end = time.monotonic() + _LONGEST
        while (_threads() or 0) > (self._idle or 0) and time.monotonic() < end:
            time.sleep(_LOOK)


def _threads() -> int:
    """Threads of this process that are not the database's own; 0 where the system does not tell."""
    count = 0
    try:
        for task in os.scandir("/proc/self/task"):
            with open(f"{task.path}/comm", "rb") as name:
                count += not name.read().startswith(b"rocksdb")
    except OSError:  # no such folder, or a thread that has just ended
        return max(count, 0)
    return count


def bulk_load(path: Path, files: Iterable[Path], complete: Event | None = None) -> None:
    """Creates a store in the new folder `path` from N-Quads files.

    Raises:
        OSError: the store cannot be written. SyntaxError: what the files hold is no N-Quads.
    """
    store = ox.Store(str(path))
    store.bulk_load(_Feed(files, complete), format=ox.RdfFormat.N_QUADS)  # type: ignore[arg-type]
    store.flush()


class Load(Protocol):
    """A load under way, to be used in a `with` statement."""

    def __enter__(self) -> Load: ...

    def __exit__(self, *_: object) -> None: ...

    def finish(self) -> None:
        """Says that the files are complete, and returns when the store is.

        Raises:
            OSError: the store could not be written.
        """


class Later:
    """A load in this process, once the files are complete."""

    def __init__(self, path: Path, files: Sequence[Path]) -> None:
        self._path, self._files = path, files

    def __enter__(self) -> Later:
        return self

    def __exit__(self, *_: object) -> None: ...

    def finish(self) -> None:
        bulk_load(self._path, self._files)


class Beside:
    """A load in a process of its own, begun while the files are being written; `with` ends it, whatever happens."""

    def __init__(self, path: Path, files: Sequence[Path]) -> None:
        context = multiprocessing.get_context("spawn")
        self._here, there = context.Pipe()
        self._process = context.Process(target=_work, args=(str(path), [str(f) for f in files], there), daemon=True)
        self._process.start()
        there.close()

    def __enter__(self) -> Beside:
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.is_alive():
            self._process.kill()
        self._process.join()
        self._here.close()

    def finish(self) -> None:
        try:
            self._here.send("complete")
            failed = self._here.recv()
        except (OSError, EOFError):
            self._process.join()
            failed = f"the process that loads ended ({self._process.exitcode})"
        if failed:
            raise OSError(failed)


def _work(path: str, files: list[str], pipe: Connection) -> None:
    complete = threading.Event()

    def listen() -> None:
        try:
            pipe.recv()
            complete.set()
            pipe.recv()
        except (OSError, EOFError):
            os._exit(1)  # nobody waits for the outcome any more: leave the folder alone, at once

    threading.Thread(target=listen, daemon=True).start()
    failed = ""
    try:
        bulk_load(Path(path), map(Path, files), complete)
    except (OSError, SyntaxError, ValueError) as error:
        failed = str(error) or type(error).__name__
    pipe.send(failed)

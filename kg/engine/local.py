"""Extraction on the cores of this machine.

Workers are fresh interpreters (spawn), so nothing of the parent's state can change a result; plain
encoded records cross between processes, never spaCy documents.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator
from itertools import islice

import msgspec

from kg.extract import Extractor
from kg.model import Extraction, Link
from kg.settings import Settings

Item = tuple[str, str, tuple[Link, ...]]

_CHUNK = 200  # papers sent to a worker at once
_WORTH_A_POOL = 600  # papers below which starting processes costs more than it saves

_encoder = msgspec.msgpack.Encoder()
_items = msgspec.msgpack.Decoder(list[Item])
_extractions = msgspec.msgpack.Decoder(list[Extraction])
_extractor: Extractor | None = None


def extract_all(
    items: Iterable[Item], settings: Settings, *, workers: int | None = None, count: int | None = None
) -> Iterator[Extraction]:
    """Extractions of (title, abstract, links) items, in order.

    Args:
        workers: processes; None takes the cores this process may use. count: number of items where
            known; few items are done in this process.
    """
    workers = workers or len(os.sched_getaffinity(0))
    if workers == 1 or (count is not None and count < _WORTH_A_POOL):
        yield from Extractor(settings).pipe(items)
        return
    chunks = _chunks(items)
    context = multiprocessing.get_context("spawn")
    with context.Pool(workers, _start, (settings,)) as pool:
        for encoded in pool.imap(_work, chunks):
            yield from _extractions.decode(encoded)


def _chunks(items: Iterable[Item]) -> Iterator[bytes]:
    iterator = iter(items)
    while chunk := list(islice(iterator, _CHUNK)):
        yield _encoder.encode(chunk)


def _start(settings: Settings) -> None:
    global _extractor
    _extractor = Extractor(settings)


def _work(encoded: bytes) -> bytes:
    assert _extractor is not None
    return _encoder.encode(list(_extractor.pipe(_items.decode(encoded))))

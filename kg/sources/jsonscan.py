"""JSON records one by one: lines, a list, a list inside an object, or objects one after the other.

A record that is not JSON costs itself only: the scan goes on at the next record that looks like its
neighbours. Memory holds one record, however large the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from msgspec import DecodeError, Raw
from msgspec.json import Decoder

MAX_RECORD = 32 << 20
_GUESSES = 40
_decode = Decoder().decode
_check = Decoder(Raw).decode

# A string counts as closed only where JSON goes on after it; a bare quote is then a lost one.
# Possessive throughout: a string of ten million letters that does not end is given up in one pass.
_TOKEN = re.compile(rb'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"(?=\s*[:,\]}])|[{}\[\]"]')
_FIRST_KEY = re.compile(rb'\s*\{\s*("(?:[^"\\\n]|\\.)*"\s*:)')
_KEY = re.compile(rb'"((?:[^"\\\n]|\\.)*)"\s*:')
_CLOSED_WRONGLY = re.compile(rb'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+(?:"\s*\S|\n)')
_START = re.compile(rb"[\s,]*")


class Item(NamedTuple):
    """One record: its place ("line 3", "record 3"), its value, or why there is none and its raw head."""

    place: str
    value: Any = None
    error: str = ""
    raw: bytes = b""


def decode(raw: bytes) -> Any:
    """The value of a JSON text; raises ValueError with the cause, for people."""
    try:
        return _decode(raw)
    except DecodeError as error:
        raise ValueError(f"not valid JSON ({_cause(error, raw)})") from None
    except UnicodeDecodeError:
        raise ValueError("not valid UTF-8") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _cause(error: Exception, raw: bytes) -> str:
    return str(error).removeprefix("JSON is malformed: ") + f", {len(raw)} bytes"


def is_lines(head: bytes) -> bool:
    """True when the bytes are JSON lines: the first full line, or one of the next, is an object by itself."""
    lines = [line for line in head.split(b"\n")[:50] if line.strip()]
    if head.count(b"\n") == 0 or len(lines) == 1 and len(head) >= 1 << 18:
        return False
    for line in lines[:-1] or lines:
        if line.lstrip().startswith(b"{") and line.rstrip().endswith(b"}"):
            try:
                return isinstance(decode(line), dict)
            except ValueError:
                continue
    return False


def list_start(head: bytes, lists: tuple[str, ...]) -> int:
    """Where the first record of a list inside an object stands (behind `"name": [`), or -1."""
    if not lists:
        return -1
    names = b"|".join(re.escape(name.encode()) for name in lists)
    found = re.search(rb'"(?:' + names + rb')"\s*:\s*\[(?=\s*[{\]])', head)
    return found.end() if found else -1


def first_record(head: bytes, lists: tuple[str, ...]) -> tuple[frozenset[str], Any]:
    """Keys of the outermost object (empty for lists and lines) and the first record that can be read.

    A record longer than the head is given as a dict of its keys with None as every value.
    """
    start = head.lstrip()[:1]
    if start not in (b"[", b"{"):
        return frozenset(), None
    top: frozenset[str] = frozenset()
    if start == b"{" and not is_lines(head):
        top = frozenset(m[1].decode("utf-8", "replace") for m in _KEY.finditer(head[: 1 << 16]))
    once = iter((head,))
    for item in records(lambda: next(once, b""), lists, head):
        if isinstance(item.value, dict):
            return top, item.value
        if item.raw[:1] == b"{":
            keys = [m[1].decode("utf-8", "replace") for m in _KEY.finditer(item.raw)]
            return top, dict.fromkeys(keys)
    return top, None


def records(more: Callable[[], bytes], lists: tuple[str, ...], head: bytes) -> Iterator[Item]:
    """Every record of a stream; `more()` gives the next bytes, b"" at the end, beginning with `head`."""
    if is_lines(head):
        yield from _lines(more)
    else:
        yield from _Scan(more, lists, head).items()


def _lines(more: Callable[[], bytes]) -> Iterator[Item]:
    number, rest = 0, b""
    while True:
        data = more()
        lines = (rest + data).split(b"\n")
        rest = lines.pop()[:MAX_RECORD] if data else b""
        for line in lines:
            number += 1
            line = line.strip()
            if not line or line in (b"[", b"]"):
                continue
            place = f"line {number}"
            try:
                yield Item(place, decode(line.removesuffix(b",") if line.endswith(b"},") else line))
            except ValueError as error:
                yield Item(place, None, str(error), line[:4096])
        if not data:
            return


class _Scan:
    """Walks a list (or objects in a row) by brackets and strings only, then decodes each record."""

    def __init__(self, more: Callable[[], bytes], lists: tuple[str, ...], head: bytes) -> None:
        self._more, self._buffer, self._end = more, b"", False
        self._number = 0
        self._key = b""  # first key of the records, as the good ones have it
        self._opener: re.Pattern[bytes] | None = None
        self._names: frozenset[str] = frozenset()
        self._skip = list_start(head, lists)
        if self._skip < 0:
            self._skip = len(head) - len(head.lstrip()) + (head.lstrip()[:1] == b"[")

    def _fill(self) -> bool:
        """More bytes into the buffer; False at the end."""
        data = b"" if self._end else self._more()
        self._end = not data
        self._buffer += data
        return bool(data)

    def items(self) -> Iterator[Item]:
        while len(self._buffer) < self._skip and self._fill():
            pass
        self._buffer = self._buffer[self._skip :]
        at = 0
        while True:
            at = _START.match(self._buffer, at).end()  # type: ignore[union-attr]
            if at >= len(self._buffer):
                self._buffer, at = b"", 0
                if not self._fill():
                    return
                continue
            if self._buffer[at : at + 1] == b"]":  # what follows the list belongs to its envelope
                while self._fill():
                    self._buffer = b""
                return
            if at > 1 << 20:
                self._buffer, at = self._buffer[at:], 0
            self._number += 1
            end = self._guess(at)
            end = end if end > 0 else self._close(at)
            item = self._item(self._buffer[at : max(end, at)] if end > at else self._buffer[at : at + 4096], end > at)
            at = self._resume(at) if item.error else end
            yield item

    def _item(self, raw: bytes, whole: bool) -> Item:
        place = f"record {self._number}"
        if not whole:
            cut = self._end and self._buffer.count(b'"') % 2 == 0
            why = "the data end inside it" if cut else "a quote or bracket is missing"
            return Item(place, None, f"not valid JSON ({why})", raw[:4096])
        try:
            value = decode(raw)
        except ValueError as error:
            return Item(place, None, str(error), raw[:4096])
        if isinstance(value, dict) and value:
            if not self._key and (first := _FIRST_KEY.match(raw)):
                self._key = re.sub(rb"\s+", b"", first[1][:-1])
                self._opener = re.compile(rb"\}\s*,\s*(?=\{\s*" + re.escape(self._key) + rb"\s*:)")
            self._names |= frozenset(value)
        return Item(place, value)

    def _guess(self, at: int) -> int:
        """End of the record at `at` where the next one seems to begin; -1 when that is not so.

        An object is valid JSON only up to its own end, so a guess that decodes is right.
        """
        if not self._opener or self._buffer[at : at + 1] != b"{":
            return -1
        for number, found in enumerate(self._opener.finditer(self._buffer, at)):
            end = found.start() + 1
            try:
                _check(self._buffer[at:end])
                return end
            except (DecodeError, RecursionError):
                if number == _GUESSES:
                    break
        return -1

    def _close(self, at: int) -> int:
        """End of the value that starts at `at`; -1 when it does not close."""
        if self._buffer[at : at + 1] not in (b"{", b"["):
            return self._close_plain(at)
        depth, position = 0, at
        while True:
            for token in _TOKEN.finditer(self._buffer, position):
                kind = token[0]
                if kind == b'"':
                    position = token.start()
                    break
                position = token.end()
                if kind in (b"{", b"["):
                    depth += 1
                elif kind in (b"}", b"]"):
                    depth -= 1
                    if not depth:
                        return position
            else:
                kind = b""
            # A quote that opens no string: what it opens ends in a place, or at a line end, where none can.
            lost = kind == b'"' and _CLOSED_WRONGLY.match(self._buffer, position)
            if lost or len(self._buffer) - at > MAX_RECORD or not self._fill():
                return -1

    def _close_plain(self, at: int) -> int:
        """End of a number, a word or a string standing where a record should."""
        while True:
            found = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[^,\]}{\["\s]+').match(self._buffer, at)
            if found and found.end() < len(self._buffer) or not self._fill():
                return found.end() if found else -1

    def _resume(self, broken: int) -> int:
        """Start of the next record behind a broken one: an object that opens as its neighbours do."""
        first = _FIRST_KEY.match(self._buffer, broken)
        key = self._key or (re.sub(rb"\s+", b"", first[1][:-1]) if first else b"")
        opener = re.compile(rb"\{\s*" + re.escape(key) + rb"\s*:") if key else re.compile(rb"\{")
        at = broken + 1
        while True:
            for found in opener.finditer(self._buffer, at):
                before = self._buffer[max(0, found.start() - 200) : found.start()].rstrip()
                if before[-1:] in (b",", b"}", b"[", b"]") and self._looks_right(found.start()):
                    return found.start()
            at = max(at, len(self._buffer) - 200)
            if len(self._buffer) - broken > MAX_RECORD:
                drop = at - 200
                self._buffer = self._buffer[drop:]
                broken, at = 0, at - drop
            if not self._fill():
                return len(self._buffer)

    def _looks_right(self, at: int) -> bool:
        """True when the object at `at` has most keys of the records seen (or any, before the first)."""
        while len(self._buffer) - at < 1 << 16 and self._fill():
            pass
        keys = {m[1].decode("utf-8", "replace") for m in _KEY.finditer(self._buffer, at, at + (1 << 16))}
        if self._names:
            end = self._close(at)
            try:
                value = decode(self._buffer[at:end]) if end > at else None
            except ValueError:
                value = None
            if isinstance(value, dict):
                return 2 * len(self._names & set(value)) >= min(len(self._names), 6)
            return 2 * len(self._names & keys) >= min(len(self._names), 6)
        end = self._close(at)
        return end < 0 or end - at > 60 or len(keys) > 2

"""XML records one by one, safely: each record is cut out of the stream and parsed alone.

So memory holds one record, an error belongs to the record it stands in, and no document type is ever given
to the parser: nothing is fetched and no entity of a document's own is expanded. Named entities of HTML are
known without a DTD (`dblp.xml` uses them). What encloses a record (the volume of an ACL paper, the journal
of a Crossref article) is given to the parser around it.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from html.entities import name2codepoint
from typing import Any, NamedTuple

from kg.errors import SourceError
from kg.sources.part import Part

_MOST = 64 << 20
_DECLARATION = re.compile(rb"\s*<\?xml[^>]*\?>")
_ENCODING = re.compile(rb"encoding\s*=\s*[\"']([\w.:-]+)", re.I)
_DOCTYPE = re.compile(rb"<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>", re.S)
_OUTSIDE = re.compile(rb"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|<(/?)([\w.:-]+)[^<>]*?(/?)>", re.S)
_ENTITY = re.compile(rb"&([A-Za-z][A-Za-z0-9]*);")
_PREDEFINED = {"lt", "gt", "amp", "quot", "apos"}
# What is kept of the siblings before a record: they describe the volume it belongs to.
_KEPT = {b"meta", b"journal_metadata", b"journal_issue", b"proceedings_metadata", b"event_metadata", b"book_metadata"}


class Element(NamedTuple):
    """A record's element with all it holds, or why there is none and its raw start."""

    node: Any
    place: str
    error: str = ""
    raw: bytes = b""


def root_name(part: Part) -> str:
    """Local name of the document's outermost element, "" when this is no XML."""
    head = part.head[: 1 << 16]
    if not head.lstrip().startswith(b"<"):
        return ""
    head = _DOCTYPE.sub(b"", re.sub(rb"<\?.*?\?>|<!--.*?-->", b"", head, flags=re.S))
    found = re.search(rb"<([A-Za-z_][\w.:-]*)", head)
    return found[1].decode().rpartition(":")[2] if found else ""


def names(part: Part) -> set[str]:
    """Local names of the elements in the head."""
    return {m.decode().rpartition(":")[2] for m in re.findall(rb"<([A-Za-z_][\w.:-]*)", part.head)}


def _local(name: bytes) -> bytes:
    return name.rpartition(b":")[2]


class _Around:
    """The open elements around the place reached, with the start tags and kept children of each."""

    def __init__(self) -> None:
        self._open: list[tuple[bytes, bytes, list[bytes]]] = []

    def add(self, data: bytes) -> None:
        """Bytes outside records."""
        start = 0  # of a child that is being kept
        depth_kept = -1
        for found in _OUTSIDE.finditer(data):
            name = found[2]
            if not name:
                continue
            if found[1]:
                if self._open and self._open[-1][0] == name:
                    self._open.pop()
                    if len(self._open) == depth_kept:
                        self._open[-1][2].append(data[start : found.end()])
                        depth_kept = -1
            elif not found[3]:
                if depth_kept < 0 and self._open and _local(name) in _KEPT:
                    start, depth_kept = found.start(), len(self._open)
                self._open.append((name, found[0], []))

    def wrap(self, record: bytes) -> bytes:
        """A document that holds the record where it stands."""
        before = b"".join(tag + b"".join(kept) for _, tag, kept in self._open)
        return before + record + b"".join(b"</" + name + b">" for name, _, _ in reversed(self._open))

    @property
    def depth(self) -> int:
        return len(self._open)


def elements(part: Part, *tags: str) -> Iterator[Element]:
    """Every element with one of the local names, in order.

    Raises SourceError when the document defines entities of its own.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, remove_comments=True, remove_pis=True, huge_tree=False
    )
    around = _Around()
    for outside, record, line, fault in _records(part, tags):
        around.add(outside)
        place = f"line {line}"
        if fault:
            yield Element(None, place, fault, record[:400])
            continue
        try:
            node = etree.fromstring(around.wrap(_resolved(record)), parser)
        except etree.XMLSyntaxError as error:
            yield Element(None, place, f"not valid XML ({error.msg.partition(', line')[0]})", record[:400])
            continue
        for _ in range(around.depth):
            node = node[-1]
        yield Element(node, place)


def _resolved(record: bytes) -> bytes:
    """The record with HTML's named entities as numbers; others are left to be an error."""
    if b"&" not in record or b"<![CDATA[" in record:
        return record

    def number(found: re.Match[bytes]) -> bytes:
        name = found[1].decode()
        code = None if name in _PREDEFINED else name2codepoint.get(name)
        return found[0] if code is None else b"&#%d;" % code

    return _ENTITY.sub(number, record)


def _records(part: Part, tags: tuple[str, ...]) -> Iterator[tuple[bytes, bytes, int, str]]:
    """What stands before each record, the record, its line, and what is wrong with it."""
    name = rb"(?:[\w.-]+:)?(?:" + "|".join(tags).encode() + rb")"
    begin = re.compile(rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|(<(" + name + rb")(?=[\s/>])[^<>]*>)", re.S)
    more = _bytes(part)
    buffer, line, at = _checked(next(more, b""), part.name), 1, 0
    counted = 0  # how far in the buffer `line` has counted
    while True:
        found = begin.search(buffer, at)
        while found and not found[1]:
            found = begin.search(buffer, found.end())
        data = b""
        if not found:
            data = next(more, b"")
            if not data:
                return
            keep = buffer[at:]
            line += buffer.count(b"\n", counted, at)
            buffer, at, counted = keep + data, 0, 0
            continue
        outside, start = buffer[at : found.start()], found.start()
        own = re.compile(rb"</" + re.escape(found[2]) + rb"\s*>|<" + re.escape(found[2]) + rb"(?=[\s/>])")
        end, fault, position = (found.end(), "", 0) if found[1].endswith(b"/>") else (-1, "", found.end())
        while end < 0 and not fault:
            if close := own.search(buffer, position):
                end = close.end() if close[0].startswith(b"</") else close.start()
                fault = "" if close[0].startswith(b"</") else "not valid XML (the element is not closed)"
                break
            position = max(position, len(buffer) - 300)
            data = next(more, b"")
            if not data or len(buffer) - start > _MOST:
                fault = "the data end inside it" if not data else "is longer than any record can be"
                end = len(buffer)
            buffer += data
        line += buffer.count(b"\n", counted, start)
        counted = start
        yield outside, buffer[start:end], line, fault
        at = end
        if at > 1 << 20:
            line += buffer.count(b"\n", counted, at)
            buffer, at, counted = buffer[at:], 0, 0


def _checked(head: bytes, name: str) -> bytes:
    """The beginning of the document without its document type; refuses one that defines entities."""
    root = re.search(rb"<[A-Za-z_]", head)
    prolog = head[: root.start()] if root else head
    if b"<!ENTITY" in prolog:
        raise SourceError(
            "defines XML entities of its own, which can be used to attack a reader: refused",
            place=name,
            hint="remove the <!ENTITY …> lines, or ask the source for a file without them",
        )
    blank = _DOCTYPE.sub(lambda m: b"\n" * m[0].count(b"\n"), prolog)  # places keep their line numbers
    return blank + head[len(prolog) :]


def _bytes(part: Part) -> Iterator[bytes]:
    """The document in pieces (the first of 64 KiB or all), in UTF-8 whatever it declares."""
    head = b""
    while len(head) < 1 << 16 and (data := part.read(1 << 16)):
        head += data
    declaration = _DECLARATION.match(head)
    stated = _ENCODING.search(declaration[0]) if declaration else None
    encoding = stated[1].decode().lower() if stated else "utf-8"
    if declaration:
        head = b"\n" * declaration[0].count(b"\n") + head[declaration.end() :]
    if encoding.startswith(("utf", "us-ascii", "ascii")):
        yield head
        while data := part.read(1 << 18):
            yield data
        return
    try:
        decoder = codecs.getincrementaldecoder(encoding)("replace")
    except LookupError:
        raise SourceError(f"declares an encoding that is not known: {encoding}", place=part.name) from None
    data = head
    while data:
        yield decoder.decode(data).encode()
        data = part.read(1 << 18)


def text(node: Any, *path: str) -> str:
    """Text below the first element on a path of local names, tags gone, white space squeezed; "" if none."""
    for name in path:
        if node is None:
            return ""
        node = node.find("{*}" + name)
    return "" if node is None else " ".join("".join(node.itertext()).split())


def texts(node: Any, *path: str) -> list[str]:
    """Text of every element on a path of local names."""
    found = node.findall("/".join("{*}" + p for p in path))
    return [t for n in found if (t := text(n))]

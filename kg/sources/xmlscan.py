"""XML records one by one, safely: nothing is fetched, no entity of the document's own is expanded.

Named entities of HTML are declared here, so that files with a DTD (`dblp.xml`) read without it. The parser
recovers from broken markup; the record it stands in is reported, the others are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import name2codepoint
from typing import Any, NamedTuple

from kg.errors import SourceError
from kg.sources.part import Part

_DECLARATION = re.compile(rb"\s*<\?xml[^>]*\?>")
_DOCTYPE = re.compile(rb"<!DOCTYPE\s+(?P<root>[\w:.-]+)[^\[>]*(?P<inner>\[.*?\]\s*)?>", re.S)
_BEFORE_ROOT = re.compile(rb"<[A-Za-z_]")
_PREDEFINED = {"lt", "gt", "amp", "quot", "apos"}


class Element(NamedTuple):
    """An element with all it holds; `error` tells what is wrong with its markup."""

    node: Any
    place: str
    error: str = ""


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


class _Source:
    """The part's bytes with a document type that declares the entities of HTML and nothing else."""

    def __init__(self, part: Part) -> None:
        self._part = part
        head = b""
        while len(head) < 1 << 16 and (data := part.read(1 << 16)):
            head += data
        self._first = _declared(head, part.name)

    def read(self, size: int = -1) -> bytes:
        if self._first:
            data, self._first = self._first, b""
            return data
        return self._part.read(1 << 16 if size < 0 else size)


def _declared(head: bytes, name: str) -> bytes:
    start = _BEFORE_ROOT.search(head)
    prolog = head[: start.start()] if start else head
    if b"<!ENTITY" in prolog:
        raise SourceError(
            "defines XML entities of its own, which can be used to attack a reader: refused",
            place=name,
            hint="remove the <!ENTITY …> lines, or ask the source for a file without them",
        )
    declaration = _DECLARATION.match(head)
    begin = declaration.end() if declaration else 0
    kept = declaration[0] if declaration else b""
    if re.search(rb"(?i)encoding\s*=\s*[\"']utf-?(?:16|32)", kept):  # it reached us as UTF-8
        kept = b'<?xml version="1.0"?>'
    found = _DOCTYPE.search(prolog)
    root = found["root"] if found else b"r"
    lines = b"\n" * (found[0].count(b"\n") if found else 0)  # places keep their line numbers
    rest = prolog[begin : found.start()] + prolog[found.end() :] if found else prolog[begin:]
    entities = "".join(f'<!ENTITY {n} "&#{c};">' for n, c in name2codepoint.items() if n not in _PREDEFINED)
    doctype = b"<!DOCTYPE " + root + b" [" + entities.encode() + b"]>" + lines
    return kept.lstrip() + doctype + rest + (head[start.start() :] if start else b"")


def elements(part: Part, *tags: str) -> Iterator[Element]:
    """Every element with one of the local names, in order; it is emptied once the next is asked for.

    Raises SourceError when the document defines entities of its own.
    """
    from lxml import etree

    context = etree.iterparse(
        _Source(part),
        events=("end",),
        tag=["{*}" + t for t in tags],
        recover=True,
        resolve_entities=True,  # only those declared above exist
        load_dtd=False,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
        huge_tree=False,
    )
    seen = 0
    try:
        for _, node in context:
            faults = [e for e in context.error_log[seen:] if not e.type_name.startswith(("NS_", "WAR_"))]
            seen += len(context.error_log) - seen
            yield Element(node, f"line {node.sourceline}", _fault(faults))
            node.clear()
            parent = node.getparent()
            while parent is not None and node.getprevious() is not None:
                del parent[0]
    except etree.XMLSyntaxError as error:
        yield Element(None, f"line {error.lineno}", f"not valid XML ({error.msg})")
        return
    rest = [e for e in context.error_log[seen:] if not e.type_name.startswith(("NS_", "WAR_"))]
    if rest and not part.damage:
        yield Element(None, f"line {rest[0].line}", _fault(rest))


def _fault(errors: list[Any]) -> str:
    return f"not valid XML ({errors[0].message}, line {errors[0].line})" if errors else ""


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

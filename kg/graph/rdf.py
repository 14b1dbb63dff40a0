"""N-Quads as text: the fastest way from Python records to a bulk load, and easy to look at."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

import pyoxigraph as ox

from kg.vocab import EVIDENCE_GRAPH, XSD

_ESCAPES = {0x7F: "\\u007F"}
_ESCAPES |= {ord('"'): '\\"', ord("\\"): "\\\\", ord("\n"): "\\n", ord("\r"): " ", ord("\t"): "\\t"}
# No XML can hold these, so RDF/XML could not be written, and a lone surrogate is not even a character; XML readers
# make a line feed of a carriage return. All replacements are one character for one: every offset stays.
_NOT_XML = {*range(0x20)} - {0x09, 0x0A, 0x0D} | {0xFFFE, 0xFFFF, *range(0xD800, 0xE000)}
_ESCAPES |= {c: "\ufffd" for c in _NOT_XML}
_PLAIN = str.maketrans(_ESCAPES)
_BAD_IN_IRI = str.maketrans({c: f"%{ord(c):02X}" for c in ' <>"{}|\\^`'} | {c: f"%{c:02X}" for c in range(0x20)})
# Most strings need no escape; looking first is several times faster than translating.
_SPECIAL = re.compile(f"[{re.escape(''.join(map(chr, _ESCAPES)))}]")
_BAD = re.compile(f"[{re.escape(''.join(map(chr, _BAD_IN_IRI)))}]")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")


def ref(iri: str) -> str:
    """An IRI as a term; characters that no IRI may hold are percent-encoded."""
    return f"<{iri.translate(_BAD_IN_IRI)}>" if _BAD.search(iri) else f"<{iri}>"


def web(url: str) -> str:
    """A web address as an IRI; one that cannot be mended into an IRI as a plain string."""
    scheme, colon, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    path = _STRAY_PERCENT.sub("%25", path).replace("[", "%5B").replace("]", "%5D")
    path, hash_, fragment = path.partition("#")
    fragment = fragment.replace("#", "%23")
    for candidate in (url, f"{scheme}{colon}{host}{slash}{path}{hash_}{fragment}"):
        term = ref(candidate)
        try:
            ox.NamedNode(term[1:-1])
        except ValueError:
            continue
        return term if colon else text(url)
    return text(url)


def text(value: str) -> str:
    """A plain string literal."""
    return f'"{value.translate(_PLAIN)}"' if _SPECIAL.search(value) else f'"{value}"'


def integer(value: int) -> str:
    """An xsd:integer."""
    return f'"{value}"^^<{XSD.integer}>'


def boolean(value: bool) -> str:
    """An xsd:boolean."""
    return f'"{"true" if value else "false"}"^^<{XSD.boolean}>'


def decimal(value: float) -> str:
    """An xsd:decimal with up to four digits after the point, in the canonical form of XSD 1.1 ("0.97", "1"), which stores keep."""
    number = Decimal(f"{value:.4f}").normalize()
    return f'"{number:f}"^^<{XSD.decimal}>'


def date(value: str) -> str:
    """An xsd:date."""
    return f'"{value}"^^<{XSD.date}>'


def about(subject: str, pairs: Iterable[tuple[str, str]], graph: str = "") -> list[str]:
    """Lines for one subject: (predicate IRI, object term) pairs, in the default or a named graph.

    `subject` is a term (see `ref`); `graph` is a term or "".
    """
    tail = f" {graph} .\n" if graph else " .\n"
    return [f"{subject} <{predicate}> {obj}{tail}" for predicate, obj in pairs]


EVIDENCE = ref(EVIDENCE_GRAPH)

"""Which format a client gets, of those that an answer can be written in (RFC 9110, section 12.5.1)."""

from __future__ import annotations

ROWS = {
    "application/sparql-results+json": "json",
    "application/sparql-results+xml": "xml",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
    "application/json": "json",
    "application/xml": "xml",
    "text/xml": "xml",
}
TRIPLES = {
    "text/turtle": "ttl",
    "application/n-triples": "nt",
    "application/rdf+xml": "rdf",
    "application/ld+json": "jsonld",
    "application/x-turtle": "ttl",
    "text/n3": "ttl",
    "text/plain": "nt",
    "application/json": "jsonld",
    "application/xml": "rdf",
    "text/xml": "rdf",
}
# What an answer is called, whatever the client called it.
TYPES = {
    "json": "application/sparql-results+json",
    "xml": "application/sparql-results+xml",
    "csv": "text/csv; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "ttl": "text/turtle; charset=utf-8",
    "nt": "application/n-triples; charset=utf-8",
    "rdf": "application/rdf+xml",
    "jsonld": "application/ld+json",
}


def choose(accept: str, offered: dict[str, str]) -> str | None:
    """The format a client likes best; the first offered where it does not care; None where it takes none.

    Args:
        accept: the header, may be empty. offered: media type -> key of a format, the preferred first.

    >>> choose("text/html, text/csv;q=0.5", ROWS)
    'csv'
    """
    wishes = _wishes(accept or "*/*")
    best, key = 0.0, None
    for media, format in offered.items():
        quality = _quality(media, wishes)
        if quality > best:
            best, key = quality, format
    return key


def _wishes(accept: str) -> list[tuple[str, float]]:
    found = []
    for part in accept.lower().split(",")[:64]:
        media, *parameters = (p.strip() for p in part.split(";"))
        quality = 1.0
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip() == "q":
                try:
                    quality = min(max(float(value), 0.0), 1.0)
                except ValueError:
                    quality = 0.0
        if media:
            found.append((media, quality))
    return found


def _quality(media: str, wishes: list[tuple[str, float]]) -> float:
    """Quality that the most specific matching wish gives a media type."""
    kind = media.partition("/")[0]
    for pattern in (media, f"{kind}/*", "*/*"):
        matching = [quality for wish, quality in wishes if wish == pattern]
        if matching:
            return max(matching)
    return 0.0

"""IRIs: deterministic, without blank nodes, never made of a title or of a person's name."""

from __future__ import annotations

import re
from urllib.parse import quote

from kg.text import digest, slug
from kg.vocab import ID

# The strongest identifier of a paper gives its key; the order is part of the contract.
PAPER_SCHEMES = ("openreview", "doi", "arxiv", "acl", "pubmed", "openalex", "s2", "dblp")
PERSON_SCHEMES = ("orcid", "openreview", "dblp", "openalex", "s2")

_SAFE = "-._~!$&'()*+,;=:@/"
_PLAIN_KEY = re.compile(r"[\w./:-]*", re.ASCII).fullmatch
_BASE = str(ID)


def iri(kind: str, key: str) -> str:
    """IRI of an entity: `https://w3id.org/paperkg/id/{kind}/{key}`, the key percent-encoded."""
    return f"{_BASE}{kind}/{key if _PLAIN_KEY(key) else quote(key, safe=_SAFE)}"


def paper_key(ids: tuple[str, ...], fallback: str) -> str:
    """Key of a paper: its strongest global identifier, else `text-` and a digest of `fallback`."""
    for scheme in PAPER_SCHEMES:
        own = sorted(i for i in ids if i.startswith(scheme + ":"))
        if own:
            return f"{scheme}-{own[0][len(scheme) + 1 :]}"
    return f"text-{digest(fallback)}"


def person_key(ids: list[str], fallback: str) -> str:
    """Key of a person: an ORCID or a source profile, else `cluster-` and a digest of `fallback`."""
    for scheme in PERSON_SCHEMES:
        own = sorted(i for i in ids if i.startswith(scheme + ":"))
        if own:
            return f"{scheme}-{own[0][len(scheme) + 1 :].lstrip('~')}"
    return f"cluster-{digest(fallback, length=10)}"


def topic_key(path: tuple[str, ...]) -> str:
    """Key of the topic at the end of a path; its parents are part of the key."""
    return "/".join(slug(part) or digest(part, length=8) for part in path)


_DOI = re.compile(r"10\.\d{4,9}/\S+")
_OPENREVIEW = re.compile(r"openreview\.net/(?:forum|pdf|attachment)\?id=([\w-]+)")
_ARXIV = re.compile(r"arxiv\.org/(?:abs|pdf|html)/((?:\d{4}\.\d{4,5})|(?:[a-z-]+(?:\.[A-Z]{2})?/\d{7}))", re.I)
_ACL = re.compile(r"aclanthology\.org/([\w.-]+?)(?:\.pdf)?/?$")


def ids_from_url(url: str) -> tuple[str, ...]:
    """Global identifiers that a landing page's address carries (OpenReview, arXiv, ACL, DOI).

    >>> ids_from_url("https://openreview.net/forum?id=ZfdnZhOP0k")
    ('openreview:ZfdnZhOP0k',)
    """
    if m := _OPENREVIEW.search(url):
        return (f"openreview:{m[1]}",)
    if m := _ARXIV.search(url):
        return (f"arxiv:{m[1]}",)
    if m := _ACL.search(url):
        return (f"acl:{m[1]}",)
    if "doi.org/" in url and (m := _DOI.search(url)):
        return (f"doi:{m[0].lower().rstrip('.,;)')}",)
    return ()

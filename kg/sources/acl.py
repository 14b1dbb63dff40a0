"""ACL Anthology XML, with its links to code and data sets."""

from __future__ import annotations

import re
from typing import Any

from kg.model import Author, Link, Paper
from kg.sources import fields
from kg.sources.part import Part
from kg.sources.xmlformat import XmlFormat
from kg.sources.xmlscan import text


class AclAnthology(XmlFormat):
    """Papers of a collection; volume front matter is passed over. `pwccode` and software links become
    code links, `pwcdataset` data links.
    """

    key = "acl"
    title = "ACL Anthology XML"
    tags = ("paper",)

    def matches(self, root: str, part: Part) -> float:
        return 0.95 if root == "collection" and b"<volume" in part.head else 0.0

    def paper(self, node: Any) -> Paper:
        volume = node.getparent()
        collection = volume.getparent().get("id")
        own = _anthology_id(node, collection, volume.get("id"))
        meta = volume.find("meta")
        venues = [v.text for v in meta.findall("venue") if v.text] if meta is not None else []
        year = fields.year(text(meta, "year")) if meta is not None else fields.year(collection[:4])
        links = [Link(url=c.get("url"), kind="code") for c in node.findall("pwccode") if c.get("url")]
        links += [Link(url=d.get("url"), kind="data") for d in node.findall("pwcdataset") if d.get("url")]
        return Paper(
            key=own,
            ids=(f"acl:{own}", *fields.doi(text(node, "doi"))),
            title=text(node, "title"),
            abstract=text(node, "abstract"),
            authors=fields.once(a for a in map(_author, node.findall("author")) if a.name),
            year=year,
            venue=_venue(venues, text(meta, "booktitle") if meta is not None else ""),
            event=text(meta, "booktitle") if meta is not None else "",
            links=tuple(dict.fromkeys(links)),
            url=f"https://aclanthology.org/{own}/",
        )


def _anthology_id(node: Any, collection: str, volume: str) -> str:
    """The paper's own id: stated, else put together from collection, volume and number (both schemes)."""
    stated = text(node, "url")
    if stated and not stated.startswith("http"):
        return stated
    number = node.get("id", "")
    if re.match(r"[A-Z]\d\d$", collection):  # before 2020: P18-1001, W18-6301
        wide = collection[0] == "W" or collection in ("C69", "D19")
        return f"{collection}-{volume}{int(number):02d}" if wide else f"{collection}-{volume}{int(number):03d}"
    return f"{collection}-{volume}.{number}"


def _venue(ids: list[str], booktitle: str) -> str:
    if not ids:
        return booktitle
    name = ids[0]
    return {"findings": "Findings", "tacl": "TACL", "coling": "COLING"}.get(name, name.upper())


def _author(node: Any) -> Author:
    name = " ".join(p for p in (text(node, "first"), text(node, "last")) if p)
    return Author(
        name=name,
        affiliations=fields.institutions([t for n in node.findall("affiliation") if (t := text(n))]),
        ids=fields.orcid(node.get("orcid")),
    )


FORMAT = AclAnthology()

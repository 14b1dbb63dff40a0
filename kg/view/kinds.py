"""How kinds of entities and relations look and read on the page: one table each.

The colours keep a contrast of at least 3:1 against the light and against the dark page, so that one
palette serves both; the shapes tell the kinds apart without colour.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Kind(NamedTuple):
    """Look of one kind of entity.

    Attributes:
        one, many: its name in the singular and the plural.
        color: fill, as `#rrggbb`.
        shape: name of the vis-network shape.
        icon: the same shape as an SVG path in a box from -10 to 10.
        scale: factor on the node's size that makes shapes of equal size look equally large.
    """

    one: str
    many: str
    color: str
    shape: str
    icon: str
    scale: float = 1.0


_CIRCLE = "M-8 0A8 8 0 1 0 8 0A8 8 0 1 0 -8 0Z"
_SQUARE = "M-7 -7H7V7H-7Z"
_DIAMOND = "M0 -9.5L9.5 0L0 9.5L-9.5 0Z"
_HEXAGON = "M9 0L4.5 7.8H-4.5L-9 0L-4.5 -7.8H4.5Z"
_DOWN = "M-9 -7H9L0 8.5Z"
_UP = "M-9 7H9L0 -8.5Z"
_STAR = "M0 -9.5L2.4 -3.3L9 -2.9L3.9 1.3L5.6 7.7L0 4.1L-5.6 7.7L-3.9 1.3L-9 -2.9L-2.4 -3.3Z"

KINDS: dict[str, Kind] = {
    "paper": Kind("paper", "papers", "#4a80d8", "square", _SQUARE, 0.85),
    "person": Kind("person", "people", "#d0762a", "dot", _CIRCLE),
    "method": Kind("method", "methods", "#cc5187", "diamond", _DIAMOND, 1.25),
    "dataset": Kind("data set", "data sets", "#26957a", "hexagon", _HEXAGON, 1.1),
    "repository": Kind("repository", "repositories", "#8f6cd6", "triangleDown", _DOWN),
    "topic": Kind("topic", "topics", "#98832e", "star", _STAR, 1.3),
    "venue": Kind("venue", "venues", "#68838f", "triangle", _UP),
    "event": Kind("event", "events", "#3d8ca6", "triangle", _UP),  # one edition of a venue: its shape
}
OTHER = Kind("other", "others", "#808080", "dot", _CIRCLE)

# How a relation reads along the edge and against it; their order is that of the groups in the details.
RELATIONS: dict[str, tuple[str, str]] = {
    "creator": ("written by", "wrote"),
    "proposesMethod": ("proposes", "proposed by"),
    "usesMethod": ("uses", "used by"),
    "mentionsMethod": ("mentions", "mentioned by"),
    "introducesDataset": ("introduces", "introduced by"),
    "usesDataset": ("uses data from", "data used by"),
    "mentionsDataset": ("mentions", "mentioned by"),
    "hasRepository": ("has repository", "repository of"),
    "mentionsRepository": ("mentions", "mentioned by"),
    "subject": ("about", "topic of"),
    "addressesTask": ("about", "topic of"),
    "broader": ("part of", "covers"),
    "related": ("related to", "related to"),
    "superEvent": ("edition of", "edition"),
    "presentedAt": ("presented at", "presented here"),
    "cites": ("cites", "cited by"),
    "coauthor": ("wrote with", "wrote with"),
    "coAuthor": ("wrote with", "wrote with"),
    "sharesDataset": ("shares data with", "shares data with"),
    "sharesMethod": ("shares a method with", "shares a method with"),
    "sharesCode": ("shares code with", "shares code with"),
}


def phrases(relation: str) -> tuple[str, str]:
    """The relation in words, along and against its direction; an unknown one is split at capitals.

    >>> phrases("creator"), phrases("evaluatedOn")
    (('written by', 'wrote'), ('evaluated on', 'evaluated on (of)'))
    """
    known = RELATIONS.get(relation)
    if known:
        return known
    local = re.split(r"[#/:]", relation)[-1] or relation
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_-]+", " ", local).lower().strip() or "linked to"
    return words, f"{words} (of)"


def kind_of(kind: object) -> Kind:
    """Look of a kind; unknown kinds share a grey one under their own name."""
    name = str(kind or "other")
    return KINDS.get(name) or OTHER._replace(one=name, many=name)

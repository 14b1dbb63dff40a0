"""What the XML formats share: walk the records, build a paper from each, reject those that are broken."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar

from kg.model import Paper, Rejected
from kg.sources import xmlscan
from kg.sources.base import located, reject
from kg.sources.part import Part


class XmlFormat(ABC):
    """A subclass names the record elements and says how one becomes a paper."""

    key: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = (".xml",)
    tags: ClassVar[tuple[str, ...]]

    def sniff(self, part: Part) -> float:
        root = xmlscan.root_name(part)
        return self.matches(root, part) if root else 0.0

    @abstractmethod
    def matches(self, root: str, part: Part) -> float:
        """How sure a document with this root element is of the format."""

    @abstractmethod
    def paper(self, node: Any) -> Paper | None:
        """The paper in a record element; None for what is no paper."""

    def read(self, part: Part) -> Iterator[Paper | Rejected]:
        for node, place, error, raw in xmlscan.elements(part, *self.tags):
            if error:
                yield reject(part, place, error, raw)
                continue
            try:
                found = self.paper(node)
            except (ValueError, TypeError, KeyError, AttributeError, IndexError) as why:
                yield reject(part, place, str(why) or type(why).__name__, xmlscan.text(node))
                continue
            if found:
                yield located(found, part, place, self)

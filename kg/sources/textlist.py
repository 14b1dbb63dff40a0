"""Plain text lists: abstracts one after the other, with or without topic, title and author lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from kg.model import Author, Origin, Paper, Rejected
from kg.sources import fields
from kg.sources.base import origin, reject
from kg.sources.part import Part
from kg.sources.textunits import Unit, units

_GRAMMAR_FROM = 300
_HEADING = re.compile(
    r"(?i)论文|列表|检索|目录|摘要集|\b(?:accepted|papers?|proceedings|conference|workshop|abstracts|results|"
    r"publications|reading list|bibliography|program(?:me)?)\b|^\W*[A-Z][\w-]+\s+(?:19|20)\d\d\W*$"
)
_CONFERENCE = re.compile(r"\b(3DV|[A-Z][A-Za-z]*[A-Z][A-Za-z]*)[\s'-]*((?:19|20)\d\d)\b")


class TextList:
    """A heading, then abstracts separated by blank lines; before each there may stand a line with the
    topic (`Area · Subarea`), the title and the authors, in the order the list keeps. Numbers, bullets and
    labels (`Authors:`) are understood; lines may follow each other without blank lines.
    """

    key = "text"
    title = "plain text list of abstracts"
    suffixes = (".txt", ".text", ".md")

    def sniff(self, part: Part) -> float:
        if part.binary or "\0" in part.text[:4096]:
            return 0.0
        found = list(islice(units(part.text.splitlines()), 80))
        bodies = sum(u.kind == "body" for u in found)
        named = sum(u.kind == "authors" for u in found)
        if bodies and all(u.place == found[0].place for u in found) and len(part.head) > 1 << 17:
            return 0.1  # one endless line
        return 0.25 if bodies else 0.15 if named >= 2 and len(found) >= 2 * named else 0.0

    def read(self, part: Part) -> Iterator[Paper | Rejected]:
        stream = units(part.lines())
        known = list(islice(stream, _GRAMMAR_FROM))
        grammar = _Grammar(known)
        held: Paper | Rejected | None = None
        for group in _groups(chain(known, stream)):
            if held:
                yield held
            held = grammar.paper(group, part, self)
        if isinstance(held, Paper) and part.damage:
            held = reject(part, held.origins[0].place, "the data end inside it", held.abstract)
        if held:
            yield held


def _groups(stream: Iterator[Unit]) -> Iterator[list[Unit]]:
    """Units up to and including the next abstract; a topic line also starts a new group."""
    group: list[Unit] = []
    for unit in stream:
        starts = unit.kind in ("topic", "title:") and any(u.kind == unit.kind for u in group)
        if starts:
            yield group
            group = []
        group.append(unit)
        if unit.kind == "body":
            yield group
            group = []
    if group:
        yield group


class _Grammar:
    """What the lines before an abstract mean in this list, learned from its beginning."""

    def __init__(self, known: list[Unit]) -> None:
        groups = list(_groups(iter(known)))
        self.first = True
        self.named = False
        self.venue, self.year = "", None
        later = groups[1:] if len(groups) > 1 else groups
        with_title = sum(bool(self._split(g, titled=True)[1]) for g in later)
        self.titled = 2 * with_title > len(later)
        # A line with one name is an author line where the others are.
        self.named = not self.titled and 2 * sum(any(u.kind == "authors" for u in g) for g in later) > len(later)
        head = groups[0][0] if groups else None
        if len(groups) == 1 and head and head.kind == "short" and _HEADING.search(head.text):
            self.titled = sum(u.kind == "short" for u in groups[0]) > 1
        if head and head.kind == "short" and (found := _CONFERENCE.search(head.text)):
            self.venue, self.year = found[1], int(found[2])

    def _split(self, group: list[Unit], titled: bool) -> tuple[Unit | None, Unit | None, Unit | None]:
        """Topic, title and author line of a group."""
        topic = next((u for u in group if u.kind in ("topic", "topic:")), None)
        title = next((u for u in group if u.kind == "title:"), None)
        names = next((u for u in group if u.kind == "authors:"), None)
        rest = [u for u in group if u.kind in ("short", "authors")]
        if not names and rest:
            # The author line is the last one that can be it, right before the abstract.
            after = topic and group.index(rest[-1]) > group.index(topic)  # a heading stands before the topic
            alone = after or not topic and (self.named or titled and len(rest) > 1)
            if rest[-1].kind == "authors" or rest[-1].maybe_name and alone:
                names = rest.pop()
            elif len(rest) > 1 and (rest[0].kind == "authors" or rest[-2].kind == "authors"):
                names = rest.pop(0 if rest[0].kind == "authors" else -2)
        if not title and rest and titled:
            title = rest[-1]
        return topic, title, names

    def paper(self, group: list[Unit], part: Part, form: TextList) -> Paper | Rejected | None:
        first, self.first = self.first, False
        body = group[-1] if group[-1].kind == "body" else None
        topic, title, names = self._split(group, self.titled)
        if first and title and title is group[0] and title.kind == "short" and self._is_heading(title, group):
            title = None
        if not body and not title:
            if first and not topic and not names or all(u.kind == "short" for u in group):
                return None  # a heading alone, or a last line such as a page number
            place = f"line {group[0].line}"
            return reject(part, place, "a topic or author line without an abstract", group[-1].text)
        anchor = title or names or body or group[0]
        where: Origin = origin(part, f"line {(body or anchor).line}", form)
        extra = {u.kind: u.text for u in group if u.kind in ("keywords:", "url:", "venue:", "id:")}
        venue, year, event = fields.venue(extra.get("venue:")) if "venue:" in extra else (self.venue, self.year, "")
        urls = extra.get("url:", "")
        return Paper(
            ids=fields.ids_in(urls),
            title=title.text if title else "",
            abstract=body.text if body else "",
            authors=_people(names),
            topics=(fields.topic(topic.text),) if topic else (),
            keywords=fields.strings(extra.get("keywords:")),
            venue=venue,
            year=year,
            event=event,
            url=urls if urls.startswith("http") else "",
            origins=(where,),
        )

    def _is_heading(self, unit: Unit, group: list[Unit]) -> bool:
        others = [u for u in group if u.kind in ("short", "authors") and u is not unit]
        return bool(_HEADING.search(unit.text)) and not (others and others[0].kind == "authors" and len(unit.text) > 60)


def _people(unit: Unit | None) -> tuple[Author, ...]:
    return fields.authors(unit.text) if unit else ()


FORMAT = TextList()

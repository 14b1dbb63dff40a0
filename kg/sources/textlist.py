"""Plain text lists: abstracts one after the other, with or without topic, title and author lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from kg.model import Author, Origin, Paper, Rejected
from kg.sources import fields
from kg.sources.base import origin, reject
from kg.sources.part import Part
from kg.sources.textunits import PAGE_WORDS, Unit, units, without_marks

_GRAMMAR_FROM = 300
_HEADING = re.compile(
    r"(?i)论文|列表|检索|目录|摘要集|\b(?:accepted|papers?|proceedings|conference|workshop|abstracts|results|"
    r"publications|reading list|bibliography|program(?:me)?)\b|^\W*[A-Z][\w-]+\s+(?:19|20)\d\d\W*$"
)
# Lines around a list that belong to the page, not to a paper.
_BOILERPLATE = re.compile(
    rf"(?i)\W*(?:page\s*)?\d*(?:\s*(?:of|/)\s*\d+)?\W*$|.*(?:©|copyright|all rights reserved)|(?:{PAGE_WORDS.pattern[4:]})"
)
_INSTITUTION = re.compile(
    r"(?i)\b(?:universit\w*|institut\w*|college|academy|laborator\w*|labs?|department|school of|faculty|inc|gmbh|"
    r"research cent\w+|hospital|polytechni\w*|corporation)\b|大学|研究院|学院|研究所|公司"
)
_IN_BRACKETS = re.compile(r"\s*\(([^()]*)\)\s*$")
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
            for found in grammar.read(group, part, self):
                if held:
                    yield held
                held = found
        if isinstance(held, Paper) and part.damage:
            held = reject(part, held.origins[0].place, "the data end inside it", held.abstract)
        if held:
            yield held


def _groups(stream: Iterator[Unit]) -> Iterator[list[Unit]]:
    """Units up to and including the next abstract; a topic line also starts a new group, and so does a title
    above an author line where the paper before has its authors but no abstract."""
    group: list[Unit] = []
    for unit in stream:
        starts = unit.kind in ("topic", "title:") and any(u.kind == unit.kind for u in group)
        if starts:
            yield group
            group = []
        elif unit.kind == "authors" and any(u.kind == "authors" for u in group[:-1]) and group[-1].kind == "short":
            yield group[:-1]
            group = group[-1:]
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
        later = [g for g in later if g[-1].kind == "body"] or later
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
        rest = [u for u in group if u.kind in ("short", "authors") and not _is_place(u, group)]
        rest = [u for u in rest if not _BOILERPLATE.match(u.text)]
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

    def read(self, group: list[Unit], part: Part, form: TextList) -> Iterator[Paper | Rejected]:
        """The paper of a group, and a rejected record for each line that is neither of it nor of the page."""
        first, self.first = self.first, False
        body = group[-1] if group[-1].kind == "body" else None
        topic, title, names = self._split(group, self.titled)
        if first and title and title is group[0] and title.kind == "short" and self._is_heading(title, group):
            title = None
        places = [u for u in group if _is_place(u, group)]
        used = {id(u) for u in (topic, title, names, body, *places) if u}
        for unit in group:
            if (
                id(unit) in used
                or unit.kind not in ("short", "authors", "cut", "topic")
                or _BOILERPLATE.match(unit.text)
            ):
                continue
            if unit.kind == "short" and (first or _HEADING.search(unit.text)):
                continue  # a heading of the list or of a part of it
            if not body and not title and unit is not group[0] and unit.kind != "cut":
                continue  # told below
            why = "begins in mid-sentence" if unit.kind == "cut" else "a line that belongs to no paper"
            yield reject(part, unit.place, why, unit.text)
        if not body and not title:
            if topic or names:
                lone = topic or names or group[0]
                yield reject(part, lone.place, "a topic or author line without an abstract", lone.text)
            return
        anchor = title or names or body or group[0]
        where: Origin = origin(part, (body or anchor).place, form)
        extra = {u.kind: u.text for u in group if u.kind in ("keywords:", "url:", "venue:", "id:")}
        venue, year, event = fields.venue(extra.get("venue:")) if "venue:" in extra else (self.venue, self.year, "")
        urls = extra.get("url:", "")
        yield Paper(
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
            affiliations=tuple(p for u in places for p in fields.institutions(without_marks(u.text).strip())),
        )

    def _is_heading(self, unit: Unit, group: list[Unit]) -> bool:
        others = [u for u in group if u.kind in ("short", "authors") and u is not unit]
        return bool(_HEADING.search(unit.text)) and not (others and others[0].kind == "authors" and len(unit.text) > 60)


def _is_place(unit: Unit, group: list[Unit]) -> bool:
    """True for the line of institutions below an author line."""
    at = group.index(unit)
    if at == 0 or unit.kind not in ("short", "authors") or group[at - 1].kind not in ("authors", "authors:"):
        return bool(at and unit.kind in ("short", "authors") and _INSTITUTION.search(unit.text)) and any(
            u.kind in ("authors", "authors:") for u in group[:at]
        )
    below_title = at > 1 and group[at - 2].kind in ("short", "title:")
    return bool(_INSTITUTION.search(unit.text)) or below_title and unit.maybe_name


def _people(unit: Unit | None) -> tuple[Author, ...]:
    """Authors of an author line; brackets behind every name hold affiliations."""
    if not unit:
        return ()
    names = fields.split_names(_outside(without_marks(unit.text).replace("⋅", ";")))
    inside = [_IN_BRACKETS.search(n) for n in names]
    if len(names) > 1 and all(inside):
        return tuple(
            Author(name=n[: m.start()].strip(), affiliations=fields.institutions(m[1].replace(_COMMA, ",")))
            for n, m in zip(names, inside, strict=True)
            if m
        )
    return fields.authors([n.replace(_COMMA, ",") for n in names])


_COMMA = "\ue000"  # a comma inside brackets, while the line is split at the others


def _outside(text: str) -> str:
    return re.sub(r"\([^()]*\)", lambda m: m[0].replace(",", _COMMA).replace(";", _COMMA), text)


FORMAT = TextList()

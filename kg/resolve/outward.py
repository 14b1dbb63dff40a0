"""Links outward: a person's lists of what data sets, methods and topics are elsewhere, in `links.csv` or `links.tsv`.

Every `links*.csv` and `links*.tsv` in the graph folder is read by every build. The columns, in any order:

    kind      method, dataset or topic
    name      the name; of a topic its own or the whole path, parts joined by " · " or "/"
    iri       what it is elsewhere (http or https); may be empty where `page` is given
    page      its landing page (http or https)
    match     exact (default), close, broad (that is wider) or narrow
    aliases   other names, joined by "|"
    entity    the address here (id:method/…), where several things bear the name
    because   a reason of your own, kept beside the link

A name alone never makes two things one: no link is `owl:sameAs`, and an "exact" that rests on less than the one
bearer of the name becomes "close". What was matched, and why, is kept.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from msgspec import Struct

from kg.errors import SettingsError
from kg.ids import topic_key
from kg.resolve.forms import name_form
from kg.resolve.names import NamedEntity, Names
from kg.resolve.references import nearest
from kg.resolve.resolve import Outward, Resolved
from kg.sources.fields import EMAIL
from kg.text import digest, fold
from kg.vocab import ID

COLUMNS = ("kind", "name", "iri", "page", "match", "aliases", "entity", "because")
KINDS = ("method", "dataset", "topic")
MATCHES = ("exact", "close", "broad", "narrow")
_IRI = re.compile(r"https?://[^\s<>\"{}|\\^`\x00-\x20@/]+(?:[/?#][^\s<>\"{}|\\^`\x00-\x20]*)?")
_NAMED = 5  # addresses that a message spells out


class Row(Struct, frozen=True):
    """One line of a list; `file` is its base name, `line` counts from 1 with the head."""

    file: str
    line: int
    kind: str
    name: str
    iri: str = ""
    page: str = ""
    match: str = "exact"
    aliases: tuple[str, ...] = ()
    entity: str = ""
    because: str = ""


class Linked(Struct):
    """The outcome: the links, and for rows of which it is not clear whom they mean, why, one line each.

    Attributes:
        rows: how many there were. absent: rows of which the graph holds no bearer.
    """

    links: tuple[Outward, ...] = ()
    unclear: tuple[str, ...] = ()
    rows: int = 0
    absent: int = 0


def read_lists(paths: Iterable[Path]) -> tuple[list[Row], str]:
    """The rows of all lists, and a digest of the files' bytes ("" without files).

    Raises:
        SettingsError: a file cannot be read or a line is malformed; with file, line and remedy.
    """
    rows: list[Row] = []
    read: list[str] = []
    for path in sorted(paths):
        try:
            text = path.read_bytes().decode("utf-8-sig")
        except OSError as error:
            raise SettingsError(f"the list of links cannot be read: {error.strerror}", place=str(path)) from None
        except UnicodeDecodeError as error:
            raise SettingsError(f"the list of links is not UTF-8 text ({error.reason})", place=str(path)) from None
        rows += parse_list(text, path)
        read += [path.name, text]
    return rows, digest(*read) if read else ""


def parse_list(text: str, path: Path) -> list[Row]:
    """The rows of one list; see `read_lists`."""
    reader = csv.reader(StringIO(text, newline=""), delimiter="\t" if path.suffix == ".tsv" else ",", strict=True)
    head: list[str] = []
    rows = []
    line = 1
    try:
        for cells in reader:
            place = f"{path}, line {line}"
            line = reader.line_num + 1
            if not any(map(str.strip, cells)):
                continue
            if not head:
                head = _head(cells, place)
            elif len(cells) > len(head):
                hint = f"the head names {len(head)} columns; quote a cell that holds the separator"
                raise SettingsError(f"{len(cells)} cells", place=place, hint=hint)
            else:
                given = dict(zip(head, map(str.strip, cells), strict=False))
                rows.append(_row(given, path.name, int(place.rpartition(" ")[2]), place))
    except csv.Error as error:
        hint = 'quote a cell that holds the separator, and write " in it twice'
        raise SettingsError(f"this is no table: {error}", place=f"{path}, line {reader.line_num}", hint=hint) from None
    return rows


def _head(cells: Sequence[str], place: str) -> list[str]:
    head = [c.strip().casefold() for c in cells]
    for n, name in enumerate(head):
        if name not in COLUMNS:
            near = get_close_matches(name, COLUMNS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"the columns are {', '.join(COLUMNS)}"
            raise SettingsError(f"there is no column {cells[n].strip()!r}", place=place, hint=hint)
        if name in head[:n]:
            raise SettingsError(f"two columns {name!r}", place=place, hint="leave one out")
    if missing := [c for c in ("kind", "name") if c not in head]:
        raise SettingsError(f"there is no column {missing[0]}", place=place, hint=f"known are {', '.join(COLUMNS)}")
    return head


def _row(given: Mapping[str, str], file: str, line: int, place: str) -> Row:
    """One checked line."""
    values: dict[str, Any] = {k: v for k, v in given.items() if v}
    for column, value in values.items():
        if "@" in value and EMAIL.search(value):
            raise SettingsError(
                f"{column} holds an e-mail address", place=place, hint="the graph keeps none; leave it out"
            )
    kind = values.get("kind", "").casefold().replace(" ", "")
    match = values.get("match", "exact").removeprefix("skos:").removesuffix("Match").casefold()
    if kind not in KINDS:
        raise SettingsError(
            f"there is no kind {values.get('kind', '')!r}", place=place, hint=f"kinds: {', '.join(KINDS)}"
        )
    if match not in MATCHES:
        raise SettingsError(f"there is no match {values['match']!r}", place=place, hint=f"known: {', '.join(MATCHES)}")
    if not values.get("name"):
        raise SettingsError("a line without a name", place=place, hint="write the name this is known by")
    if "iri" not in values and "page" not in values:
        raise SettingsError(f"{values['name']!r} links to nothing", place=place, hint="fill in iri, page or both")
    for column in ("iri", "page"):
        address = values.get(column, "")
        if address and (not _IRI.fullmatch(address) or address.startswith(ID)):
            own = address.startswith(ID)
            hint = "link to something elsewhere" if own else "write the whole address, https://…, without blanks"
            raise SettingsError(f"{column} {address!r} is no {'outward ' * own}web address", place=place, hint=hint)
    aliases = tuple(a for a in (part.strip() for part in values.get("aliases", "").split("|")) if a)
    return Row(file, line, **{**values, "kind": kind, "match": match, "aliases": aliases})


def match_lists(rows: Sequence[Row], resolved: Resolved, paths: Mapping[str, Path] | None = None) -> Linked:
    """The links that the rows make with what a graph holds.

    Raises:
        SettingsError: a row names an entity that the graph does not hold, or one of another kind.
    """
    if not rows:
        return Linked()
    books = {"method": _Book("method", resolved.methods), "dataset": _Book("dataset", resolved.datasets)}
    topics = _topics(resolved)
    links: dict[tuple[str, str, str, str], Outward] = {}
    unclear: list[str] = []
    absent = 0
    for row in rows:
        if row.kind == "topic":
            found = _topic(row, topics)
        elif row.entity:
            found = [(books[row.kind].addressed(row), row.match, "its address is given")]
        else:
            found = books[row.kind].bearers(row)
        if isinstance(found, str):
            unclear.append(f"{row.file}, line {row.line}: {found}")
            continue
        absent += not found
        for key, match, why in found:
            why = f"{why}; {row.because}" if row.because else why
            for target, how in ((row.iri, match), (row.page if match == row.match else "", "page")):
                if target:
                    link = Outward(row.kind, key, how, target, why, row.file, row.line)
                    links.setdefault((row.kind, key, how, target), link)
    return Linked(tuple(sorted(links.values())), tuple(unclear), len(rows), absent)


Found = list[tuple[str, str, str]]  # entity key, match, why


class _Book:
    """The entities of one kind by their names."""

    def __init__(self, kind: str, names: Names) -> None:
        self._kind, self._names = kind, names
        self._labels: dict[str, list[str]] = defaultdict(list)
        self._others: dict[str, list[str]] = defaultdict(list)
        for key in sorted(names.entities):
            entity = names.entities[key]
            own = {form for form in (entity.form, name_form(entity.label)) if form}
            for form in own:
                self._labels[form].append(key)
            for form in {name_form(a) for a in entity.aliases} - own:
                self._others[form].append(key)

    def addressed(self, row: Row) -> str:
        """The key of the entity whose address a row gives."""
        kind, _, key = row.entity.strip("<>").removeprefix(ID).removeprefix("id:").partition("/")
        key = unquote(key)
        place = f"{row.file}, line {row.line}"
        if kind != row.kind:
            raise SettingsError(
                f"{row.entity!r} is no {row.kind} of this graph", place=place, hint=f"write id:{row.kind}/…"
            )
        key = self._names.replaced.get(key, key)
        if key not in self._names.entities:
            hint = nearest(key, self._names.entities, prefix=f"id:{kind}/") or "kg show NAME tells the address"
            raise SettingsError(f"no {kind} of this graph is {row.entity!r}", place=place, hint=hint)
        return key

    def bearers(self, row: Row) -> Found | str:
        """Whom a row means; in words why that is not clear."""
        forms = [name_form(name) for name in (row.name, *row.aliases)]
        found = self._by(self._labels, forms[:1], row, row.name)
        if isinstance(found, str):
            return found
        other = self._by(self._labels, forms[1:], row, "")
        taken = {key for key, _, _ in found}
        if not found and isinstance(other, list) and len(other) == 1:
            key, match, why = other[0]
            return [(key, match, why)]
        if isinstance(other, list):
            close = [(key, _weaker(match), why) for key, match, why in other if key not in taken]
            found = [*found, *close]
        if found:
            return found
        by_alias = [key for form in dict.fromkeys(forms) for key in self._others.get(form, ())]
        if len(set(by_alias)) == 1 and not self._entity(by_alias[0]).ambiguous:
            entity = self._entity(by_alias[0])
            return [(entity.key, _weaker(row.match), f"{row.name} is another name of {entity.label} here")]
        return other if isinstance(other, str) else []

    def _by(self, book: Mapping[str, list[str]], forms: Sequence[str], row: Row, name: str) -> Found | str:
        """The bearers in a book of the names with these forms; `name` is what to call them, "" for an alias."""
        found: Found = []
        for form in dict.fromkeys(forms):
            keys = [k for k in book.get(form, ()) if not self._entity(k).ambiguous]
            every = book.get(form, [])
            shown = name or next(a for a in row.aliases if name_form(a) == form)
            if len(every) == 1 and keys:
                found.append((keys[0], row.match, f"the only {_word(self._kind)} here that is called {shown}"))
                continue
            if not every:
                continue
            told = [k for k in keys if self._tells(row, form, self._entity(k))]
            if len(told) == 1:
                why = f"of {len(every)} called {shown}, the one that bears another name of the list too"
                found.append((told[0], row.match, why))
                continue
            # The main meaning of a name has the plain address, the others have more behind it.
            main = [k for k in keys if all(other == k or other.startswith(f"{k}-") for other in every)]
            if len(main) == 1 and not told:
                found.append((main[0], _weaker(row.match), f"of {len(every)} called {shown}, the one most papers mean"))
                continue
            some = ", ".join(f"id:{self._kind}/{k}" for k in (told or keys)[:_NAMED])
            return f"{shown} is the name of {len(every)} {_word(self._kind)}s; say which in the column entity: {some}"
        return found

    def _tells(self, row: Row, form: str, entity: NamedEntity) -> bool:
        """Whether an entity bears another of a row's names."""
        own = {name_form(a) for a in (entity.label, *entity.aliases)} - {form}
        return any(name_form(a) in own for a in (row.name, *row.aliases))

    def _entity(self, key: str) -> NamedEntity:
        return self._names.entities[key]


def _topics(resolved: Resolved) -> dict[str, set[str]]:
    """Topic keys by the folded name and by the folded path."""
    found: dict[str, set[str]] = defaultdict(set)
    every = (path for paper in resolved.papers for path in paper.topics)
    for path in {full[:n] for full in every for n in range(1, len(full) + 1)}:
        found[fold(path[-1])].add(topic_key(path))
        found[fold(" ".join(path))].add(topic_key(path))
    return found


def _topic(row: Row, topics: Mapping[str, set[str]]) -> Found | str:
    if row.entity:
        key = row.entity.strip("<>").removeprefix(ID).removeprefix("id:").removeprefix("topic/")
        known = {k for keys in topics.values() for k in keys}
        if key not in known:
            hint = nearest(key, sorted(known), prefix="id:topic/")
            raise SettingsError(
                f"no topic of this graph is {row.entity!r}", place=f"{row.file}, line {row.line}", hint=hint
            )
        return [(key, row.match, "its address is given")]
    for n, name in enumerate((row.name, *row.aliases)):
        keys = sorted(topics.get(fold(name), ()))
        if len(keys) == 1:
            match = _weaker(row.match) if n else row.match
            return [(keys[0], match, f"the only topic here that is called {name}")]
        if keys:
            some = ", ".join(f"id:topic/{k}" for k in keys[:_NAMED])
            return f"{name} is the name of {len(keys)} topics; say which in the column entity: {some}"
    return []


def _weaker(match: str) -> str:
    return "close" if match == "exact" else match


def _word(kind: str) -> str:
    return {"dataset": "data set"}.get(kind, kind)

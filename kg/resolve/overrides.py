"""`overrides.toml`: what a person has set right, in plain records.

The file stands in the graph folder and is read by every build. Its tables:

    [[same]]        things = [A, B, …]             one thing; the first keeps its address
    [[different]]   things = [A, B, …]             as many things as are listed
    [[rename]]      thing = A, label = "…"         the name to show
    [[kind]]        thing = A, is = "dataset"      a method that is a data set, or the other way round
    [[wrong]]       paper = P, thing = A           what the graph says of this paper and this thing does not hold
    [[right]]       paper = P, thing = A           it does hold; is added where the text was not understood

A thing is an IRI, its short form (`id:method/…`), or what a paper says: `{paper = "arxiv:…", name = "…"}`
(an author, a method or a data set as printed there). A paper is any of its identifiers, its key or IRI.
`[[wrong]]` and `[[right]]` take `relation = "proposes" | "uses" | "introduces" | "code"`. Every table
takes `because = "…"`, which nobody reads but people.
"""

from __future__ import annotations

import re
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from kg.errors import SettingsError
from kg.text import digest

FILE = "overrides.toml"
Text = Annotated[str, Meta(min_length=1)]
Relation = Literal["", "proposes", "uses", "introduces", "code"]


class Printed(Struct, frozen=True, forbid_unknown_fields=True):
    """What one paper prints: an author, a method or a data set of this name."""

    paper: Text
    name: Text


Ref = Text | Printed


class Same(Struct, frozen=True, forbid_unknown_fields=True):
    """Things that are one."""

    things: Annotated[tuple[Ref, ...], Meta(min_length=2)]
    because: str = ""
    line: int = 0


class Different(Same, frozen=True, forbid_unknown_fields=True):
    """Things that are all different."""


class Rename(Struct, frozen=True, forbid_unknown_fields=True):
    """The name to show."""

    thing: Ref
    label: Text
    because: str = ""
    line: int = 0


class Kind(Struct, frozen=True, forbid_unknown_fields=True, rename={"kind": "is"}):
    """What a thing is."""

    thing: Ref
    kind: Literal["method", "dataset"]
    because: str = ""
    line: int = 0


class Wrong(Struct, frozen=True, forbid_unknown_fields=True):
    """A statement about a paper that does not hold."""

    paper: Text
    thing: Text
    relation: Relation = ""
    because: str = ""
    line: int = 0


class Right(Wrong, frozen=True, forbid_unknown_fields=True):
    """A statement about a paper that holds."""


class Overrides(Struct, frozen=True):
    """All corrections of a graph.

    Attributes:
        path: the file, for messages; "" for none. digest: changes when the file does; "" for none.
    """

    path: str = ""
    digest: str = ""
    same: tuple[Same, ...] = ()
    different: tuple[Different, ...] = ()
    rename: tuple[Rename, ...] = ()
    kind: tuple[Kind, ...] = ()
    wrong: tuple[Wrong, ...] = ()
    right: tuple[Right, ...] = ()

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in TABLES)

    def error(self, entry: Any, message: str, hint: str = "") -> SettingsError:
        """An error about one entry, with its place in the file."""
        table = next(name for name, kind in TABLES.items() if type(entry) is kind)
        line = f", line {entry.line}" if entry.line else ""
        return SettingsError(message, place=f"{self.path or FILE}{line}, [[{table}]]", hint=hint)


TABLES: dict[str, type[Struct]] = {
    "same": Same,
    "different": Different,
    "rename": Rename,
    "kind": Kind,
    "wrong": Wrong,
    "right": Right,
}


def read_overrides(path: Path) -> Overrides:
    """The corrections in a file; none where there is no file.

    Raises:
        SettingsError: the file cannot be read, or an entry is malformed; with file, line and remedy.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return Overrides()
    except OSError as error:
        raise SettingsError(f"the corrections cannot be read: {error.strerror}", place=str(path)) from None
    return parse_overrides(data, str(path))


def parse_overrides(data: bytes, path: str = FILE) -> Overrides:
    """The corrections in the text of a file; see `read_overrides`."""
    try:
        text = data.decode("utf-8")
        tables = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise SettingsError(f"the file is not UTF-8 text ({error.reason})", place=path) from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"this is no TOML: {error}", place=path, hint="https://toml.io shows the form") from None
    entries: dict[str, tuple[Any, ...]] = {}
    for name, content in tables.items():
        if name not in TABLES:
            raise SettingsError(f"there is no table [[{name}]]", place=path, hint=_nearest(name, TABLES))
        if not isinstance(content, list):
            raise SettingsError(f"[{name}] has single brackets", place=path, hint=f"write [[{name}]]")
        lines = _lines(text, name)
        entries[name] = tuple(
            _entry(name, entry, lines[i] if i < len(lines) else 0, path) for i, entry in enumerate(content)
        )
    return Overrides(path, digest(text), **entries)


def _entry(name: str, content: Any, line: int, path: str) -> Any:
    kind = TABLES[name]
    place = f"{path}, line {line}, [[{name}]]" if line else f"{path}, [[{name}]]"
    fields = [f for f in kind.__struct_encode_fields__ if f != "line"]
    for key in content if isinstance(content, dict) else ():
        if key not in fields:
            raise SettingsError(f"[[{name}]] has no key {key!r}", place=place, hint=_nearest(key, fields))
    try:
        return msgspec.convert({**content, "line": line}, type=kind)
    except msgspec.ValidationError as error:
        raise SettingsError(str(error).lower(), place=place, hint=f"[[{name}]] takes {', '.join(fields)}") from None


def _lines(text: str, name: str) -> list[int]:
    """Line of the head of each entry of one table, as far as the file writes heads on lines of their own."""
    head = re.compile(rf"\s*\[\[\s*[\"']?{name}[\"']?\s*\]\]")
    return [n for n, line in enumerate(text.splitlines(), 1) if head.match(line)]


def _nearest(word: str, known: Any) -> str:
    near = get_close_matches(word, known, n=2)
    return f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(known)}"

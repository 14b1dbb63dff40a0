"""The catalogue of named questions: one `.rq` file each, described by its header.

A header line is `# key: value`. Keys: `title`, `question`, `tags` (comma-separated), `param` (repeated:
`name type example`, with `optional` as a fourth word where the question works without it), `graph`
("plain" where the question needs nothing of the evidence graph: joins are then twice as fast). In the
text a parameter is written `$name`, a plain variable `?name`; SPARQL takes both for variables, so
every query file is valid SPARQL as it stands.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path

from msgspec import Struct

from kg.errors import QueryError, UsageError
from kg.shared import shared_folder

_HEADER = re.compile(r"#\s*(title|question|tags|param|graph)\s*:\s*(.*)")
PARAM_TYPES = (
    "person", "paper", "method", "dataset", "repository", "topic", "venue", "entity", "integer", "decimal", "text",
)  # fmt: skip


class Param(Struct, frozen=True):
    """A parameter of a named query: `type` is one of `PARAM_TYPES`; `example` is for people."""

    name: str
    type: str
    example: str
    optional: bool = False


class NamedQuery(Struct, frozen=True):
    """One entry of the catalogue; `plain` when the unnamed graph alone answers it."""

    name: str
    title: str
    question: str
    text: str
    params: tuple[Param, ...] = ()
    tags: tuple[str, ...] = ()
    plain: bool = False


def parse(name: str, source: str) -> NamedQuery:
    """Reads one query file.

    Raises:
        QueryError: the header lacks a title or a question, or a parameter line is malformed.
    """
    head: dict[str, str] = {}
    params = []
    for line in source.splitlines():
        if not line.startswith("#"):
            break
        if not (match := _HEADER.match(line)):
            continue
        key, value = match[1], match[2].strip()
        if key != "param":
            head[key] = value
            continue
        words = re.fullmatch(r"(\w+)\s+(\w+)\s+(.+?)(\s+optional)?", value)
        if not words or words[2] not in PARAM_TYPES:
            raise QueryError(f"malformed parameter line: {line}", place=name, hint=f"types: {', '.join(PARAM_TYPES)}")
        params.append(Param(words[1], words[2], words[3].strip('"'), bool(words[4])))
    missing = {"title", "question"} - set(head)
    if missing:
        raise QueryError(f"the header lacks {' and '.join(sorted(missing))}", place=name)
    if head.get("graph", "plain") != "plain":
        raise QueryError(f"graph: {head['graph']} is not known", place=name, hint='write "# graph: plain" or nothing')
    tags = tuple(t.strip() for t in head.get("tags", "").split(",") if t.strip())
    return NamedQuery(name, head["title"], head["question"], source, tuple(params), tags, "graph" in head)


def load_catalogue(folder: Path | None = None) -> dict[str, NamedQuery]:
    """All named queries, by name, sorted."""
    folder = folder or shared_folder("queries")
    return {f.stem: parse(f.stem, f.read_text("utf-8")) for f in sorted(folder.glob("*.rq"))}


def find(name: str) -> NamedQuery:
    """One named query.

    Raises:
        QueryError: no query has this name; the hint gives the nearest ones.
    """
    file = shared_folder("queries") / f"{name}.rq"
    if re.fullmatch(r"[\w-]+", name) and file.is_file():
        return parse(name, file.read_text("utf-8"))
    catalogue = load_catalogue()
    near = get_close_matches(name, catalogue, n=3, cutoff=0.4)
    hint = f"did you mean {', '.join(near)}? " if near else ""
    raise UsageError(f"no query is called {name!r}", hint=f"{hint}kg queries lists all {len(catalogue)}")

"""Scores of extracted names against annotated papers.

Gold is JSON lines, one paper each: `id`, `title`, `abstract`, `methods` and `datasets` (each
`{"name", "aliases", "role"}`), `optional_methods`, `optional_datasets`, `repositories` (addresses), and where it is
divided the `part` it belongs to.

An extracted entity is right when one of its names equals one of the gold entity's names, case, blanks,
punctuation and a plural s aside. Optional names count neither way, and neither does a second extraction
of a gold entity already found. An entity under the wrong role is a hit for the kind, and for the roles
an error of the one predicted and a miss of the one annotated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from kg.errors import SourceError
from kg.extract.train.data import texts_by_id
from kg.model import Extraction, Link, Named

KINDS = {"methods": ("proposed", "used"), "datasets": ("introduced", "used")}
_NOT_NAME = re.compile(r"[^a-z0-9\u0080-\uffff]+")


class GoldEntity(msgspec.Struct, frozen=True):
    """One annotated method or data set."""

    name: str
    role: str
    aliases: tuple[str, ...] = ()


class GoldPaper(msgspec.Struct, frozen=True):
    """One annotated paper; without its text where that is kept elsewhere (see `with_texts`)."""

    id: str
    abstract: str = ""
    title: str = ""
    methods: tuple[GoldEntity, ...] = ()
    datasets: tuple[GoldEntity, ...] = ()
    optional_methods: tuple[str, ...] = ()
    optional_datasets: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()
    part: str = ""


class Extracts(Protocol):
    """Anything that extracts, as `kg.extract.Extractor` does."""

    def pipe(self, items: Iterable[tuple[str, str, tuple[Link, ...]]]) -> Iterator[Extraction]: ...


class Figures(NamedTuple):
    """Counts of one row, and what they amount to."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """Share of what was extracted that is right."""
        return self.right / max(self.right + self.wrong, 1)

    @property
    def recall(self) -> float:
        """Share of what is annotated that was extracted."""
        return self.right / max(self.right + self.missed, 1)

    @property
    def f(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.precision * self.recall / max(self.precision + self.recall, 1e-9)


class Error(NamedTuple):
    """One difference from gold.

    `what` is "role" (kind right, role wrong), "kind" (a method read as a data set or the reverse), "edge" (part of an
    annotated name, or more than it), "spurious" (none of these) or "missed".

    `found` and `expected` are role-qualified names ("proposed FooNet"); "" where there is none.
    """

    paper: str
    kind: str
    what: str
    found: str
    expected: str
    confidence: float = 0.0
    cue: str = ""


class Report:
    """Scores over a set of papers. `rows` maps a row name to `Figures`, `shares` to a share."""

    def __init__(self) -> None:
        self.papers = 0
        self.rows: dict[str, Figures] = {}
        self.shares: dict[str, float] = {}
        self.errors: list[Error] = []
        self._role_right: dict[str, int] = {}
        self._proposing = [0, 0]

    def add(self, gold: GoldPaper, found: Extraction) -> None:
        """Count one paper."""
        self.papers += 1
        for kind, roles in KINDS.items():
            self._add_kind(kind, roles, gold, getattr(found, kind))
        expected = {_address(u): u for u in gold.repositories}
        got = {_address(r.as_printed): r.as_printed for r in found.repositories}
        wrong, missed = sorted(got.keys() - expected.keys()), sorted(expected.keys() - got.keys())
        self._count("repositories", len(got.keys() & expected.keys()), len(wrong), len(missed))
        self.errors += [Error(gold.id, "repositories", "spurious", got[u], "") for u in wrong]
        self.errors += [Error(gold.id, "repositories", "missed", "", expected[u]) for u in missed]

    def _add_kind(self, kind: str, roles: tuple[str, ...], gold: GoldPaper, found: tuple[Named, ...]) -> None:
        annotated: tuple[GoldEntity, ...] = getattr(gold, kind)
        optional = {_stem(_name(x)) for x in getattr(gold, f"optional_{kind}")}
        left = list(annotated)
        for row in (kind, *(f"{kind} {r}" for r in roles)):
            self._count(row, 0, 0, 0)
        proposed_right = False
        for e in found:
            names = _names(e.name, e.aliases)
            hit = next((g for g in left if names & _names(g.name, g.aliases)), None)
            if hit is not None:
                left.remove(hit)
                self._count(kind, 1, 0, 0)
                if e.role == hit.role:
                    self._role_right[kind] = self._role_right.get(kind, 0) + 1
                    self._count(f"{kind} {e.role}", 1, 0, 0)
                    proposed_right |= e.role == "proposed"
                else:
                    self._count(f"{kind} {e.role}", 0, 1, 0)
                    self._count(f"{kind} {hit.role}", 0, 0, 1)
                    self._error(gold, kind, "role", e, hit)
            elif not (names & optional or any(names & _names(g.name, g.aliases) for g in annotated)):
                self._count(kind, 0, 1, 0)
                self._count(f"{kind} {e.role}", 0, 1, 0)
                self._error(gold, kind, _nature(gold, kind, names), e, None)
        for g in left:
            self._count(kind, 0, 0, 1)
            self._count(f"{kind} {g.role}", 0, 0, 1)
            self._error(gold, kind, "missed", None, g)
        self.shares[f"{kind} role accuracy"] = self._role_right.get(kind, 0) / max(self.rows[kind].right, 1)
        if kind == "methods" and any(g.role == "proposed" for g in annotated):
            self._proposing[0] += proposed_right
            self._proposing[1] += 1
            self.shares["papers with a proposed method found"] = self._proposing[0] / self._proposing[1]

    def _count(self, row: str, right: int, wrong: int, missed: int) -> None:
        old = self.rows.get(row, Figures(0, 0, 0))
        self.rows[row] = Figures(old.right + right, old.wrong + wrong, old.missed + missed)

    def _error(self, gold: GoldPaper, kind: str, what: str, e: Named | None, g: GoldEntity | None) -> None:
        found = f"{e.role} {e.name}" if e else ""
        expected = f"{g.role} {g.name}" if g else ""
        confidence, cue = (e.confidence, e.cue) if e else (0.0, "")
        self.errors.append(Error(gold.id, kind, what, found, expected, confidence, cue))

    def worst(self, limit: int = 20) -> list[Error]:
        """The errors made with most confidence first, then the misses."""
        return sorted(self.errors, key=lambda e: (-e.confidence, e.paper, e.kind, e.found, e.expected))[:limit]

    def table(self) -> str:
        """The figures as text, one row a kind or role."""
        lines = [f"{'':38}{'precision':>10}{'recall':>8}{'F':>7}{'right':>7}{'wrong':>7}{'missed':>7}"]
        for row, x in self.rows.items():
            figures = f"{x.precision:>10.3f}{x.recall:>8.3f}{x.f:>7.3f}{x.right:>7}{x.wrong:>7}{x.missed:>7}"
            lines.append(f"{row:38}{figures}")
        lines += [f"{name:38}{share:>10.3f}" for name, share in self.shares.items()]
        return "\n".join([*lines, f"{'papers':38}{self.papers:>10}"])

    def error_list(self, limit: int | None = None) -> str:
        """The errors as text, one a line, most confident first."""
        lines = []
        for e in self.worst(limit or len(self.errors)):
            sure = f"{e.confidence:.2f} {e.cue}" if e.confidence else ""
            lines.append(f"{e.paper:28} {e.kind:12} {e.what:9} {e.found or '-'} | {e.expected or '-'}  {sure}".rstrip())
        return "\n".join(lines)


def evaluate(papers: Sequence[GoldPaper], extractor: Extracts) -> Report:
    """Extract from every paper and score the result."""
    report = Report()
    found = extractor.pipe((p.title, p.abstract, ()) for p in papers)
    for paper, extraction in zip(papers, found, strict=True):
        report.add(paper, extraction)
    return report


def read_gold(path: str | Path) -> Iterator[GoldPaper]:
    """Annotated papers of a JSON-lines file, in order.

    Raises:
        SourceError: the file is missing, or a line of it is not an annotated paper.
    """
    path = Path(path)
    decoder = msgspec.json.Decoder(GoldPaper)
    try:
        lines = path.read_bytes().splitlines()
    except OSError as e:
        raise SourceError(
            f"cannot be read ({e.strerror})", place=path.name, hint="give a gold file of JSON lines"
        ) from e
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield decoder.decode(line)
        except msgspec.MsgspecError as e:
            raise SourceError(
                f"not an annotated paper: {e}",
                place=f"{path.name}:{number}",
                hint="each line needs id, abstract (or texts elsewhere), methods and datasets with name and role",
            ) from e


def with_texts(papers: Sequence[GoldPaper], folder: str | Path | None) -> list[GoldPaper]:
    """The papers with title and abstract; those that lack them get them by `file:record` ids from a folder.

    Raises:
        SourceError: a paper has no abstract, and no folder that holds it was given.
    """
    lacking = {p.id for p in papers if not p.abstract}
    texts = texts_by_id(Path(folder), lacking) if folder and lacking else {}
    if missing := sorted(lacking - texts.keys()):
        raise SourceError(
            f"{len(missing)} annotated papers have no abstract, {missing[0]} first",
            place=missing[0],
            hint="give the folder that holds their texts with --texts",
        )
    full = (texts.get(p.id, (p.title, p.abstract)) for p in papers)
    return [msgspec.structs.replace(p, title=t, abstract=a) for p, (t, a) in zip(papers, full, strict=True)]


def same_name(e: Named, other: GoldEntity | str) -> bool:
    """Is a form of the extracted entity a form of the annotated one?"""
    theirs = _names(other, ()) if isinstance(other, str) else _names(other.name, other.aliases)
    return bool(_names(e.name, e.aliases) & theirs)


def _nature(gold: GoldPaper, kind: str, names: set[str]) -> str:
    """What is wrong with an extraction that is none of the annotated entities of its kind."""
    forms = {k: [_names(g.name, g.aliases) for g in getattr(gold, k)] for k in KINDS}
    if any(names & f for k in KINDS if k != kind for f in forms[k]):
        return "kind"
    parts = ((a, b) for f in (x for k in KINDS for x in forms[k]) for a in f for b in names)
    return "edge" if any(len(a) > 2 and len(b) > 2 and (a in b or b in a) for a, b in parts) else "spurious"


def _name(text: str) -> str:
    return _NOT_NAME.sub("", text.lower().replace("**", "").replace("\\texttt", ""))


def _stem(name: str) -> str:
    return name[:-1] if name.endswith("s") and len(name) > 3 else name


def _names(name: str, aliases: Iterable[str]) -> set[str]:
    return {_stem(_name(x)) for x in (name, *aliases)} - {""}


def _address(url: str) -> str:
    return re.sub(r"(\.git)?/?$", "", re.sub(r"^https?://(www\.)?", "", url.lower()))

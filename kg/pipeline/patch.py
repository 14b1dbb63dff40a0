"""A graph made from the one before it: only what changed is written, removed and indexed again.

A graph falls into pieces that share no statement: all that one paper brings, and all that has one other
subject (a person, a method, a venue). `Pieces` keeps a digest of what each piece is made of. Where
two graphs agree in a digest they agree in the piece, so the store and the index of the new graph are copies
of the old ones with the differing pieces exchanged. The result holds the same statements as a graph made
from nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from pathlib import Path

import msgspec
import pyoxigraph as ox
from msgspec import Struct

from kg.graph.people import person_lines
from kg.graph.statements import paper_statements, run_iri, shared_statements
from kg.ids import iri
from kg.links.pairs import ENTITY_KIND
from kg.links.top import keep_strongest
from kg.pipeline.folder import write_atomically
from kg.query.index import VERSION, patch_index
from kg.resolve.people import People
from kg.resolve.resolve import Resolved
from kg.settings import Settings
from kg.store.oxigraph import OxigraphStore
from kg.vocab import ID, KG, PROV, RDF

FILE = "pieces.msgpack"
_FORMAT = 2  # raised when the same papers make other statements
_WORTH = 0.2  # share of the papers that may differ; with more, a bulk load is quicker

_encode = msgspec.msgpack.Encoder().encode
_VENUES = (f"<{ID}event/", f"<{ID}venue/")  # few, and the index asks them where a paper appeared
_NODES = (f"{ID}record/", f"{ID}authorship/")


class Pieces(Struct):
    """Digests of the pieces of a graph.

    Attributes:
        made: what must agree for two graphs to be compared at all.
        papers: paper key -> digest of all its statements are made of. people: the same by person key.
        shared: subject as a term -> digest of its statements.
    """

    made: tuple[str, ...]
    papers: dict[str, bytes]
    people: dict[str, bytes]
    shared: dict[str, int]


class CannotPatch(Exception):
    """The old graph is no base for the new one; a full load is."""


class Shared:
    """The statements about what papers share, as they go by; kept if a patch may need some of them."""

    def __init__(self, keep: bool) -> None:
        self.lines: list[str] | None = [] if keep else None

    def keep(self, lines: Iterable[str]) -> Iterator[str]:
        """The same lines, put by on the way."""
        if self.lines is None:
            yield from lines
            return
        for line in lines:
            self.lines.append(line)
            yield line


def pieces(
    resolved: Resolved, settings: Settings, kept: Shared, *, version: str, model: str, inputs: dict[str, str]
) -> Pieces:
    """Digests of all pieces of a graph; arguments as for `kg.graph.statements.statement_lines`."""
    shared: dict[str, int] = {}
    for line in kept.keep(shared_statements(resolved, settings, version=version, model=model, inputs=inputs)):
        subject = line[: line.index(" ")]
        value = int.from_bytes(blake2b(line.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
        shared[subject] = (shared.get(subject, 0) + value) % (1 << 64)
    made = (f"{_FORMAT}.{VERSION}", version, settings.digest(), model)
    return Pieces(made, dict(_papers(resolved)), dict(_people(resolved.people)), shared)


def _papers(resolved: Resolved) -> Iterator[tuple[str, bytes]]:
    people, methods, datasets, repos = (
        resolved.people.of, resolved.methods.of, resolved.datasets.of, resolved.repositories.of
    )  # fmt: skip
    reviews: dict[str, list[tuple[object, ...]]] = {}
    for statement, verdict in sorted(resolved.reviews.items()):
        reviews.setdefault(statement[0], []).append((*statement, verdict))
    for paper, found in zip(resolved.papers, resolved.extractions, strict=True):
        key = paper.key
        made_of = (
            paper,
            found,
            [people.get((key, i)) for i in range(1, len(paper.authors) + 1)],
            [methods[key, i] for i in range(len(found.methods))],
            [datasets[key, i] for i in range(len(found.datasets))],
            [repos[key, i] for i in range(len(found.repositories))],
            reviews.get(key),
        )
        yield key, blake2b(_encode(made_of), digest_size=8).digest()


def _people(people: People) -> Iterator[tuple[str, bytes]]:
    for key, p in people.persons.items():
        yield key, blake2b(_encode((p.name, p.variants, p.ids, p.status)), digest_size=8).digest()


def save_pieces(folder: Path, found: Pieces) -> None:
    """Keeps the digests beside the graph they are of."""
    write_atomically(folder / FILE, _encode(found))


def read_pieces(folder: Path) -> Pieces | None:
    """The digests of a graph; None where there are none or they cannot be read."""
    try:
        return msgspec.msgpack.decode((folder / FILE).read_bytes(), type=Pieces)
    except (OSError, msgspec.DecodeError):
        return None


class Change(Struct):
    """What differs between two graphs.

    Attributes:
        papers, people, shared: keys (subjects) of pieces that are new or differ.
        gone: the same three of pieces that are no more.
    """

    papers: set[str]
    people: set[str]
    shared: set[str]
    gone: tuple[set[str], set[str], set[str]]


def changed(old: Pieces | None, new: Pieces) -> Change | None:
    """What differs; None when that cannot be told or is so much that a full load is quicker."""
    if old is None or old.made != new.made:
        return None
    found = Change(
        _differing(old.papers, new.papers),
        _differing(old.people, new.people),
        _differing(old.shared, new.shared),
        (
            old.papers.keys() - new.papers.keys(),
            old.people.keys() - new.people.keys(),
            old.shared.keys() - new.shared.keys(),
        ),
    )
    return found if len(found.papers) + len(found.gone[0]) <= _WORTH * len(old.papers) else None


def _differing(old: dict, new: dict) -> set[str]:
    return {key for key, value in new.items() if old.get(key) != value}


def patch(
    old: Path, new: Path, change: Change, resolved: Resolved, settings: Settings, shared: Shared, *, model: str
) -> None:
    """Makes the store and the index in `new` from those in `old`, both at once.

    Args:
        shared: the lines that `pieces` put by.

    Raises:
        CannotPatch: the old graph turns out to be no base.
    """
    lines = list(_new_lines(change, resolved, settings, shared.lines or (), run_iri(settings.digest(), model)))
    with ThreadPoolExecutor(1) as beside:  # SQLite works without the interpreter's lock
        index = beside.submit(_patch_index, old, new, change, lines)
        _patch_store(old, new, change, lines)
        index.result()


def _patch_store(old: Path, new: Path, change: Change, lines: Sequence[str]) -> None:
    added = set(ox.parse("".join(lines).encode(), format=ox.RdfFormat.N_QUADS))
    before = OxigraphStore.open(old / "store")
    removed = set(_old_quads(before, change))
    del before
    OxigraphStore.derive(old / "store", new / "store", removed - added, added - removed)


def _patch_index(old: Path, new: Path, change: Change, lines: Sequence[str]) -> None:
    subjects = {iri("paper", k) for k in (*change.papers, *change.gone[0])}
    subjects |= {iri("person", k) for k in (*change.people, *change.gone[1])}
    subjects |= {s[1:-1] for s in (*change.shared, *change.gone[2])}
    db = patch_index(old / "index.sqlite", new / "index.sqlite", subjects, lines)
    keep_strongest(db, ENTITY_KIND)
    db.close()


def _new_lines(
    change: Change, resolved: Resolved, settings: Settings, shared: Iterable[str], run: str
) -> Iterator[str]:
    for index, paper in enumerate(resolved.papers):
        if paper.key in change.papers:
            yield from paper_statements(resolved, index, settings.min_confidence, run)
    persons = resolved.people.persons
    yield from person_lines(People({}, {key: persons[key] for key in change.people}))
    for line in shared:
        if line.startswith(_VENUES) or line[: line.index(" ")] in change.shared:
            yield line


def _old_quads(store: OxigraphStore, change: Change) -> Iterator[ox.Quad]:
    for key in (*change.papers, *change.gone[0]):
        yield from _paper_quads(store, iri("paper", key))
    for key in (*change.people, *change.gone[1]):
        yield from store.quads(iri("person", key))
    for subject in (*change.shared, *change.gone[2]):
        yield from store.quads(subject[1:-1])


def _paper_quads(store: OxigraphStore, paper: str) -> Iterator[ox.Quad]:
    """All that one paper brought: what `kg.graph.statements.paper_statements` makes, found in the store."""
    own = list(store.quads(paper))
    yield from own
    nodes = [q.object.value for q in own if isinstance(q.object, ox.NamedNode)]
    nodes = [n for n in nodes if n.startswith(_NODES)]
    for node in nodes:
        if (
            node.startswith(_NODES[0])
            and sum(1 for _ in store.quads(None, PROV.wasDerivedFrom, ox.NamedNode(node))) > 1
        ):
            raise CannotPatch("two papers stand at one place of one file")
    for assertion in list(store.quads(None, RDF.subject, ox.NamedNode(paper))):
        nodes.append(assertion.subject.value)
    places: set[str] = set()
    for node in nodes:
        for quad in store.quads(node):
            yield quad
            if quad.predicate.value == KG.evidence:
                places.add(quad.object.value)
    for place in places:
        for node in (place, f"{place}/target", f"{place}/selector"):
            yield from store.quads(node)
    for field in ("title", "abstract"):
        yield from store.quads(f"{paper}#{field}")

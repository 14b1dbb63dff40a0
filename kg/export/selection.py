"""Part of a graph as a graph of its own: papers by topic, year, venue, question or neighbourhood, and what belongs to them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pyoxigraph as ox
from msgspec import Struct

from kg.errors import QueryError
from kg.graph.networkx import TOPICS
from kg.query.catalogue import find
from kg.query.lookup import Lookup
from kg.query.run import ask, run_named
from kg.store.oxigraph import OxigraphStore
from kg.vocab import DCTERMS, ID, RDF, SKOS

HUB_LIMIT = 500  # an entity on more papers than this is no way to other papers, unless it was named
_ENTITY = ("paper/", "person/", "method/", "dataset/", "repo/", "topic/", "task/", "venue/")
_TOWARDS = (RDF.subject, DCTERMS.isReplacedBy)  # of what points to an entity and belongs to it
_NARROWER = "SELECT ?t { ?t skos:broader* $topic }"


class Selection(Struct, frozen=True):
    """What to take; everything that is set must hold. Names are found like anywhere else.

    Attributes:
        kinds: only entities of these kinds ("paper", "person", "method", …). topic: with its narrower topics.
        first, last: years, both included. venue: a venue.
        query, params: papers that the answer of this catalogue question names; if it names none, the
            papers that speak of the entities it names.
        around, hops: what lies within so many steps (paper to entity, entity to paper) of an entity.
    """

    kinds: tuple[str, ...] = ()
    topic: str = ""
    first: int | None = None
    last: int | None = None
    venue: str = ""
    query: str = ""
    params: dict[str, str] = {}
    around: str = ""
    hops: int = 1


@contextmanager
def selected(
    store: OxigraphStore, index: sqlite3.Connection, lookup: Lookup, selection: Selection
) -> Iterator[OxigraphStore]:
    """A store of the selected part: its entities, the statements between them, and their evidence.

    Raises:
        QueryError: a name is not in the graph, or nothing is left.
    """
    chosen = entities(store, index, lookup, selection)
    with TemporaryDirectory(prefix="kg-part-") as folder:
        file = Path(folder) / "part.nq"
        with open(file, "wb") as out:
            ox.serialize(statements(store, chosen), out, ox.RdfFormat.N_QUADS)
        OxigraphStore.load(Path(folder) / "store", [file])
        file.unlink()
        yield OxigraphStore.open(Path(folder) / "store")


def entities(store: OxigraphStore, index: sqlite3.Connection, lookup: Lookup, selection: Selection) -> set[str]:
    """IRIs of the selected entities.

    Raises:
        QueryError: see `selected`.
    """
    papers = _papers(store, index, lookup, selection)
    if selection.around:
        root = lookup.one(selection.around)
        reached = _within(index, root.id, selection.hops)
        if selection != Selection(around=selection.around, hops=selection.hops, kinds=selection.kinds):
            kept = papers & reached
            reached = (reached & (kept | _speaking(index, kept, "paper", "entity"))) | {root.id}
    else:
        reached = papers | _speaking(index, papers, "paper", "entity")
    found = set()
    for iri, kind, venue in _described(index, reached):
        if not selection.kinds or kind in selection.kinds:
            found.add(iri)
        if venue and (not selection.kinds or "venue" in selection.kinds):
            found.add(lookup.one(venue, "venue").iri)
    for topic in [i for i in found if i.startswith(TOPICS)]:
        found.update(_broader(store, topic))
    if not found:
        raise QueryError("nothing in the graph is in this selection", hint="kg stats tells what the graph holds")
    return found


def _papers(store: OxigraphStore, index: sqlite3.Connection, lookup: Lookup, selection: Selection) -> set[int]:
    conditions, values = ["kind = 'paper'"], []
    for sign, year in ((">=", selection.first), ("<=", selection.last)):
        if year is not None:
            conditions.append(f"year {sign} ?")
            values.append(str(year))
    if selection.venue:
        conditions.append("venue = ?")
        values.append(lookup.one(selection.venue, "venue").label)
    query = f"SELECT id FROM thing WHERE {' AND '.join(conditions)}"
    found = {n for (n,) in index.execute(query, values)}
    if selection.topic:
        term = ox.NamedNode(lookup.one(selection.topic, "topic").iri)
        topics = {_iri(t) for (t,) in ask(store, _NARROWER, {"topic": term})}
        found &= _speaking(index, _numbers(index, topics), "entity", "paper")
    if selection.query:
        found &= _answer(store, index, lookup, selection.query, selection.params)
    return found


def _answer(
    store: OxigraphStore, index: sqlite3.Connection, lookup: Lookup, query: str, params: Mapping[str, str]
) -> set[int]:
    result = run_named(store, lookup, find(query), params)
    if result.kind != "rows":
        raise QueryError(f"the question {query} does not give rows", hint="use one that names papers or entities")
    named = _numbers(index, {str(t.value) for row in result for t in row if isinstance(t, ox.NamedNode)})
    papers = {n for n in named if _kind(index, n) == "paper"}
    return papers or _speaking(index, named, "entity", "paper")


def _within(index: sqlite3.Connection, root: int, hops: int) -> set[int]:
    """Numbers of what lies within some steps of an entity, in either direction."""
    reached, edge = {root}, {root}
    for _ in range(hops):
        hubs = {n for n in edge - {root} if _count(index, n) > HUB_LIMIT}
        edge -= hubs
        edge = (_speaking(index, edge, "paper", "entity") | _speaking(index, edge, "entity", "paper")) - reached
        reached |= edge
    return reached


def _speaking(index: sqlite3.Connection, numbers: Iterable[int], given: str, wanted: str) -> set[int]:
    """The papers of entities, or the entities of papers."""
    query = f"SELECT DISTINCT {wanted} FROM member WHERE {given} = ?"
    if given == "entity":  # the key of the table begins with the relation
        query += " AND relation IN (SELECT DISTINCT relation FROM member)"
    return {row for n in numbers for (row,) in index.execute(query, (n,))}


def _numbers(index: sqlite3.Connection, iris: Iterable[str]) -> set[int]:
    tails = (i.removeprefix(ID) for i in iris)
    return {n for t in tails for (n,) in index.execute("SELECT id FROM thing WHERE tail = ?", (t,))}


def _kind(index: sqlite3.Connection, number: int) -> str:
    return str(index.execute("SELECT kind FROM thing WHERE id = ?", (number,)).fetchone()[0])


def _count(index: sqlite3.Connection, number: int) -> int:
    return int(index.execute("SELECT papers FROM thing WHERE id = ?", (number,)).fetchone()[0])


def _described(index: sqlite3.Connection, numbers: Iterable[int]) -> Iterator[tuple[str, str, str | None]]:
    for number in numbers:
        yield from index.execute("SELECT iri, kind, venue FROM entity WHERE id = ?", (number,))


def _broader(store: OxigraphStore, topic: str) -> Iterator[str]:
    for quad in store.quads(topic, SKOS.broader):
        yield _iri(quad.object)
        yield from _broader(store, _iri(quad.object))


def _iri(term: object) -> str:
    return term.value if isinstance(term, ox.NamedNode) else ""


def statements(store: OxigraphStore, chosen: set[str]) -> Iterator[ox.Quad]:
    """What the graph says of some entities, with what belongs to them (authorships, assertions, quotes, records).

    A statement that leads to an entity outside is left out, and with it whatever is about that entity.
    """
    seen = set(chosen)
    waiting = sorted(chosen)
    while waiting:
        iri = waiting.pop()
        if iri in chosen:
            for predicate in _TOWARDS:
                pointing = (_iri(q.subject) for q in store.quads(None, predicate, ox.NamedNode(iri)))
                waiting += _fresh((s for s in pointing if _admitted(store, s, chosen)), seen)
        for quad in store.quads(iri):
            target = _iri(quad.object)
            if target.startswith(ID) and target not in chosen:
                if _is_entity(target) or not _admitted(store, target, chosen):
                    continue
                waiting += _fresh([target], seen)
            yield quad


def _fresh(iris: Iterable[str], seen: set[str]) -> list[str]:
    found = [i for i in iris if i not in seen]
    seen.update(found)
    return found


def _admitted(store: OxigraphStore, iri: str, chosen: set[str]) -> bool:
    """Whether every entity that something leads to was chosen: an authorship with its person, a claim with its object."""
    targets = (str(q.object.value) for q in store.quads(iri) if isinstance(q.object, ox.NamedNode))
    return all(t in chosen for t in targets if _is_entity(t))


def _is_entity(iri: str) -> bool:
    return iri.startswith(ID) and iri[len(ID) :].startswith(_ENTITY) and "#" not in iri and not iri.endswith("/scheme")

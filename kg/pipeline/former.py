"""Former addresses of people: who stood in the graph before and is now part of somebody else.

Which address a person has depends on the papers alone; which addresses there were before depends on the
order papers came in. So this is history, and the one thing in which a graph built month by month and one built at
once may differ. It stands in the evidence graph and is carried from one graph to the next.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from pathlib import Path
from urllib.parse import unquote

import pyoxigraph as ox

from kg.ids import iri
from kg.resolve.people import People
from kg.store.oxigraph import OxigraphStore
from kg.vocab import DCTERMS, FOAF, RDF, SOA

_PERSON, _AUTHORSHIP = iri("person", ""), iri("authorship", "")


def former_people(base: Path, known: Collection[str] | None, people: People) -> tuple[tuple[str, str], ...]:
    """(old key, new key) of everybody who stood in an earlier graph and no longer does, sorted.

    A person who was split has several new keys. Someone none of whose papers is left has none.

    Args:
        base: folder of the graph before. known: keys of its people, where they are at hand.
    """
    store = OxigraphStore.open(base / "store")
    if known is None:
        persons = store.quads(None, RDF.type, ox.NamedNode(FOAF.Person))
        known = [_key(q.subject) for q in persons]
    now: dict[str, set[str]] = defaultdict(set)
    for key in known:
        if key not in people.persons:
            for quad in store.quads(None, SOA.hasAuthor, ox.NamedNode(iri("person", key))):
                paper, _, position = unquote(quad.subject.value.removeprefix(_AUTHORSHIP)).rpartition(".")
                person = people.of.get((paper, int(position)))
                if person is not None:
                    now[key].add(person)
    for quad in store.quads(None, DCTERMS.isReplacedBy):
        if quad.subject.value.startswith(_PERSON):
            old, then = _key(quad.subject), _key(quad.object)
            now[old] |= {then} if then in people.persons else now.get(then, set())
    return tuple(sorted((old, new) for old, found in now.items() if old not in people.persons for new in found))


def _key(node: ox.NamedNode) -> str:
    return unquote(node.value.removeprefix(_PERSON))

"""Paths on an endpoint: the search of `kg.links.paths`, which asks the server for what it comes to."""

from __future__ import annotations

import math
from collections.abc import Iterable

from kg.errors import EndpointError
from kg.links.paths import RELATION_OF, VERBS, Path, different_paths
from kg.query.excerpt import Ask, Excerpt, batches, values, words
from kg.query.index import KINDS, RELATIONS, expanded
from kg.query.lookup import Match

Node = tuple[int, str]  # index into KINDS, IRI: in the order of the numbers in an index

_PAPER = KINDS.index("paper")
_PENALTY = 8.0  # as in kg.links.paths
_AHEAD = 150  # things read with the one that is needed: the cheapest to pass through of those seen
_MOST = 30_000  # things to read before giving up
_KIND = {relation: KINDS.index(kind) for kind, relation in RELATION_OF.items()}


def remote_paths(
    ask: Ask, excerpt: Excerpt, a: Match, b: Match, k: int = 3, *, through: Iterable[str] = ()
) -> list[Path]:
    """At most `k` different paths, as `kg.links.paths.paths` finds them.

    Raises:
        EndpointError: the two are so far apart that too much of the graph would have to be read.
    """
    if a.iri == b.iri:
        return []
    start, end = ((KINDS.index(m.kind), m.iri) for m in (a, b))
    graph = _Distant(ask, {RELATION_OF[kind] for kind in through or RELATION_OF}, {start, end})
    found = different_paths(graph, a, start, end, k, _MOST, lambda node: Match(0, node[1], KINDS[node[0]], "", 0))
    excerpt.describe(step.to.iri for path in found for step in path.steps)
    return [_labelled(path, excerpt) for path in found]


def _labelled(path: Path, excerpt: Excerpt) -> Path:
    from msgspec import structs

    steps = tuple(structs.replace(s, to=excerpt.match(s.to.iri) or s.to) for s in path.steps)
    return structs.replace(path, steps=steps)


class _Distant:
    """Neighbours and tolls, read from a server in portions; answers as `kg.links.paths._Neighbours` does."""

    def __init__(self, ask: Ask, relations: set[str], ends: set[Node]) -> None:
        self._ask, self._relations, self._ends = ask, sorted(relations), ends
        self._of: dict[Node, list[tuple[Node, str]]] = {}
        self._sizes: dict[Node, int] = {}
        self._penalties: dict[Node, float] = {}
        self._seen: set[Node] = set()

    def of(self, node: Node) -> list[tuple[Node, str]]:
        if node not in self._of:
            if len(self._of) >= _MOST:
                raise EndpointError(
                    f"no path within the {_MOST:,} nearest things", hint="--through person, or a local graph (-g)"
                )
            self._seen.discard(node)
            ahead = sorted(self._seen, key=lambda n: (self.toll(n), n))[:_AHEAD]
            self._seen.difference_update(ahead)
            self._read([node, *ahead])
        return self._of[node]

    def toll(self, node: Node) -> float:
        return 0.0 if node in self._ends else math.log2(max(self._sizes.get(node, 0) - 1, 1))

    def price(self, node: Node) -> float:
        if node not in self._of:
            self._seen.add(node)
        return self.toll(node) + self._penalties.get(node, 0.0)

    def penalise(self, nodes: Iterable[Node]) -> None:
        for node in nodes:
            self._penalties[node] = self._penalties.get(node, 0.0) + _PENALTY

    def verb(self, node: Node, other: Node) -> str:
        role = next(role for to, role in self.of(node) if to == other)
        return VERBS[role][node[0] != _PAPER]

    def _read(self, nodes: list[Node]) -> None:
        of: dict[Node, set[tuple[Node, str]]] = {node: set() for node in nodes}
        papers = [iri for kind, iri in nodes if kind == _PAPER]
        statements = [(r, expanded(p), role) for r in self._relations for p, role in RELATIONS[r]]
        seen: dict[int, set[str]] = {}
        for relation, predicate, role in statements:
            kind = _KIND[relation]
            entities = [iri for k, iri in nodes if k == kind]
            for paper, entity in [*self._rows("p", papers, predicate), *self._rows("e", entities, predicate)]:
                for node, other in (((_PAPER, paper), (kind, entity)), ((kind, entity), (_PAPER, paper))):
                    if node in of:
                        of[node].add((other, role))
                        seen.setdefault(other[0], set()).add(other[1])
        self._count(seen)
        self._of.update({node: sorted(found) for node, found in of.items()})

    def _rows(self, name: str, iris: list[str], predicate: str) -> Iterable[tuple[str, str]]:
        for some in batches(iris):
            found = self._ask(f"SELECT ?p ?e WHERE {{ {values(name, some)} ?p <{predicate}> ?e }}")
            yield from ((p, e) for p, e in words(found))

    def _count(self, seen: dict[int, set[str]]) -> None:
        """Papers of each entity, authors of each paper."""
        for kind, iris in sorted(seen.items()):
            new = sorted(iri for iri in iris if (kind, iri) not in self._sizes)
            relation = "coauthors" if kind == _PAPER else RELATION_OF[KINDS[kind]]
            mine, other = ("p", "e") if kind == _PAPER else ("e", "p")
            for some in batches(new):
                parts = " UNION ".join(
                    f"{{ {values(mine, some)} ?p <{expanded(predicate)}> ?e }}" for predicate, _ in RELATIONS[relation]
                )
                query = f"SELECT ?{mine} (COUNT(DISTINCT ?{other}) AS ?n) WHERE {{ {parts} }} GROUP BY ?{mine}"
                self._sizes.update(((kind, iri), int(n)) for iri, n in words(self._ask(query)))

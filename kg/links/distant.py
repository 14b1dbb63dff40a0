"""Links on an endpoint: the server ranks the pairs, and what lies behind each is fetched and counted here."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from kg.errors import QueryError
from kg.links.filters import Filter
from kg.links.pairs import _EXAMPLES, DEFAULT_ENDS, ENTITY_KIND, Pair, between
from kg.links.top import _HUB
from kg.query.excerpt import Ask, Excerpt, batches, words
from kg.query.index import RELATIONS, expanded
from kg.query.lookup import Match
from kg.text import digest
from kg.vocab import BIBO, DCTERMS, FABIO, KG, RDF, SCHEMA

_PAIRS = 25  # pairs whose reasons are asked for at once
_SPARE = 5  # candidates fetched for each pair of papers, to be ranked here


class RemoteLinks:
    """Pairs of an endpoint's graph, as `kg.links.pairs` counts them in an index."""

    def __init__(self, ask: Ask, excerpt: Excerpt) -> None:
        """`ask` runs a SPARQL text."""
        self._ask, self._excerpt = ask, excerpt

    def top_pairs(self, relation: str, limit: int, ends: str | None = None, where: Filter | None = None) -> list[Pair]:
        """The strongest pairs; see `kg.links.pairs.top_pairs`.

        Pairs of papers are ranked by the server without what more than 500 papers share; that counts in the
        order of the best of them, of which five times as many as are wanted are fetched.
        """
        where = where or Filter()
        ends = ends or DEFAULT_ENDS[relation]
        if ends == ENTITY_KIND[relation]:
            query = f"""SELECT ?a ?b (COUNT(DISTINCT ?p) AS ?n) WHERE {{ {stated(relation, "p", "a", where)}
                {stated(relation, "p", "b", where)} {paper("p", where)} FILTER(STR(?a) < STR(?b)) }}
                GROUP BY ?a ?b ORDER BY DESC(?n) ?a ?b LIMIT {limit}"""
            return self._pairs(relation, ends, self._ends(query), where)
        if ends != "paper" or relation == "coauthors":
            raise QueryError(f"{relation} do not link pairs of kind {ends!r}", hint=f"use {ENTITY_KIND[relation]}")
        query = f"""SELECT ?a ?b (COUNT(DISTINCT ?e) AS ?n) (SUM(1e0 / ?size) AS ?weight) WHERE {{
            {{ SELECT ?e (COUNT(DISTINCT ?q) AS ?size) WHERE {{ {stated(relation, "q", "e", where)} {paper("q", where)} }}
               GROUP BY ?e HAVING (COUNT(DISTINCT ?q) > 1 && COUNT(DISTINCT ?q) <= {_HUB}) }}
            {stated(relation, "a", "e", where)} {stated(relation, "b", "e", where)} {paper("a", where)} {paper("b", where)}
            FILTER(STR(?a) < STR(?b)) }} GROUP BY ?a ?b ORDER BY DESC(?n) DESC(?weight) ?a ?b LIMIT {_SPARE * limit}"""
        found = self._pairs(relation, ends, self._ends(query), where, examples=None)
        best = sorted(found, key=_strength)[:limit]
        return [structs.replace(p, shared=p.shared[:_EXAMPLES]) for p in best]

    def partners(self, relation: str, of: Match, limit: int, where: Filter | None = None) -> list[Pair]:
        """Whom or what `of` is linked to, strongest first; see `kg.links.pairs.partners`."""
        where = where or Filter()
        me = f"<{of.iri}>"
        if of.kind == ENTITY_KIND[relation]:
            what, body = (
                "p",
                f"""{stated(relation, "p", me, where)} {stated(relation, "p", "o", where)}
                {paper("p", where)}""",
            )
        elif of.kind == "paper":
            what, body = (
                "e",
                f"""{stated(relation, me, "e", where)} {stated(relation, "o", "e", where)}
                {paper(me, where)} {paper("o", where)}""",
            )
        elif of.kind in _OWN and relation != "coauthors":
            what, body = "e", self._through(relation, of.kind, me, "o", where)
        else:
            raise QueryError(
                f"a {of.kind} has no {relation}", hint=f"name a {ENTITY_KIND[relation]}, a paper or a person"
            )
        query = f"""SELECT ?o (COUNT(DISTINCT ?{what}) AS ?n) WHERE {{ {body} FILTER(?o != {me}) }}
            GROUP BY ?o ORDER BY DESC(?n) ?o LIMIT {limit}"""
        others = [(of.iri, row[0]) for row in words(self._ask(query))]
        return self._pairs(relation, of.kind, others, where)

    def between(self, relation: str, a: Match, b: Match, where: Filter | None = None) -> Pair | None:
        """What links two entities; see `kg.links.pairs.between`."""
        if a.kind != b.kind:
            raise QueryError(
                f"{a.label!r} is a {a.kind}, {b.label!r} a {b.kind}", hint="kg path connects any two entities"
            )
        found = self._pairs(relation, a.kind, [(a.iri, b.iri)], where or Filter(), examples=None)
        return found[0] if found else None

    def _ends(self, query: str) -> list[tuple[str, str]]:
        return [(row[0], row[1]) for row in words(self._ask(query))]

    def _through(self, relation: str, kind: str, a: str, b: str, where: Filter) -> str:
        """Two people (or topics) through what the papers of each speak of."""
        own = _OWN[kind]
        return f"""{stated(own, "p", a, Filter())} {stated(relation, "p", "e", where)} {paper("p", where)}
            {stated(relation, "q", "e", where)} FILTER(?p != ?q) {stated(own, "q", b, Filter())} {paper("q", where)}"""

    def _pairs(
        self, relation: str, kind: str, ends: Sequence[tuple[str, str]], where: Filter, examples: int | None = _EXAMPLES
    ) -> list[Pair]:
        """The pairs with their reasons."""
        for some in batches(ends, _PAIRS):
            self._fetch(relation, kind, some, where)
        self._excerpt.describe(iri for pair in ends for iri in pair)
        db = self._excerpt.database()
        # Which papers count was the server's to say; how sure a statement is, and as what, is looked at once more.
        here = Filter(role=where.role, min_confidence=where.min_confidence)
        pairs = []
        for a, b in ends:
            first, second = self._excerpt.match(a), self._excerpt.match(b)
            if first and second and (pair := between(db, relation, first, second, here)):
                pairs.append(structs.replace(pair, shared=pair.shared[:examples]))
        return pairs

    def _fetch(self, relation: str, kind: str, ends: Sequence[tuple[str, str]], where: Filter) -> None:
        """Fetches what links each pair into the excerpt."""
        links: dict[tuple[str, str], tuple[tuple[tuple[str, str], ...], str]] = {}
        both: tuple[tuple[str, str], ...]
        for a, b in ends:
            ta, tb = f"<{a}>", f"<{b}>"
            if kind == ENTITY_KIND[relation]:
                both = (("p", ta), ("p", tb))
                body = [stated(relation, p, e, where) for p, e in both] + [paper("p", where)]
            elif kind == "paper":
                both = ((ta, "e"), (tb, "e"))
                body = [stated(relation, p, e, where) for p, e in both] + [paper(ta, where), paper(tb, where)]
            elif kind in _OWN:
                both = (("p", "e"), ("q", "e"), ("p", ta), ("q", tb))
                body = [self._through(relation, kind, ta, tb, where)]
            else:
                return  # nothing of this relation can link two such things
            links[a, b] = both, " ".join(body)
        columns = sorted({x for both, _ in links.values() for pair in both for x in pair if not x.startswith("<")})
        # One branch for each pair, its ends as constants: with the pairs as VALUES, Oxigraph joins everything first.
        parts = " UNION ".join(f'{{ {body} BIND("{i}" AS ?i) }}' for i, (_, body) in enumerate(links.values()))
        result = self._ask(f"SELECT DISTINCT ?i {' '.join(f'?{c}' for c in columns)} WHERE {{ {parts} }}")
        names = result.variables
        found: set[tuple[str, str]] = set()  # (paper, entity)
        every = [both for both, _ in links.values()]
        for row in result:
            known = {name: str(term.value) for name, term in zip(names, row, strict=True) if term is not None}
            found |= {(known.get(p, p[1:-1]), known.get(e, e[1:-1])) for p, e in every[int(known["i"])]}
        rows = []
        for some in batches(sorted(found)):
            given = " ".join(f"(<{p}> <{e}>)" for p, e in some)
            asked = self._ask(f"SELECT ?p ?r ?e WHERE {{ VALUES (?p ?e) {{ {given} }} ?p ?r ?e }}")
            rows += [(p, r, e) for p, r, e in words(asked)]
        self._excerpt.add(rows)


_OWN = {"person": "coauthors", "topic": "topics"}


def stated(relation: str, paper: str, entity: str, where: Filter) -> str:
    """The pattern of a relation's statements that pass a filter; ends are variables' names or terms."""
    p, e = _term(paper), _term(entity)
    from_sources = relation in _OWN.values()
    predicates = [expanded(n) for n, role in RELATIONS[relation] if from_sources or where.role in ("", role)]
    if not where.min_confidence or from_sources:
        return f"{p} {'|'.join(f'<{r}>' for r in predicates)} {e} ."
    # Every extracted statement has an assertion; asking for the lack of a doubtful one takes Virtuoso minutes.
    a, c = (f"?{x}_{_name(paper)}_{_name(entity)}" for x in "ac")
    parts = (
        f"""{p} <{r}> {e} . {a} <{RDF.subject}> {p} ; <{RDF.predicate}> <{r}> ; <{RDF.object}> {e} ;
            <{KG.confidence}> {c} FILTER({c} >= {where.min_confidence - 1e-9:.9f})"""
        for r in predicates
    )
    return " UNION ".join(f"{{ {part} }}" for part in parts)


def paper(name: str, where: Filter) -> str:
    """The pattern of the papers that pass a filter."""
    p, n = _term(name), _name(name)
    parts = []
    if where.first is not None or where.last is not None:
        tests = [f"?y_{n} {op} {year}" for op, year in ((">=", where.first), ("<=", where.last)) if year is not None]
        parts.append(f"{p} <{FABIO.hasPublicationYear}> ?y_{n} FILTER({' && '.join(tests)})")
    if where.venue:
        import pyoxigraph as ox

        path = f"<{BIBO.presentedAt}>/<{SCHEMA.superEvent}>/<{SCHEMA.name}>"
        parts.append(f"{p} {path} {ox.Literal(where.venue)} .")
    if where.topic:
        t = f"?t_{n}"
        parts.append(f"""FILTER EXISTS {{ {p} <{DCTERMS.subject}>|<{KG.addressesTask}> {t}
            FILTER({t} = <{where.topic}> || STRSTARTS(STR({t}), "{where.topic}/")) }}""")
    return " ".join(parts)


def _term(name: str) -> str:
    return name if name.startswith("<") else f"?{name}"


def _name(name: str) -> str:
    """What a variable about an end may be called: different for different ends."""
    return f"x{digest(name, length=8)}" if name.startswith("<") else name


def _strength(pair: Pair) -> tuple[int, int, float, str, str]:
    """The order of `kg.links.top`: all that is shared, what is rare among it, and how rare."""
    rare = [m.papers for m in pair.shared if m.papers <= _HUB]
    return -pair.count, -len(rare), -round(sum(1 / max(n, 1) for n in rare), 9), pair.a.iri, pair.b.iri

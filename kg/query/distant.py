"""Names to entities on an endpoint, where there is no index of names: through SPARQL.

A name is looked for as it stands, then whatever its case, accents and punctuation, which makes the
server read its names; suggestions for a name that is not there are a third such question.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable

import pyoxigraph as ox

from kg.errors import EndpointError
from kg.ids import PAPER_SCHEMES, PERSON_SCHEMES
from kg.query.excerpt import Ask, Excerpt, values, words
from kg.query.index import _LABELS, _NAMES, KINDS, expanded, key_of
from kg.query.lookup import Lookup, Match, _closest
from kg.text import fold
from kg.vocab import DCTERMS, ID, KG, SKOS

_NAMING = tuple(dict.fromkeys((*(p for labels in _LABELS.values() for p in labels), *_NAMES)))
# Names that people type from memory; identifiers are found as they stand.
_SPOKEN = tuple(dict.fromkeys((*(p for labels in _LABELS.values() for p in labels), SKOS.altLabel)))
_SCHEMES = sorted({*PAPER_SCHEMES, *PERSON_SCHEMES})
_OWN = re.compile(r"(?:paper|person|method|dataset|repo|topic|venue)/\S+")
_MOST = 2000  # names looked at on this side for one question
_ALIKE = 4  # letters that a name must share with what was typed to be suggested


class RemoteLookup(Lookup):
    """Finds entities of an endpoint by any name; see `Lookup`."""

    def __init__(self, ask: Ask, excerpt: Excerpt) -> None:
        """`ask` runs a SPARQL text; what is found goes into `excerpt`."""
        self._ask, self._excerpt, self._moved = ask, excerpt, self._former
        self._found: dict[tuple[str, str | None], list[Match]] = {}
        self.notes: list[str] = []

    def _former(self, iri: str) -> str:
        """The entity that took the place of one with a former IRI, or ""."""
        if not iri.startswith(ID):
            return ""
        asked = self._ask(f"SELECT ?new WHERE {{ {values('old', [iri])} ?old <{DCTERMS.isReplacedBy}> ?new }}")
        return min((row[0] for row in words(asked)), default="")

    def prepare(self, iris: Iterable[str]) -> None:
        """Fetches many entities at once that will be asked for one by one."""
        self._excerpt.describe(iris)

    def all(self, text: str, kind: str | None = None) -> list[Match]:
        kind = None if kind == "entity" else kind
        if (text, kind) not in self._found:
            self._found[text, kind] = self._search(text.strip(), kind)
        return self._found[text, kind]

    def coiners(self, name: str) -> list[Match]:
        coined = [m.iri for kind in ("method", "dataset") for m in self.all(name, kind)]
        if not coined:
            return []
        parts = " UNION ".join(
            f"{{ {values('e', coined)} ?paper <{p}> ?e }}" for p in (KG.proposesMethod, KG.introducesDataset)
        )
        return self._matches_of(
            (row[0].value for row in self._ask(f"SELECT DISTINCT ?paper WHERE {{ {parts} }}")), "paper"
        )

    def suggest(self, text: str, kind: str | None = None, limit: int = 5) -> list[Match]:
        """Entities whose names share the beginning of a word with the text; none if the server takes too long."""
        words = sorted(fold(text).split(), key=len, reverse=True)
        heads = [w[:_ALIKE] for w in words[:2] if len(w) >= 3]
        try:
            names = self._containing(heads, kind, any_of=True)
        except EndpointError:
            return []  # the error that is about to be told matters more
        # The likeness first: what is known of a thing costs the server more than its name.
        iris = sorted({iri for iri, _ in names})
        place = {iri: i for i, iri in enumerate(iris)}
        best = _closest(key_of(text), [(key_of(name), place[iri]) for iri, name in sorted(names)])
        chosen = list(dict.fromkeys(iris[number] for _, number in best))
        found = {m.iri: m for m in self._matches_of(chosen, None if kind == "entity" else kind)}
        return [found[iri] for iri in chosen if iri in found][:limit]

    def _search(self, text: str, kind: str | None) -> list[Match]:
        if not text:
            return []
        iri = expanded(text.strip("<>"))
        iri = ID + iri if _OWN.fullmatch(iri) else iri
        if iri.startswith(ID) and (found := self._matches_of([iri], kind)):
            return found
        exact = self._matches_of(self._exactly(text), kind)
        if exact:
            return exact
        key = key_of(text)
        words = sorted(fold(text).split(), key=len, reverse=True)[:2]
        return self._matches_of((iri for iri, name in self._containing(words, kind) if key in _keys(name)), kind)

    def _exactly(self, text: str) -> set[str]:
        """Entities with just this name, or with this identifier in some scheme."""
        terms = [ox.Literal(text), *(ox.Literal(f"{scheme}:{text}") for scheme in _SCHEMES if ":" not in text)]
        address = text if "://" in text else f"https://{text}" if "/" in text and " " not in text else ""
        with contextlib.suppress(ValueError):
            terms += [ox.NamedNode(address), ox.Literal(address)] if address else []
        naming = ", ".join(f"<{p}>" for p in _NAMING)
        names = " ".join(map(str, terms))
        query = f"SELECT DISTINCT ?e WHERE {{ VALUES ?n {{ {names} }} ?e ?p ?n FILTER(?p IN ({naming})) }}"
        return {row[0].value for row in self._ask(query)}

    def _containing(self, words: list[str], kind: str | None, any_of: bool = False) -> list[tuple[str, str]]:
        """(entity, name) of names that hold all the words (or any) in lower case, in no order; at most `_MOST`."""
        if not words:
            return []
        tests = (" || " if any_of else " && ").join(f"CONTAINS(LCASE(STR(?n)), {ox.Literal(w)})" for w in words)
        # Only the predicates of this kind's names, and no further pattern: each means millions of rows to look at.
        predicates = dict.fromkeys((*_LABELS[kind], SKOS.altLabel) if kind in _LABELS else _SPOKEN)
        parts = " UNION ".join(f"{{ ?e <{p}> ?n FILTER({tests}) }}" for p in predicates)
        query = f"SELECT ?e ?n WHERE {{ {parts} }} LIMIT {_MOST}"
        return [(e.value, n.value) for e, n in self._ask(query)]

    def _matches_of(self, iris: Iterable[str], kind: str | None) -> list[Match]:
        wanted = sorted(set(iris))
        self._excerpt.describe(wanted)
        found = [m for iri in wanted if (m := self._excerpt.match(iri)) and kind in (None, m.kind)]
        return sorted(found, key=lambda m: (-m.papers, KINDS.index(m.kind), m.iri))


def _keys(name: str) -> set[str]:
    return {key_of(name), key_of(name.partition(":")[2] or name)}

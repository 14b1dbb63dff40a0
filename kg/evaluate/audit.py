"""What in a graph deserves a person's look, the most valuable first, each with its entry for overrides.toml.

Reads the statements and the index alone, so it runs on any built graph. The value of a finding is the
number of papers that would be set right, weighed by how often findings of its sort are faults.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from kg.evaluate.audit_sources import disagreeing
from kg.evaluate.finding import Finding
from kg.query.index import prefixed
from kg.records import Disagreement
from kg.resolve.forms import name_form
from kg.text import fold
from kg.vocab import ID

KINDS = ("people", "names", "code", "sources")
Rows = Callable[[str], Iterable[dict[str, Any]]]
_SHORT = 7  # letters; shorter names are one letter apart too often
_LONG = 12  # letters of a name that two things hardly share by chance
_OFTEN = 10  # papers from which an unsure claim on an entity matters
_UNSURE = 0.6
_MANY = 8  # papers from which a person who rests on the name alone deserves a look


def findings(
    rows: Rows, db: sqlite3.Connection, kinds: Iterable[str] = KINDS, differing: Iterable[Disagreement] = ()
) -> list[Finding]:
    """Everything that deserves a look, the most valuable first.

    Args:
        rows: answers a SPARQL SELECT with dictionaries of plain values. db: the index of the same graph.
        differing: what the sources of one paper do not agree on, as linking found it.
    """
    kinds = tuple(kinds)
    sorts = {
        "names": (ambiguous, alike, two_kinds, unsure),
        "people": (split_people, shared_identifiers, name_only),
        "code": (shared_code, lists_as_code),
    }
    found = [f for kind in kinds for sort in sorts.get(kind, ()) for f in sort(rows, db)]
    if "sources" in kinds:
        found += disagreeing(differing)
    return sorted(found, key=lambda f: (-f.value, f.kind, f.what, f.entities))


def ambiguous(rows: Rows, db: sqlite3.Connection) -> Iterator[Finding]:
    """Names that several papers coined, and the papers of which it is not known which one they mean."""
    papers = _papers(db)
    related: dict[str, list[str]] = defaultdict(list)
    for row in rows("SELECT ?a ?b WHERE { ?a kg:ambiguousName true ; skos:related ?b }"):
        related[row["a"]].append(row["b"])
    for row in rows("SELECT ?e ?name WHERE { ?e kg:ambiguousName true ; skos:prefLabel ?name }"):
        iri, kind = row["e"], _kind(row["e"])
        # The senses point at one of them, not at each other: take all that share the name.
        same = [e for (e,) in db.execute(
            "SELECT tail FROM thing WHERE kind = ? AND label = ? AND tail <> ?", (kind, row["name"], iri.removeprefix(ID))
        )]  # fmt: skip
        senses = sorted({*(ID + e for e in same), *related[iri]} - {iri}, key=lambda e: (-papers.get(e, 0), e))
        senses = [e for e in senses if _kind(e) == kind]
        if senses:
            n = papers.get(iri, 0)
            yield Finding(
                float(n),
                "names",
                "ambiguous name",
                row["name"],
                f"{n} paper{'s' * (n != 1)} use{'s' * (n == 1)} it; {len(senses)} other thing{'s' * (len(senses) != 1)} bear{'s' * (len(senses) == 1)} its name",
                (prefixed(iri), *map(prefixed, senses[:5])),
                _entry("same", things=[prefixed(senses[0]), prefixed(iri)]),
            )


def alike(rows: Rows, db: sqlite3.Connection) -> Iterator[Finding]:
    """Two methods or two data sets that share a long name, or whose names are one letter apart."""
    seen = set()
    for kind in ("method", "dataset"):
        things = {i: (ID + tail, label, n) for i, tail, label, n in db.execute(
            "SELECT id, tail, label, papers FROM thing WHERE kind = ?", (kind,)
        )}  # fmt: skip
        shared = db.execute(
            """SELECT n.key, n.entity, m.entity, min(n.name) FROM name n JOIN name m ON m.key = n.key
               JOIN thing a ON a.id = n.entity JOIN thing b ON b.id = m.entity
               WHERE n.entity < m.entity AND a.kind = ? AND b.kind = ? AND length(n.key) >= ? GROUP BY 1, 2, 3""",
            (kind, kind, _LONG),
        ).fetchall()
        pairs = [(a, b, f"both are called {name!r}", 0.6) for _, a, b, name in shared]
        pairs += [(a, b, "one letter apart", 0.3) for a, b in _one_apart(things)]
        for a, b, why, weight in pairs:
            more, less = sorted((things[a], things[b]), key=lambda t: (-t[2], t[0]))
            if (more[0], less[0]) not in seen:
                seen.add((more[0], less[0]))
                yield Finding(
                    weight * less[2] + 0.01 * min(more[2], 100),
                    "names",
                    "nearly the same",
                    f"{more[1]} / {less[1]}",
                    f"{why}; {more[2]} and {less[2]} papers",
                    (prefixed(more[0]), prefixed(less[0])),
                    _entry("same", things=[prefixed(more[0]), prefixed(less[0])]),
                )


def _one_apart(things: dict[int, tuple[str, str, int]]) -> Iterator[tuple[int, int]]:
    """Pairs whose names differ by one letter more, less or other; a digit more is another version."""
    by_form: dict[str, list[int]] = defaultdict(list)
    for i, (_, label, _) in things.items():
        form = name_form(label)
        if len(form) >= _SHORT:
            by_form[form].append(i)
    # Two forms one letter apart share what is left when that letter is taken out of each.
    shorter: dict[tuple[int, str], list[str]] = defaultdict(list)
    for form in sorted(by_form):
        for at, letter in enumerate(form):
            rest = form[:at] + form[at + 1 :]
            if letter.isalpha():
                shorter[at, rest].append(form)
    for (_, rest), forms in shorter.items():
        for other in forms[1:]:
            yield by_form[forms[0]][0], by_form[other][0]
        if rest in by_form and not _is_ending(rest, forms[0]):
            yield by_form[rest][0], by_form[forms[0]][0]


def _is_ending(rest: str, form: str) -> bool:
    """Whether the letter more only begins or ends the name: a variant with a name of its own (`xBERT`)."""
    return form[1:] == rest or form[:-1] == rest


def two_kinds(rows: Rows, db: sqlite3.Connection) -> Iterator[Finding]:
    """One name that is a method for some papers and a data set for others."""
    pairs = db.execute(
        """SELECT a.tail, a.papers, b.tail, b.papers, a.label FROM thing a JOIN thing b ON b.label = a.label
           WHERE a.kind = 'method' AND b.kind = 'dataset'"""
    ).fetchall()
    for method, m, dataset, d, name in pairs:
        (fewer, few), (_, many) = sorted(((method, m), (dataset, d)), key=lambda t: (t[1], t[0]))
        if many >= 2 * few:
            kind = "dataset" if fewer == method else "method"
            yield Finding(
                0.7 * few,
                "names",
                "method and data set",
                name,
                f"a method in {m} papers, a data set in {d}",
                (f"id:{method}", f"id:{dataset}"),
                _entry("kind", thing=f"id:{fewer}", **{"is": kind}),
            )


def unsure(rows: Rows, db: sqlite3.Connection) -> Iterator[Finding]:
    """Claims of low confidence about things that many papers speak of."""
    papers = _papers(db)
    query = f"""SELECT ?paper ?predicate ?e ?name ?confidence WHERE {{
        ?a kg:confidence ?confidence FILTER(?confidence < {_UNSURE})
        ?a rdf:subject ?paper ; rdf:predicate ?predicate ; rdf:object ?e . ?e skos:prefLabel ?name
        FILTER NOT EXISTS {{ ?a kg:reviewStatus ?status }} }}"""
    relations = {"proposesMethod": "proposes", "usesMethod": "uses", "introducesDataset": "introduces", "usesDataset": "uses"}  # fmt: skip
    for row in rows(query):
        n, relation = papers.get(row["e"], 0), relations.get(row["predicate"].rpartition("#")[2])
        if n >= _OFTEN and relation:
            doubt = 1 - float(row["confidence"])
            yield Finding(
                doubt * (1.5 if relation != "uses" else 0.8),
                "names",
                "unsure claim",
                row["name"],
                f"{prefixed(row['paper'])} {relation} it, confidence {float(row['confidence']):.2f}; {n} papers name it",
                (prefixed(row["paper"]), prefixed(row["e"])),
                _entry("wrong", paper=prefixed(row["paper"]), thing=prefixed(row["e"]), relation=relation),
            )


def split_people(rows: Rows, db: sqlite3.Connection) -> Iterator[Finding]:
    """Two people of one name with one affiliation."""
    names = {
        n for (n,) in db.execute("SELECT label FROM thing WHERE kind = 'person' GROUP BY label HAVING count(*) > 1")
    }
    if not names:
        return
    papers = _papers(db)
    where: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows(
        """SELECT DISTINCT ?person ?name ?place WHERE {
           ?person foaf:name ?name . ?s soa:hasAuthor ?person ; soa:rawAffiliation ?place }"""
    ):
        if row["name"] in names:
            where[row["name"], fold(row["place"])].add(row["person"])
    seen = set()
    for (name, place), people in sorted(where.items()):
        group = tuple(sorted(people, key=lambda p: (-papers.get(p, 0), p)))
        if len(group) > 1 and group not in seen:
            seen.add(group)
            yield Finding(
                0.5 * sum(papers.get(p, 0) for p in group[1:]),
                "people",
                "one name, one affiliation, several people",
                name,
                f"{len(group)} people at {place!r}",
                tuple(map(prefixed, group)),
                _entry("same", things=list(map(prefixed, group))),
            )


def shared_identifiers(rows: Rows, db: sqlite3.Connection) -> Iterator[Finding]:
    """One identifier on two people, or two identifiers of one sort on one person."""
    owners: dict[str, set[str]] = defaultdict(set)
    held: dict[tuple[str, str], set[str]] = defaultdict(set)
    labels = {}
    for row in rows(
        "SELECT ?person ?name ?id WHERE { ?person a foaf:Person ; foaf:name ?name ; dcterms:identifier ?id }"
    ):
        owners[row["id"]].add(row["person"])
        held[row["person"], row["id"].partition(":")[0]].add(row["id"])
        labels[row["person"]] = row["name"]
    papers = _papers(db)
    for curie, people in sorted(owners.items()):
        if len(people) > 1:
            group = sorted(people, key=lambda p: (-papers.get(p, 0), p))
            yield Finding(
                0.8 * sum(papers.get(p, 0) for p in group[1:]),
                "people",
                "one identifier, several people",
                labels[group[0]],
                f"{curie} stands on {len(group)} people",
                tuple(map(prefixed, group)),
                _entry("same", things=list(map(prefixed, group))),
            )
    for (person, scheme), ids in sorted(held.items()):
        if len(ids) > 1 and (entry := _two_papers(rows, person)):
            yield Finding(
                0.4 * papers.get(person, 0),
                "people",
                "several identifiers of one sort",
                labels[person],
                f"{len(ids)} of {scheme}: {', '.join(sorted(ids)[:4])}",
                (prefixed(person),),
                entry,
            )


def name_only(rows: Rows, db: sqlite3.Connection) -> Iterator[Finding]:
    """People with many papers that only their name joins."""
    papers = _papers(db)
    for row in rows('SELECT ?person ?name WHERE { ?person kg:resolutionStatus "name-only" ; foaf:name ?name }'):
        n = papers.get(row["person"], 0)
        if n >= _MANY and (entry := _two_papers(rows, row["person"])):
            yield Finding(
                0.1 * n, "people", "name alone", row["name"], f"{n} papers", (prefixed(row["person"]),), entry
            )


def _two_papers(rows: Rows, person: str) -> str:
    """An entry that tells the first two papers of a person apart."""
    query = f"""SELECT ?paper ?name WHERE {{ ?s soa:hasAuthor <{person}> ; kg:nameAsPrinted ?name .
        ?paper soa:hasAuthorship ?s }} ORDER BY ?paper LIMIT 2"""
    things = [{"paper": prefixed(r["paper"]), "name": r["name"]} for r in rows(query)]
    return _entry("different", things=things) if len(things) == 2 else ""


def shared_code(rows: Rows, db: sqlite3.Connection) -> Iterator[Finding]:
    """Repositories that several papers call their own: a monorepo, or another paper's code."""
    owners: dict[str, list[str]] = defaultdict(list)
    for row in rows("SELECT ?repo ?paper WHERE { ?paper kg:hasRepository ?repo } ORDER BY ?repo ?paper"):
        owners[row["repo"]].append(row["paper"])
    for repo, papers in sorted(owners.items()):
        if len(papers) > 1:
            yield Finding(
                0.5 * (len(papers) - 1),
                "code",
                "one repository, several papers",
                prefixed(repo).removeprefix("id:repo/"),
                f"{len(papers)} papers call it theirs",
                (prefixed(repo), *map(prefixed, papers[:5])),
                _entry("wrong", paper=prefixed(papers[-1]), thing=prefixed(repo), relation="code"),
            )


def lists_as_code(rows: Rows, db: sqlite3.Connection) -> Iterator[Finding]:
    """Lists of links that a paper is said to have as its code."""
    query = """SELECT ?repo ?paper WHERE { ?paper kg:hasRepository ?repo
        FILTER(REGEX(STR(?repo), "awesome|paper-?list|reading-?list", "i")) }"""
    for row in rows(query):
        yield Finding(
            1.0,
            "code",
            "a list of links as code",
            prefixed(row["repo"]).removeprefix("id:repo/"),
            f"of {prefixed(row['paper'])}",
            (prefixed(row["repo"]), prefixed(row["paper"])),
            _entry("wrong", paper=prefixed(row["paper"]), thing=prefixed(row["repo"]), relation="code"),
        )


def _papers(db: sqlite3.Connection) -> dict[str, int]:
    """Number of papers of every entity."""
    return {ID + tail: n for tail, n in db.execute("SELECT tail, papers FROM thing WHERE kind <> 'paper'")}


def _kind(iri: str) -> str:
    return iri.removeprefix(ID).partition("/")[0]


def _entry(table: str, **values: Any) -> str:
    """An entry for overrides.toml."""
    return "\n".join([f"[[{table}]]", *(f"{key} = {_toml(value)}" for key, value in values.items())])


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{k} = {_toml(v)}' for k, v in value.items())} }}"
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'

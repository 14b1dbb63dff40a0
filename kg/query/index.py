"""A small SQLite index beside the store: names to entities, and who is linked to which paper.

Oxigraph answers a pair question (who wrote with whom most often) through a self-join that takes many
seconds on a large graph; SQLite over integers does it in a fraction. The index is derived from the
store alone and holds nothing that a query could not find there.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from kg.errors import GraphError
from kg.text import digest, fold
from kg.vocab import BIBO, DCTERMS, EVIDENCE_GRAPH, FABIO, FOAF, ID, KG, PREFIXES, PRISM, RDF, SCHEMA, SKOS

KINDS = ("paper", "person", "method", "dataset", "repository", "topic", "venue")


def prefixed(iri: str) -> str:
    """A short form of an IRI for people: `id:person/…`, `schema:Dataset`; unchanged where none fits."""
    for prefix, namespace in PREFIXES.items():
        if prefix != "id" and iri.startswith(namespace):
            return f"{prefix}:{iri[len(namespace) :]}"
    return f"id:{iri[len(ID) :]}" if iri.startswith(ID) else iri


def expanded(name: str) -> str:
    """The IRI of a short form; anything else unchanged."""
    prefix, colon, rest = name.partition(":")
    return PREFIXES[prefix] + rest if colon and prefix in PREFIXES and not rest.startswith("//") else name


# What `kg links` calls a relation, and the statements behind it: (predicate, role).
RELATIONS = {
    "coauthors": (("dcterms:creator", "author"),),
    "methods": (("kg:proposesMethod", "proposed"), ("kg:usesMethod", "used")),
    "datasets": (("kg:introducesDataset", "introduced"), ("kg:usesDataset", "used")),
    "code": (("kg:hasRepository", "own"), ("kg:mentionsRepository", "mentioned")),
    "topics": (("dcterms:subject", "subject"), ("kg:addressesTask", "task")),
}

VERSION = 4  # of the tables below
_OLDEST = 2  # version that can still be read; it lacks confidences
_AGAIN = "kg build -g DIR, without inputs, makes the graph again from its own records"
_SCHEMA = f"""
PRAGMA user_version = {VERSION};
CREATE TABLE thing (id INTEGER PRIMARY KEY, tail TEXT NOT NULL, kind TEXT NOT NULL, label TEXT NOT NULL,
                    year INTEGER, venue TEXT, papers INTEGER NOT NULL);
CREATE VIEW entity AS SELECT id, '{ID}' || tail AS iri, kind, label, year, venue, papers FROM thing;
CREATE TABLE name (key TEXT NOT NULL, entity INTEGER NOT NULL, name TEXT NOT NULL,
                   PRIMARY KEY (key, entity, name)) WITHOUT ROWID;
CREATE TABLE member (relation TEXT NOT NULL, entity INTEGER NOT NULL, paper INTEGER NOT NULL, role TEXT NOT NULL,
                     confidence REAL NOT NULL DEFAULT 1, PRIMARY KEY (relation, entity, paper, role)) WITHOUT ROWID;
"""
_INDEXES = """
CREATE UNIQUE INDEX thing_tail ON thing (tail);
CREATE INDEX member_paper ON member (paper, relation, entity, role, confidence);
PRAGMA analysis_limit = 1000;
ANALYZE;
"""
_KEY = 48  # letters of a key; a longer one (a title) ends in a digest of the whole
# Class of an entity -> kind; topics are known by their scheme, for methods are concepts as well.
_CLASSES = {
    SCHEMA.ScholarlyArticle: "paper", FOAF.Person: "person", KG.Method: "method", SCHEMA.Dataset: "dataset",
    SCHEMA.SoftwareSourceCode: "repository", SCHEMA.EventSeries: "venue",
}  # fmt: skip
SCHEMES = (f"{ID}topic/scheme", f"{ID}task/scheme")  # a task is a topic to those who look for one
# kind -> where its label stands, the first that is there.
_LABELS = {
    "paper": (KG.displayTitle, DCTERMS.title, SKOS.prefLabel), "person": (FOAF.name,), "method": (SKOS.prefLabel,),
    "dataset": (SKOS.prefLabel,), "repository": (SKOS.prefLabel,), "topic": (SKOS.notation,), "venue": (SCHEMA.name,),
}  # fmt: skip
# Further names of anything.
_NAMES = (
    DCTERMS.title, SKOS.prefLabel, SKOS.altLabel, DCTERMS.identifier, SCHEMA.codeRepository, PRISM.doi, FABIO.hasArXivId,
)  # fmt: skip
_EDITION, _SERIES, _YEAR = BIBO.presentedAt, SCHEMA.superEvent, FABIO.hasPublicationYear
_LABELLING = {_EDITION, _SERIES, _YEAR}.union(*_LABELS.values())
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_LETTERS = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


def build_index(lines: Iterable[str], path: Path | str) -> sqlite3.Connection:
    """Creates the index of a graph.

    Args:
        lines: the statements as N-Quads, one a line, in any order. Reading them is many times faster
            than asking the store, which decodes every term of every row.
        path: a new file, or ":memory:".

    Returns:
        The open connection.
    """
    db = _new(path)
    found = _read(lines)
    things = list(_things(found))
    number = {tail: i for i, (tail, *_) in enumerate(things, 1)}
    db.executemany("INSERT INTO member VALUES (?, ?, ?, ?, ?)", _members(found, number))
    db.executemany("INSERT INTO name VALUES (?, ?, ?)", sorted(_named(found, things, number)))
    _finish(db, things)
    return db


def patch_index(old: Path, path: Path, subjects: Collection[str], lines: Iterable[str]) -> sqlite3.Connection:
    """Creates the index of a graph from that of the graph before; the rows are those that `build_index` makes.

    Args:
        old: the index to start from. path: a new file.
        subjects: IRIs whose statements differ, the vanished ones included. Of a paper, that means all
            the statements it brings.
        lines: the new statements about those, and all about venues and their editions.

    Returns:
        The open connection.
    """
    db = _new(path)
    db.execute("ATTACH ? AS old", (str(old),))
    found = _read(lines)
    touched = {iri[len(ID) :] for iri in subjects if iri.startswith(ID)}
    venues = {tail: label for tail, kind, label, *_ in _things(found) if kind == "venue"}
    renamed = {}
    kept: list[Thing] = []
    before = {}
    for number, *row in db.execute("SELECT id, tail, kind, label, year, venue FROM old.thing ORDER BY id"):
        tail, kind, label = row[:3]
        before[tail] = number
        if kind == "venue" and venues.get(tail, label) != label:
            renamed[label] = venues[tail]
        if tail not in touched:
            kept.append(tuple(row))  # type: ignore[arg-type]
    fresh = [thing for thing in _things(found) if thing[0] in touched]
    things = sorted(kept + fresh, key=_order)
    if renamed:
        things = [(t, k, label, y, renamed.get(v, v) if k == "paper" and v else v) for t, k, label, y, v in things]
    number = {tail: i for i, (tail, *_) in enumerate(things, 1)}
    db.execute("CREATE TEMP TABLE moved (old INTEGER PRIMARY KEY, new INTEGER NOT NULL, same INTEGER NOT NULL)")
    moved = ((i, number[tail], tail not in touched) for tail, i in before.items() if tail in number)
    db.executemany("INSERT INTO moved VALUES (?, ?, ?)", moved)
    # Numbers move, their order stays: rows arrive sorted, which is how they are quickest to insert.
    db.execute(
        """INSERT INTO member SELECT m.relation, e.new, p.new, m.role, m.confidence FROM old.member m
           CROSS JOIN moved p ON p.old = m.paper AND p.same CROSS JOIN moved e ON e.old = m.entity"""
    )
    db.executemany("INSERT INTO member VALUES (?, ?, ?, ?, ?)", _members(found, number))
    db.execute(
        """INSERT INTO name SELECT n.key, e.new, n.name FROM old.name n
           CROSS JOIN moved e ON e.old = n.entity AND e.same"""
    )
    db.executemany("INSERT INTO name VALUES (?, ?, ?)", sorted(_named(found, fresh, number)))
    _finish(db, things)
    db.execute("DROP TABLE moved")
    db.commit()
    db.execute("DETACH old")
    return db


def _new(path: Path | str) -> sqlite3.Connection:
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.executescript(_SCHEMA)
    return db


def _finish(db: sqlite3.Connection, things: list[Thing]) -> None:
    """The things themselves, each with the number of its papers, and the indexes."""
    count = "SELECT entity, COUNT(*) FROM (SELECT DISTINCT relation, entity, paper FROM member) GROUP BY entity"
    papers = dict(db.execute(count))
    rows = ((i, *thing, papers.get(i, 0)) for i, thing in enumerate(things, 1))
    db.executemany("INSERT INTO thing (id, tail, kind, label, year, venue, papers) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    db.commit()
    db.executescript(_INDEXES)
    db.commit()


def open_index(path: Path) -> sqlite3.Connection:
    """Opens an index read-only.

    Raises:
        GraphError: there is none, it is damaged, or another version of the package made it.
    """
    try:
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        (version,) = db.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error as error:
        raise GraphError(f"the index cannot be read: {error}", place=str(path), hint=_AGAIN) from None
    if not _OLDEST <= version <= VERSION:
        db.close()
        raise GraphError("another version of paperkg made this index", place=str(path), hint=_AGAIN)
    return db


def key_of(name: str) -> str:
    """The form under which a name is found: `fold` without blanks, or the bare text if that is empty."""
    key = fold(name).replace(" ", "") or name.strip()
    return key if len(key) <= _KEY else key[: _KEY - 8] + digest(key, length=8)


Statements = dict[str, list[tuple[str, str]]]  # predicate -> (end of the subject's IRI, object)
Thing = tuple[str, str, str, int | None, str | None]  # end of the IRI, kind, label, year, venue

_WANTED = (
    {RDF.type, SKOS.inScheme, SCHEMA.name, KG.confidence, _EDITION, _SERIES, _YEAR, *_NAMES}
    | {label for labels in _LABELS.values() for label in labels}
    | {expanded(predicate) for statements in RELATIONS.values() for predicate, _ in statements}
)


def _read(lines: Iterable[str]) -> Statements:
    """The plain statements that the index is made of; IRIs of this graph's own things without their beginning."""
    found: Statements = {predicate: [] for predicate in _WANTED}
    lists = {f"<{predicate}>": pairs for predicate, pairs in found.items()}
    begin = len(ID) + 1
    own = f"<{ID}"
    evidence, sure = f"<{EVIDENCE_GRAPH}> .\n", f" <{KG.confidence}> "
    confidences = found[KG.confidence]
    same: dict[str, str] = {}  # one string for the many statements that name a thing: half the memory
    for line in lines:
        if line.endswith(evidence):
            if sure in line:
                assertion, _, rest = line.split(" ", 2)
                value = rest[1 : rest.index('"', 1)]
                confidences.append((assertion[begin:-1], same.setdefault(value, value)))
            continue
        subject, predicate, rest = line.split(" ", 2)
        pairs = lists.get(predicate)
        if pairs is None or not subject.startswith(own):
            continue
        if rest.startswith('"'):
            text = rest[1 : rest.rindex('"')]
            obj = unescaped(text) if "\\" in text else text
        else:
            iri = rest[: rest.index(">")]
            obj = iri[begin:] if iri.startswith(own) else iri[1:]
            obj = same.setdefault(obj, obj)
        tail = subject[begin:-1]
        pairs.append((same.setdefault(tail, tail), obj))
    return found


def unescaped(text: str) -> str:
    """The text of an N-Quads literal."""
    return _ESCAPE.sub(lambda m: chr(int(m[1] or m[2], 16)) if m[1] or m[2] else _LETTERS.get(m[3], m[3]), text)


def _things(found: Statements) -> Iterator[Thing]:
    """Everything that has a kind, by kind and IRI."""
    kinds = {tail: kind for tail, c in found[RDF.type] if (kind := _CLASSES.get(c))}
    kinds |= {tail: "topic" for tail, scheme in found[SKOS.inScheme] if ID + scheme in SCHEMES}
    # Of several labels (none of ours has any) the first by letters, so that equal graphs have equal indexes.
    first = {p: dict(sorted(pairs, reverse=True)) for p, pairs in found.items() if p in _LABELLING}
    series = first[_SERIES]
    for tail, kind in sorted(kinds.items(), key=_order):
        label = next((first[p][tail] for p in _LABELS[kind] if tail in first[p]), tail)
        if kind == "paper":
            year, venue = first[_YEAR].get(tail), first[SCHEMA.name].get(series.get(first[_EDITION].get(tail, ""), ""))
            yield tail, kind, label, int(year) if year else None, venue
        else:
            yield tail, kind, label, None, None


def _order(thing: Thing | tuple[str, str]) -> tuple[int, str]:
    return KINDS.index(thing[1]), thing[0]


def _named(found: Statements, things: list[Thing], number: dict[str, int]) -> set[tuple[str, int, str]]:
    """(key, number, name) of every name."""
    names = {(key_of(label), number[tail], label) for tail, _, label, *_ in things}
    for predicate in _NAMES:
        for tail, name in found[predicate]:
            if name and (entity := number.get(tail)):
                names.add((key_of(name), entity, name))
                if bare := name.partition(":")[2]:  # "openreview:~Ada1" is also found as "~Ada1"
                    names.add((key_of(bare), entity, bare))
    return names


def _members(found: Statements, number: dict[str, int]) -> Iterator[tuple[str, int, int, str, float]]:
    """Which paper belongs to which entity, as what and how surely: the rows of `member`, sorted."""
    from kg.graph.evidence import assertion_iri

    confidences = {ID + assertion: float(value) for assertion, value in found[KG.confidence]}
    for relation, statements in sorted(RELATIONS.items()):
        rows = set()
        for predicate, role in statements:
            term = expanded(predicate)
            extracted = bool(confidences) and predicate.startswith("kg:")  # the rest is what a source states
            for paper, entity in found[term]:
                if paper in number and entity in number:
                    claim = assertion_iri(ID + paper, term, ID + entity) if extracted else ""
                    rows.add((relation, number[entity], number[paper], role, confidences.get(claim, 1.0)))
        yield from sorted(rows)

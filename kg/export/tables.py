"""One table for each kind of thing, as CSV or Parquet files in a folder.

Rows go through files that are sorted outside memory, so the size of a graph does not matter.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import msgspec

from kg.errors import ExportError
from kg.export.sorting import Sorter
from kg.store.oxigraph import OxigraphStore
from kg.store.results import python_value
from kg.vocab import PREFIXES

_LABEL = "OPTIONAL { ?id dcterms:title ?t } OPTIONAL { ?id skos:prefLabel ?l } BIND(COALESCE(?t, ?l) AS ?label)"
_CLAIM = """?a rdf:subject ?paper ; rdf:predicate ?p ; rdf:object ?object ; kg:confidence ?confidence
    OPTIONAL { ?a kg:cue ?cue } BIND(STRAFTER(STR(?p), "#") AS ?relation)"""

# table -> SPARQL; the columns are its variables
TABLES = {
    "papers": f"""SELECT ?id ?label ?title ?year ?venue ?url ?doi ?abstract WHERE {{ ?id a schema:ScholarlyArticle {_LABEL}
        OPTIONAL {{ ?id dcterms:title ?title }} OPTIONAL {{ ?id fabio:hasPublicationYear ?year }}
        OPTIONAL {{ ?id bibo:presentedAt/schema:superEvent/schema:name ?venue }} OPTIONAL {{ ?id schema:url ?url }}
        OPTIONAL {{ ?id prism:doi ?doi }} OPTIONAL {{ ?id dcterms:abstract ?abstract }} }}""",
    "people": "SELECT ?id ?name ?status WHERE { ?id a foaf:Person ; foaf:name ?name ; kg:resolutionStatus ?status }",
    "authorships": """SELECT ?paper ?position ?person ?printed ?affiliation WHERE { ?paper soa:hasAuthorship ?s .
        ?s soa:position ?position ; soa:hasAuthor ?person ; kg:nameAsPrinted ?printed
        OPTIONAL { ?s soa:rawAffiliation ?affiliation } }""",
    "methods": "SELECT ?id ?name WHERE { ?id a kg:Method ; skos:prefLabel ?name }",
    "datasets": "SELECT ?id ?name WHERE { ?id a schema:Dataset ; skos:prefLabel ?name }",
    "repositories": """SELECT ?id ?url ?kind WHERE { ?id a schema:SoftwareSourceCode ; schema:codeRepository ?url ;
        kg:repositoryKind ?kind }""",
    "topics": """SELECT ?id ?name ?path ?broader WHERE { ?id skos:inScheme ?scheme ; skos:prefLabel ?name ;
        skos:notation ?path OPTIONAL { ?id skos:broader ?broader } }""",
    "paper_topics": "SELECT ?paper ?topic WHERE { ?paper dcterms:subject ?topic }",
    "identifiers": "SELECT ?id ?identifier WHERE { ?id dcterms:identifier ?identifier }",
    "claims": f"SELECT ?paper ?relation ?object ?confidence ?cue WHERE {{ {_CLAIM} }}",
    "quotes": f"""SELECT ?paper ?relation ?object ?field ?start ?end ?exact WHERE {{ {_CLAIM} .
        ?a kg:evidence/oa:hasTarget ?target . ?target oa:hasSource ?source ; oa:hasSelector ?s .
        ?s oa:start ?start ; oa:end ?end ; oa:exact ?exact BIND(STRAFTER(STR(?source), "#") AS ?field) }}""",
    "mappings": """SELECT ?id ?match ?target ?reason WHERE { ?m a kg:Mapping ; rdf:subject ?id ; rdf:predicate ?p ;
        rdf:object ?target ; kg:matchReason ?reason BIND(REPLACE(STR(?p), "^.*[#/]", "") AS ?match) }""",
    "aliases": "SELECT ?id ?alias WHERE { ?id skos:altLabel ?alias }",
}  # fmt: skip
INTEGERS, FLOATS = ("year", "position", "start", "end"), ("confidence",)  # every other column is text
_FORMULA = re.compile(r"[=+\-@\t\r]")
_GROUP = 20_000  # rows of a Parquet row group

Row = list[object]


def write_tables(store: OxigraphStore, folder: Path, suffix: str) -> None:
    """Writes every table as `folder`/NAME.csv or NAME.parquet, rows sorted by their columns, empty cells first.

    CSV cells that a spreadsheet would run as a formula get a leading apostrophe; Parquet keeps them.

    Raises:
        ExportError: Parquet without pyarrow.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, query in TABLES.items():
        with Sorter() as lines:
            columns, rows = _rows(store, query, lines)
            (_csv if suffix == "csv" else _parquet)(folder / f"{name}.{suffix}", columns, rows)


def _rows(store: OxigraphStore, query: str, lines: Sorter) -> tuple[list[str], Iterator[Row]]:
    """Columns, and distinct rows in order."""
    result = store.query(query, prefixes=PREFIXES)
    for row in result:
        values = [python_value(term) for term in row]
        lines.write(b"%s\t%s\n" % (b"\t".join(map(_sort_key, values)), msgspec.json.encode(values)))
    return result.variables, (msgspec.json.decode(line.rsplit(b"\t", 1)[1]) for line in lines)


def _sort_key(value: object) -> bytes:
    """Bytes that sort as the value does: numbers by size, texts by their beginning."""
    if isinstance(value, (int, float)):
        return b"%020.6f" % value
    return b"" if value is None else msgspec.json.encode(str(value)[:60])


def _csv(path: Path, columns: list[str], rows: Iterable[Row]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(columns)
        writer.writerows([_cell(v) for v in row] for row in rows)


def _cell(value: object) -> object:
    if isinstance(value, str) and _FORMULA.match(value):
        return "'" + value
    return value


def _parquet(path: Path, columns: list[str], rows: Iterator[Row]) -> None:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ImportError:
        raise ExportError("Parquet needs the package pyarrow", hint="pip install 'paperkg[parquet]'") from None
    kinds = {c: pa.int64() if c in INTEGERS else pa.float64() if c in FLOATS else pa.string() for c in columns}
    schema = pa.schema(list(kinds.items()))
    with parquet.ParquetWriter(path, schema, compression="zstd") as out:
        while group := list(islice(rows, _GROUP)):
            arrays = [pa.array(values, kinds[c]) for c, values in zip(columns, zip(*group, strict=True), strict=True)]
            out.write_table(pa.table(arrays, schema=schema))

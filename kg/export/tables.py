"""One table for each kind of thing, as CSV or Parquet files in a folder."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from kg.errors import ExportError
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
    "claims": f"SELECT ?paper ?relation ?object ?confidence ?cue WHERE {{ {_CLAIM} }}",
    "quotes": f"""SELECT ?paper ?relation ?object ?field ?start ?end ?exact WHERE {{ {_CLAIM} .
        ?a kg:evidence/oa:hasTarget ?target . ?target oa:hasSource ?source ; oa:hasSelector ?s .
        ?s oa:start ?start ; oa:end ?end ; oa:exact ?exact BIND(STRAFTER(STR(?source), "#") AS ?field) }}""",
    "aliases": "SELECT ?id ?alias WHERE { ?id skos:altLabel ?alias }",
}  # fmt: skip
_FORMULA = re.compile(r"[=+\-@\t\r]")


def write_tables(store: OxigraphStore, folder: Path, suffix: str) -> None:
    """Writes every table as `folder`/NAME.csv or NAME.parquet, rows sorted.

    CSV cells that a spreadsheet would run as a formula get a leading apostrophe; Parquet keeps them.

    Raises:
        ExportError: Parquet without pyarrow.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in TABLES:
        columns, rows = _rows(store, TABLES[name])
        if suffix == "csv":
            with open(folder / f"{name}.csv", "w", encoding="utf-8", newline="") as out:
                writer = csv.writer(out, lineterminator="\r\n")
                writer.writerow(columns)
                writer.writerows([_cell(v) for v in row] for row in rows)
        else:
            _parquet(folder / f"{name}.parquet", columns, rows)


def _rows(store: OxigraphStore, query: str) -> tuple[list[str], list[tuple[object, ...]]]:
    result = store.query(query, prefixes=PREFIXES)
    rows = {tuple(python_value(term) for term in row) for row in result}
    return result.variables, sorted(rows, key=lambda r: [(v is not None, str(type(v)), v) for v in r])


def _cell(value: object) -> object:
    if isinstance(value, str) and _FORMULA.match(value):
        return "'" + value
    return value


def _parquet(path: Path, columns: list[str], rows: list[tuple[object, ...]]) -> None:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise ExportError("Parquet needs the package pyarrow", hint="pip install 'paperkg[parquet]'") from None
    values: Iterator[tuple[object, ...]] = zip(*rows, strict=True) if rows else iter([()] * len(columns))
    arrays = [pa.array(list(column)) if rows else pa.array([], pa.string()) for column in values]
    parquet.write_table(pa.table(dict(zip(columns, arrays, strict=True))), path, compression="zstd")

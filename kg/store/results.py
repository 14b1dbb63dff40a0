"""Answers to a query, whatever engine gave them, and the W3C's formats for writing them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

import pyoxigraph as ox

from kg.errors import UsageError

TABLE_FORMATS = {
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
}
GRAPH_FORMATS = {"ttl": ox.RdfFormat.TURTLE, "nt": ox.RdfFormat.N_TRIPLES, "xml": ox.RdfFormat.RDF_XML}

Term = ox.NamedNode | ox.BlankNode | ox.Literal


class Result:
    """One answer: rows of a SELECT, the truth of an ASK, or the triples of a CONSTRUCT or DESCRIBE.

    Attributes:
        kind: "rows", "truth" or "triples".
        variables: column names of a SELECT, in order; empty otherwise.
    """

    def __init__(self, raw: ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples) -> None:
        self._raw = raw
        self.variables: list[str] = []
        if isinstance(raw, ox.QuerySolutions):
            self.kind = "rows"
            self.variables = [v.value for v in raw.variables]
        else:
            self.kind = "truth" if isinstance(raw, ox.QueryBoolean) else "triples"

    def __bool__(self) -> bool:
        if self.kind != "truth":
            raise TypeError("only the answer of an ASK query is true or false")
        return bool(self._raw)

    def __iter__(self) -> Iterator[tuple[Term | None, ...]]:
        """Rows as tuples of terms (None where unbound), or triples as (s, p, o)."""
        if self.kind == "rows":
            names = self.variables
            for solution in self._raw:
                yield tuple(solution[name] for name in names)
        elif self.kind == "triples":
            for triple in self._raw:
                yield triple.subject, triple.predicate, triple.object

    def rows(self) -> list[dict[str, Any]]:
        """The rows of a SELECT as dictionaries of plain values (IRIs as strings, None where unbound)."""
        return [dict(zip(self.variables, values, strict=True)) for values in self._values()]

    def to_pandas(self) -> Any:
        """The rows as a pandas `DataFrame`."""
        from kg.store.frames import to_pandas

        return to_pandas(self.variables, self._values())

    def to_polars(self) -> Any:
        """The rows as a polars `DataFrame`."""
        from kg.store.frames import to_polars

        return to_polars(self.variables, self._values())

    def to_arrow(self) -> Any:
        """The rows as a pyarrow `Table`."""
        from kg.store.frames import to_arrow

        return to_arrow(self.variables, self._values())

    def _values(self) -> Iterator[tuple[object, ...]]:
        if self.kind != "rows":
            raise UsageError("only the answer of a SELECT query is a table", hint="write() takes the others")
        return (tuple(map(python_value, row)) for row in self)

    def write(self, out: BinaryIO, format: str) -> None:
        """Writes the answer: csv, tsv, json, xml of rows and truths; ttl, nt, xml of triples.

        Triples are written sorted, so that equal answers are equal files.

        Raises:
            UsageError: this kind of answer has no such format.
        """
        if self.kind == "triples":
            if format not in GRAPH_FORMATS:
                raise UsageError(
                    f"a CONSTRUCT or DESCRIBE answer cannot be written as {format}",
                    hint=f"use -f {' or '.join(GRAPH_FORMATS)}",
                )
            ox.serialize(sorted(self._raw, key=str), out, GRAPH_FORMATS[format])
            return
        if format not in TABLE_FORMATS:
            raise UsageError(
                f"the rows of a SELECT or ASK cannot be written as {format}",
                hint=f"use -f {', '.join(TABLE_FORMATS)}, or a CONSTRUCT query",
            )
        if self.kind == "truth" and format in ("csv", "tsv"):
            # The W3C defines CSV and TSV for SELECT only; one word is what a shell wants to read.
            out.write(b"true\n" if bool(self._raw) else b"false\n")
            return
        self._raw.serialize(out, format=TABLE_FORMATS[format])


def python_value(term: Term | None) -> object:
    """A term as a plain Python value: str, int, float, bool or None; IRIs as strings."""
    if term is None:
        return None
    if isinstance(term, ox.Literal):
        kind = term.datatype.value.rsplit("#", 1)[-1]
        if kind in ("integer", "int", "long", "nonNegativeInteger"):
            return int(term.value)
        if kind in ("decimal", "double", "float"):
            return float(term.value)
        if kind == "boolean":
            return term.value in ("true", "1")
    return str(term.value)

"""One table for each kind of thing, as CSV or Parquet files in a folder.

Rows go through files that are sorted outside memory, so the size of a graph does not matter.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from kg.errors import ExportError
from kg.export.rows import COLUMNS, Tables
from kg.export.statements import Statements
from kg.store.oxigraph import OxigraphStore

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
    with Tables(store) as tables:
        with Statements(store) as statements:
            tables.read(statements.lines())
        for name, columns in COLUMNS.items():
            (_csv if suffix == "csv" else _parquet)(folder / f"{name}.{suffix}", columns, tables.rows(name))


def _csv(path: Path, columns: Sequence[str], rows: Iterable[Row]) -> None:
    with open(path, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(columns)
        writer.writerows([_cell(v) for v in row] for row in rows)


def _cell(value: object) -> object:
    if isinstance(value, str) and _FORMULA.match(value):
        return "'" + value
    return value


def _parquet(path: Path, columns: Sequence[str], rows: Iterator[Row]) -> None:
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

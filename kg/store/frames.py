"""Rows as the tables of other libraries, each imported when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from kg.errors import KgError

Rows = Iterable[Sequence[object]]


def to_pandas(columns: Sequence[str], rows: Rows) -> Any:
    """A pandas `DataFrame`."""
    return _module("pandas").DataFrame([list(r) for r in rows], columns=list(columns))


def to_polars(columns: Sequence[str], rows: Rows) -> Any:
    """A polars `DataFrame`."""
    polars = _module("polars")
    return polars.DataFrame({name: _alike(values) for name, values in _by_column(columns, rows).items()}, strict=False)


def to_arrow(columns: Sequence[str], rows: Rows) -> Any:
    """A pyarrow `Table`."""
    pyarrow = _module("pyarrow")
    return pyarrow.table({name: pyarrow.array(_alike(v)) for name, v in _by_column(columns, rows).items()})


def _by_column(columns: Sequence[str], rows: Rows) -> dict[str, list[object]]:
    held = list(rows)
    return {name: [row[i] for row in held] for i, name in enumerate(columns)}


def _alike(values: list[object]) -> list[Any]:
    """Values of one type: whole numbers beside fractions become fractions, anything else mixed becomes text."""
    types = {type(v) for v in values if v is not None}
    if len(types) < 2:
        return values
    into: Any = float if types == {int, float} else str
    return [None if v is None else into(v) for v in values]


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        extra = "parquet" if name == "pyarrow" else name
        raise KgError(f"this needs the package {name}", hint=f"pip install 'paperkg[{extra}]'") from None

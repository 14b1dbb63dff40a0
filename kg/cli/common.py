"""What several commands share: the graph option, formats, tables for people."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def graph_option(function: F) -> F:
    """Adds `-g/--graph DIR`."""
    return click.option(
        "-g",
        "--graph",
        "graph",
        envvar="KG_GRAPH",
        default="graph",
        show_default="$KG_GRAPH or ./graph",
        type=click.Path(),
        help="Folder of the graph.",
    )(function)


def note(message: str) -> None:
    """A message for people, on standard error."""
    click.echo(f"note: {clean(message)}", err=True)


def clean(text: str) -> str:
    """Text that cannot steer a terminal."""
    return _CONTROL.sub("\ufffd", text)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], right: Iterable[str] = ()) -> None:
    """A table for people: fits the terminal, or, where the output is a file or pipe, one line a row."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    terminal = sys.stdout.isatty()
    console = Console() if terminal else Console(width=100_000, no_color=True)
    table = Table(box=None if not terminal else _simple_box(), pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in set(right) else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(clean(_shown(cell, terminal))) for cell in row))
    if terminal:
        console.print(table)
        return
    with console.capture() as capture:
        console.print(table)
    for line in capture.get().splitlines():
        click.echo(line.rstrip())


def print_records(
    columns: Sequence[str], rows: Iterable[Sequence[object]], format: str, right: Iterable[str] = ()
) -> None:
    """Rows as a table, CSV, TSV or a JSON list of objects.

    CSV cells that a spreadsheet would run as a formula get a leading apostrophe.
    """
    if format == "table":
        print_table(columns, rows, right)
    elif format == "json":
        records = [dict(zip(columns, row, strict=True)) for row in rows]
        click.echo(json.dumps(records, ensure_ascii=False, indent=1))
    elif format == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\r\n")
        writer.writerow(columns)
        writer.writerows([_defused(_flat(cell)) for cell in row] for row in rows)
    else:
        for row in [columns, *rows]:
            click.echo("\t".join(re.sub(r"[\t\r\n]+", " ", _flat(cell)) for cell in row))


def _simple_box() -> Any:
    from rich import box

    return box.SIMPLE_HEAD


def _shown(cell: object, terminal: bool) -> str:
    if isinstance(cell, (list, tuple)):
        return ("\n" if terminal else "; ").join(str(x) for x in cell)
    text = "" if cell is None else str(cell)
    return text if terminal else re.sub(r"\s+", " ", text)


def _flat(cell: object) -> str:
    if isinstance(cell, (list, tuple)):
        return "; ".join(str(x) for x in cell)
    return "" if cell is None else str(cell)


def _defused(cell: str) -> str:
    return "'" + cell if cell.startswith(_FORMULA) and not re.fullmatch(r"[+-]?\d+(\.\d+)?", cell) else cell

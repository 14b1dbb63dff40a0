"""Tables: CSV and TSV, spreadsheets, Parquet. The columns are known by their names; see `columns`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from kg.errors import SourceError
from kg.model import Paper, Rejected
from kg.sources import columns
from kg.sources.base import located, reject
from kg.sources.part import Part

_INITIALS_LIST = re.compile(r"^[^\W\d_][\w'’-]+ [A-Z]{1,3}$")  # "Smith A"


class Table:
    """What the kinds of table share: rows with named columns become papers."""

    key: str
    title: str
    suffixes: tuple[str, ...]

    def __init__(self, mapping: Mapping[str, str] | None = None) -> None:
        """`mapping`: field of a paper -> name of the column, where the guess does not do."""
        self.mapping = dict(mapping or {})

    def _meaning(self, names: Iterable[str]) -> dict[str, str]:
        names = list(names)
        unknown = [c for c in self.mapping.values() if c not in names]
        if unknown:
            raise SourceError(f"there is no column {unknown[0]!r}", hint="columns: " + ", ".join(names))
        return {**columns.guess(names), **self.mapping}

    def _row(self, row: Mapping[str, Any], meaning: Mapping[str, str], part: Part, place: str) -> Paper | Rejected:
        try:
            ready = {k: _authors(v) if k == meaning.get("authors") else v for k, v in row.items()}
            return located(columns.paper(ready, meaning), part, place, self)
        except (ValueError, TypeError) as why:
            return reject(part, place, str(why), str(dict(row)))


def _authors(value: Any) -> Any:
    """Lists such as "Smith A, Walter B" hold one person a part, initials behind."""
    if not isinstance(value, str):
        return value.tolist() if hasattr(value, "tolist") else value
    parts = [p.strip() for p in value.rstrip(".").split(",")]
    return parts if len(parts) > 1 and all(_INITIALS_LIST.match(p) for p in parts) else value


def knows(names: Iterable[str]) -> float:
    """How sure columns with these names describe papers."""
    found = columns.guess(names)
    if "title" not in found and "abstract" not in found:
        return 0.0
    return 0.85 if len(found) >= 3 else 0.6 if len(found) == 2 else 0.3


_HEAD_ROWS = 10  # the line that names the columns is one of the first


def is_head(names: list[str]) -> bool:
    """True for a line that names columns and is no data: two known names or more, all of them short."""
    return len(columns.guess(names)) >= 2 and all(len(n) <= 40 for n in names)


class Csv(Table):
    """CSV, TSV or semicolon-separated text with a head line; the separator is found by trying."""

    key = "csv"
    title = "CSV or TSV with a head line"
    suffixes = (".csv", ".tsv", ".tab")

    def _head(self, part: Part) -> tuple[list[str], str]:
        """The line that names the columns (the first, or one below a few words about the table), the separator."""
        lines = [x for x in part.text.lstrip("\ufeff").splitlines()[:20] if x.strip()][:_HEAD_ROWS]
        best: tuple[list[str], str] | None = None
        for number, line in enumerate(lines):
            separator = max(",\t;|", key=lambda s: (knows(_cells(line, s)), len(_cells(line, s))))
            names = _cells(line, separator)
            best = best or (names, separator)
            if knows(names) and (number == 0 or is_head(names)):
                return names, separator
        return best or ([], ",")

    def sniff(self, part: Part) -> float:
        if part.binary or part.head.lstrip()[:1] in (b"{", b"[", b"<", b"@", b"%"):
            return 0.0
        names, separator = self._head(part)
        if knows(names):
            return max(knows(names), 0.5) if part.suffix in self.suffixes else knows(names) * (len(names) > 1)
        if part.suffix in self.suffixes:  # a table by its name and shape, though its columns are not known
            import csv

            try:
                sizes = [len(r) for r in islice(csv.reader(part.text.splitlines(True), delimiter=separator), 4) if r]
            except csv.Error:
                return 0.0
            return 0.3 if len(sizes) > 2 and min(sizes) == max(sizes) > 1 else 0.0
        return 0.0

    def read(self, part: Part) -> Iterator[Paper | Rejected]:
        import csv

        csv.field_size_limit(1 << 24)
        taken = _Lines(part)
        head, separator = self._head(part)
        if not knows(head) and not self.mapping:
            raise SourceError(
                "no line names a column for title or abstract",
                place=part.name,
                hint="begin the file with a line such as title,authors,abstract; its first line is: "
                + ", ".join(head)[:80],
            )
        reader = csv.reader(taken, delimiter=separator)
        names: list[str] = []
        while names != head and (row := next(reader, None)) is not None:
            names = [n.strip().lstrip("\ufeff") for n in row]
        meaning = self._meaning(names)
        begin = reader.line_num + 1
        held: Paper | Rejected | None = None
        while True:
            try:
                row = next(reader, None)
            except csv.Error as why:
                yield reject(part, f"line {begin}", f"not valid CSV ({why})")
                begin = reader.line_num + 1
                continue
            if held:
                yield held
                held = None
            if row is None:
                return
            place, begin = f"line {begin}", reader.line_num + 1
            if not any(c.strip() for c in row):
                continue
            if part.damage and taken.done:
                held = reject(part, place, "the data end inside it", ",".join(row))
            elif len(row) > len(names) and any(c.strip() for c in row[len(names) :]):
                held = reject(part, place, f"has {len(row)} cells where the head line has {len(names)}", ",".join(row))
            else:
                held = self._row(dict(zip(names, row, strict=False)), meaning, part, place)


class _Lines:
    """Lines with their ends, as the csv module wants them; knows when the last was given."""

    def __init__(self, part: Part) -> None:
        self._lines, self.done = part.lines(), False

    def __iter__(self) -> Iterator[str]:
        ahead = next(self._lines, None)
        while ahead is not None:
            line, ahead = ahead, next(self._lines, None)
            self.done = ahead is None
            yield line.replace("\0", "") + "\n"


def _cells(line: str, separator: str) -> list[str]:
    import csv

    try:
        return [c.strip() for c in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:
        return []


class Xlsx(Table):
    """Every sheet whose first filled row names the columns of a list of papers."""

    key = "xlsx"
    title = "Excel workbook (.xlsx)"
    suffixes = (".xlsx", ".xlsm")

    def sniff(self, part: Part) -> float:
        return 0.95 if part.head.startswith(b"PK\x03\x04") else 0.0  # other zip files are opened as archives

    def read(self, part: Part) -> Iterator[Paper | Rejected]:
        try:
            from openpyxl import load_workbook
        except ImportError:
            raise SourceError(
                "reading Excel files needs openpyxl", place=part.name, hint="pip install openpyxl"
            ) from None
        try:
            book = load_workbook(part.on_disk(), read_only=True, data_only=True)
        except Exception as why:  # openpyxl raises whatever its parts raise
            raise SourceError(f"is no readable Excel workbook ({why})", place=part.name) from None
        any_known = False
        for sheet in book.worksheets:
            rows = enumerate(sheet.iter_rows(values_only=True), 1)
            names = self._names(rows)
            if not knows(names) and not self.mapping:
                continue
            any_known, meaning = True, self._meaning(names)
            for number, row in rows:
                if any(c is not None for c in row):
                    place = f"sheet {sheet.title}, row {number}"
                    yield self._row(dict(zip(names, map(_cell, row), strict=False)), meaning, part, place)
        if not any_known:
            raise SourceError(
                "no sheet has columns for title or abstract", place=part.name, hint="name the columns in the first row"
            )

    def _names(self, rows: Iterator[tuple[int, tuple[Any, ...]]]) -> list[str]:
        """The row that names the columns: the first filled one, or one below a few words about the sheet."""
        first: list[str] = []
        for _, row in islice(((n, r) for n, r in rows if any(r)), _HEAD_ROWS):
            names = [str(c or "").strip() for c in row]
            first = first or names
            if names is first and (knows(names) or self.mapping) or is_head(names):
                return names
        return first


def _cell(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if value is None or isinstance(value, str) else str(value)


class Parquet(Table):
    """Parquet files, read batch by batch; lists of names and lists of records both serve as authors."""

    key = "parquet"
    title = "Parquet"
    suffixes = (".parquet", ".pq")

    def sniff(self, part: Part) -> float:
        return 1.0 if part.head.startswith(b"PAR1") else 0.0

    def read(self, part: Part) -> Iterator[Paper | Rejected]:
        try:
            from pyarrow import ArrowException, parquet
        except ImportError:
            raise SourceError("reading Parquet needs pyarrow", place=part.name, hint="pip install pyarrow") from None
        try:
            table = parquet.ParquetFile(part.on_disk())
        except (ArrowException, OSError) as why:
            raise SourceError(f"is no readable Parquet file ({why})", place=part.name) from None
        names = table.schema_arrow.names
        if not knows(names) and not self.mapping:
            raise SourceError(
                "has no column for title or abstract", place=part.name, hint="columns: " + ", ".join(names)
            )
        meaning, number = self._meaning(names), 0
        wanted = [c for c in names if c in meaning.values()]
        for batch in table.iter_batches(batch_size=2000, columns=wanted):
            for row in batch.to_pylist():
                number += 1
                yield self._row({k: _plain(v) for k, v in row.items()}, meaning, part, f"row {number}")


def _plain(value: Any) -> Any:
    return value.isoformat()[:10] if hasattr(value, "isoformat") else value


CSV, XLSX, PARQUET = Csv(), Xlsx(), Parquet()

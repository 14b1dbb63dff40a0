"""CSV files for Neo4j's bulk import (`neo4j-admin database import full`), one for each label and type.

Header fields as in the operations manual, "Neo4j Admin import", section "CSV header format": `:ID`,
`:LABEL`, `:START_ID`, `:END_ID`, `:TYPE`, and `name:type` for properties. Lists are joined by the
default array delimiter ";" (one within a value becomes a comma), line breaks are blanks, since the
importer reads one record a line unless told otherwise. These files are read by the importer, not by
spreadsheets: cells stand as they are.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

from kg.export.elements import Elements

LABELS = {
    "paper": "Paper", "person": "Person", "method": "Method", "dataset": "Dataset", "repository": "Repository",
    "topic": "Topic", "venue": "Venue", "event": "Event",
}  # fmt: skip
_LISTS = ("aliases", "identifiers", "keywords", "authors")
# kind -> properties beside `label` and, but for papers, `papers`
_OWN: dict[str, Sequence[str]] = {
    "paper": ("title", "year", "venue", "doi", "url", "authors", "identifiers", "keywords", "abstract"),
    "person": ("identifiers", "status", "aliases"),
    "method": ("aliases",),
    "dataset": ("aliases",),
    "repository": ("url", "repository_kind"),
    "event": ("year",),
}
_EDGE = ("confidence", "cue", "year", "position", "name")
_TYPES = {"year": "int", "papers": "int", "position": "int", "confidence": "double"} | dict.fromkeys(_LISTS, "string[]")


def write_neo4j(elements: Elements, folder: Path) -> None:
    """Writes `folder`/nodes-LABEL.csv and `folder`/relationships-TYPE.csv, rows by IRI, and the command."""
    folder.mkdir(parents=True, exist_ok=True)
    written: dict[str, str] = {}
    with ExitStack() as stack:
        tables: dict[str, Any] = {}

        def table(name: str, header: Iterable[str]) -> Any:
            if name not in tables:
                out: TextIO = stack.enter_context(open(folder / name, "w", encoding="utf-8", newline=""))
                tables[name] = csv.writer(out, lineterminator="\n")
                tables[name].writerow(header)
                written[name] = "--nodes" if name.startswith("nodes") else "--relationships"
            return tables[name]

        for node in elements.nodes():
            kind = node.values["kind"]
            names = ("label", *(() if kind == "paper" else ("papers",)), *_OWN.get(kind, ()))
            rows = table(f"nodes-{LABELS[kind]}.csv", ["iri:ID", *map(_typed, names), ":LABEL"])
            rows.writerow([node.id, *(_cell(node.values.get(n)) for n in names), LABELS[kind]])
        for edge in elements.edges():
            type = relationship_type(edge.relation)
            rows = table(f"relationships-{type}.csv", [":START_ID", ":END_ID", *map(_typed, _EDGE), ":TYPE"])
            rows.writerow([edge.source, edge.target, *(_cell(edge.values.get(n)) for n in _EDGE), type])
    files = " ".join(f"{option}={name}" for name, option in sorted(written.items()))
    (folder / "import.txt").write_text(f"neo4j-admin database import full neo4j {files}\n", "utf-8")


def relationship_type(relation: str) -> str:
    """Neo4j's usual spelling.

    >>> relationship_type("proposesMethod")
    'PROPOSES_METHOD'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", relation).upper()


def _typed(name: str) -> str:
    return f"{name}:{_TYPES[name]}" if name in _TYPES else name


def _cell(value: object) -> object:
    if isinstance(value, list):
        return ";".join(" ".join(str(v).replace(";", ",").split()) for v in value)
    return " ".join(value.split()) if isinstance(value, str) else value

"""What is read of each sample file, and how fast and in how much memory each format is read.

    python tests/benchmarks/bench_sources.py [DATA] [--large]

Table 1: each sample file with the records that stand in it (counted without the readers: list items, start tags,
entry marks), papers read, records rejected with the first reason.
Table 2: each format at about 20,000 records, made by repeating a sample, in a process of its own.
With --large also a JSON-lines file of one million generated records and `conferences.jsonl.gz`, whose peak memory
shows whether reading streams.
"""

from __future__ import annotations

import csv
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from kg import sources
from kg.errors import SourceError
from kg.model import Paper

REPEATED = 20_000


def expected(path: Path) -> int | None:
    """Records in a sample, counted by its bare syntax; None where that is no simple count."""
    suffix, text = path.suffix, ""
    if suffix != ".xlsx":
        text = path.read_text("utf-8-sig", "replace")
    if suffix in (".json", ".jsonl"):
        return _json_count(text)
    if suffix == ".csv":
        return len(list(csv.reader(text.splitlines(keepends=True)))) - 1
    marks = {
        ".bib": r"(?m)^@(?!proceedings|string|comment)\w+\s*\{",
        ".ris": r"(?m)^TY  ?-",
        ".nbib": r"(?m)^(?:PMID|OWN) ?-",
        ".xml": r"<(?:entry|record|PubmedArticle|journal_article|paper|inproceedings)[ >]",
        ".nxml": r"<article[ >]",
    }
    return len(re.findall(marks[suffix], text, re.I)) if suffix in marks else None


def _json_count(text: str) -> int:
    try:
        found = json.loads(text)
    except ValueError:
        return sum(bool(line.strip()) for line in text.splitlines())
    if isinstance(found, dict):
        found = found.get("message", found)
        found = found.get("result", {}).get("hits", found)
        lists = [
            v
            for k in ("notes", "results", "items", "data", "recommendedPapers", "hit")
            if isinstance(v := found.get(k), list)
        ]
        found = lists[0] if lists else [found]
    return len(found)


def samples(data: Path, console: Console) -> None:
    table = Table("file", "format", "records", "papers", "rejected", "first reason", title="Sample files")
    for path in sorted((data / "formats").rglob("*")):
        if not path.is_file() or path.name == "SOURCES.md":
            continue
        there = expected(path)
        try:
            found = list(sources.read([path]))
        except SourceError as error:
            table.add_row(path.name, "-", str(there), "0", "all", error.message[:60])
            continue
        papers = [f for f in found if isinstance(f, Paper)]
        bad = [f for f in found if not isinstance(f, Paper)]
        form = papers[0].origins[0].format if papers else "-"
        why = f"{bad[0].place}: {bad[0].reason}"[:60] if bad else ""  # type: ignore[union-attr]
        table.add_row(path.name, form, "" if there is None else str(there), str(len(papers)), str(len(bad)), why)
    console.print(table)


def _list(path: Path, key: str | None = None) -> Callable[[Path], None]:
    def make(target: Path) -> None:
        items = json.loads(path.read_text())
        items = items[key] if key else items
        items = items if isinstance(items, list) else [items]
        many = (items * (REPEATED // len(items) + 1))[:REPEATED]
        target.write_text(json.dumps({key: many} if key else many))

    return make


def _lines(path: Path) -> Callable[[Path], None]:
    def make(target: Path) -> None:
        lines = [line for line in path.read_text().splitlines() if line.strip()]
        target.write_text("\n".join((lines * (REPEATED // len(lines) + 1))[:REPEATED]))

    return make


def _between(path: Path, record: str, head: str, tail: str) -> Callable[[Path], None]:
    def make(target: Path) -> None:
        found = re.findall(record, path.read_text("utf-8-sig"), re.S)
        many = (found * (REPEATED // len(found) + 1))[:REPEATED]
        target.write_text(head + "\n".join(many) + tail)

    return make


def _csv(path: Path) -> Callable[[Path], None]:
    def make(target: Path) -> None:
        with target.open("w", newline="") as file:
            csv.writer(file).writerows(_rows(path))

    return make


def _rows(path: Path) -> list[list[str]]:
    rows = list(csv.reader(path.read_text("utf-8-sig").splitlines(keepends=True)))
    return [rows[0], *(rows[1:] * (REPEATED // len(rows) + 1))[:REPEATED]]


def _excel(path: Path) -> Callable[[Path], None]:
    def make(target: Path) -> None:
        from openpyxl import Workbook

        book = Workbook(write_only=True)
        sheet = book.create_sheet()
        for row in _rows(path):
            sheet.append(row)
        book.save(target)

    return make


def _parquet(path: Path) -> Callable[[Path], None]:
    def make(target: Path) -> None:
        import pyarrow
        from pyarrow import parquet

        head, *rows = _rows(path)
        columns = {name: [r[i] if i < len(r) else "" for r in rows] for i, name in enumerate(head)}
        parquet.write_table(pyarrow.table(columns), target)

    return make


def cases(data: Path) -> dict[str, tuple[str, Callable[[Path], None]]]:
    f = data / "formats"
    seed = data / "seeds/003_fa478c3eac3386b1.txt"
    return {
        "text": ("a.txt", lambda target: target.write_text("\n\n".join([seed.read_text().split("\n\n", 1)[1]] * (REPEATED // 20)))),
        "openreview": ("a.json", _list(f / "openreview/notes_v2.reconstructed.json", "notes")),
        "virtual-site": ("a.json", _list(f / "virtualsite/neurips2025_virtual_sample.json", "results")),
        "paperlists": ("a.json", _list(f / "paperlists/uai2024.json")),
        "arxiv-json": ("a.jsonl", _lines(f / "arxiv/kaggle_metadata.reconstructed.jsonl")),
        "arxiv-atom": ("a.xml", _between(f / "arxiv/atom_60.reconstructed.xml", r"<entry>.*?</entry>", '<feed xmlns="http://www.w3.org/2005/Atom">', "</feed>")),
        "openalex": ("a.json", _list(f / "openalex/get_random_id_from_openalex_1.json", "results")),
        "crossref": ("a.json", _list(f / "crossref/crossref-list.json", "items")),
        "csl": ("a.json", _list(f / "csl/csl-list.json")),
        "pubmed": ("a.xml", _between(f / "pubmed/pubmed21n1298_first60.xml", r"<PubmedArticle>.*?</PubmedArticle>", "<PubmedArticleSet>", "</PubmedArticleSet>")),
        "bibtex": ("a.bib", _between(f / "pmlr/icml25_cleaned.sample.bib", r"@InProceedings\{.*?\n\}", "", "\n")),
        "ris": ("a.ris", _between(f / "ris/abi_inform_proquest_ris.ris", r"TY  - .*?ER  -", "", "\n")),
        "semantic-scholar": ("a.json", _list(f / "semanticscholar/search_paper_0.json", "data")),
        "acl": ("a.xml", _between(f / "acl/2022.acl.sample.xml", r"<paper id.*?</paper>", '<collection id="2022.acl"><volume id="long" type="proceedings"><meta><booktitle>ACL</booktitle><year>2022</year></meta>', "</volume></collection>")),
        "dblp-xml": ("a.xml", lambda target: target.write_text("<dblp>\n" + "\n".join(f'<article key="journals/x/Li{i}" mdate="2024-01-01"><author>Ada Lovelace</author><author>Bo Li 0001</author><title>Study {i} of the Rising Loaf.</title><year>2024</year><journal>Baking</journal></article>' for i in range(REPEATED)) + "\n</dblp>\n")),
        "arxiv-oai": ("a.xml", _between(f / "arxiv/arxiv_oai_pmh.xml", r"<record>.*?</record>", '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><ListRecords>', "</ListRecords></OAI-PMH>")),
        "nbib": ("a.nbib", _between(f / "pubmed/nbib_data.nbib", r"OWN - .*\S\s*", "", "\n")),
        "json": ("a.jsonl", _lines(f / "paperlists/generic.jsonl")),
        "xlsx": ("a.xlsx", _excel(f / "csv/sample_probabilistic_methods.csv")),
        "parquet": ("a.parquet", _parquet(f / "csv/sample_probabilistic_methods.csv")),
        "markdown": ("a.md", lambda target: target.write_text("# Papers\n\n" + "\n".join(f"- **Study {i} of the Rising Loaf**. Ada Lovelace, Bo Li. [paper](https://arxiv.org/abs/2101.{i:05d})" for i in range(REPEATED)))),
        "csv": ("a.csv", _csv(f / "csv/sample_probabilistic_methods.csv")),
    }  # fmt: skip


def _measured(path: Path, title: str, table: Table) -> None:
    code = subprocess.run([sys.executable, __file__, "--one", str(path)], capture_output=True, text=True, check=True)
    table.add_row(title, *code.stdout.strip().split("\t"))


def one(path: Path) -> None:
    begin, papers, bad, form = time.process_time(), 0, 0, ""
    for item in sources.read([path]):
        if isinstance(item, Paper):
            papers += 1
            form = form or item.origins[0].format
        else:
            bad += 1
    seconds = time.process_time() - begin
    peak = peak_megabytes()
    print(
        form,
        f"{papers:,}",
        f"{bad:,}",
        f"{path.stat().st_size / 1e6:,.0f}",
        f"{papers / seconds:,.0f}",
        f"{peak:,.0f}",
        sep="\t",
    )


def peak_megabytes() -> float:
    """Most memory this process had; what the starting process had does not count, where the system tells."""
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) / 1024 for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    if "--one" in sys.argv:
        one(Path(sys.argv[-1]))
        return
    given = [a for a in sys.argv[1:] if not a.startswith("--")]
    data = Path(given[0]) if given else Path(__file__).resolve().parents[3] / "shared" / "data"
    console = Console(width=150)
    samples(data, console)
    table = Table(
        "case",
        "format",
        "papers",
        "rejected",
        "MB on disk",
        "papers per CPU second",
        "peak MB",
        title="Speed and memory",
    )
    with tempfile.TemporaryDirectory() as folder:
        for title, (name, make) in cases(data).items():
            path = Path(folder, name)
            make(path)
            _measured(path, title, table)
            path.unlink()
        if "--large" in sys.argv:
            path = Path(folder, "million.jsonl")
            text = " ".join(f"word{i}" for i in range(150))
            with path.open("w") as file:
                for i in range(1_000_000):
                    record = {
                        "id": f"made/{i}",
                        "title": f"Made up study number {i}",
                        "abstract": text,
                        "authors": ["Ada Lovelace", f"Bo {i} Li"],
                        "year": 2025,
                    }
                    file.write(json.dumps(record) + "\n")
            _measured(path, "1,000,000 generated records", table)
            _measured(data / "corpus/conferences.jsonl.gz", "conferences.jsonl.gz", table)
    console.print(table)


if __name__ == "__main__":
    main()

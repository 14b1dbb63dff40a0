"""Our scores against the ones that were published beside the gold."""

from __future__ import annotations

import gzip
import importlib.util
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from kg.errors import SourceError
from kg.evaluate.confidence import curve, reliability
from kg.evaluate.names import GoldEntity, GoldPaper, Report, evaluate, read_gold, with_texts
from kg.extract import Extractor
from kg.model import Extraction, Mention, Named, Repository

AT = (Mention("abstract", 0, 1, "x"),)


def named(name: str, role: str, *aliases: str) -> Named:
    return Named(name, role, 0.9, aliases, "a cue", AT)


class Canned:
    """Gives the extractions it was made with."""

    def __init__(self, *found: Extraction) -> None:
        self.found = found

    def pipe(self, items: Iterable[object]) -> Iterator[Extraction]:
        return (e for _, e in zip(items, self.found, strict=True))


GOLD = GoldPaper(
    "p",
    "text",
    methods=(GoldEntity("KettleNet", "proposed", ("Kettle Network",)), GoldEntity("TeaBERT", "used")),
    datasets=(GoldEntity("TeaSet", "introduced"),),
    optional_methods=("LLMs",),
    repositories=("https://github.com/ada/kettle.git",),
)


def report(*methods: Named, datasets: tuple[Named, ...] = (), repositories: tuple[Repository, ...] = ()) -> Report:
    return evaluate([GOLD], Canned(Extraction(methods, datasets, repositories)))


def test_counts() -> None:
    r = report(
        named("kettle-nets", "proposed"), named("TeaBERT", "proposed"), named("LLM", "used"), named("Cup", "used")
    )
    assert r.rows["methods"] == (2, 1, 0)
    assert r.rows["methods proposed"] == (1, 1, 0)
    assert r.rows["methods used"] == (0, 1, 1)
    assert r.rows["datasets"] == (0, 0, 1)
    assert r.shares["methods role accuracy"] == 0.5
    assert r.shares["papers with a proposed method found"] == 1
    assert [(e.what, e.found, e.expected) for e in r.errors] == [
        ("role", "proposed TeaBERT", "used TeaBERT"),
        ("spurious", "used Cup", ""),
        ("missed", "", "introduced TeaSet"),
        ("missed", "", "https://github.com/ada/kettle.git"),
    ]


def test_second_finding_of_one_entity_counts_neither_way() -> None:
    r = report(named("KettleNet", "proposed"), named("Kettle Network", "used"))
    assert r.rows["methods"] == (1, 0, 1)


def test_errors_say_what_is_wrong() -> None:
    found = (named("TeaSet", "proposed"), named("KettleNet-XL", "proposed"), named("Cup", "used"))
    assert [e.what for e in report(*found).errors[:3]] == ["kind", "edge", "spurious"]


def test_gold_without_texts_asks_for_them(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no abstract"):
        with_texts([GoldPaper("conferences:x")], None)
    for name, own_id in (("conferences", "id"), ("iclr2026", "openreview_id")):
        with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt") as out:
            out.write(json.dumps({own_id: "x", "title": "Tea", "abstract": name}) + "\n")
    papers = with_texts([GoldPaper("conferences:x"), GOLD, GoldPaper("iclr2026:x")], tmp_path)
    assert [(p.title, p.abstract) for p in papers] == [("Tea", "conferences"), ("", "text"), ("Tea", "iclr2026")]


def test_reliability_and_curve() -> None:
    sure, unsure = named("KettleNet", "proposed"), named("Cup", "used")
    found = [Extraction((sure, msgspec.structs.replace(unsure, confidence=0.45), named("LLMs", "used")), ())]
    lines = reliability([GOLD], found).splitlines()
    assert [x.split() for x in lines[1:]] == [["0.4-0.5", "1", "0.450", "0.000"], ["0.9-1.0", "1", "0.900", "1.000"]]
    by_least = {x.split()[0]: x.split()[2] for x in curve([GOLD], found).splitlines()[1:]}
    assert by_least["0.4"] == "0.500/0.500/0.500" and by_least["0.5"] == "1.000/0.500/0.667"


def test_repositories_by_address() -> None:
    right = Repository("https://github.com/ada/kettle", "http://github.com/Ada/kettle/")
    wrong = Repository("https://github.com/ada/cup", "https://github.com/ada/cup")
    assert report(repositories=(right, wrong)).rows["repositories"] == (1, 1, 0)


def test_table_and_errors_are_readable() -> None:
    r = report(named("KettleNet", "proposed"))
    assert "methods proposed" in r.table() and "papers" in r.table()
    assert "missed" in r.error_list() and len(r.error_list(1).splitlines()) == 1


def test_damaged_gold_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"id": "a", "abstract": "b"}\n{"id": 3}\n')
    with pytest.raises(SourceError, match=r"gold\.jsonl:2"):
        list(read_gold(path))
    with pytest.raises(SourceError, match="missing.jsonl"):
        list(read_gold(tmp_path / "missing.jsonl"))


@pytest.mark.parametrize("part", ["seeds", "dev"])
def test_same_figures_as_the_scorer_beside_the_gold(shared: Path, part: str) -> None:
    scorer = _load(shared / "data" / "gold" / "score_extraction.py")
    path = shared / "data" / "gold" / f"{part}.gold.jsonl"
    extractor = Extractor()
    mine = evaluate(list(read_gold(path)), extractor)
    golds = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    found = extractor.pipe((g["title"] or "", g["abstract"], ()) for g in golds)
    theirs = scorer.score(golds, [_plain(e) for e in found])
    for row, value in theirs.items():
        if isinstance(value, tuple):
            x = mine.rows[row]
            assert (round(x.precision, 3), round(x.recall, 3), round(x.f, 3)) == value, row
        else:
            assert round(mine.shares[row], 3) == value, row


def _plain(e: Extraction) -> dict[str, list[object]]:
    entity = lambda n: {"name": n.name, "aliases": n.aliases, "role": n.role}  # noqa: E731
    return {
        "methods": [entity(n) for n in e.methods],
        "datasets": [entity(n) for n in e.datasets],
        "repositories": [r.as_printed for r in e.repositories],
    }


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("scorer", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

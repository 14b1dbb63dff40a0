"""People keep their addresses; where new papers make two of them one, the former address leads to the new one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from click.testing import CliRunner
from made_up import write

from kg.api import Graph
from kg.cli.show import command
from kg.export import export
from kg.pipeline.build import build
from kg.pipeline.folder import Folder
from kg.resolve.people.memory import FILE as MEMORY

_MOVED = "SELECT ?old ?new { ?old dcterms:isReplacedBy ?new } ORDER BY ?old ?new"


def paper(number: int, year: int, *people: str) -> dict[str, Any]:
    return {
        "id": f"made/{number}",
        "title": f"On the growth of hedges, part {number}",
        "authors": [{"name": name} for name in people],
        "year": year,
    }


FIRST = [paper(1, 2020, "Wei Wang", "Guido Zanetti"), paper(2, 2021, "Wei Wang", "Noor Haddad")]
LINK = [paper(3, 2022, "Wei Wang", "Guido Zanetti", "Noor Haddad"), paper(4, 2019, "Guido Zanetti", "Noor Haddad")]
WEI = "SELECT DISTINCT ?p { ?a kg:nameAsPrinted 'Wei Wang' ; soa:hasAuthor ?p } ORDER BY ?p"


def moved(folder: Path) -> dict[str, str]:
    return {row["old"]: row["new"] for row in Graph(folder).rows(_MOVED)}


def test_a_merge_leaves_the_former_address(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    build([write(tmp_path / "a.jsonl", FIRST)], folder, workers=1)
    before = [row["p"] for row in Graph(folder).rows(WEI)]
    assert len(before) == 2 and not moved(folder)
    late = write(tmp_path / "b.jsonl", LINK)
    build([late], folder, workers=1)
    (after,) = [row["p"] for row in Graph(folder).rows(WEI)]
    assert after in before, "who was there keeps the address"
    (gone,) = set(before) - {after}
    assert moved(folder)[gone] == after
    graph = Graph(folder)
    assert graph.find(gone).iri == after and "is now" in graph.lookup.notes[-1]
    shown = CliRunner().invoke(command, [gone, "-g", str(folder)])
    assert shown.exit_code == 0 and after in shown.output
    assert CliRunner().invoke(command, [f"{gone}0", "-g", str(folder)]).exit_code == 1

    plain = tmp_path / "plain.nt"
    export(graph.store, plain, evidence=False)
    assert b"isReplacedBy" not in plain.read_bytes(), "plain statements do not depend on history"
    build([write(tmp_path / "c.jsonl", [paper(9, 2023, "Ada Okoro")])], folder, workers=1)
    assert moved(folder)[gone] == after, "later builds carry it on"


def test_a_former_address_follows_the_last_move_and_ends_when_the_person_is_back(tmp_path: Path) -> None:
    folder = tmp_path / "g"
    build([write(tmp_path / "a.jsonl", FIRST)], folder, workers=1)
    one, other = (row["p"] for row in Graph(folder).rows(WEI))
    rule = folder / "overrides.toml"
    printed = ", ".join(f'{{paper = "made/{n}", name = "Wei Wang"}}' for n in (1, 2))
    rule.write_text(f"[[same]]\nthings = [{printed}]\n")
    build([], folder, workers=1)
    (joined,) = [row["p"] for row in Graph(folder).rows(WEI)]
    first = moved(folder)
    assert set(first.values()) == {joined} and set(first) == {one, other} - {joined}
    rule.unlink()
    build([], folder, workers=1)
    assert [row["p"] for row in Graph(folder).rows(WEI)] == [one, other] and not moved(folder), "both are back"
    early = write(tmp_path / "b.jsonl", [paper(5, 2015, "Wei Wang", "Guido Zanetti", "Noor Haddad")])
    build([early], folder, workers=1)  # joins them, and its being the earliest gives another key
    (now,) = [row["p"] for row in Graph(folder).rows(WEI)]
    assert now not in (one, other)
    assert {old: new for old, new in moved(folder).items() if old in (one, other)} == dict.fromkeys((one, other), now)


def test_the_memory_of_people_may_be_lost_or_damaged(tmp_path: Path) -> None:
    files = [write(tmp_path / "a.jsonl", FIRST), write(tmp_path / "b.jsonl", LINK)]
    found = []
    for number, damage in enumerate((None, b"", b"PK\x03\x04 nothing")):
        folder = tmp_path / str(number)
        build(files[:1], folder, workers=1)
        kept = Folder(folder).current()[1] / MEMORY
        assert kept.exists()
        if damage is not None:
            kept.write_bytes(damage) if damage else kept.unlink()
        build(files[1:], folder, workers=1)
        out = tmp_path / f"{number}.nq"
        export(Graph(folder).store, out, evidence=True)
        found.append(out.read_bytes())
        assert (Folder(folder).current()[1] / MEMORY).exists()
    assert found[0] == found[1] == found[2]

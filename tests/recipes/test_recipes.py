"""The recipes of the README do what they say: each block is run, in order, on small files of one's own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import bibtexparser
import networkx as nx
import pytest
import rdflib

import kg

pytest.importorskip("pandas")
ROOT = Path(kg.__file__).parents[1]
BLOCK = re.compile(r"```(sh|python)\n(.*?)```", re.S)

NOTES = [
    (
        "note1",
        "IceNet: Depth from Ice",
        ["Ada Abel", "Bo Bell"],
        2025,
        "We propose IceNet, a network for depth estimation. IceNet beats ResNet on the GlacierBench dataset. "
        "Code: https://github.com/abel/icenet.",
    ),
    (
        "note2",
        "SnowNet: A Second Network for Winter Roads",
        ["Cy Cole", "Dee Dorn"],
        2025,
        "We propose SnowNet, a network for road detection. SnowNet outperforms IceNet and ResNet on the "
        "GlacierBench dataset.",
    ),
    (
        "note3",
        "Chips that Stay Cool under Load",
        ["Eve Eck"],
        2024,
        "We propose ChipNet, a network for cooling chips. ChipNet outperforms IceNet and ResNet. "
        "Code: https://github.com/eck/chiplib.",
    ),
]
DOIS = {"note1": "10.5555/ICE.1", "note2": "10.5555/snow.2"}


def recipes() -> dict[str, list[tuple[str, str]]]:
    """Blocks of each recipe of the README."""
    text = (ROOT / "README.md").read_text("utf-8")
    section = re.split(r"\n## ", text.split("\n## Recipes\n", 1)[1], maxsplit=1)[0]
    parts = re.split(r"^### ", section, flags=re.M)[1:]
    return {part.split("\n", 1)[0]: BLOCK.findall(part) for part in parts}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The folder in which all recipes were run, and what each printed."""
    folder = tmp_path_factory.mktemp("recipes")
    notes = [
        {
            "id": key,
            "forum": key,
            "invitations": ["ICLR.cc/Conference/-/Submission"],
            "content": {
                "title": {"value": title},
                "authors": {"value": names},
                "authorids": {"value": [f"~{n.replace(' ', '_')}1" for n in names]},
                "abstract": {"value": abstract},
                "venue": {"value": f"ICLR {year} Poster"},
            },
        }
        for key, title, names, year, abstract in NOTES
    ]
    (folder / "notes.jsonl").write_text("\n".join(map(json.dumps, notes)))
    entries = [
        f"@inproceedings{{{key},\n title = {{{title}}},\n author = {{{' and '.join(names)}}},\n year = {year},\n"
        f" doi = {{{DOIS[key]}}}\n}}\n"
        for key, title, names, year, _ in NOTES
        if key in DOIS
    ]
    (folder / "published.bib").write_text("\n".join(entries))
    works = [
        {"id": "https://openalex.org/W1", "doi": "https://doi.org/10.5555/ice.1", "cited_by_count": 7},
        {"id": "https://openalex.org/W2", "doi": "https://doi.org/10.5555/snow.2", "cited_by_count": 41},
        {"id": "https://openalex.org/W3", "doi": None, "cited_by_count": 1},
    ]
    (folder / "works.jsonl").write_text("\n".join(map(json.dumps, works)))
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path, "KG_GRAPH": str(folder / "none"), "COLUMNS": "200"}
    printed: dict[str, str] = {}
    for title, blocks in recipes().items():
        for language, code in blocks:
            if language == "sh":
                shell = f'set -eu\nkg() {{ "{sys.executable}" -m kg "$@"; }}\n{code}'
                command = ["bash", "-c", shell]
            else:
                command = [sys.executable, "-c", code]
            run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
            assert run.returncode == 0, f"{title}: {run.stderr}\n{run.stdout}"
            printed[title] = printed.get(title, "") + run.stdout
    return folder, printed


def test_all_recipes_are_there() -> None:
    titles = " ".join(recipes()).lower()
    for word in ("openreview", "review of a data set", "have code", "about a method", "openalex", "neo4j", "mistake"):
        assert word in titles
    assert all(blocks for blocks in recipes().values())


def only(printed: dict[str, str], word: str) -> str:
    return next(text for title, text in printed.items() if word in title)


def test_from_openreview_to_a_map(done: tuple[Path, dict[str, str]]) -> None:
    page = (done[0] / "map.html").read_text("utf-8")
    assert "IceNet" in page and "GlacierBench" in page


def test_whom_to_ask(done: tuple[Path, dict[str, str]]) -> None:
    users, _, suggested = only(done[1], "Whom to ask").partition("score")
    assert all(name in users for name in ("Ada Abel", "Bo Bell", "Cy Cole", "Dee Dorn"))
    assert "Cy Cole" in suggested and "Ada Abel" not in suggested and "Bo Bell" not in suggested


def test_methods_with_code(done: tuple[Path, dict[str, str]]) -> None:
    lines = only(done[1], "have code").splitlines()
    assert lines[0] == "method,code,title"
    assert lines[1:] == ["IceNet,https://github.com/abel/icenet,IceNet: Depth from Ice"]


def test_everything_about_a_method(done: tuple[Path, dict[str, str]]) -> None:
    printed = only(done[1], "about a method")
    assert "beats ResNet on the GlacierBench" in printed
    part = rdflib.Graph().parse(done[0] / "icenet.ttl")
    titles = {str(t) for t in part.objects(None, rdflib.DCTERMS.title)}
    assert {"IceNet: Depth from Ice", "SnowNet: A Second Network for Winter Roads"} <= titles
    library = bibtexparser.parse_file(str(done[0] / "icenet.bib"))
    assert len(library.entries) == len(titles)
    assert (done[0] / "icenet.html").stat().st_size > 10_000


def test_join_with_openalex(done: tuple[Path, dict[str, str]]) -> None:
    lines = only(done[1], "OpenAlex").splitlines()
    table = [line.split() for line in lines[lines.index(next(x for x in lines if "cited_by_count" in x)) + 1 :]]
    assert [(row[-2], row[-1]) for row in table] == [("10.5555/snow.2", "41"), ("10.5555/ice.1", "7")]


def test_hand_it_on(done: tuple[Path, dict[str, str]]) -> None:
    folder, printed = done
    assert "viz" in next(iter(nx.read_gexf(folder / "conference.gexf").nodes(data=True)))[1]
    assert "neo4j-admin database import full" in only(printed, "Neo4j")
    assert (folder / "conference.neo4j" / "nodes-Method.csv").is_file()
    assert "proposesMethod" in only(printed, "Neo4j") and "2024" not in only(printed, "Neo4j").partition("year")[2]


def test_a_correction_holds(done: tuple[Path, dict[str, str]]) -> None:
    before, _, after = only(done[1], "mistake").partition("corrected ")
    stated = re.compile(r"kg:usesMethod +IceNet")  # the claim itself stays on record, the statement does not
    assert stated.search(before) and after and not stated.search(after)
    with kg.open(done[0] / "conference") as graph:
        card = graph.show("Chips that Stay Cool under Load")
    assert [c.review for c in card.claims if c.object.endswith("/icenet")] == ["rejected"]
    assert "rejected by a person" in after and "rejected by a person" not in before and "rejected by" in card.words()
    facts = card.facts
    assert {f.entity.label for f in facts if f.entity and f.predicate == "kg:usesMethod"} == {"ResNet"}

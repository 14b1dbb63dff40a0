"""What was joined and kept apart is told with its reason."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from handmade_papers import coined, datasets, methods, paper, used

from kg.pipeline.build import build
from kg.resolve.decisions import tell, told_names, told_people
from kg.resolve.resolve import resolve


def test_names_joined_and_kept_apart() -> None:
    found = [
        methods(used("ECBMs"), used("Adam optimizer"), coined("PRISM", "Pruned Image Sampling")),
        methods(used("ECBM"), used("Adam"), coined("PRISM", "Privacy in Small Markets")),
        methods(used("ECBM"), used("Adam"), used("PPO", "Proximal Policy Optimization")),
        methods(used("PPO", "Proximal Policy Optimization"), used("ECBM")),
        methods(used("proximal policy optimisation")),
        datasets(used("IC15", "ICDAR 2015"), used("ICDAR 2015")),
    ]
    papers = [paper(f"p{i}", 2020 + i, title=f"Title {i}") for i in range(len(found))]
    told = {t.what: t for t in told_names(resolve(papers, found), 10)}
    assert told["ECBM | ECBMs"].why == "one is the plural of the other; 1 papers write it so"
    assert told["Adam | Adam optimizer"].why.startswith("a common noun stands behind it")
    assert told["PPO | proximal policy optimisation"].why.startswith("papers give the long form beside PPO")
    assert told["IC15 | ICDAR 2015"].why.startswith("papers say that one is the other cut short")
    assert told["IC15 | ICDAR 2015"].kind == "data set"
    prism = told["PRISM"]
    assert prism.verdict == "kept apart" and len(prism.entities) == 2
    assert "“Pruned Image Sampling”, given by “Title 0” (1 paper)" in prism.why
    assert len(told_names(resolve(papers, found), 1)) == 2, "one join and one refusal"
    assert tell([prism])[0].startswith("1. kept apart, method: PRISM  (id:method/prism-")


def test_people_have_a_probability_and_reasons() -> None:
    team = ["Ada Lovelace", "Bo Li", "Chen Wu"]
    papers = [paper("a", 2020, "lenses", team), paper("b", 2021, "lenses", team), paper("c", 2001, "roads", ["Bo Li"])]
    people = resolve(papers, [methods()] * 3).people
    for told in told_people(people, 5):
        assert told.kind == "person" and told.why and told.probability is not None
        assert all(e.startswith("id:person/") for e in told.entities)


def test_the_command_works_on_a_built_graph(tmp_path: Path) -> None:
    source, folder = tmp_path / "papers.json", tmp_path / "g"
    records = [
        {
            "id": "p1",
            "title": "PRISM: Lenses that Learn",
            "abstract": "We propose PRISM, which bends light.",
            "year": 2020,
        },
        {
            "id": "p2",
            "title": "PRISM: Roads that Think",
            "abstract": "We propose PRISM, which moves cars.",
            "year": 2021,
        },
    ]
    source.write_text(json.dumps(records), "utf-8")
    build([source], folder, workers=1)
    command = [sys.executable, "-m", "kg", "audit", "--decisions", "-g", str(folder), "-f", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    (told,) = json.loads(done.stdout)
    assert (told["verdict"], told["kind"], told["what"]) == ("kept apart", "method", "PRISM")

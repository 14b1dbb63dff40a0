from __future__ import annotations

import gzip
import json
import random
import sys
from pathlib import Path

import numpy as np
import pytest

from kg.records import held_out, train
from kg.records.scorer import NAMES

THINGS = [
    "kettle",
    "bridge",
    "river",
    "letter",
    "cook",
    "garden",
    "engine",
    "window",
    "train",
    "violin",
    "lamp",
    "boat",
]
DOINGS = ["sorting", "painting", "counting", "mending", "washing", "tuning", "naming", "folding", "weighing", "moving"]
PLACES = ["harbours", "kitchens", "offices", "forests", "stations", "theatres", "cellars", "markets"]


def corpus(folder: Path) -> Path:
    """Papers of invented crafts: 150 of conferences, 60 of ICLR 2026, a list of titles, a seed."""
    draw = random.Random(3)
    made: set[str] = set()

    def paper(place: str) -> dict[str, object]:
        while True:
            thing, other, doing, where = (*draw.sample(THINGS, 2), draw.choice(DOINGS), draw.choice(PLACES))
            title = f"{doing.title()} a {thing} and a {other} in {where}"
            if title not in made:
                break
        made.add(title)
        rest = " ".join(draw.choices([*THINGS, *DOINGS, *PLACES], k=18))
        text = (
            f"Number {len(made)} asks who is {doing} each {thing} of {where}. We hold a {other} beside it: {rest}. " * 2
        )
        return {
            "id": f"{place}/{len(made)}",
            "title": title,
            "abstract": text,
            "authors": [{"name": f"Ada B{len(made)}"}],
        }

    folder = folder / "data"
    (folder / "corpus").mkdir(parents=True)
    (folder / "seeds").mkdir()
    conferences = [{**paper("icml2020"), "venue": "ICML", "year": 2020, "keywords": []} for _ in range(150)]
    iclr = []
    for _ in range(60):
        one = paper("iclr")
        iclr.append({
            "openreview_id": str(one["id"]), "title": one["title"], "abstract": one["abstract"], "keywords": "",
            "authors": [a["name"] for a in one["authors"]], "authorids": [""], "affiliations": [],  # type: ignore[attr-defined]
            "primary_area": "crafts", "venue": "ICLR 2026 Poster", "url": "",
        })  # fmt: skip
    for name, rows in (("conferences", conferences), ("iclr2026", iclr)):
        with gzip.open(folder / f"corpus/{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    titles = [{"id": "s1", "title": conferences[0]["title"], "author": "Ada B1", "status": "Poster", "site": ""}]
    (folder / "corpus/icml2025_titles_authors.json").write_text(json.dumps(titles))
    (folder / "seeds/list.txt").write_text(f"{conferences[1]['abstract']}\n\n{iclr[0]['abstract']}\n")
    return folder


@pytest.fixture
def data(tmp_path, monkeypatch) -> Path:
    for name, size in (("_FIT", 60), ("_TEST", 20), ("_HIDDEN", 25)):
        monkeypatch.setattr(held_out, name, size)
    return corpus(tmp_path)


def test_papers_to_measure_with_train_nothing(data):
    found = held_out.split(data)
    sizes = [len(found.vectors), *map(len, found.fit), len(found.test), len(found.iclr), len(found.hidden)]
    assert sizes == [68, 60, 35, 20, 60, 25]  # two conference papers are elsewhere too
    titles = [p.title for part in (found.vectors, *found.fit, found.test, found.hidden) for p in part]
    assert len(set(titles)) == len(titles)
    elsewhere = json.loads((data / "corpus/icml2025_titles_authors.json").read_text())[0]["title"]
    seed = (data / "seeds/list.txt").read_text().partition("\n")[0]
    assert elsewhere not in titles
    assert seed not in {p.abstract for part in (found.vectors, found.fit[0], found.test) for p in part}


def test_training_makes_the_same_file_twice(data, tmp_path, monkeypatch, capsys):
    files = []
    for name in ("one.npz", "two.npz"):
        monkeypatch.setattr(sys, "argv", ["train", "--data", str(data), "-o", str(tmp_path / name)])
        train.main()
        files.append((tmp_path / name).read_bytes())
    assert files[0] == files[1]
    printed = capsys.readouterr().out
    assert "right title first" in printed and "precision" in printed
    with np.load(tmp_path / "one.npz") as made:
        assert {f"net_{n}" for n in NAMES} | {"words", "title", "abstract", "sure", "sure_least"} <= set(made)


def test_how_sure_a_title_must_be():
    sure, right = np.array([5.0, 4.0, 3.0, 2.0, 1.0]), np.array([True, True, False, True, True])
    assert train.least_sure(sure, right, 1.0) == 4
    assert train.least_sure(sure, right, 0.8) == 1

from __future__ import annotations

import json

import pytest

from kg.sources.jsonscan import records
from tests.sources.conftest import BREAD, ROBOT, split

GOOD = [
    {
        "id": f"p{i}",
        "title": f"Laundry and its order, study {i}",
        "abstract": ROBOT,
        "authors": [{"name": "Ada L"}, {"name": "Bo Q"}],
    }
    for i in range(8)
]
LIST = json.dumps(GOOD)


def ids(papers):
    return [p.origins[0].source_id for p in papers]


BROKEN = {
    "lost quote": LIST.replace('study 3"', "study 3"),
    "lost quote, first record": LIST.replace('study 0"', "study 0"),
    "lost quote, on many lines": json.dumps(GOOD, indent=1).replace('study 3"', "study 3"),
    "lost brace": LIST.replace('}, {"id": "p4"', ', {"id": "p4"'),
    "lost bracket": LIST.replace('{"name": "Bo Q"}]}, {"id": "p4"', '{"name": "Bo Q"}}, {"id": "p4"'),
    "bad escape": LIST.replace("study 3", "study \\q3"),
    "not a record": LIST.replace(
        '{"id": "p3", "title": "Laundry and its order, study 3"', '{"id": "p3", "title": {"a": 1}'
    ),
    "bare line end": LIST.replace("study 3", "study\n3"),
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN.keys())
def test_one_broken_record_costs_one_record(write, content):
    papers, rejected = split(write("a.json", content))
    assert len(papers) == 7 and len(rejected) == 1
    assert rejected[0].place.startswith("record") and rejected[0].reason and rejected[0].file == "a.json"


@pytest.mark.parametrize(
    "content",
    [
        LIST,
        json.dumps(GOOD, indent=2),
        "\n".join(map(json.dumps, GOOD)),
        "\r\n\r\n".join(map(json.dumps, GOOD)),
        "\n".join(json.dumps(g, indent=2) for g in GOOD),
        json.dumps({"count": 8, "results": GOOD, "next": None}),
        LIST.replace(', {"id"', '{"id"'),
        LIST[:-1] + ",]",
        LIST[:-1],
        "\ufeff" + LIST,
        LIST.encode("utf-16"),
        LIST.replace('{"id": "p4"', 'null, {"id": "p4"'),
    ],
    ids=[
        "list",
        "pretty",
        "lines",
        "crlf",
        "concatenated",
        "envelope",
        "no-comma",
        "trailing-comma",
        "no-end",
        "bom",
        "utf-16",
        "null",
    ],
)
def test_every_shape_of_json(write, content):
    papers, _ = split(write("a.json", content))
    assert ids(papers) == [f"p{i}" for i in range(8)]


def test_invalid_utf8_names_the_line(write):
    raw = "\n".join(map(json.dumps, GOOD)).encode().replace(b"study 2", b"study \xff")
    papers, rejected = split(write("a.jsonl", raw))
    assert len(papers) == 7 and rejected[0].place == "line 3"


def test_a_list_cut_in_the_middle_keeps_the_good_records(write):
    papers, rejected = split(write("a.json", LIST[: LIST.index("study 4")]))
    assert ids(papers) == ["p0", "p1", "p2", "p3"]
    assert len(rejected) == 1


def test_ten_megabytes_on_one_line(write):
    papers, rejected = split(write("a.json", json.dumps(GOOD * 4000)))
    assert len(papers) == 32_000 and not rejected


def test_the_scanner_holds_one_record_at_a_time():
    """Memory is bounded by a record: pieces of a stream are asked for only when needed."""
    asked = []

    def more():
        asked.append(1)
        return (json.dumps(GOOD[0]) + ",").encode() * 100 if len(asked) < 50 else b""

    stream = records(more, (), b'[{"id": "p0"')
    next(stream)
    assert len(asked) < 5


def test_extra_fields_empty_titles_and_ids_as_they_stand(write):
    record = {"id": "seed000/01", "title": "", "abstract": BREAD, "methods": [{"name": "X"}], "repositories": []}
    papers, rejected = split(write("gold.jsonl", json.dumps(record)))
    assert not rejected and ids(papers) == ["seed000/01"] and papers[0].title == "" and papers[0].abstract == BREAD


def test_conference_record(write):
    record = {
        "id": "3dv2025/05T81ScPFb",
        "title": "A title",
        "abstract": ROBOT,
        "authors": [{"name": "Ada Lovelace", "affiliation": "Oxford+Texas A&amp;M University"}],
        "venue": "3DV",
        "year": 2025,
        "topic": "Vision->Clothes",
        "url": "https://openreview.net/forum?id=05T81ScPFb",
        "code": ["https://github.com/ada/fold"],
    }
    paper = split(write("a.jsonl", json.dumps(record)))[0][0]
    assert paper.ids == ("openreview:05T81ScPFb",) and (paper.venue, paper.year) == ("3DV", 2025)
    assert paper.authors[0].affiliations == ("Oxford", "Texas A&M University")
    assert paper.topics == (("Vision", "Clothes"),)
    assert [(link.url, link.kind) for link in paper.links] == [("https://github.com/ada/fold", "code")]
    assert paper.origins[0].source_id == "3dv2025/05T81ScPFb" and "title" in paper.origins[0].fields


def test_openreview_list_record(write):
    record = {
        "openreview_id": "ZfdnZhOP0k",
        "title": "A title",
        "authors": ["Ada Lovelace", "Bo Li", "Cy Q"],
        "authorids": ["~Ada_Lovelace1", "bo@example.org", ""],
        "affiliations": ["Oxford"],
        "abstract": ROBOT,
        "keywords": "folding; shirts",
        "primary_area": "robots, arms, and legs",
        "venue": "ICLR 2026 Oral",
    }
    paper = split(write("a.jsonl", json.dumps(record)))[0][0]
    assert paper.ids == ("openreview:ZfdnZhOP0k",) and paper.origins[0].source_id == "ZfdnZhOP0k"
    assert [a.ids for a in paper.authors] == [("openreview:~Ada_Lovelace1",), (), ()]
    assert (paper.venue, paper.year, paper.event) == ("ICLR", 2026, "ICLR 2026 Oral")
    assert paper.topics == (("robots, arms, and legs",),) and paper.keywords == ("folding", "shirts")
    assert paper.affiliations == ("Oxford",)

"""What real lists hold: names, titles and texts as sources print them, kind by kind."""

from __future__ import annotations

import json

import pytest

from kg.display import display
from kg.sources import fields
from tests.sources.conftest import ROBOT, split


@pytest.mark.parametrize(
    ("printed", "names"),
    [
        (["Ada Lovelace", "Alan M. Turing"], ["Ada Lovelace", "Alan M. Turing"]),
        (["Ada Lovelace, Alan M. Turing, Grace Hopper"], ["Ada Lovelace", "Alan M. Turing", "Grace Hopper"]),
        (["Miao Yang and Ke Hu"], ["Miao Yang", "Ke Hu"]),
        (["Ada Lovelace", "and Bo Li"], ["Ada Lovelace", "Bo Li"]),
        (["Ada Lovelace", "et al."], ["Ada Lovelace"]),
        (["Ada Lovelace et al"], ["Ada Lovelace"]),
        (["Planck Collaboration", ":", "Ada Lovelace"], ["Planck Collaboration", "Ada Lovelace"]),
        (["Shiori Sagawa*", "Bo Li (PhD)"], ["Shiori Sagawa*", "Bo Li (PhD)"]),
        (["King Kuok (Mimi) Hii", 'Chiyu "Max" Jiang', "Zhenhui () Li"], ["King Kuok (Mimi) Hii", 'Chiyu "Max" Jiang', "Zhenhui () Li"]),
        (["Hal Daumé III", "Lena Krieger 0001"], ["Hal Daumé III", "Lena Krieger 0001"]),
        (["Lovelace, Ada"], ["Lovelace, Ada"]),
        (["van der Schaar, Mihaela Anna"], ["van der Schaar, Mihaela Anna"]),
        (["Lovelace, Ada", "Bo Li"], ["Lovelace, Ada", "Bo Li"]),
        (["King, Martin Luther, Jr."], ["King, Martin Luther, Jr."]),
        (["Wei Wang", "Bo Li", "Wei Wang"], ["Wei Wang", "Bo Li", "Wei Wang"]),
        (["Wei Wang", "Wei Wang"], ["Wei Wang", "Wei Wang"]),
        (["A. One", "B. Two", "A. One", "B. Two"], ["A. One", "B. Two"]),
        (["YusakuNakajima", "Tao", "bo li", "NAN YANG"], ["YusakuNakajima", "Tao", "bo li", "NAN YANG"]),
        (["陈柯帆"], ["陈柯帆"]),
        (["Center for Research and Technology"], ["Center for Research and Technology"]),
        (["Ada Lovelace <ada@example.org>", "bo@example.org"], ["Ada Lovelace"]),
        ("Smith, J., Doe, A. B., Li, C.", ["Smith, J.", "Doe, A. B.", "Li, C."]),
        ("Lovelace, Ada; Li, Bo", ["Lovelace, Ada", "Li, Bo"]),
        ("Ada Lovelace, Bo Li, and Cy Young", ["Ada Lovelace", "Bo Li", "Cy Young"]),
        ("Lovelace, Ada and Li, Bo", ["Lovelace, Ada", "Li, Bo"]),
        ("Texas A&amp;M Group", ["Texas A&M Group"]),
        (None, []),
        ([], []),
    ],
)  # fmt: skip
def test_author_lists(printed, names):
    assert [a.name for a in fields.authors(printed)] == names


def test_several_hundred_authors():
    names = [f"Person{chr(97 + i % 26)} Number{i}" for i in range(400)]
    assert len(fields.authors(names)) == 400 and len(fields.authors("; ".join(names))) == 400


def test_an_address_where_an_id_belongs_never_comes_through(write):
    record = {
        "title": "A title",
        "abstract": f"{ROBOT} Contact: ada@example.org or git@github.com:ada/fold; mAP@0.5 counts.",
        "authors": [{"name": "Ada Lovelace", "affiliation": "Oxford, ada@example.org", "authorid": "ada@example.org"}],
    }
    paper = split(write("a.jsonl", json.dumps(record)))[0][0]
    assert "ada@example" not in repr(paper) and paper.authors[0].ids == ()
    assert len(paper.abstract) == len(record["abstract"])  # offsets agree with the source
    assert "git@github.com:ada/fold" in paper.abstract and "mAP@0.5" in paper.abstract


def test_source_text_is_stored_as_it_stands(write):
    title, text = "D$^3$epth  <b>x</b> \u200b&amp;", "Abstract: **S**ubgroup \\alg  ﬁrst estima- tion. Show more"
    paper = split(write("a.jsonl", json.dumps({"title": title, "abstract": text})))[0][0]
    assert paper.title == title and paper.abstract == text


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("D$^3$epth", "D³epth"),
        ("$\\pi^3$", "π³"),
        ("RobotArena $\\infty$", "RobotArena ∞"),
        ("$\\texttt{I$^2$MoE}$", "I²MoE"),
        ("$\\textttI$^2$MoE$", "I²MoE"),
        ("$n^1.5$", "n¹.5"),
        ("$\\text{M}^3\\text{HF}$", "M³HF"),
        ("$\\chi$SPN", "χSPN"),
        ("Ze\\v{c}evi\\'c and L\\\"{u}", "Zečević and Lü"),
        ("Rodr\\'{\\i}guez", "Rodríguez"),
        ("this paper introduces \\alg, a framework", "this paper introduces alg, a framework"),
        ("\\textbf{S}peedy \\textbf{H}ypergraph", "Speedy Hypergraph"),
        ("**S**ubgroup-scanning *graph* method", "Subgroup-scanning graph method"),
        ("<em>fast</em> &amp; small", "fast & small"),
        ("a <passage, answer> pair, a < b", "a <passage, answer> pair, a < b"),
        ("the ﬁrst estima- tion", "the first estimation"),
        ("self- attention", "self-attention"),
        ("zero\u200bwidth\u200d", "zerowidth"),
        ("Abstract: We fold. Show more", "We fold."),
        ("as shown \\cite{someone} before", "as shown before"),
        ("50\\% of 100% for $5", "50% of 100% for $5"),
        ("CALM : A  Study\n of Calm", "CALM : A Study of Calm"),
        ("MÃ¼ller", "Müller"),
        ("", ""),
    ],
)
def test_text_for_people(stored, shown):
    assert display(stored) == shown


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("ICLR 2026 Oral", ("ICLR", 2026, "ICLR 2026 Oral")),
        ("ICLR", ("ICLR", None, "")),
        ("NeurIPS 2025", ("NeurIPS", 2025, "")),
        ("Journal of Folding and Cloth", ("Journal of Folding and Cloth", None, "")),
        ("3DV", ("3DV", None, "")),
    ],
)
def test_venues(printed, expected):
    assert fields.venue(printed) == expected


@pytest.mark.parametrize(
    ("printed", "path"),
    [
        ("Applications · Time Series", ("Applications", "Time Series")),
        ("Machine Learning->Graphs->Trees", ("Machine Learning", "Graphs", "Trees")),
        ("robots, arms, and legs", ("robots, arms, and legs",)),
    ],
)
def test_topics_are_paths(printed, path):
    assert fields.topic(printed) == path


def test_identifiers_in_every_spelling():
    assert fields.doi("https://doi.org/10.1000/AbC.") == ("doi:10.1000/abc",)
    assert fields.arxiv("arXiv:2101.00001v3 [cs.LG]") == ("arxiv:2101.00001",)
    assert fields.arxiv("http://arxiv.org/abs/hep-th/9901001v1") == ("arxiv:hep-th/9901001",)
    assert fields.orcid("https://orcid.org/0000-0001-2345-678x") == ("orcid:0000-0001-2345-678X",)
    assert fields.same_ids(["doi:10.48550/arxiv.2101.00001"]) == ("arxiv:2101.00001",)
    assert fields.profile("~Ada_Lovelace1") == ("openreview:~Ada_Lovelace1",) and fields.profile("a@b.org") == ()


def test_affiliations():
    assert fields.institutions("Texas A&amp;M University") == ("Texas A&M University",)
    assert fields.institutions("Oxford+Google; Bell Labs") == ("Oxford", "Google", "Bell Labs")


@pytest.mark.parametrize("text", ["", "   ", None])
def test_a_record_without_title_and_abstract_is_rejected(write, text):
    good = {"title": "A title that stays", "abstract": ROBOT}
    papers, rejected = split(write("a.jsonl", "\n".join(map(json.dumps, [good, {"title": text, "abstract": text}]))))
    assert len(papers) == 1 and "neither a title nor an abstract" in rejected[0].reason

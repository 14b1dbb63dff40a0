from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from kg.model import Paper
from kg.sources import read
from tests.sources.conftest import BREAD, ROBOT, TRAIN, split

TEXTS = [ROBOT, BREAD, TRAIN]
TOPICS = ["Applications · Robotics", "Applications · Food Science", "Theory · Everything Else"]
NAMES = ["Ada Lovelace, Bo Li, Mihaela van der Schaar", "Grace Hopper", "陈柯帆, Søren Hauberg"]
TITLES = ["FoldNet: Borders of Clothes", "Waiting for the Perfect Crust", "How Delays Travel"]


def people(papers):
    return [[a.name for a in p.authors] for p in papers]


EXPECTED_PEOPLE = [["Ada Lovelace", "Bo Li", "Mihaela van der Schaar"], ["Grace Hopper"], ["陈柯帆", "Søren Hauberg"]]


def lines(*columns, heading="论文检索"):
    rows = [heading] if heading else []
    for row in zip(*columns, strict=True):
        rows += row
    return rows


def test_abstracts_under_a_heading(write):
    papers, rejected = split(write("a.txt", "\n\n".join(["ICML 2025 论文列表", *TEXTS])))
    assert [p.abstract for p in papers] == TEXTS and not rejected
    assert all(not p.title and not p.authors for p in papers)
    assert {(p.venue, p.year) for p in papers} == {("ICML", 2025)}
    assert [p.origins[0].place for p in papers] == ["line 3", "line 5", "line 7"]
    assert papers[0].origins[0].source_id == ""


def test_topic_author_and_abstract_in_turn(write):
    papers, rejected = split(write("a.txt", "\n\n".join(lines(TOPICS, NAMES, TEXTS))))
    assert not rejected and [p.abstract for p in papers] == TEXTS
    assert people(papers) == EXPECTED_PEOPLE
    assert papers[0].topics == (("Applications", "Robotics"),)


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("\n", "\r\n"),
        lambda t: t.replace("\n", "\r"),
        lambda t: "\ufeff" + t,
        lambda t: t.replace("\n\n", "\n \n\n\t\n\n"),
        lambda t: t.replace("\n\n", "\n"),
        lambda t: "\n\n\n" + t + "\n\n",
        lambda t: t.encode("utf-16"),
        lambda t: t.replace("\n\n", "\n\n-----\n\n"),
        lambda t: "\n\n".join(textwrap.fill(x, 78) for x in t.split("\n\n")),
    ],
    ids=["crlf", "cr", "bom", "more-blank", "no-blank", "outer-blank", "utf-16", "rules", "wrapped"],
)
def test_layout_does_not_matter(write, change):
    papers, rejected = split(write("a.txt", change("\n\n".join(lines(TOPICS, NAMES, TEXTS)))))
    assert not rejected
    assert [" ".join(p.abstract.split()) for p in papers] == TEXTS
    assert people(papers) == EXPECTED_PEOPLE
    assert [len(p.topics) for p in papers] == [1, 1, 1]


def test_a_missing_author_line_costs_only_the_authors(write):
    rows = lines(TOPICS, NAMES, TEXTS)
    rows.remove(NAMES[0])
    papers, rejected = split(write("a.txt", "\n\n".join(rows)))
    assert [p.abstract for p in papers] == TEXTS and not rejected
    assert people(papers) == [[], *EXPECTED_PEOPLE[1:]]


@pytest.mark.parametrize("mark", ["{}. ", "[{}] ", "({}) ", "{}) ", "- "])
def test_numbered_lists(write, mark):
    rows = [mark.format(i) + text for i, text in enumerate(TEXTS, 1)]
    papers, _ = split(write("a.txt", "\n\n".join(rows)))
    assert [p.abstract for p in papers] == TEXTS


def test_titles_are_told_from_the_heading(write):
    papers, _ = split(write("a.txt", "\n\n".join(lines(TITLES, NAMES, TEXTS, heading="Accepted papers"))))
    assert [p.title for p in papers] == TITLES and people(papers) == EXPECTED_PEOPLE


@pytest.mark.parametrize("between", ["; ", " and ", "，"])
def test_other_separators_between_names(write, between):
    names = [n.replace(", ", between) for n in NAMES]
    papers, _ = split(write("a.txt", "\n\n".join(lines(TITLES, names, TEXTS, heading=""))))
    assert people(papers) == EXPECTED_PEOPLE


def test_labels(write):
    rows = [f"Title: {t}\nAuthors: {n}\nAbstract: {x}" for t, n, x in zip(TITLES, NAMES, TEXTS, strict=True)]
    papers, _ = split(write("a.txt", "\n\n".join(rows)))
    assert [(p.title, p.abstract) for p in papers] == list(zip(TITLES, TEXTS, strict=True))
    assert people(papers) == EXPECTED_PEOPLE


def test_chinese_labels(write):
    papers, _ = split(write("a.txt", f"标题：{TITLES[0]}\n作者：{NAMES[0]}\n摘要：{ROBOT}"))
    assert papers[0].title == TITLES[0] and papers[0].abstract == ROBOT and len(papers[0].authors) == 3


def test_invalid_utf8_costs_one_record(write):
    content = "\n\n".join(TEXTS).encode().replace(b"mood", b"m\xffod")
    papers, rejected = split(write("a.txt", content))
    assert [p.abstract for p in papers] == [ROBOT, TRAIN]
    assert rejected[0].place == "line 3" and "UTF-8" in rejected[0].reason


def test_an_endless_line_is_rejected(write):
    papers, rejected = split(write("a.txt", "word " * 400_000))
    assert not papers and "no abstract is that long" in rejected[0].reason


def test_both_seeds(shared):
    first, bad = split(shared / "data/seeds/000_3de26034d3508736.txt")
    assert len(first) == 19 and not bad and not any(p.title or p.authors for p in first)
    second, bad = split(shared / "data/seeds/003_fa478c3eac3386b1.txt")
    assert len(second) == 20 and not bad
    assert sum(len(p.authors) for p in second) == 91
    assert ("Applications", "Time Series") in {t for p in second for t in p.topics}


def _abstract(name: str, end: str) -> str:
    return f"Learning from few labels is hard. We introduce {name}, a model that asks for those it needs most.{end}"


def _read(tmp_path: Path, text: str) -> list[Paper]:
    (tmp_path / "list.txt").write_text(text, encoding="utf-8")
    return [p for p in read([tmp_path / "list.txt"]) if isinstance(p, Paper)]


def test_short_abstracts_that_end_in_a_link_are_abstracts(tmp_path: Path) -> None:
    ends = ("", " Code: https://github.com/foo/two", "")
    text = "My list\n\n" + "\n\n".join(f"{i}. {_abstract(f'Net{i}', end)}" for i, end in enumerate(ends, 1))
    papers = _read(tmp_path, text)
    assert [p.title for p in papers] == ["", "", ""]
    assert papers[1].abstract.endswith("foo/two")


@pytest.mark.parametrize("number", ["{}.", "{}", "({})", "Paper {}", "#{}"])
def test_numbers_on_a_line_of_their_own_are_no_titles(number: str, tmp_path: Path) -> None:
    text = "List\n\n" + "\n\n".join(number.format(i) + "\n" + _abstract(f"Net{i}", "") * 3 for i in range(1, 4))
    papers = _read(tmp_path, text)
    assert [(p.title, p.authors) for p in papers] == [("", ())] * 3


@pytest.mark.parametrize(
    "line", ["Ada Mayer <ada@x.org>, Bo Li <bo.li@y.edu>", "Ada Mayer, Bo Li, bo@x.org", "Ada Mayer (a@x.org), Bo Li"]
)
def test_addresses_in_an_author_line_are_dropped_and_the_authors_stay(line: str, tmp_path: Path) -> None:
    text = "\n\n".join(f"Theory · Learning\n\n{line}\n\n{_abstract(f'Net{i}', '') * 3}" for i in range(3))
    papers = _read(tmp_path, text)
    assert [[a.name for a in p.authors] for p in papers] == [["Ada Mayer", "Bo Li"]] * 3
    assert not [p for p in papers if p.title]


@pytest.mark.parametrize("last", ["Bo An", "Anthony To", "Tae\u2013Kyun Kim"])
def test_surnames_that_are_small_words_and_dashes_in_names(last: str, tmp_path: Path) -> None:
    text = "\n\n".join(f"Theory · Learning\n\nAda Mayer, {last}\n\n{_abstract(f'Net{i}', '') * 3}" for i in range(3))
    assert [[a.name for a in p.authors] for p in _read(tmp_path, text)] == [["Ada Mayer", last]] * 3


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("An Tran, A Jung Moon", ["An Tran", "A Jung Moon"]),
        ("Le Cui, Eric Marchand", ["Le Cui", "Eric Marchand"]),
        ("The Anh Le and Do Kim", ["The Anh Le", "Do Kim"]),
        ("De Cheng & Bo Li", ["De Cheng", "Bo Li"]),
        ("Cheng, De; Li, Bo", ["Cheng, De", "Li, Bo"]),
        ("van Gogh, Vincent; Li, Bo", ["van Gogh, Vincent", "Li, Bo"]),
        ("Ada Lovelace¹*, Bo Li², Cy Young¹˒²", ["Ada Lovelace", "Bo Li", "Cy Young"]),
        ("Dan Brown^1, Eve Fox^{2}, Gil Hart$^1$", ["Dan Brown", "Eve Fox", "Gil Hart"]),
        ("Dan Brown1, Eve Fox1,2, Gil Hart2", ["Dan Brown", "Eve Fox", "Gil Hart"]),
    ],
)
def test_author_lines(write, line, names):
    rows = lines(TITLES, [line, *NAMES[1:]], TEXTS, heading="")
    papers, rejected = split(write("a.txt", "\n".join(rows)))
    assert people(papers)[0] == names and [p.title for p in papers] == TITLES and not rejected


def test_affiliations_in_brackets_and_on_a_line_below(write):
    names = ["Ada Lovelace (Oxford), Bo Li (MIT, USA)", "Grace Hopper, Cy Young\nYale University", NAMES[2]]
    papers, rejected = split(write("a.txt", "\n\n".join("\n".join(r) for r in zip(TITLES, names, TEXTS, strict=True))))
    assert [p.title for p in papers] == TITLES and not rejected
    assert [(a.name, a.affiliations) for a in papers[0].authors] == [
        ("Ada Lovelace", ("Oxford",)),
        ("Bo Li", ("MIT, USA",)),
    ]
    assert people(papers)[1] == ["Grace Hopper", "Cy Young"] and papers[1].affiliations == ("Yale University",)


def test_titles_and_authors_without_abstracts(write):
    papers, rejected = split(write("a.txt", "Accepted papers\n\n" + "\n\n".join(
        f"{t}\n{n}" for t, n in zip(TITLES, [NAMES[0], "Grace Hopper, Cy Young", NAMES[2]], strict=True))))  # fmt: skip
    assert [p.title for p in papers] == TITLES and not rejected


def test_a_list_broken_at_the_margin_without_blank_lines(write):
    names = [NAMES[0], "Grace Hopper, Cy Young", NAMES[2]]
    titles = ["A Very Long Title about the Borders of Clothes in Baskets and Where One Begins", *TITLES[1:]]
    rows = [textwrap.fill(x, 60) for row in zip(titles, names, TEXTS, strict=True) for x in row]
    papers, rejected = split(write("a.txt", "\n".join(rows)))
    assert [" ".join(p.title.split()) for p in papers] == titles and not rejected
    assert [" ".join(p.abstract.split()) for p in papers] == TEXTS


FRAGMENTS = ["of the text that went on from the page before", "We study how small robots learn to", "Nobody Knows This"]


@pytest.mark.parametrize("fragment", FRAGMENTS)
@pytest.mark.parametrize("at", range(4))
def test_nothing_is_dropped_in_silence(write, fragment, at):
    """Every line is in a paper, in a rejected record, a heading or a word of the page."""
    pieces = ["Accepted papers", *TEXTS, "Page 3 of 9"]
    pieces.insert(at + 1, fragment)
    papers, rejected = split(write("a.txt", "\n\n".join(pieces)))
    told = " ".join([f"{p.title} {p.abstract} {' '.join(a.name for a in p.authors)}" for p in papers])
    told += " ".join(r.head for r in rejected)
    headings = {"Accepted papers", "Page 3 of 9", *([fragment] if at == 0 and fragment[0].isupper() else [])}
    assert [p.abstract for p in papers] == TEXTS
    assert [p for p in pieces if p not in told and p not in headings] == []
    assert not any(h in told for h in ("Accepted papers", "Page 3 of 9"))

"""Lists as people lay them out: titles alone, references, tables, pages; each becomes papers or is refused clearly."""

from __future__ import annotations

import textwrap

import pytest

from kg import sources
from kg.errors import SourceError
from kg.model import Paper
from kg.sources.references import reference
from tests.sources.conftest import BREAD, ROBOT, TRAIN, split

TITLES = [
    "FoldNet: Borders of Clothes in a Single Picture",
    "Waiting for the Perfect Crust",
    "How Delays Travel through Networks of Stations",
    "Do Late Trains Make Later Trains?",
    "Sorting $k$ Socks with Self-Supervised Robots",
    "Bread-GPT: Talking Loaves",
]
PEOPLE = [
    "Ada Lovelace, Bo Li",
    "Grace Hopper",
    "Søren Hauberg, J. K. Li, Max Q.-H. Meng",
    "Ada Lovelace",
    "Bo Li, Grace Hopper",
    "Li Wei",
]
NAMES = [[n.strip() for n in p.split(",")] for p in PEOPLE]


def told(papers: list[Paper]) -> list[tuple[str, list[str]]]:
    return [(p.title, [a.name for a in p.authors]) for p in papers]


EXPECTED = list(zip(TITLES, NAMES, strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(TITLES),
        "\r\n".join(TITLES),
        "\ufeff" + "\n".join(TITLES),
        "ICRA 2026 accepted papers\n\n" + "\n\n".join(TITLES),
        "\n".join(f"{i}. {t}" for i, t in enumerate(TITLES, 1)),
        "# Accepted papers\n\n" + "\n".join(f"- {t}" for t in TITLES),
    ],
    ids=["lines", "windows", "mark", "spaced", "numbered", "bullets"],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_titles_and_nothing_else(write, text, encoding):
    papers, rejected = split(write("a.txt", text.encode(encoding)))
    assert [p.title for p in papers] == TITLES and not rejected
    assert all(not p.abstract and not p.authors for p in papers)


REFERENCES = {
    "points": lambda t, p: f"{p}. {t}{'' if t[-1] == '?' else '.'} ICRA, 2024.",
    "quotes": lambda t, p: f'{p}, "{t}," in Proc. ICRA, 2024, pp. 1-9.',
    "year first": lambda t, p: f"{p}. 2024. {t}{'' if t[-1] == '?' else '.'} In ICRA.",
    "emphasis": lambda t, p: f"- {p}. *{t}*. ICRA 2024. [pdf](https://example.org/1.pdf)",
    "title first": lambda t, p: f"- **{t}**, {p}, ICRA 2024",
    "tab": lambda t, p: f"{t}\t{p}\tICRA 2024",
}


@pytest.mark.parametrize("form", REFERENCES.values(), ids=REFERENCES)
def test_references_whatever_their_style(form):
    found = [reference(form(t, p)) for t, p in zip(TITLES, PEOPLE, strict=True)]
    assert told(found) == EXPECTED
    assert {p.year for p in found} == {2024}
    assert all("ICRA" in p.venue for p in found)


def test_references_broken_at_the_margin(write):
    rows = [textwrap.fill(f"[{i}] {p}. {t}. In ICRA, 2024.", 60) for i, (t, p) in enumerate(EXPECTED_ROWS, 1)]
    papers, rejected = split(write("a.txt", "\n".join(rows)))
    assert told(papers) == [(t, [n.strip() for n in p.split(",")]) for t, p in EXPECTED_ROWS] and not rejected
    assert [p.origins[0].place for p in papers][0] == "line 1"


EXPECTED_ROWS = [(t, p) for t, p in zip(TITLES, PEOPLE, strict=True) if t[-1] != "?"]


def test_a_line_that_is_no_reference_is_rejected_alone(write):
    rows = [f"{p}. {t}. ICRA, 2024." for t, p in EXPECTED_ROWS]
    rows.insert(2, "this line was pasted here by mistake and names nobody at all")
    papers, rejected = split(write("a.txt", "\n".join(rows)))
    assert len(papers) == len(EXPECTED_ROWS)
    assert [(r.place, r.reason) for r in rejected] == [("line 3", "no authors and title found in the line")]


@pytest.mark.parametrize(
    "text",
    [
        "# Oven\n\nThis project bakes.\n\n## Install\n\n- first do this\n- then do the other thing too\n",
        "def bake(x):\n    return x + 1\n\ndef cool(x):\n    return x - 1\n",
        "apple\nbanana\ncherry\nfig\n",
        "Buy flour on Tuesday\nCall the baker about yeast\nAsk Bo for the key\n",
    ],
    ids=["readme", "code", "words", "notes"],
)
def test_other_text_is_no_list(write, text):
    with pytest.raises(SourceError, match="no list of papers"):
        list(sources.read([write("a.txt", text)]))


def test_a_page_pasted_from_the_browser(write):
    rows = ["Skip to main content", "ICRA 2026", "Showing 3 of 3 papers", ""]
    for title, people, text in zip(
        TITLES[:3],
        ["Ada Lovelace ⋅ Bo Li", "Grace Hopper ⋅ Bo Li", "Søren Hauberg ⋅ Li Wei"],
        [ROBOT, BREAD, TRAIN],
        strict=True,
    ):
        rows += ["Poster", title, people, "", "Abstract", text, "Show more", "PDF | OpenReview", ""]
    papers, rejected = split(write("a.txt", "\n".join(rows)))
    assert [p.title for p in papers] == TITLES[:3] and [p.abstract for p in papers] == [ROBOT, BREAD, TRAIN]
    assert [[a.name for a in p.authors] for p in papers][0] == ["Ada Lovelace", "Bo Li"]
    assert not rejected


def test_a_table_of_a_page(write):
    rows = "".join(f"<tr><td>{i}</td><td>{t}</td><td>{p}</td></tr>" for i, (t, p) in enumerate(EXPECTED_ROWS))
    page = (
        f"<html><body><p>Hello.</p><table><tr><th>#</th><th>Title</th><th>Authors</th></tr>{rows}</table></body></html>"
    )
    assert told(split(write("a.html", page))[0]) == [(t, [n.strip() for n in p.split(",")]) for t, p in EXPECTED_ROWS]


def test_a_page_without_a_list_is_refused(write):
    with pytest.raises(SourceError, match="shows no list of papers"):
        list(sources.read([write("a.html", "<!doctype html><html><body><p>Under construction</p></body></html>")]))


def test_columns_below_a_line_about_the_table_and_in_other_languages(write):
    rows = "\n".join(f'"{t}";"{p}";2024' for t, p in EXPECTED_ROWS)
    for head in ("Titel;Autor(en);Jahr", "Accepted papers;;\n\nPaper Title;Author(s);Year", "标题;作者;年份"):
        papers, rejected = split(write("a.csv", head + "\n" + rows))
        assert told(papers) == [(t, [n.strip() for n in p.split(",")]) for t, p in EXPECTED_ROWS], head
        assert {p.year for p in papers} == {2024} and not rejected


def test_a_csv_whose_columns_have_no_known_name_is_refused_with_its_first_line(write):
    rows = "\n".join(f'"{t}","{p}",{i}' for i, (t, p) in enumerate(EXPECTED_ROWS))
    with pytest.raises(SourceError) as why:
        list(sources.read([write("a.csv", rows)]))
    assert "no line names a column" in str(why.value) and "FoldNet" in str(why.value.hint)


def test_each_sheet_has_its_own_head(tmp_path):
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(["This workbook lists papers"])
    first, second = book.create_sheet("Orals"), book.create_sheet("Posters")
    first.append(["Title", "Authors", "Abstract"])
    first.append([TITLES[0], PEOPLE[0], ROBOT])
    second.append(["Accepted posters"])
    second.append([])
    second.append(["Paper", "Author(s)"])
    second.append([TITLES[1], PEOPLE[1]])
    book.save(tmp_path / "a.xlsx")
    papers, rejected = split(tmp_path / "a.xlsx")
    assert told(papers) == EXPECTED[:2] and not rejected
    assert [p.origins[0].place for p in papers] == ["sheet Orals, row 2", "sheet Posters, row 4"]

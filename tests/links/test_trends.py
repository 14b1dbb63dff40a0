"""Trends equal the catalogue; lineage follows papers that use one method and propose the next."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.api import Graph
from kg.errors import QueryError
from kg.links.filters import Filter, make_filter
from kg.links.lineage import Node, lineage
from kg.links.trends import find_trends
from kg.query.index import _SCHEMA
from kg.query.lookup import Lookup

ALL = 10**6


@pytest.mark.parametrize(
    ("what", "query", "kind"), [("methods", "method-trend", "method"), ("datasets", "dataset-trend", "dataset")]
)
def test_years_of_a_thing_equal_the_catalogue(random_graph: Graph, what: str, query: str, kind: str) -> None:
    found = find_trends(random_graph.lookup._db, what, 10, by="count")
    assert len(found.rows) >= 5 and len(found.years) == 7
    for row in found.rows:
        answers = {r["year"]: r for r in random_graph.rows(query, **{kind: row.entity.iri})}
        for year, n in zip(found.years, row.counts, strict=True):
            counts = [v for k, v in answers.get(year, {}).items() if k != "year"]
            assert max(counts, default=0) <= n <= sum(counts)
        assert row.total == sum(row.counts)


def test_rises_equal_the_catalogue_and_are_shares(random_graph: Graph) -> None:
    db = random_graph.lookup._db
    found = find_trends(db, "methods", ALL, by="count")
    by_iri = {row.entity.iri: row for row in found.rows}
    last = found.years[-1]
    answers = random_graph.rows("rising-methods", year=last)
    assert answers
    for r in answers:
        assert by_iri[r["method"]].counts[-2:] == (r["before"], r["now"])
    for row in found.rows:
        share = 100 * (row.counts[-1] / found.papers[-1] - row.counts[-2] / found.papers[-2])
        assert row.rise == pytest.approx(share, abs=1e-4)
    rising = find_trends(db, "methods", ALL)
    falling = find_trends(db, "methods", ALL, by="fall")
    assert [r.rise for r in rising.rows] == sorted((r.rise for r in found.rows if r.rise and r.rise > 0), reverse=True)
    assert {r.entity.id for r in falling.rows} == {r.entity.id for r in found.rows if r.rise and r.rise < 0}


def test_a_window_compares_years_with_as_many_before(random_graph: Graph) -> None:
    found = find_trends(random_graph.lookup._db, "datasets", ALL, by="count", window=3)
    now, before = sum(found.papers[-3:]), sum(found.papers[-6:-3])
    for row in found.rows:
        share = 100 * (sum(row.counts[-3:]) / now - sum(row.counts[-6:-3]) / before)
        assert row.rise == pytest.approx(share, abs=1e-4)


def test_trends_of_a_venue_count_its_papers(random_graph: Graph) -> None:
    whole = find_trends(random_graph.lookup._db, "methods", ALL, by="count")
    parts = [
        find_trends(random_graph.lookup._db, "methods", ALL, make_filter(random_graph.lookup, venue=v), by="count")
        for v in ("ICML", "ICLR")
    ]
    assert sum(sum(p.papers) for p in parts) == sum(whole.papers)
    totals = {row.entity.id: row.total for row in whole.rows}
    for part in parts:
        for row in part.rows:
            totals[row.entity.id] -= row.total
    assert set(totals.values()) == {0}


def test_trends_without_papers_and_wrong_ones(random_graph: Graph) -> None:
    assert find_trends(random_graph.lookup._db, "methods", 5, Filter(first=2090)).rows == ()
    with pytest.raises(QueryError, match="no trends of 'venues'"):
        find_trends(random_graph.lookup._db, "venues", 5)


def methods(papers: dict[int, tuple[int, str, str]]) -> tuple[sqlite3.Connection, Lookup]:
    """An index of papers (number -> year, methods proposed, methods used); a method is one letter."""
    db = sqlite3.connect(":memory:")
    db.executescript(_SCHEMA)
    for number, (year, *named) in papers.items():
        db.execute(
            "INSERT INTO thing VALUES (?, ?, 'paper', ?, ?, NULL, 0)", (number, f"p{number}", f"P{number}", year)
        )
        for role, letters in zip(("proposed", "used"), named, strict=True):
            for letter in letters:
                row = (1000 + ord(letter), number, role)
                db.execute("INSERT INTO member (relation, entity, paper, role) VALUES ('methods', ?, ?, ?)", row)
    for letter in "ABCDEFGH":
        db.execute("INSERT INTO thing VALUES (?, ?, 'method', ?, NULL, NULL, 1)", (1000 + ord(letter), letter, letter))
    return db, Lookup(db)


def drawn(node: Node) -> str:
    """A(B(C) D↑) and so on."""
    below = " ".join(drawn(c) for c in node.children)
    return node.method.label + ("↑" if node.seen else "") + (f"({below})" if below else "")


def test_a_lineage_is_followed_once_and_by_number_of_users() -> None:
    papers = {
        1: (2000, "A", ""),
        2: (2001, "B", "A"),
        3: (2001, "C", "A"),
        4: (2002, "D", "BC"),
        5: (2003, "E", "DC"),
        6: (2003, "", "C"),
        7: (2004, "B", "E"),  # an old name again: no descent
        8: (1999, "F", ""),
        9: (2005, "F", "A"),
    }
    db, lookup = methods(papers)
    root = lineage(db, lookup.by_number(1000 + ord("A")), depth=4)
    assert drawn(root) == "A(C(D(E) E) B(D↑))"  # nothing follows E, so nothing is to be looked up
    assert (root.year, root.users, [p.label for p in root.proposed_by]) == (2000, 3, ["P1"])
    assert [p.label for p in root.children[0].through] == ["P3"]
    assert drawn(lineage(db, lookup.by_number(1000 + ord("E")), depth=3, back=True)) == "E(C(A) D(C↑ B(A)))"
    narrow = lineage(db, lookup.by_number(1000 + ord("A")), depth=1, width=1)
    assert (drawn(narrow), narrow.more) == ("A(C)", 1)
    with pytest.raises(QueryError, match="a lineage is one of methods"):
        lineage(db, lookup.by_number(1))


letters = st.sets(st.sampled_from("ABCDEFGH"), max_size=3).map(lambda s: "".join(sorted(s)))


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.integers(1, 30), st.tuples(st.integers(2000, 2005), letters, letters), min_size=1))
def test_every_descent_has_its_paper(papers: dict[int, tuple[int, str, str]]) -> None:
    db, lookup = methods(papers)
    root = lineage(db, lookup.by_number(1000 + ord("A")), depth=5, width=20)
    followed = []

    def walk(node: Node) -> None:
        if node.children:
            followed.append(node.method.label)
        for child in node.children:
            assert child.through
            for paper in child.through:
                year, proposed, used = papers[int(paper.label[1:])]
                assert child.method.label in proposed and node.method.label in used
                assert year == child.year and (node.year is None or node.year <= year)
            walk(child)

    walk(root)
    assert len(followed) == len(set(followed))


def test_a_gap_between_the_years_is_passed_over() -> None:
    from kg.links.trends import _rise

    assert _rise([1, 0, 3], [4, 0, 4], 1) == 50.0
    assert _rise([0, 0, 3], [0, 0, 4], 1) is None
    assert _rise([1, 1, 0, 2, 2], [4, 4, 0, 4, 4], 2) == 25.0

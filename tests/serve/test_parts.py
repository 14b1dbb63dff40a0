"""The parts of the server that need no server: negotiation, counting, words, atlas, layout."""

from __future__ import annotations

import io
import random
import shutil
import sqlite3
from pathlib import Path

import networkx as nx
import numpy as np
import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st
from serving import write_generation

from kg.links.communities import communities
from kg.links.lenses import LENSES, Choice, through
from kg.links.network import read_network
from kg.query.bind import names_graphs
from kg.query.index import build_index, open_index
from kg.query.words import Words
from kg.serve.counting import Counting, TooMuch
from kg.serve.negotiate import ROWS, TRIPLES, choose
from kg.serve.snapshot import Kept
from kg.serve.twins import defused, table
from kg.view.atlas import atlas_of, make_atlas, make_small_atlas, open_atlas, whole_numbers
from kg.view.positions import arrange


@pytest.mark.parametrize(
    ("accept", "offered", "format"),
    [
        ("", ROWS, "json"), ("*/*", ROWS, "json"), ("text/csv", ROWS, "csv"), ("text/*", ROWS, "csv"),
        ("text/csv;q=0", ROWS, None), ("*/*, application/sparql-results+json;q=0", ROWS, "xml"),
        ("text/csv; q=0.2, application/sparql-results+xml; q=0.9", ROWS, "xml"), ("garbage", ROWS, None),
        ("application/json", TRIPLES, "jsonld"), ("text/csv;q=abc, text/turtle;q=0.1", TRIPLES, "ttl"),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", ROWS, "xml"),
    ],
)  # fmt: skip
def test_negotiation(accept: str, offered: dict[str, str], format: str | None) -> None:
    assert choose(accept, offered) == format


VALUES = st.text(alphabet=st.sampled_from("ab\"'\n\r,{}<>&\\;=\t"), max_size=12)


@given(st.lists(st.tuples(VALUES, VALUES), max_size=12), st.sampled_from(["csv", "tsv", "xml"]), st.integers(1, 7))
def test_rows_are_counted_whatever_stands_in_them(rows: list[tuple[str, str]], format: str, piece: int) -> None:
    store = ox.Store()
    terms = " ".join(f"({ox.Literal(a)} {ox.Literal(b)})" for a, b in rows)
    found = store.query(f"SELECT * {{ VALUES (?a ?b) {{ {terms} }} }}")
    formats = {"csv": ox.QueryResultsFormat.CSV, "tsv": ox.QueryResultsFormat.TSV, "xml": ox.QueryResultsFormat.XML}
    data = found.serialize(None, format=formats[format])
    assert data is not None
    counting = Counting(io.BytesIO(), format, 10**6, 0)
    for start in range(0, len(data), piece):
        counting.write(data[start : start + piece])
    assert counting.rows - (format != "xml") == len(rows)


def test_an_answer_is_never_longer_than_allowed() -> None:
    store = ox.Store()
    values = " ".join('("},{ ' + str(n) + '")' for n in range(30))
    for limit in (29, 30, 31):
        out = io.BytesIO()
        rows = store.query(f"SELECT * {{ VALUES (?a) {{ {values} }} }}")
        if limit < 30:
            with pytest.raises(TooMuch):
                rows.serialize(Counting(out, "json", limit, 0), format=ox.QueryResultsFormat.JSON)
        else:
            rows.serialize(Counting(out, "json", limit, 0), format=ox.QueryResultsFormat.JSON)
    with pytest.raises(TooMuch, match="MB"):
        Counting(io.BytesIO(), "json", 10, 2**20).write(b"x" * (2**20 + 1))


def test_a_dataset_clause_is_seen_and_nothing_else_is_taken_for_one() -> None:
    assert names_graphs("SELECT * FROM <http://x/> { ?s ?p ?o }")
    assert names_graphs("ask from named <http://x/> {}")
    for text in ('SELECT * { ?s ?p "FROM <x>" }', "SELECT * { ?from ?p <http://FROM/> } # FROM <x>", "SELECT ?FROM {}"):
        assert not names_graphs(text)


def test_cells_that_spreadsheets_would_run() -> None:
    data = table(("=a",), [("=1",), ("+1",), ("-1.5",), ("-x",), ("@x",), ("a=1",), (None,), (3,), ("\t=1",)])
    assert data.decode().split("\r\n") == ["=a", "'=1", "+1", "-1.5", "'-x", "'@x", "a=1", '""', "3", "'\t=1", ""]
    assert defused(b'x\r\n"=1,2"\r\n"a\nb"\r\n') == b'x\r\n"\'=1,2"\r\n"a\nb"\r\n'


def test_kept_answers_stay_within_their_bytes() -> None:
    kept = Kept(300)
    for n in range(10):
        kept.put(str(n), b"x" * 90)
    assert [kept.get(str(n)) is not None for n in range(10)] == [False] * 7 + [True] * 3
    kept.put("large", b"x" * 200)
    assert kept.get("large") is None and kept.get("9")


@pytest.fixture
def words(lines: list[str], tmp_path: Path) -> Words:
    write_generation(tmp_path / "g", "one", lines)
    atlas = open_atlas(make_atlas(tmp_path / "g" / "graphs" / "one"))
    return Words(lambda: atlas)


def test_mistyped_words_are_replaced_by_words_of_the_graph(words: Words) -> None:
    assert words.find("alphanet")[1] == ""
    for typed, meant in (("alphnet", "alphanet"), ("alhpanet", "alphanet"), ("countsett ada", "")):
        found, understood = words.find(typed)
        assert understood == meant and bool(len(found)) == bool(meant)
    assert words.find("ada byt")[1] == ""
    for strange in ('"', "*", "a OR b", "NEAR(", "^x", "col:x", "-", "\0", "(" * 300, "a" * 5000):
        words.find(strange)  # whatever is typed is words, never a query language


def test_an_atlas_is_the_same_bytes_each_time_and_needs_no_place_to_write(lines: list[str], tmp_path: Path) -> None:
    made = []
    for n, order in enumerate((lines, sorted(lines), random.Random(3).sample(lines, len(lines)))):
        write_generation(tmp_path / str(n), "one", list(order))
        made.append(make_atlas(tmp_path / str(n) / "graphs" / "one").read_bytes())
    assert made[0] == made[1] == made[2]
    folder = tmp_path / "0" / "graphs" / "one"
    assert atlas_of(folder) == (folder / "explore.sqlite", None)
    db = sqlite3.connect(folder / "explore.sqlite")
    db.execute("PRAGMA user_version = 999")
    db.commit()
    db.close()
    assert atlas_of(folder) == (folder / "explore.sqlite", None), "of another version: made again"
    assert (folder / "explore.sqlite").read_bytes() == made[0]
    (folder / "explore.sqlite").unlink()
    make_small_atlas(folder)
    assert (folder / "explore.sqlite").is_file()
    assert [f.name for f in folder.iterdir() if f.name.endswith(".tmp")] == []
    shutil.rmtree(tmp_path / "0")


def test_pairs_of_authors_are_those_that_networkx_projects(lines: list[str], tmp_path: Path) -> None:
    build_index(lines, tmp_path / "index.sqlite").close()
    index = open_index(tmp_path / "index.sqlite")
    network = read_network(index)
    graph = nx.Graph(index.execute("SELECT 'p' || paper, entity FROM member WHERE relation = 'coauthors'"))
    people = [n for n in graph if isinstance(n, int)]
    expected = nx.bipartite.weighted_projected_graph(graph, people)
    edges = through(network, "coauthors")
    found = {(int(a), int(b)): int(w) for a, b, w in zip(edges.source, edges.target, edges.weight, strict=True)}
    assert found == {(min(a, b), max(a, b)): w for a, b, w in expected.edges(data="weight")}
    for lens in LENSES:
        assert len(through(network, lens, Choice(year_from=3000)).source) == 0


def test_communities_and_positions_do_not_change_from_run_to_run() -> None:
    cliques = [(a, b) for base in (0, 10, 20) for a in range(base, base + 10) for b in range(a + 1, base + 10)]
    pairs = sorted([*cliques, (0, 10), (10, 20)])
    found = communities(30, pairs, [1.0] * len(pairs))
    assert [sorted(np.flatnonzero(found == c)) for c in range(3)] == [list(range(b, b + 10)) for b in (0, 10, 20)]
    random.seed(5)
    assert (communities(30, pairs, [1.0] * len(pairs)) == found).all()
    assert (arrange(30, pairs) == arrange(30, pairs)).all()
    spots = whole_numbers(np.array([[-5.0, 1.0], [5.0, 2.0]]))
    assert spots[:, 0].tolist() == [0, 65535] and abs(int(spots[0, 1]) - int(spots[1, 1])) in (6553, 6554)
    assert whole_numbers(np.zeros((0, 2))).shape == (0, 2)
    assert whole_numbers(np.zeros((1, 2))).tolist() == [[32768, 32768]]


def test_numbers_may_have_gaps_as_in_a_graph_that_was_added_to(lines: list[str], tmp_path: Path) -> None:
    db = build_index(lines, tmp_path / "index.sqlite")
    before = read_network(db)
    shift = "UPDATE {} SET {} = {} + 1000 WHERE {} > 10"
    for name, column in (("thing", "id"), ("member", "entity"), ("member", "paper"), ("name", "entity")):
        db.execute(shift.format(name, column, column, column))
    db.commit()
    after = read_network(db)
    assert after.size == before.size + 1000
    kept = [*range(11), *range(1011, after.size)]
    assert (after.kind[kept] == before.kind).all() and (after.papers[kept] == before.papers).all()
    assert (after.papers[11:1011] == 0).all()
    db.close()
    atlas = open_atlas(make_atlas(tmp_path))
    found, _ = Words(lambda: atlas).find("alphanet")
    assert set(found.tolist()) <= set(kept)


def test_nodes_without_a_place_stand_within_the_picture() -> None:
    """A node that the lens did not draw stands beside its neighbours; one without any at the rim, not beyond it."""
    from kg.links.lenses import Edges
    from kg.serve.maps import _beside
    from kg.view.atlas import SPAN

    middle = SPAN / 2
    spots = np.full((8, 2), -1.0)
    spots[:4] = [[0, middle], [SPAN, middle], [middle, middle - 9000], [middle, middle + 9000]]  # wider than high
    edges = Edges(np.array([0, 2]), np.array([4, 4]), np.ones(2), np.zeros(2, dtype=np.uint8))
    missing = np.arange(4, 8)
    _beside(spots, missing, edges)
    assert np.hypot(*(spots[4] - [middle / 2, middle - 4500])) < SPAN * 0.005
    alone = (spots[5:] - middle) / [middle, 9000]
    assert np.allclose(np.hypot(*alone.T), 1, atol=0.01)

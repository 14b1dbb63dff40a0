"""From what people type to an entity: names, ids, IRIs, typing errors, names of several things."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from handmade import statements

from kg.errors import GraphError, QueryError
from kg.query.index import build_index, key_of, open_index, unescaped
from kg.query.lookup import Lookup


@pytest.mark.parametrize(
    ("text", "kind", "tail"),
    [
        ("AlphaNet", None, "method/alphanet"),
        ("alpha-net", None, "method/alphanet"),
        ("Alpha Network", "method", "method/alphanet"),
        ("ADA BYTE", "person", "person/ada"),
        ("A. Byte", None, "person/ada"),
        ("openreview:~Ada_Byte1", None, "person/ada"),
        ("~Ada_Byte1", None, "person/ada"),
        ("0000-0001-2345-6789", None, "person/ada"),
        ("AlphaNet Counts Sheep", None, "paper/alpha"),
        ("10.1/alpha", None, "paper/alpha"),
        ("2201.00001", None, "paper/theta"),
        ("id:paper/alpha", None, "paper/alpha"),
        ("paper/alpha", None, "paper/alpha"),
        ("<https://w3id.org/paperkg/id/paper/alpha>", None, "paper/alpha"),
        ("https://github.com/lab/mono", None, "repo/github.com/lab/mono"),
        ("github.com/lab/mono", "repository", "repo/github.com/lab/mono"),
        ("Vision · Counting", None, "topic/vision/counting"),
        ("counting", "topic", "topic/vision/counting"),
        ("iclr", "venue", "venue/iclr"),
        ("BetaFlow", "paper", "paper/beta"),
        ("CountSet", "paper", "paper/alpha"),
    ],
)
def test_any_name_id_or_iri(lookup: Lookup, text: str, kind: str | None, tail: str) -> None:
    assert lookup.one(text, kind).iri == f"https://w3id.org/paperkg/id/{tail}"
    assert not lookup.notes


def test_a_name_of_several_says_so(lookup: Lookup) -> None:
    assert lookup.one("Li Li").iri.endswith("/li1")
    assert lookup.notes == [
        "'Li Li' means several; taken: id:person/li1 (person, 1 paper); also: id:person/li2 (person, 1 paper)"
    ]


def test_exact_spelling_comes_before_folded(lookup: Lookup) -> None:
    assert {m.iri.rsplit("/", 1)[1] for m in lookup.all("STAR", "method")} == {"star", "star-d", "star-e"}
    assert lookup.all("STAR in Use", "method") == []


@pytest.mark.parametrize(
    ("typo", "kind", "meant"),
    [
        ("AlphaNte", None, "AlphaNet"),
        ("lphaNet", "method", "AlphaNet"),
        ("ImagNet", "dataset", "ImageNet"),
        ("CIFAR10", "dataset", None),
        ("Ada", "person", "Ada Byte"),
        ("Adda Byte", "person", "Ada Byte"),
        ("AlphaNet Counts Sheeps", "paper", "AlphaNet Counts Sheep"),
    ],
)
def test_suggestions(lookup: Lookup, typo: str, kind: str | None, meant: str | None) -> None:
    if meant is None:
        assert lookup.one(typo, kind)  # a hyphen is no typing error
        return
    assert meant in [m.label for m in lookup.suggest(typo, kind)][:2]
    with pytest.raises(QueryError, match=f"did you mean .*{meant}"):
        lookup.one(typo, kind)


@pytest.mark.parametrize("text", ["", "   ", "zzzzqqqq", "''", "\x00", "𝛽", "%", "*"])
def test_nothing_like_it(lookup: Lookup, text: str) -> None:
    with pytest.raises(QueryError, match="no entity is called"):
        lookup.one(text)


def test_long_names_are_told_apart_by_their_ends() -> None:
    a, b = key_of("word " * 40 + "a"), key_of("word " * 40 + "b")
    assert a != b and len(a) == len(b) == 48


@pytest.mark.parametrize(
    ("text", "value"), [(r"a\"b\\c\n", 'a"b\\c\n'), (r"\u00e9\U0001D6FD", "é𝛽"), (r"\\u0041", r"\u0041")]
)
def test_escapes_of_n_quads(text: str, value: str) -> None:
    assert unescaped(text) == value


def test_equal_graphs_have_equal_indexes(tmp_path: Path) -> None:
    lines = statements()
    build_index(lines, tmp_path / "a").close()
    build_index(reversed(lines), tmp_path / "b").close()
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_an_index_is_read_only_and_may_stand_in_any_folder(tmp_path: Path) -> None:
    folder = tmp_path / "a ?#% folder"
    folder.mkdir()
    build_index(statements(), folder / "index.sqlite").close()
    db = open_index(folder / "index.sqlite")
    assert db.execute("SELECT COUNT(*) FROM entity WHERE kind = 'paper'").fetchone() == (8,)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        db.execute("DELETE FROM thing")
    db.close()


def test_entities_count_their_papers(lookup: Lookup) -> None:
    assert lookup.one("AlphaNet").papers == 4
    assert lookup.one("Ada Byte").papers == 2
    assert lookup.one("github.com/ada/alphanet").papers == 2


def test_a_missing_damaged_or_older_index(tmp_path: Path) -> None:
    with pytest.raises(GraphError, match="cannot be read"):
        open_index(tmp_path / "none.sqlite")
    (tmp_path / "bad.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(GraphError, match="cannot be read"):
        open_index(tmp_path / "bad.sqlite")
    sqlite3.connect(tmp_path / "old.sqlite").executescript("CREATE TABLE entity (id)")
    with pytest.raises(GraphError, match="another version"):
        open_index(tmp_path / "old.sqlite")

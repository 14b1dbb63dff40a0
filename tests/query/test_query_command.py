"""`kg query` as people type it."""

from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner, Result

from kg.api import Graph
from kg.cli.query import command


def run(demo: Graph, *arguments: str) -> Result:
    return CliRunner().invoke(command, [*arguments, "-g", str(demo.path)])


def test_a_named_query_in_every_format(demo: Graph) -> None:
    asked = ("coauthors", "-p", "person=sungroh yoon")
    names = [row["name"] for row in demo.rows("coauthors", person="Sungroh Yoon")]
    assert names
    data = json.loads(run(demo, *asked, "-f", "json").stdout)
    assert [b["name"]["value"] for b in data["results"]["bindings"]] == names
    rows = csv.DictReader(io.StringIO(run(demo, *asked, "-f", "csv").stdout, newline=""))
    assert [r["name"] for r in rows] == names
    assert [line.split("\t")[1] for line in run(demo, *asked, "-f", "tsv").stdout.splitlines()[1:]] == [
        f'"{n}"' for n in names
    ]
    table = run(demo, *asked).stdout
    assert all(n in table for n in names) and "id:person/" in table


def test_sparql_and_files(demo: Graph, tmp_path) -> None:
    text = "SELECT (COUNT(?p) AS ?n) { ?p a schema:ScholarlyArticle ; fabio:hasPublicationYear $year }"
    (tmp_path / "q.rq").write_text(text)
    for given in (("-e", text), (str(tmp_path / "q.rq"),)):
        result = run(demo, *given, "-p", "year=2025", "-f", "csv")
        assert result.stdout_bytes == f"n\r\n{demo.counts['papers']}\r\n".encode()


def test_yes_and_no(demo: Graph) -> None:
    asked = ("is-coauthor", "-p", "a=Sungroh Yoon", "-p")
    assert run(demo, *asked, "b=HyunGi Kim").stdout == "yes\n"
    assert json.loads(run(demo, *asked, "b=Quanquan Gu", "-f", "json").stdout)["boolean"] is False


def test_triples(demo: Graph) -> None:
    result = run(demo, "author-network", "-p", "person=Sungroh Yoon", "-f", "nt")
    lines = result.stdout.splitlines()
    assert lines == sorted(lines) and all(line.endswith(" .") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (("coauthor",), "no query is called 'coauthor'", "coauthors"),
        (("coauthors", "-p", "person=Sungro Yoon"), "no person is called 'Sungro Yoon'", "'Sungroh Yoon'"),
        (("coauthors",), "needs the parameter person", "-p person="),
        (("coauthors", "-p", "persn=x"), "no parameter 'persn'", "person"),
        (("venue-papers", "-p", "venue=ICML", "-p", "year=soon"), "whole number", "year="),
        (("-e", "SELECT * { ?s ?p }"), "does not parse", "kg queries"),
        (("SELECT * { ?s ?p ?o }",), "looks like SPARQL", "-e"),
    ],
)
def test_mistakes_name_the_remedy(demo: Graph, arguments: tuple[str, ...], message: str, hint: str) -> None:
    error = run(demo, *arguments).exception
    assert message in error.message and hint in error.hint


def test_nothing_found_is_said(demo: Graph) -> None:
    (paper,) = demo.index.execute("SELECT iri FROM entity WHERE kind = 'paper'").fetchone()
    result = run(demo, "paper-citations", "-p", f"paper={paper}")
    assert result.exit_code == 0 and "no rows" in result.stderr


def test_a_name_of_several_is_said(demo: Graph) -> None:
    """Two entities of one name: the one taken and the others stand on standard error."""
    query = """SELECT label FROM thing WHERE kind IN ('method', 'dataset') GROUP BY label HAVING COUNT(*) > 1"""
    row = demo.index.execute(query).fetchone()
    if row is None:
        pytest.skip("no name of two things in the demo graph")
    result = run(demo, "entity-statements", "-p", f"entity={row[0]}", "-f", "csv")
    assert "means several; taken: id:" in result.stderr and "means several" not in result.stdout

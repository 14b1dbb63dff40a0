"""The SPARQL page: editor, catalogue, answers, files."""

from __future__ import annotations

import csv
import io
import json
from urllib.parse import quote

import pytest

pytestmark = pytest.mark.browser
QUERY = "SELECT ?method ?name WHERE { ?method a kg:Method ; skos:prefLabel ?name } ORDER BY ?name LIMIT 5"


def download(seen, name: str) -> str:
    with seen.page.expect_download() as waiting:
        seen.page.get_by_role("button", name=f"Download {name}").click()
    return waiting.value.path().read_text("utf-8")


def editor_text(seen) -> str:
    return seen.page.evaluate("document.querySelector('.editor').shadowRoot.querySelector('.cm-content').innerText")


def write(seen, text: str) -> None:
    seen.page.locator(".editor .cm-content").click()
    seen.page.keyboard.press("Control+A")
    seen.page.keyboard.insert_text(text)


def test_a_query_in_the_address_runs_and_comes_as_table_and_files(visit):
    seen = visit(f"/ask?query={quote(QUERY)}")
    seen.page.wait_for_selector(".answer tbody tr")
    assert seen.page.locator(".answer tbody tr").count() == 5
    assert seen.page.locator(".answer th").all_inner_texts() == ["method", "name"]
    assert editor_text(seen).strip() == QUERY
    rows = list(csv.reader(io.StringIO(download(seen, "CSV"))))
    assert rows[0] == ["method", "name"] and len(rows) == 6
    assert len(json.loads(download(seen, "JSON"))["results"]["bindings"]) == 5
    link = seen.page.locator(".answer tbody a.entity").first
    link.click()
    seen.page.wait_for_selector(".panel h2")
    assert seen.page.evaluate("location.pathname") == "/entity"
    seen.clean()


def test_the_editor_highlights_completes_and_runs_by_key(visit):
    seen = visit("/ask")
    seen.page.locator(".editor .cm-content").wait_for()
    colors = seen.page.evaluate(
        """() => new Set([...document.querySelector('.editor').shadowRoot.querySelectorAll('.cm-line span')]
                 .map(e => getComputedStyle(e).color)).size"""
    )
    assert colors >= 3
    write(seen, "SELECT ?p WHERE { ?p ")
    seen.page.keyboard.type("kg:usesM")
    option = seen.page.locator(".editor .cm-tooltip-autocomplete li", has_text="kg:usesMethod").first
    option.wait_for()
    seen.page.wait_for_timeout(150)
    seen.page.keyboard.press("Enter")
    assert "kg:usesMethod" in editor_text(seen)
    seen.page.keyboard.type(" ?m } LIMIT 3")
    seen.page.keyboard.press("Control+Enter")
    seen.page.wait_for_selector(".answer tbody tr")
    assert seen.params()["query"].startswith("SELECT ?p WHERE { ?p kg:usesMethod ?m")
    seen.clean()


def test_a_wrong_query_is_told_with_its_place(visit):
    seen = visit("/ask?query=" + quote("SELECT ?x WHERE { ?x ?y }"))
    seen.page.wait_for_selector(".ask-main [role=alert]")
    assert seen.page.locator(".editor .cm-lintRange-error, .editor .cm-lintPoint").count() >= 1
    assert all("400" in line for line in seen.console) and seen.elsewhere == []


def test_a_question_of_the_catalogue_has_a_form_completed_from_the_graph(visit):
    seen = visit("/ask")
    seen.page.get_by_label("Narrow the questions").fill("co-authors of a person")
    seen.page.get_by_role("button", name="Co-authors of a person").click()
    field = seen.page.locator(".question input")
    run = seen.page.get_by_role("button", name="Run")
    assert run.is_disabled()
    field.fill("Ada Quill")
    seen.page.wait_for_selector(".question datalist option", state="attached")
    field.fill("Ada QuillBERT")
    run.click()
    seen.page.wait_for_selector(".answer")
    assert seen.params() == {"name": "coauthors", "p.person": "Ada QuillBERT", "run": "1"}
    assert "Script" in seen.page.locator(".answer").inner_text()
    address = seen.page.evaluate("location.pathname + location.search")
    seen.go(address)
    seen.page.wait_for_selector(".answer tbody tr")
    seen.clean()


def test_a_select_of_entities_can_be_seen_as_a_graph(visit):
    text = "SELECT ?paper ?method WHERE { ?paper kg:proposesMethod ?method } LIMIT 20"
    seen = visit(f"/ask?query={quote(text)}")
    seen.page.wait_for_selector(".answer tbody tr")
    rows = seen.page.locator(".answer tbody tr").count()
    seen.page.get_by_role("button", name="Graph").click()
    seen.map_ready(2)
    assert seen.page.evaluate("paperkg.graph.columns.edges.source.length") == rows > 1
    seen.clean()


def test_construct_comes_as_graph_statements_and_turtle(visit):
    text = "CONSTRUCT WHERE { ?paper kg:proposesMethod ?method . ?method skos:prefLabel ?name }"
    seen = visit(f"/ask?query={quote(text)}")
    seen.map_ready(2)
    labels = seen.page.evaluate("paperkg.graph.columns.nodes.label")
    assert "TidalFormer" in labels
    turtle = download(seen, "Turtle")
    assert "TidalFormer" in turtle and "proposesMethod" in turtle
    seen.page.get_by_role("button", name="Table").click()
    assert seen.page.locator(".answer tbody tr").count() > 5
    seen.clean()


def test_an_empty_answer_and_a_yes_are_told(visit):
    seen = visit("/ask?query=" + quote('SELECT ?x WHERE { ?x skos:prefLabel "nothing is called this" }'))
    seen.page.wait_for_selector("text=No row matches")
    seen.go("/ask?query=" + quote("ASK { ?x a kg:Method }"))
    seen.page.wait_for_selector("text=Yes")
    seen.clean()

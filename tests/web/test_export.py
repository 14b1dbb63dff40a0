"""What is seen, as files."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

pytestmark = pytest.mark.browser
SVG = "{http://www.w3.org/2000/svg}"


def save(seen, label: str, role: str = "button"):
    seen.page.get_by_role("button", name="Export").click()
    with seen.page.expect_download() as waiting:
        seen.page.get_by_role(role, name=label).click()
    seen.page.keyboard.press("Escape")
    return waiting.value


def test_svg_and_png_hold_what_the_window_shows(visit):
    seen = visit("/map")
    seen.map_ready()
    file = save(seen, "SVG of this view")
    assert file.suggested_filename == "paperkg-map.svg"
    root = ElementTree.fromstring(file.path().read_bytes())
    nodes = len(root.findall(f".//{SVG}polygon")) + len(root.findall(f".//{SVG}circle"))
    assert nodes == seen.page.evaluate("paperkg.graph.count")
    shown = seen.page.evaluate("paperkg.view.state().labels.map(l => l.text)")
    assert [t.text for t in root.findall(f".//{SVG}text")] == shown
    png = save(seen, "PNG of this view").path().read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(png[16:20], "big") == 2 * 1280
    seen.clean()


@pytest.mark.parametrize(
    ("label", "start"),
    [("GEXF", b"<?xml"), ("CSV of the edges", b""), ("Turtle", b""), ("BibTeX", b"@"), ("Standalone HTML", b"<!"), ("JSON", b"{")],
)  # fmt: skip
def test_files_of_the_filtered_map_come_from_the_server(visit, label, start):
    seen = visit("/map?lens=methods&year_from=2020")
    seen.page.wait_for_selector(".says")
    seen.page.get_by_role("button", name="Export").click()
    link = seen.page.get_by_role("link", name=label)
    href = link.get_attribute("href")
    assert href.startswith("/api/map/methods.") and "year_from=2020" in href
    with seen.page.expect_download() as waiting:
        link.click()
    body = waiting.value.path().read_bytes()
    assert len(body) > 20 and body.lstrip().startswith(start)
    seen.clean()


def test_every_page_names_its_twins_and_they_answer(visit, find, ask):
    import urllib.request

    method = find("TidalFormer", "method")
    for path in (f"/entity?id={method}", "/map?q=learning", f"/paths?a={method}&b={find('ImageNet', 'dataset')}"):
        seen = visit(path)
        seen.page.wait_for_selector(".twins a")
        links = seen.page.eval_on_selector_all(".twins a", "all => all.map(a => a.href)")
        assert links
        for link in links:
            with urllib.request.urlopen(link) as answer:
                assert answer.status == 200 and answer.read(1)

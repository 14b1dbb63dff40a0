"""Map, search, entity, link and path pages as a reader uses them."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser


def test_the_map_shows_the_graph_and_says_what_it_is(visit, ask):
    seen = visit("/")
    seen.map_ready()
    whole = ask("/api/map/all.json")
    assert seen.page.evaluate("paperkg.graph.count") == len(whole["nodes"]["id"]) > 100
    assert seen.colors() > 20
    says = seen.page.locator(".says").inner_text()
    assert whole["node"] in says and f"{len(whole['nodes']['id'])} nodes" in says
    assert seen.page.evaluate("paperkg.view.state().labels.length") > 5
    seen.clean()


def test_dragging_moves_the_map_without_drawing_it_anew_and_the_view_is_in_the_address(visit):
    seen = visit("/map")
    seen.map_ready()
    before = seen.page.evaluate("paperkg.view.state().camera")
    seen.page.mouse.move(600, 400)
    seen.page.mouse.down()
    seen.page.mouse.move(700, 450, steps=5)
    seen.page.mouse.up()
    after = seen.page.evaluate("paperkg.view.state().camera")
    assert (before["x"] - after["x"]) * after["k"] == pytest.approx(100, abs=2)
    seen.page.wait_for_function("() => location.search.includes('view=')")
    seen.map_ready()
    seen.page.mouse.wheel(0, -400)
    seen.page.wait_for_function("k => paperkg.view.state().camera.k > k * 1.5", arg=after["k"])
    seen.page.wait_for_timeout(300)
    view = seen.params()["view"]
    seen.go(f"/map?view={view}")
    seen.map_ready()
    assert seen.page.evaluate("paperkg.view.state().camera.k") == pytest.approx(float(view.split(",")[2]), rel=1e-3)
    seen.clean()


def test_keys_move_zoom_and_fit(visit):
    seen = visit("/map")
    seen.map_ready()
    start = seen.page.evaluate("paperkg.view.state().camera")
    seen.page.locator(".map-host").focus()
    for key in ("ArrowRight", "ArrowDown", "+"):
        seen.page.keyboard.press(key)
    now = seen.page.evaluate("paperkg.view.state().camera")
    assert now["x"] > start["x"] and now["y"] > start["y"] and now["k"] > start["k"]
    seen.page.keyboard.press("0")
    assert seen.page.evaluate("paperkg.view.state().camera") == start
    seen.clean()


def test_a_click_on_a_node_opens_its_panel_and_back_closes_it(visit, find):
    method = find("ImageNet", "dataset")
    seen = visit("/map")
    seen.map_ready()
    seen.page.evaluate("id => paperkg.view.focus([paperkg.graph.index.get(id)])", method)
    seen.page.wait_for_timeout(200)
    seen.map_ready()
    seen.page.mouse.click(*seen.place(method))
    seen.page.wait_for_selector(".panel h2")
    assert seen.params()["id"] == method
    assert "ImageNet" in seen.page.locator(".panel h2").inner_text()
    assert seen.page.locator(".panel .group").count() > 0
    seen.page.go_back()
    seen.page.wait_for_selector(".panel", state="detached")
    seen.page.go_forward()
    seen.page.wait_for_selector(".panel h2")
    seen.page.locator(".panel").press("Escape")
    seen.page.wait_for_selector(".panel", state="detached")
    seen.clean()


def test_search_is_keyboard_first_and_forgives_typing_errors(visit):
    seen = visit("/map")
    seen.map_ready()
    seen.page.keyboard.press("/")
    assert seen.page.evaluate("document.activeElement.getAttribute('role')") == "combobox"
    seen.page.keyboard.type("ImagNet")
    option = seen.page.locator(".top [role=option]").first
    option.locator(".name").wait_for()
    assert "ImageNet" in option.inner_text()
    seen.page.keyboard.press("ArrowDown")
    box = seen.page.locator(".top [role=combobox]")
    assert box.get_attribute("aria-activedescendant") == option.get_attribute("id")
    assert option.get_attribute("aria-selected") == "true"
    seen.page.keyboard.press("Enter")
    seen.page.wait_for_selector(".panel h2")
    assert "ImageNet" in seen.page.locator(".panel h2").inner_text()
    seen.page.keyboard.press("/")
    assert "ImageNet" in seen.page.locator(".top .search-panel").inner_text()  # looked at lately
    seen.clean()


def test_all_results_have_facets_that_narrow_and_are_marked_on_the_map(visit):
    seen = visit("/map")
    seen.map_ready()
    seen.page.keyboard.press("/")
    seen.page.keyboard.type("learning")
    seen.page.locator(".top li.all").wait_for()
    seen.page.keyboard.press("Enter")
    seen.page.wait_for_selector(".panel .rows li")
    assert seen.params()["q"] == "learning"
    total = seen.page.locator(".panel .hint").first.inner_text()
    seen.page.locator(".facet[aria-label=Kind] button", has_text="paper").first.click()
    seen.page.wait_for_function("t => document.querySelector('.panel .hint').innerText !== t", arg=total)
    assert seen.params()["kind"] == "paper"
    assert seen.page.locator(".facet[aria-label=Kind] button[aria-pressed=true]").count() == 1
    kinds = seen.page.locator(".panel .rows .entity .sr").all_inner_texts()
    assert kinds and all("paper" in k for k in kinds)
    seen.clean()


def test_an_entity_page_expands_hides_pins_and_keeps_it_in_the_address(visit, find):
    data_set = find("ImageNet", "dataset")
    seen = visit(f"/entity?id={data_set}")
    seen.map_ready(2)
    count = seen.page.evaluate("paperkg.graph.count")
    neighbour = seen.page.evaluate("id => paperkg.graph.columns.nodes.id.find(i => i !== id)", data_set)
    at = seen.place(neighbour)
    seen.page.mouse.click(*at)
    seen.page.wait_for_function(
        "id => document.querySelector('.panel h2') && location.search.includes(id)", arg=neighbour
    )
    seen.page.get_by_role("button", name="Expand").click()
    seen.page.wait_for_function("n => paperkg.graph.count > n", arg=count)
    assert seen.place(neighbour) == pytest.approx(at, abs=1)  # what was there holds still
    seen.page.get_by_role("button", name="Pin").click()
    seen.page.get_by_role("button", name="Hide", exact=True).click()
    seen.page.wait_for_selector("text=Show 1 hidden")
    assert (seen.params()["expand"], seen.params()["pin"], seen.params()["hide"]) == (neighbour,) * 3
    assert seen.page.evaluate("id => paperkg.scene.shown[paperkg.graph.index.get(id)]", neighbour) == 0
    seen.page.reload()
    seen.page.wait_for_selector("text=Show 1 hidden")
    seen.page.go_back()
    seen.page.wait_for_selector("text=Show 1 hidden", state="detached")
    seen.clean()


def test_two_hops_reach_further(visit, find):
    seen = visit(f"/entity?id={find('ImageNet', 'dataset')}")
    seen.map_ready(2)
    count = seen.page.evaluate("paperkg.graph.count")
    seen.page.get_by_role("button", name="2 hops").click()
    seen.page.wait_for_function("n => paperkg.graph.count > n", arg=count)
    assert seen.params()["hops"] == "2"
    seen.clean()


def test_a_click_on_an_edge_shows_the_papers_and_the_marked_sentences(visit, find, ask):
    data_set = find("ImageNet", "dataset")
    seen = visit(f"/entity?id={data_set}")
    seen.map_ready(2)
    paper = seen.page.evaluate(
        "id => paperkg.graph.columns.nodes.id.find(i => i !== id && i.startsWith('paper/'))", data_set
    )
    (ax, ay), (bx, by) = seen.place(data_set), seen.place(paper)
    seen.page.mouse.click((ax + bx) / 2, (ay + by) / 2)
    seen.page.wait_for_selector(".panel .quote mark")
    why = ask(f"/api/link.json?a={data_set}&b={paper}")
    marked = [m["text"] for p in why["papers"] for m in p["mentions"]]
    assert seen.page.locator(".panel .quote mark").all_inner_texts() == marked
    caption = seen.page.locator(".panel .quote figcaption").first.inner_text()
    assert "% sure" in caption and "cue" in caption
    assert {seen.params()["a"], seen.params()["b"]} == {data_set, paper}
    seen.clean()


def test_how_two_are_connected_is_asked_with_two_boxes(visit, find):
    seen = visit("/paths")
    for label, text in (("From", "ImageNet"), ("To", "TidalFormer")):
        box = seen.page.get_by_role("combobox", name=label, exact=True)
        box.fill(text)
        seen.page.locator(".pickers [role=option]:visible").first.wait_for()
        box.press("ArrowDown")
        box.press("Enter")
    seen.page.wait_for_selector(".path")
    words = seen.page.locator(".path").first.inner_text()
    assert "ImageNet" in words and "TidalFormer" in words
    assert seen.params()["a"].startswith("dataset/") and seen.params()["b"].startswith("method/")
    seen.map_ready(3)
    seen.page.locator(".path a.why").first.click()
    seen.page.wait_for_selector(".panel .evidence")
    assert seen.page.evaluate("location.pathname") == "/link"
    seen.clean()


@pytest.mark.parametrize("lens", ["all", "coauthors", "datasets", "methods", "code"])
def test_each_lens_says_what_a_node_and_an_edge_mean_or_why_it_is_empty(visit, ask, lens):
    seen = visit(f"/map?lens={lens}")
    told = next(one for one in ask("/api/meta.json")["lenses"] if one["name"] == lens)
    seen.page.wait_for_selector(".says")
    assert seen.page.locator(".lenses [aria-current=page]").inner_text() == told["title"]
    if told.get("empty"):
        seen.page.wait_for_selector(f"text={told['empty']}")
    else:
        seen.map_ready()
        says = seen.page.locator(".says").inner_text()
        assert told["node"] in says and told["edge"] in says
    seen.clean()


def test_filters_are_in_the_address_and_an_empty_view_says_why(visit):
    seen = visit("/map")
    seen.map_ready()
    count = seen.page.evaluate("paperkg.graph.count")
    seen.page.get_by_role("button", name="Filter").click()
    seen.page.get_by_label("Only papers with code").check()
    seen.page.wait_for_function("n => paperkg.graph.count < n", arg=count)
    assert seen.params()["has_code"] == "1"
    assert seen.page.get_by_role("button", name="Filter (1)").is_visible()
    seen.go("/map?year_from=1950&year_to=1951")
    seen.page.wait_for_selector(".says.message")
    assert "No part of the graph passes the filters" in seen.page.locator(".says").inner_text()
    seen.page.get_by_role("button", name="Clear filters").click()
    seen.map_ready()
    seen.clean()


def _until(seen, condition: str) -> None:
    """Waits until a condition holds; asked from outside, as the page's policy forbids it to compile text."""
    for _ in range(100):
        if seen.page.evaluate(condition):
            return
        seen.page.wait_for_timeout(100)
    pytest.fail(f"it never came true: {condition}")


def test_the_legend_hides_and_shows_a_kind(visit):
    seen = visit("/map")
    seen.map_ready()
    people = seen.page.locator(".legend button", has_text="people")
    people.click()
    # The button changes at once, the picture with the next frame.
    _until(seen, "!paperkg.graph.columns.nodes.kind.some((k, i) => k === 'person' && paperkg.scene.shown[i])")
    assert people.get_attribute("aria-pressed") == "false"
    people.click()
    _until(seen, "paperkg.scene.shown.every(Boolean)")
    seen.clean()


def test_the_map_as_a_list_reaches_every_node_without_a_pointer(visit):
    seen = visit("/map")
    seen.map_ready()
    seen.page.get_by_role("button", name="List").press("Enter")
    seen.page.wait_for_selector(".panel ol.rows")
    seen.page.get_by_label("Only names with").fill("quillbert")
    link = seen.page.locator(".panel ol.rows a")
    link.first.wait_for()
    assert link.count() >= 1
    link.first.press("Enter")
    seen.page.wait_for_function(
        "() => document.querySelector('.panel h2')?.innerText.toLowerCase().includes('quillbert')"
    )
    seen.clean()


def test_hostile_names_stay_text_everywhere(visit, find):
    paper = find("templates", "paper")
    for path in (
        f"/entity?id={paper}",
        f"/map?q=scripts&id={find('scripts', 'paper')}",
        "/map?q=javascript",
        "/map?lens=coauthors",
    ):
        seen = visit(path)
        seen.map_ready()
        seen.page.wait_for_timeout(300)
        assert seen.page.locator("img, .panel b, .panel i, [onload], [onmouseover], [onerror]").count() == 0
        assert seen.page.locator("a[href^='javascript']").count() == 0
        seen.clean()


def test_an_entity_that_is_not_there_is_told_plainly(visit):
    seen = visit("/entity?id=method/no-such-thing")
    seen.page.wait_for_selector(".panel [role=alert]")
    assert "no-such-thing" in seen.page.locator(".panel [role=alert]").inner_text()
    assert all("404" in line for line in seen.console) and seen.elsewhere == []

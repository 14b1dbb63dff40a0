"""Every page at every width, in both schemes: nothing serious by axe-core, nothing wider than the window."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser
PAGES = {
    "map": "/map",
    "lens": "/map?lens=coauthors",
    "entity": "/entity?id={method}",
    "selected": "/map?id={method}",
    "results": "/map?q=learning",
    "link": "/link?a={dataset}&b={method}",
    "paths": "/paths?a={dataset}&b={method}",
    "ask": "/ask",
    "question": "/ask?name=top-methods&run=1",
    "about": "/about",
}
READY = {"map": ".legend", "lens": ".says", "entity": ".panel h2", "selected": ".panel h2", "results": ".panel .rows li",
         "link": ".panel h2, .panel [role=alert]", "paths": ".path", "ask": ".editor .cm-content", "question": ".answer tbody tr",
         "about": ".counts"}  # fmt: skip


@pytest.fixture(scope="session")
def paths(find):
    ids = {"method": find("TidalFormer", "method"), "dataset": find("ImageNet", "dataset")}
    return {name: path.format(**ids) for name, path in PAGES.items()}


def serious(seen, axe: str) -> list[str]:
    """What axe-core calls serious or critical on the page as it is."""
    seen.page.evaluate(axe)
    found = seen.page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{v['id']}: {n['target']} {n['failureSummary']}"
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
        for n in v["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(visit, axe, paths, name, scheme):
    seen = visit(paths[name], scheme=scheme)
    seen.page.wait_for_selector(READY[name])
    seen.page.wait_for_timeout(200)
    assert serious(seen, axe) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_what_opens(visit, axe, scheme):
    seen = visit("/map", scheme=scheme)
    seen.map_ready()
    seen.page.get_by_role("button", name="Filter").click()
    assert serious(seen, axe) == []
    seen.page.keyboard.press("Escape")
    assert seen.page.locator(".filters").count() == 0
    seen.page.get_by_role("button", name="Export").click()
    assert serious(seen, axe) == []
    seen.page.keyboard.press("/")
    seen.page.keyboard.type("Ada")
    seen.page.locator(".top [role=option] .name").first.wait_for()
    assert serious(seen, axe) == []
    seen.page.keyboard.press("Escape")
    seen.page.get_by_role("button", name="List").click()
    seen.page.wait_for_selector(".panel ol.rows")
    assert serious(seen, axe) == []


@pytest.mark.parametrize("width", [360, 1280, 3840])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_wider_than_the_window(visit, paths, name, width):
    seen = visit(paths[name], width=width, height=740 if width == 360 else 2160 if width == 3840 else 800)
    seen.page.wait_for_selector(READY[name])
    assert seen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    wide = seen.page.evaluate(
        """() => [...document.querySelectorAll('.panel, .ask-main, .page')].filter(e => e.scrollWidth > e.clientWidth + 1)
                 .map(e => e.className)"""
    )
    assert wide == []


def test_the_switch_of_colours_wins_over_the_system_and_is_kept(visit):
    seen = visit("/about", scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = seen.page.evaluate(ground)
    button = seen.page.get_by_role("button", name="Colours")
    button.click()
    button.click()
    dark = seen.page.evaluate(ground)
    assert dark != light
    seen.page.reload()
    seen.page.wait_for_selector(".counts")
    assert seen.page.evaluate(ground) == dark
    seen.clean()


def test_reduced_motion_stops_the_spinner(visit):
    seen = visit("/about")
    assert seen.page.evaluate(
        """() => { const e = document.createElement('span'); e.className = 'spinner'; document.body.append(e);
                   return getComputedStyle(e).animationName; }"""
    ) == "none"  # fmt: skip


def test_focus_is_seen_and_the_first_stop_skips_to_the_content(visit):
    seen = visit("/about")
    seen.page.wait_for_selector(".counts")
    seen.page.keyboard.press("Tab")
    assert seen.page.evaluate("document.activeElement.className") == "skip"
    assert seen.page.locator(".skip").bounding_box()["x"] >= 0
    assert seen.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    seen.page.keyboard.press("Enter")
    assert seen.page.evaluate("document.querySelector('#main').contains(document.activeElement)")
    seen.clean()


def test_every_lens_can_be_seen_on_a_telephone(visit):
    page = visit("/map", width=360, height=740)
    page.map_ready()
    boxes = page.page.locator(".lenses a").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect()).map(b => [b.left, b.right, b.height])"
    )
    assert len(boxes) == 5
    assert all(left >= 0 and right <= 360 and height >= 24 for left, right, height in boxes)

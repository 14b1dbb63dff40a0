"""The page in a real browser, with the network blocked and every request recorded."""

from __future__ import annotations

import networkx as nx
import pytest
from graphs import ABSTRACT, TITLE, conference, iri, small

pytestmark = pytest.mark.browser

PAPER = iri("paper", "openreview-a1")
METHOD = iri("method", "driftnet")
HOSTILE = [
    "</script><img src=x onerror=alert(1)>",
    '"><svg onload=alert(2)>',
    '<a href="javascript:alert(3)">href</a>',
    "line\u2028separator\u2029end",
    "half \ud83d pair \ude00 apart",
    "<!-- <script> -->",
    "${alert(4)} {{ 7 * 7 }} {% raw %}",
    "nul\x00bell\x07",
    "&lt;b&gt; &amp; <b>bold</b>",
    "\u202eright to left",
    "𝛼-Net 🌧️",
    "__proto__",
]


def edge_number(page, relation: str, source: str = PAPER) -> int:
    return page.evaluate(
        """([relation, source]) => [...Array(paperkg.edges).keys()].find(
             e => paperkg.edge(e).relation === relation && paperkg.edge(e).from === source)""",
        [relation, source],
    )


def middle_of_edge(page, e: int) -> tuple[float, float]:
    """Point of the window halfway between the two ends of an edge."""
    x, y = page.evaluate(
        """e => { const {from, to} = paperkg.edge(e), a = paperkg.screen(from), b = paperkg.screen(to);
             const box = document.getElementById('graph').getBoundingClientRect();
             return [(a.x + b.x) / 2 + box.x, (a.y + b.y) / 2 + box.y]; }""",
        e,
    )
    return x, y


def place_of(page, node: str) -> tuple[float, float]:
    x, y = page.evaluate(
        """iri => { const at = paperkg.screen(iri), box = document.getElementById('graph').getBoundingClientRect();
             return [at.x + box.x, at.y + box.y]; }""",
        node,
    )
    return x, y


def drawn_colors(page) -> int:
    """How many different colours the map's canvas shows (one for an empty one)."""
    return page.evaluate(
        """() => { const c = document.querySelector('#net canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
             const seen = new Set(); for (let i = 0; i < d.length; i += 4) if (d[i + 3] > 200) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
             return seen.size; }"""
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440, 3840])
def test_page_opens_offline_at_every_width_and_in_both_schemes(opened, scheme, width):
    result = opened(small(), width=width, scheme=scheme)
    page = result.page
    assert page.evaluate("[paperkg.nodes, paperkg.edges, paperkg.visible(), paperkg.visibleEdges()]") == [10, 9, 10, 9]
    assert drawn_colors(page) > 7
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == ("rgb(247, 248, 250)" if scheme == "light" else "rgb(20, 23, 28)")
    page.evaluate("iri => paperkg.select(iri)", PAPER)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert result.clean()


def test_clicking_a_node_shows_facts_abstract_with_marks_and_grouped_neighbours(opened):
    result = opened(small())
    page = result.page
    page.mouse.click(*place_of(page, PAPER))
    panel = page.locator("#panel")
    assert panel.locator("h2").inner_text() == TITLE
    assert panel.locator(".text").inner_text() == ABSTRACT
    assert panel.locator("h2 mark").all_inner_texts() == ["DriftNet"]
    assert panel.locator(".text mark").all_inner_texts() == ["DriftNet", "WeatherBench"]
    headings = [text.split(" ")[0] for text in panel.locator("h3").all_inner_texts()]
    assert headings[:3] == ["Abstract", "Written", "Proposes"]
    assert "2025" in panel.locator("dl").inner_text()
    link = panel.locator("dl a", has_text="openreview.net")
    assert link.get_attribute("href") == "https://openreview.net/forum?id=a1"
    assert "noopener" in link.get_attribute("rel")
    panel.locator(".near .go", has_text="Bo Li").click()
    assert page.evaluate("paperkg.chosen().node") == iri("person", "openreview-bo")
    assert panel.locator("h3").first.inner_text().startswith("Wrote")
    assert result.clean()


def test_clicking_an_edge_shows_relation_confidence_cue_and_the_marked_sentence(opened):
    result = opened(small())
    page = result.page
    page.mouse.click(*middle_of_edge(page, edge_number(page, "proposesMethod")))
    panel = page.locator("#panel")
    assert panel.locator(".verb").inner_text() == "proposes"
    assert "97 %" in panel.locator("dl").inner_text() and "we propose" in panel.locator("dl").inner_text()
    quotes = panel.locator("blockquote")
    assert quotes.first.locator("footer").inner_text() == "From the abstract"
    # the emoji takes two UTF-16 units, so the offsets must have been converted
    assert quotes.first.inner_text().startswith("🌧️ We propose DriftNet, which re-weights")
    assert "for a survey)." in quotes.first.inner_text() and "WeatherBench" not in quotes.first.inner_text()
    assert panel.locator("blockquote mark").all_inner_texts() == ["DriftNet", "DriftNet"]
    assert result.clean()


def test_an_edge_without_evidence_says_so(opened):
    result = opened(small())
    result.page.evaluate("e => paperkg.selectEdge(e)", edge_number(result.page, "subject"))
    assert "no sentence to quote" in result.page.locator("#panel").inner_text()


def test_parallel_edges_are_all_told(opened):
    graph = small()
    graph.add_edge(PAPER, METHOD, key="usesMethod", relation="usesMethod", confidence=0.4, weight=3)
    result = opened(graph)
    result.page.evaluate("e => paperkg.selectEdge(e)", edge_number(result.page, "usesMethod"))
    verbs = result.page.locator("#panel .verb").all_inner_texts()
    assert sorted(verbs) == ["proposes", "uses"]
    assert "weight" in result.page.locator("#panel").inner_text()


def test_hover_shows_a_card(opened):
    result = opened(small())
    page = result.page
    page.mouse.move(*place_of(page, METHOD))
    page.wait_for_selector("#card:not([hidden])")
    card = page.locator("#card").inner_text()
    assert "DriftNet" in card and "method" in card and "2 links" in card and "Drift-aware Network" in card
    page.mouse.move(*middle_of_edge(page, edge_number(page, "usesDataset")))
    page.wait_for_function("document.getElementById('card').innerText.includes('uses data from')")
    page.mouse.move(5, 500)
    page.wait_for_selector("#card", state="hidden")
    assert result.clean()


def test_search_is_keyboard_first_and_knows_aliases_and_accents(opened):
    result = opened(small())
    page = result.page
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "search"
    page.keyboard.type("drift aware")
    assert page.locator("#found li").count() == 0 or "Drift-aware" in page.locator("#found").inner_text()
    page.locator("#search").fill("nunez")
    assert page.locator("#found li").first.inner_text().startswith("Ada Núñez")
    page.locator("#search").fill("driftnet")
    names = page.locator("#found li > span").all_inner_texts()
    assert names[:2] == ["DriftNet", TITLE]
    page.keyboard.press("ArrowDown")
    assert page.locator("#search").get_attribute("aria-activedescendant") == "found-1"
    page.keyboard.press("Enter")
    assert page.evaluate("paperkg.chosen().node") == PAPER
    assert page.evaluate("document.activeElement.id") == "panel"
    page.keyboard.press("Escape")
    assert page.evaluate("paperkg.chosen()") == {"node": None, "edge": None}
    page.keyboard.press("/")
    page.keyboard.type("zzzz")
    assert "No name or alias" in page.locator("#found").inner_text()
    page.keyboard.press("Enter")  # goes nowhere, breaks nothing
    assert result.clean()


def test_legend_counts_and_toggles_kinds(opened):
    result = opened(small())
    page = result.page
    people = page.locator("#legend button", has_text="people")
    assert people.locator("b").inner_text() == "2"
    people.click()
    assert people.get_attribute("aria-pressed") == "false"
    assert page.evaluate("[paperkg.visible(), paperkg.visibleEdges()]") == [8, 6]
    x, y = place_of(page, iri("person", "openreview-bo"))
    page.mouse.click(x, y)
    assert page.evaluate("paperkg.chosen().node") is None
    page.evaluate("iri => paperkg.select(iri)", iri("person", "openreview-bo"))  # chosen: so shown again
    assert people.get_attribute("aria-pressed") == "true"
    assert page.evaluate("paperkg.visible()") == 10
    assert result.clean()


def test_focus_on_hops_and_back(opened):
    result = opened(small())
    page = result.page
    page.evaluate("iri => paperkg.select(iri)", METHOD)
    page.locator("#panel button", has_text="1 hop").click()
    assert page.evaluate("paperkg.visible()") == 3
    assert page.locator("#focus").inner_text().startswith("3 within 1 hop of DriftNet")
    page.locator("#panel button", has_text="2 hops").click()
    assert page.evaluate("paperkg.visible()") == 9
    assert "hops=2" in page.evaluate("location.hash")
    page.locator("#focus button").click()
    assert page.evaluate("paperkg.visible()") == 10
    page.evaluate("paperkg.reset()")
    assert page.locator("#panel").is_hidden()
    assert result.clean()


def test_the_address_remembers_and_back_goes_back(opened):
    graph = small()
    result = opened(graph, fragment="#entity=" + METHOD.replace(":", "%3A").replace("/", "%2F") + "&hops=1")
    page = result.page
    assert page.evaluate("[paperkg.chosen().node, paperkg.visible()]") == [METHOD, 3]
    page.evaluate("iri => paperkg.select(iri)", PAPER)
    page.evaluate("e => paperkg.selectEdge(e)", edge_number(page, "usesDataset"))
    page.go_back()
    page.wait_for_function("iri => paperkg.chosen().node === iri", arg=PAPER)
    assert result.clean()


@pytest.mark.parametrize(
    "fragment", ["#entity=nothing", "#link=999", "#link=-1", "#node=1.5", "#%E0%A4%A", "#&&=&hops=x"]
)
def test_a_broken_address_opens_the_whole_map(opened, fragment):
    result = opened(small(), fragment=fragment)
    assert result.page.evaluate("[paperkg.chosen(), paperkg.visible()]") == [{"node": None, "edge": None}, 10]
    assert result.clean()


def test_hostile_text_stays_text_everywhere(opened):
    graph = nx.MultiDiGraph()
    hub = iri("paper", "hub\ud800</script>")
    text = " ".join(HOSTILE)
    graph.add_node(hub, kind="paper", label=HOSTILE[0], abstract=text, url="javascript:alert(5)", venue=HOSTILE[1],
                   authors=HOSTILE, aliases=HOSTILE, note=HOSTILE[2])  # fmt: skip
    for n, hostile in enumerate(HOSTILE):
        node = iri("method", f"{n}{hostile}")
        graph.add_node(node, kind=["method", hostile][n % 2], label=hostile, aliases=[hostile], url=hostile)
        start = text.index(hostile)
        graph.add_edge(hub, node, key=n, relation=hostile, confidence=0.5, cue=hostile, note=hostile,
                       evidence=[{"field": "abstract", "start": start, "end": start + len(hostile), "exact": hostile}])  # fmt: skip
    graph.graph["notes"] = [HOSTILE[0]]
    result = opened(graph, title=HOSTILE[0] + "\ud800", subtitle=HOSTILE[2])
    page = result.page
    assert page.evaluate("paperkg.nodes") == len(HOSTILE) + 1
    assert page.locator("h1").inner_text() == HOSTILE[0] + "\ufffd"
    page.locator("#search").fill("onerror")
    page.keyboard.press("Enter")
    for e in range(len(HOSTILE)):
        page.evaluate("e => paperkg.selectEdge(e)", e)
        assert page.locator("#panel blockquote mark").count() == 1
        page.locator("#panel .go").last.click()
        page.mouse.move(*page.evaluate("[200 + Math.random(), 300]"))
    page.locator("#search").fill("alert")
    assert page.locator("#found li").count() > 3
    page.locator("#search").fill("onerror")
    assert page.locator("#found li span").first.inner_text().startswith(HOSTILE[0])
    allowed = page.evaluate(
        "document.querySelectorAll('img, iframe, object, embed, link, base, form, svg[onload]').length"
    )
    assert allowed == 0
    assert page.evaluate("[...document.links].every(a => /^https?:$/.test(a.protocol))")
    assert page.evaluate("document.scripts.length") == 3
    assert result.clean()


def test_the_marked_words_are_the_evidence_whatever_stands_before_them(opened):
    """Offsets are code points; JavaScript counts in UTF-16 units."""
    graph = nx.MultiDiGraph()
    text = "𝒳 🌧️ 🏳️‍🌈 e\u0301. Ours is 𝛼-Net. End 🌧️."
    start = text.index("𝛼-Net")
    graph.add_node("p", kind="paper", label="A 🌧️ title", abstract=text)
    graph.add_node("m", kind="method", label="𝛼-Net")
    graph.add_edge("p", "m", relation="proposesMethod", evidence=[
        {"field": "abstract", "start": start, "end": start + len("𝛼-Net"), "exact": "𝛼-Net"},
        {"field": "title", "start": 5, "end": 10, "exact": "title"}])  # fmt: skip
    page = opened(graph).page
    page.evaluate("paperkg.selectEdge(0)")
    assert page.locator("blockquote mark").all_inner_texts() == ["𝛼-Net", "title"]
    assert page.locator("blockquote").first.inner_text().startswith("Ours is 𝛼-Net.")


def test_a_title_from_the_source_is_what_evidence_counts_in(opened):
    """The label may be tidied (markup resolved); the quoted words stand in the title as the source has it."""
    graph = nx.MultiDiGraph()
    title = "$\\texttt{Zed}$ : All about Zed"
    graph.add_node("p", kind="paper", label="Zed: All about Zed", title=title)
    graph.add_node("m", kind="method", label="Zed")
    start = title.index("Zed}")
    graph.add_edge("p", "m", relation="proposesMethod",
                   evidence=[{"field": "title", "start": start, "end": start + 3, "exact": "Zed"}])  # fmt: skip
    page = opened(graph).page
    page.evaluate("paperkg.selectEdge(0)")
    assert page.locator("blockquote").inner_text().startswith(title)
    assert page.locator("blockquote mark").inner_text() == "Zed"
    page.evaluate("paperkg.select('p')")
    assert page.locator("#panel h2").inner_text() == "Zed: All about Zed"
    assert page.locator("#panel .aka").first.inner_text() == f"In the source: {title}"


def test_an_empty_graph_says_why_and_what_would_fill_it(opened):
    graph = nx.MultiDiGraph()
    graph.graph["empty"] = "No entity of the kind <venue> lies within 2 hops."
    result = opened(graph, title="Nothing")
    text = result.page.locator("main").inner_text()
    assert "No entity of the kind <venue> lies within 2 hops." in text
    assert "kg build" in text and "--hops" in text
    assert result.page.locator("script").count() == 0
    assert result.clean()


def test_the_map_moves_by_keys_and_names_itself(opened):
    result = opened(small())
    page = result.page
    board = page.locator("#graph")
    assert board.get_attribute("aria-label") == "Map of 10 entities and 9 links"
    board.focus()
    before = place_of(page, PAPER)
    page.keyboard.press("ArrowRight")
    assert place_of(page, PAPER)[0] < before[0]
    page.keyboard.press("0")
    page.keyboard.press("+")
    assert place_of(page, PAPER) != before
    outline = page.evaluate("getComputedStyle(document.getElementById('graph')).outlineStyle")
    assert outline == "solid"
    page.evaluate("iri => paperkg.select(iri)", METHOD)
    assert page.locator("#live").inner_text() == "method DriftNet, 2 links"
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll('button, input, a')].filter(
             e => !(e.innerText || '').trim() && !e.getAttribute('aria-label') && !e.labels?.length).length"""
    )
    assert unnamed == 0
    assert result.clean()


def test_text_has_enough_contrast_in_both_schemes(opened):
    """4.5 to 1 for every piece of text that is seen, as WCAG 2.2 (AA) asks."""
    for scheme in ("light", "dark"):
        page = opened(small(), scheme=scheme).page
        page.evaluate("iri => paperkg.select(iri)", PAPER)
        page.locator("#legend button").first.click()
        weak = page.evaluate(
            """() => {
              const rgb = c => (c.match(/[\\d.]+/g) || []).map(Number);
              const light = ([r, g, b]) => { const [x, y, z] = [r, g, b].map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
                return .2126 * x + .7152 * y + .0722 * z; };
              const behind = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] === 1) return c; }
                return [255, 255, 255]; };
              const weak = [];
              for (const e of document.querySelectorAll('body *')) {
                if (!e.offsetParent || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
                const [a, b] = [light(rgb(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
                if ((a + .05) / (b + .05) < 4.5) weak.push(e.textContent.slice(0, 40));
              }
              return weak; }"""
        )
        assert weak == []


def test_a_large_graph_opens_and_says_that_a_selection_is_more_pleasant(opened):
    graph = conference(450)
    assert len(graph) > 2_000
    result = opened(graph)
    page = result.page
    assert page.evaluate("[paperkg.nodes, paperkg.visible()]") == [len(graph), len(graph)]
    assert "more pleasant" in page.locator(".note").inner_text()
    assert page.locator(".note").bounding_box()["height"] < 45  # one line
    page.mouse.move(700, 500)
    page.mouse.down()
    page.mouse.move(760, 540, steps=5)
    page.mouse.up()
    page.evaluate("iri => paperkg.focus(iri, 1)", iri("paper", "p7"))
    assert page.evaluate("paperkg.visible()") == len(set(nx.all_neighbors(graph, iri("paper", "p7")))) + 1
    assert result.clean()


def test_nodes_without_edges_are_drawn_too(opened):
    graph = nx.MultiDiGraph()
    graph.add_node(iri("person", "x"), kind="person", label="Only One")
    result = opened(graph)
    result.page.evaluate("iri => paperkg.select(iri)", iri("person", "x"))
    assert "Nothing on this page is linked to it" in result.page.locator("#panel").inner_text()
    assert result.clean()

"""The file itself, without a browser: bytes, safety, errors."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest
from graphs import conference, iri, small
from test_positions import shuffled

from kg.errors import ExportError
from kg.view import write_html
from kg.view.kinds import KINDS, RELATIONS, phrases
from kg.view.page import render

HERE = Path(__file__).parent


def data_of(html: str) -> dict:
    """What the page's scripts read."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)[1])


def test_bytes_do_not_depend_on_hash_seed_or_order(tmp_path):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import graphs; from pathlib import Path; from kg.view import write_html\n"
        "from test_positions import shuffled\n"
        "g = shuffled(graphs.conference(60), int(sys.argv[3]))\n"
        "g.nodes[graphs.iri('paper', 'p1')]['aliases'] = {'one', 'two', 'three', 'four', 'five'}\n"
        "write_html(g, Path(sys.argv[2]), title='T')"
    )
    files = []
    for seed in ("0", "1", "77"):
        files.append(tmp_path / f"{seed}.html")
        subprocess.run([sys.executable, "-c", program, str(HERE), str(files[-1]), seed], check=True,
                       env={**os.environ, "PYTHONHASHSEED": seed}, cwd=HERE.parents[1])  # fmt: skip
    assert len({file.read_bytes() for file in files}) == 1


def test_importing_the_package_loads_nothing_heavy():
    program = "import sys, kg.view; print([m for m in ('pyvis', 'IPython', 'igraph', 'networkx', 'numpy', 'jinja2') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=HERE.parents[1]
    )
    assert done.stdout.strip() == "[]"


def test_nothing_is_loaded_from_elsewhere_and_the_policy_allows_only_what_is_inside():
    html = render(small(), title="T")
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none';") and "unsafe" not in policy and "http" not in policy
    scripts = re.findall(r"<script>(.*?)</script>", html, re.S)
    styles = re.findall(r"<style>(.*?)</style>", html, re.S)
    assert len(scripts) == 2 and len(styles) == 1
    for text in (*scripts, *styles):
        assert f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" in policy
    outside = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", html, flags=re.S)
    assert not re.search(r"""\b(src|href|action|poster|data|srcset)\s*=|url\(|@import|\bstyle=|\bon\w+=""", outside)
    assert "sourceMappingURL" not in html
    assert "Apache-2.0 or MIT" in outside and "Almende" in outside


def test_everything_the_graph_says_is_on_the_page():
    graph = small()
    paper, method = iri("paper", "openreview-a1"), iri("method", "driftnet")
    graph.nodes[method].update(papers=2, first_seen="2024-05-01", score=float("nan"), nothing=None)
    graph.edges[paper, method, "proposesMethod"]["weight"] = 2.5
    graph.edges[paper, method, "proposesMethod"]["predicate"] = "https://example.org/terms#proposesMethod"
    graph.edges[paper, iri("person", "openreview-ada"), "creator"]["name"] = "A. Núñez"
    graph.edges[paper, iri("person", "openreview-bo"), "creator"]["name"] = "Bo Li"
    data = data_of(render(graph, title="T"))
    assert ["proposesMethod", "https://example.org/terms#proposesMethod"] in [
        [r[0], r[4]] for r in data["facts"]["relations"]
    ]
    assert [row["f"] for row in data["facts"]["edges"] if "printed as" in row.get("f", {})] == [
        {"printed as": "A. Núñez"}
    ]
    rows = {row["i"]: row for row in data["facts"]["nodes"]}
    assert rows[method]["f"] == {"first_seen": "2024-05-01", "papers": 2, "score": "nan"}
    assert rows[paper]["w"] == ["Ada Núñez", "Bo Li"]
    edges = [
        (
            data["facts"]["nodes"][e["from"]]["i"],
            data["facts"]["relations"][row["r"]][0],
            data["facts"]["nodes"][e["to"]]["i"],
        )
        for e, row in zip(data["edges"], data["facts"]["edges"], strict=True)
    ]
    assert sorted(edges) == sorted((u, d["relation"], v) for u, v, d in graph.edges(data=True))
    assert any(row.get("f") == {"weight": 2.5} and row["c"] == 0.97 for row in data["facts"]["edges"])
    assert data["options"]["physics"] == {"enabled": False}


def test_given_positions_are_used_and_incomplete_ones_are_not():
    graph = small()
    given = {node: (100.0 * i, 70.0 * (i % 3)) for i, node in enumerate(sorted(graph))}
    data = data_of(render(graph, title="T", positions=given))
    assert [(n["x"], n["y"]) for n in data["nodes"]] == [tuple(map(round, given[n])) for n in sorted(graph)]
    plain = render(graph, title="T")
    assert render(graph, title="T", positions={**given, sorted(graph)[0]: (float("nan"), 0.0)}) == plain
    assert render(graph, title="T", positions=dict(list(given.items())[1:])) == plain


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path, monkeypatch):
    target = tmp_path / "page.html"
    target.write_text("old")
    monkeypatch.setattr(os, "fsync", lambda handle: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(ExportError, match=r"page\.html.*No space left"):
        write_html(small(), target, title="T")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_an_impossible_place_is_a_clear_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ExportError, match="cannot be written"):
        write_html(small(), tmp_path / "file" / "page.html", title="T")
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(ExportError, match="cannot be written"):
        write_html(small(), tmp_path / "folder.html", title="T")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "folder.html"]


def test_the_file_is_utf8_with_usual_permissions_in_a_new_folder(tmp_path):
    target = tmp_path / "new" / "deep" / "page.html"
    write_html(small(), target, title="Größe 漢字 \ud800")
    text = target.read_bytes().decode("utf-8")
    assert "<title>Größe 漢字 \ufffd</title>" in text
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~umask
    assert [p.name for p in target.parent.iterdir()] == ["page.html"]


def test_an_empty_graph_carries_no_script():
    html = render(nx.MultiDiGraph(), title="T")
    assert "<script" not in html and "kg build" in html and "script-src &#39;none&#39;" in html


def test_many_nodes_bring_the_advice_and_few_do_not():
    graph = nx.MultiDiGraph()
    graph.add_nodes_from((f"n{i}", {"kind": "person", "label": "x"}) for i in range(2_001))
    assert "more pleasant" in render(graph, title="T")
    graph.remove_node("n0")
    assert "more pleasant" not in render(graph, title="T")


def test_every_order_gives_the_same_page():
    assert render(shuffled(conference(20), 3), title="T") == render(conference(20), title="T")


def luminance(color: str) -> float:
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_are_seen_on_light_and_on_dark(kind):
    """WCAG 2.2 asks 3 to 1 of what is not text; on the page and on the panels, in both schemes."""
    css = (HERE.parents[1] / "kg" / "view" / "view.css").read_text(encoding="utf-8")
    grounds = re.findall(r"--(?:page|sheet): (#[0-9a-f]{6})", css)
    assert len(grounds) == 4
    for ground in grounds:
        low, high = sorted((luminance(KINDS[kind].color), luminance(ground)))
        assert (high + 0.05) / (low + 0.05) >= 3, ground


def test_kinds_differ_in_shape_and_colour():
    assert len({k.color for k in KINDS.values()}) == len(KINDS)
    assert KINDS["event"].shape == KINDS["venue"].shape  # one edition of a venue
    assert len({k.shape for k in KINDS.values()}) == len(KINDS) - 1


def test_relations_read_both_ways():
    assert phrases("creator") == RELATIONS["creator"]
    assert phrases("https://example.org/terms#evaluatedOn") == ("evaluated on", "evaluated on (of)")
    assert phrases("") == ("linked to", "linked to (of)")

"""What `import kg` gives: quick, typed, and the same answers as the commands."""

from __future__ import annotations

import doctest
import html
import json
import re
import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest

import kg
import kg.api.graph
from kg.links import pairs
from kg.store.frames import _alike

PAPERS = [
    {
        "id": "v/1",
        "title": "A paper about FooNet",
        "abstract": "We propose FooNet, a network for depth estimation. FooNet beats ResNet on the ImageNet dataset.",
        "authors": [{"name": "Ada Abel"}, {"name": "Bo Bell"}],
        "year": 2024,
        "venue": "ICML",
    }
]
MORE = [
    {
        "id": f"v/{i}",
        "title": f"Study number {i} of {word}",
        "abstract": f"We present {name}, a network. {name} beats ResNet on the ImageNet dataset and on the MNIST dataset.",
        "authors": [{"name": n} for n in names],
        "year": 2020 + i,
    }
    for i, (name, word, names) in enumerate(
        [
            ("BarNet", "bars", ["Bo Bell", "Cy Cole", "Dee Dorn"]),
            ("BazNet", "bazaars", ["Cy Cole", "Dee Dorn"]),
            ("QuxNet", "quarks", ["Eve Eck"]),
        ],
        start=2,
    )
]


def made(folder: Path, papers: list[dict[str, object]]) -> Path:
    (folder / "in.jsonl").write_text("\n".join(map(json.dumps, papers)))
    kg.build([folder / "in.jsonl"], folder / "g", workers=1)
    return folder / "g"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("small"), PAPERS)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> kg.Graph:
    return kg.open(made(tmp_path_factory.mktemp("api"), PAPERS + MORE))


def test_examples_in_docstrings(small: Path) -> None:
    names = {"kg": kg, "g": kg.open(small), "folder": small}
    failed, tried = doctest.testmod(kg.api.graph, extraglobs=names)
    assert failed == 0 and tried >= 8


def test_the_example_of_extract() -> None:
    code = "import kg, doctest; print(*doctest.testmod(kg, extraglobs={'kg': kg}))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "0 1\n"


def test_extract_stays_callable_when_its_folder_is_imported() -> None:
    import kg.extract.extractor

    assert kg.extract.extractor.Extractor is kg.extract.Extractor
    for _ in range(2):
        assert kg.extract("We propose FooNet, a network. FooNet beats ResNet.").methods


def test_import_loads_nothing_heavy() -> None:
    heavy = "spacy", "rdflib", "networkx", "pyoxigraph", "numpy", "msgspec", "click", "igraph"
    code = f"import sys, kg; kg.KgError; print([m for m in {heavy!r} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
    code = "import sys, kg; kg.open; print('spacy' in sys.modules, 'rdflib' in sys.modules, 'numpy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip()
    assert found == "False False False"


def test_every_public_name_is_there() -> None:
    for name in kg.__all__:
        assert getattr(kg, name) is not None
        assert name in dir(kg)
    with pytest.raises(AttributeError):
        kg.nothing  # noqa: B018


def test_the_public_side_passes_mypy_strict() -> None:
    pytest.importorskip("mypy")
    pytest.importorskip("networkx-stubs")
    root = Path(kg.__file__).parent
    files = [str(root / f) for f in ("__init__.py", "api", "export", "links", "mcp", "errors.py", "model.py")]
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *files], capture_output=True, text=True, cwd=root.parent
    )
    assert run.returncode == 0, run.stdout


def test_a_user_of_the_package_sees_types(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    program = tmp_path / "user.py"
    program.write_text(
        "import kg\nwith kg.open('x') as g:\n    reveal_type(g.coauthors('a')[0].count)\n"
        "    reveal_type(kg.extract('x').methods[0].name)\n    n: int = g.explain('a', 'b').words()\n"
    )
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", str(program)],
        capture_output=True,
        text=True,
        cwd=Path(kg.__file__).parents[1],
    )
    own = [line for line in run.stdout.splitlines() if "user.py" in line]
    assert re.search(r'is "(builtins\.)?int"', own[0]) and re.search(r'is "(builtins\.)?str"', own[1]), run.stdout
    assert "Incompatible types" in own[2] and len(own) == 3


@pytest.mark.parametrize(
    ("raised", "code", "call"),
    [
        (kg.GraphError, "graph", lambda g: kg.open("/nowhere")),
        (kg.QueryError, "query", lambda g: g.find("Nobody Atall")),
        (kg.UsageError, "usage", lambda g: g.query("no-such-question")),
        (kg.QueryError, "query", lambda g: g.query("SELECT ?x { ?x a")),
        (kg.ExportError, "export", lambda g: g.export("x.docx")),
    ],
)
def test_errors_have_one_root_a_code_and_a_hint(
    raised: type[kg.KgError], code: str, call: object, graph: kg.Graph
) -> None:
    with pytest.raises(raised) as caught:
        call(graph)  # type: ignore[operator]
    assert isinstance(caught.value, kg.KgError)
    assert caught.value.code == code and caught.value.hint


def test_codes_are_distinct() -> None:
    kinds = [getattr(kg, n) for n in kg.__all__ if n.endswith("Error")]
    assert len({k.code for k in kinds}) == len(kinds)


def test_a_context_manager_closes_and_opens_again(small: Path) -> None:
    with kg.open(small) as g:
        index = g.index
        assert g.find("FooNet").kind == "method"
    with pytest.raises(Exception, match="closed"):
        index.execute("SELECT 1")
    assert g.find("FooNet").kind == "method"


_TABLE = "SELECT ?title ?year ?sure ?doi { ?p dcterms:title ?title ; fabio:hasPublicationYear ?year . \
OPTIONAL { ?p prism:doi ?doi } BIND(IF(?year = 2024, 1, 0.5) AS ?sure) } ORDER BY ?year ?title"


def test_rows_and_frames_agree(graph: kg.Graph) -> None:
    rows = graph.query(_TABLE).rows()
    assert [r["year"] for r in rows] == [2022, 2023, 2024, 2024] and rows[0]["doi"] is None
    assert {type(r["sure"]) for r in rows} == {int, float}
    with pytest.raises(kg.UsageError, match="SELECT"):
        graph.query("ASK { ?s ?p ?o }").rows()


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_frames(library: str, graph: kg.Graph) -> None:
    pytest.importorskip("pyarrow" if library == "arrow" else library)
    rows = graph.query(_TABLE).rows()
    frame = getattr(graph.query(_TABLE), f"to_{library}")()
    if library == "pandas":
        assert frame.year.dtype == "int64" and frame.sure.dtype == "float64"
        back = frame.drop(columns="doi").to_dict("records")
    else:
        back = frame.to_pylist() if library == "arrow" else frame.to_dicts()
        assert all(r.pop("doi") is None for r in back)
    assert back == [{k: v for k, v in r.items() if k != "doi"} for r in rows]
    empty = getattr(graph.query("SELECT ?a ?b { ?a kg:none ?b }"), f"to_{library}")()
    assert list(empty.column_names if library == "arrow" else empty.columns) == ["a", "b"]


def test_mixed_columns_become_one_type() -> None:
    assert _alike([1, 2.5, None]) == [1.0, 2.5, None]
    assert _alike([1, "x", None]) == ["1", "x", None]
    assert _alike([1, None]) == [1, None]


def test_a_missing_library_is_named(graph: kg.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(kg.KgError, match="polars") as caught:
        graph.query(_TABLE).to_polars()
    assert "paperkg[polars]" in caught.value.hint


@pytest.mark.parametrize(
    ("view", "ends", "key"),
    [("coauthors", None, "creator"), ("datasets", "dataset", "Dataset"), ("methods", "method", "Method")],
)
def test_views_between_entities_are_projections(view: str, ends: str | None, key: str, graph: kg.Graph) -> None:
    whole = graph.networkx()
    papers: dict[str, set[str]] = {}
    for s, o, d in whole.edges(data=True):
        if d["relation"].endswith(key):
            papers.setdefault(s, set()).add(o)
    expected = Counter(frozenset(p) for members in papers.values() for p in combinations(sorted(members), 2))
    found = graph.networkx(view, ends=ends)
    assert {frozenset((a, b)): d["weight"] for a, b, d in found.edges(data=True)} == dict(expected)
    assert set(found) == set().union(*papers.values())
    listed = {frozenset((p.a.iri, p.b.iri)): p.count for p in pairs.top_pairs(graph.index, view, 1000, ends)}
    assert listed == dict(expected)


def test_views_between_papers_equal_networkx_own_projection(graph: kg.Graph) -> None:
    bipartite = nx.Graph(
        (s, o) for s, o, d in graph.networkx().edges(data=True) if d["relation"] in ("usesDataset", "introducesDataset")
    )
    papers = [n for n in bipartite if "/paper/" in n]
    expected = nx.bipartite.weighted_projected_graph(bipartite, papers)
    found = graph.networkx("datasets")
    assert nx.utils.graphs_equal(
        nx.Graph((a, b, {"weight": d["weight"]}) for a, b, d in found.edges(data=True)),
        nx.Graph((a, b, {"weight": d["weight"]}) for a, b, d in expected.edges(data=True)),
    )
    assert found.number_of_edges() >= 3
    with pytest.raises(kg.QueryError, match="no view"):
        graph.networkx("everything")


def test_explain_people_papers_and_both(graph: kg.Graph) -> None:
    people = graph.explain("Cy Cole", "Dee Dorn")
    assert len(people.reasons) == 2 and {r.relation for r in people.reasons} == {"coauthors"}
    papers = graph.explain("Study number 2 of bars", "Study number 3 of bazaars")
    assert {r.shared.label for r in papers.reasons} >= {"MNIST", "ImageNet", "Cy Cole", "Dee Dorn"}
    assert "“BarNet beats ResNet on the ImageNet dataset" in papers.words()
    one = graph.explain("MNIST", "Study number 2 of bars")
    assert len(one.reasons) == 1 and one.reasons[0].claims[0][1].confidence > 0.5
    assert graph.explain("Ada Abel", "Study number 2 of bars").reasons == ()
    far = graph.explain("Ada Abel", "Cy Cole")
    assert far.reasons == () and far.path is not None and "which" in far.words()
    mixed = graph.explain("Ada Abel", "ImageNet")
    assert [r.shared.label for r in mixed.reasons] == ["A paper about FooNet"] and mixed.reasons[0].claims


def test_show_has_facts_papers_and_sentences(graph: kg.Graph) -> None:
    paper = graph.show("A paper about FooNet")
    assert ("fabio:hasPublicationYear", 2024) in {(f.predicate, f.value) for f in paper.facts}
    assert {c.predicate.rsplit("#")[-1] for c in paper.claims} >= {"proposesMethod", "usesDataset"}
    data = graph.show("ImageNet", limit=2)
    assert data.counts["kg:usesDataset"] == 4 and len(data.papers["kg:usesDataset"]) == 2
    assert "papers by kg:usesDataset: 4" in str(data)


def test_search_puts_the_exact_name_first(graph: kg.Graph) -> None:
    assert graph.search("imagenet")[0].label == "ImageNet"
    assert "BarNet" in [m.label for m in graph.search("BarNte")]
    assert graph.search("zzzzzzzzzzzz") == []


def test_a_view_shows_itself_in_a_notebook(graph: kg.Graph, tmp_path: Path) -> None:
    page = graph.view("FooNet", hops=2)
    shown = page._repr_html_()
    frame = re.fullmatch(
        r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts[^"]*" style="[^"]*" loading="lazy"></iframe>', shown
    )
    assert frame and html.unescape(frame[1]) == page.html
    assert "FooNet" in page.html and 1 < page.nodes < len(graph.networkx())
    assert page.save(tmp_path / "x.html").read_text("utf-8") == page.html


def test_export_of_a_selection(graph: kg.Graph, tmp_path: Path) -> None:
    graph.export(tmp_path / "a.csl.json", kg.Selection(first=2024, last=2024))
    assert {i["title"] for i in json.loads((tmp_path / "a.csl.json").read_text())} == {
        "A paper about FooNet",
        "Study number 4 of quarks",
    }
    graph.export(tmp_path / "b.nt", evidence=False)
    assert (tmp_path / "b.nt").stat().st_size


def test_extract_gives_the_model(graph: kg.Graph) -> None:
    found = kg.extract("We propose ZipNet, a network for audio. ZipNet beats ResNet on the ImageNet dataset.")
    assert found.methods[0].name == "ZipNet" and found.methods[0].role == "proposed"

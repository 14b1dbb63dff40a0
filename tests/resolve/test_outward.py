"""Links outward: lists are checked line by line, matched with care, kept with a reason, and gone with their line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from handmade_papers import coined, datasets, methods, paper, used

from kg.api import Graph
from kg.errors import SettingsError
from kg.export import export
from kg.pipeline.build import build
from kg.resolve.outward import Linked, match_lists, parse_list
from kg.resolve.overrides import parse_overrides
from kg.resolve.resolve import Resolved, resolve

LIST = """kind,name,aliases,match,iri,page,because
dataset,ImageNet,ILSVRC 2012|ImageNet-1k,exact,https://www.wikidata.org/entity/Q24901201,https://www.image-net.org/,
dataset,MNIST,,close,https://www.openml.org/d/554,,the 70000 pictures of OpenML
method,Adam,,exact,https://linkedpaperswithcode.com/method/adam,,
method,Nobody's Method,,exact,https://example.org/nobody,,
"""


def rows(text: str, name: str = "links.csv") -> list:
    return parse_list(text, Path(name))


def linked(text: str, done: Resolved) -> Linked:
    return match_lists(rows(text), done)


def graph(*found: list, toml: str = "") -> Resolved:
    papers = [paper(f"p{i}", 2020, topics=(("Learning", "Optimisers"),)) for i in range(len(found))]
    return resolve(papers, list(found), parse_overrides(toml.encode()))


@pytest.fixture
def plain() -> Resolved:
    return graph(datasets(used("ImageNet"), used("MNIST")), datasets(used("ILSVRC 2012")), methods(used("Adam")))


def test_a_name_with_one_bearer_is_matched_as_stated(plain: Resolved) -> None:
    found = {(link.key, link.match, link.target): link.why for link in linked(LIST, plain).links}
    assert found["imagenet", "exact", "https://www.wikidata.org/entity/Q24901201"] == (
        "the only data set here that is called ImageNet"
    )
    assert found["mnist", "close", "https://www.openml.org/d/554"].endswith("; the 70000 pictures of OpenML")
    assert ("imagenet", "page", "https://www.image-net.org/") in found
    assert linked(LIST, plain).absent == 1


def test_what_only_shares_an_alias_is_close(plain: Resolved) -> None:
    found = {(link.key, link.match, link.target) for link in linked(LIST, plain).links}
    assert ("ilsvrc2012", "close", "https://www.wikidata.org/entity/Q24901201") in found
    assert not any(key == "ilsvrc2012" and match == "page" for key, match, _ in found)


PRISMS = (methods(coined("PRISM", "Pruned Image Sampling")), methods(coined("PRISM", "Privacy in Small Markets")))
HEAD = "kind,name,iri,aliases,entity\n"


def test_a_name_of_several_is_left_out_and_told() -> None:
    found = linked(f"{HEAD}method,PRISM,https://example.org/prism,,\n", graph(*PRISMS))
    assert found.links == ()
    assert found.unclear[0].startswith(
        "links.csv, line 2: PRISM is the name of 2 methods; say which in the column entity"
    )


def test_another_name_or_the_address_tells_which_of_several() -> None:
    done = graph(*PRISMS)
    by_alias = linked(f"{HEAD}method,PRISM,https://example.org/prism,Pruned Image Sampling,\n", done).links
    assert [(link.match, done.methods.entities[link.key].aliases) for link in by_alias] == [
        ("exact", ("Pruned Image Sampling",))
    ]
    other = next(key for key in done.methods.entities if key != by_alias[0].key)
    by_address = linked(f"{HEAD}method,PRISM,https://example.org/prism,,id:method/{other}\n", done).links
    assert [(link.key, link.why) for link in by_address] == [(other, "its address is given")]


def test_an_address_that_is_nobodys_suggests() -> None:
    with pytest.raises(SettingsError, match="links.csv, line 2: no method .*\n.*did you mean id:method/prism"):
        linked(f"{HEAD}method,PRISM,https://example.org/prism,,id:method/prisn\n", graph(*PRISMS))
    with pytest.raises(SettingsError, match="no method of this graph"):
        linked(f"{HEAD}method,PRISM,https://example.org/prism,,id:dataset/prism\n", graph(*PRISMS))


def test_an_address_that_a_correction_replaced_is_followed() -> None:
    a, b = sorted(graph(*PRISMS).methods.entities)
    done = graph(*PRISMS, toml=f'[[same]]\nthings = ["id:method/{a}", "id:method/{b}"]\n')
    [link] = linked(f"{HEAD}method,PRISM,https://example.org/prism,,id:method/{b}\n", done).links
    assert link.key == a


def test_topics_by_name_and_path(plain: Resolved) -> None:
    text = "kind,name,iri\ntopic,optimisers,https://example.org/o\ntopic,Learning · Optimisers,https://example.org/p\n"
    assert {(link.key, link.match) for link in linked(text, plain).links} == {("learning/optimisers", "exact")}


def test_a_tab_separated_list_with_a_byte_order_mark(tmp_path: Path, plain: Resolved) -> None:
    from kg.resolve.outward import read_lists

    (tmp_path / "links-a.tsv").write_bytes(
        b"\xef\xbb\xbfkind\tname\tiri\r\n\r\ndataset\tmnist\thttps://example.org/m\r\n"
    )
    found, digest = read_lists(tmp_path.glob("links*"))
    assert [(row.line, row.name) for row in found] == [(3, "mnist")]
    assert len(digest) == 12
    assert read_lists([]) == ([], "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind,nmae,iri\n", "line 1: there is no column 'nmae'\n.*did you mean name?"),
        ("kind,iri\n", "line 1: there is no column name"),
        ("kind,name,name,iri\n", "line 1: two columns 'name'"),
        ("kind,name,iri\nthing,A,https://e.org/a\n", "line 2: there is no kind 'thing'"),
        ("kind,name,iri,match\nmethod,A,https://e.org/a,same\n", "line 2: there is no match 'same'"),
        ("kind,name,iri\n\nmethod,A,e.org/a\n", "line 3: iri 'e.org/a' is no web address"),
        ("kind,name,iri\nmethod,A,https://e.org/a b\n", "line 2: iri 'https://e.org/a b' is no web address"),
        ("kind,name,iri\nmethod,A,javascript:alert(1)\n", "is no web address"),
        ("kind,name,page\nmethod,A,https://e.org/?mail=ada@e.org\n", "line 2: page holds an e-mail address"),
        ("kind,name,iri,because\nmethod,A,https://e.org/a,ask ada@e.org\n", "line 2: because holds an e-mail address"),
        ("kind,name,iri\nmethod,A,https://w3id.org/paperkg/id/method/a\n", "is no outward web address"),
        ("kind,name,iri\nmethod,A,\n", "line 2: 'A' links to nothing"),
        ("kind,name,iri\nmethod,,https://e.org/a\n", "line 2: a line without a name"),
        ("kind,name,iri\nmethod,A,https://e.org/a,more\n", "line 2: 4 cells"),
        ('kind,name,iri\nmethod,"A"B,https://e.org/a\n', "line 2: this is no table"),
    ],
)
def test_a_malformed_line_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=rf"(?s)links\.csv, {message}" if message[0] == "l" else message):
        rows(text)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "kg", *arguments], capture_output=True, text=True, check=False)


def test_a_list_in_the_graph_folder_is_applied_shown_exported_and_gone_with_the_file(tmp_path: Path) -> None:
    source, folder = tmp_path / "papers.json", tmp_path / "g"
    text = "We train with Adam on the MNIST dataset and on the Garden dataset."
    source.write_text(json.dumps([{"id": "p1", "title": "Care", "abstract": text, "year": 2020}]), "utf-8")
    build([source], folder, workers=1)
    before, after, again = (tmp_path / name for name in ("before.nq", "after.nq", "again.nq"))
    export(Graph(folder).store, before, evidence=True)
    (folder / "links.csv").write_text(LIST, "utf-8")
    report = build([], folder)
    assert any(line.startswith("linked ") for line in report.lines())
    export(Graph(folder).store, after, evidence=True)
    shown = run("show", "MNIST", "-g", str(folder)).stdout
    assert "skos:closeMatch" in shown
    assert "https://www.openml.org/d/554" in shown
    assert (
        "because: the only data set here that is called MNIST; the 70000 pictures of OpenML (links.csv, line 3)"
        in shown
    )
    assert run("validate", "-g", str(folder)).returncode == 0
    assert b"owl#sameAs" not in after.read_bytes()
    assert b"openml.org" in after.read_bytes()
    whole = tmp_path / "h"
    (whole).mkdir()
    (whole / "links.csv").write_text(LIST, "utf-8")
    build([source], whole, workers=1)
    export(Graph(whole).store, again, evidence=True)
    assert again.read_bytes() == after.read_bytes()
    (folder / "links.csv").unlink()
    build([], folder)
    export(Graph(folder).store, again, evidence=True)
    assert again.read_bytes() == before.read_bytes()


def test_a_malformed_list_leaves_the_graph_as_it_was(tmp_path: Path) -> None:
    source, folder = tmp_path / "papers.json", tmp_path / "g"
    source.write_text(json.dumps([{"id": "p1", "title": "Care", "abstract": "We use Adam.", "year": 2020}]), "utf-8")
    build([source], folder, workers=1)
    (folder / "links.tsv").write_text("kind\tname\tiri\nmethod\tAdam\tnowhere\n", "utf-8")
    done = run("build", "-g", str(folder))
    assert done.returncode == 1
    assert "links.tsv, line 2: iri 'nowhere' is no web address" in done.stderr
    assert Graph(folder).counts["papers"] == 1

"""What the interface answers about the hand-made graph, read off that graph."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
import rdflib
from serving import ID, Server

LENSES = ("all", "coauthors", "datasets", "methods", "code")


def edges(answer: dict[str, Any]) -> set[tuple[str, str, str]]:
    """(source, target, type) of a map."""
    ids, e = answer["nodes"]["id"], answer["edges"]
    return {
        (ids[s], ids[t], answer["edge_types"][k]) for s, t, k in zip(e["source"], e["target"], e["type"], strict=True)
    }


def ids(items: list[dict[str, Any]]) -> list[str]:
    return [item["id"] for item in items]


def test_meta_tells_what_is_served(server: Server) -> None:
    meta = server.get("/api/meta.json").json
    assert meta["graph"]["path"] == "graph"
    assert meta["graph"]["counts"] == {
        "paper": 8,
        "person": 8,
        "method": 7,
        "dataset": 3,
        "repository": 2,
        "topic": 6,
        "venue": 3,
    }
    assert meta["years"] == [2021, 2023]
    assert [v["label"] for v in meta["venues"]] == ["ICLR", "ICML", "NeurIPS"] and meta["venues"][0]["count"] == 3
    assert [lens["name"] for lens in meta["lenses"]] == list(LENSES)
    assert meta["limits"] == {"timeout_s": 8.0, "rows": 2000}
    assert meta["prefixes"]["kg"] == "https://w3id.org/paperkg/ontology#"


@pytest.mark.parametrize("lens", LENSES)
def test_columns_of_a_map_fit_together(server: Server, lens: str) -> None:
    found = server.get(f"/api/map/{lens}.json").json
    nodes, e = found["nodes"], found["edges"]
    assert {len(column) for column in nodes.values()} == {found["total"]["nodes"]}
    assert {len(column) for column in e.values()} == {found["total"]["edges"]}
    assert all(0 <= end < len(nodes["id"]) for end in e["source"] + e["target"])
    assert all(0 <= v <= 65535 for v in nodes["x"] + nodes["y"])
    assert nodes["size"] == sorted(nodes["size"], reverse=True), "the important come first"
    assert len(set(zip(nodes["x"], nodes["y"], strict=True))) == len(nodes["id"]), "no two in one place"
    assert found["cut"] is None and found["empty"] is None and found["node"] and found["edge"]


def test_lenses_hold_the_edges_of_the_graph(server: Server) -> None:
    together = server.get("/api/map/coauthors.json").json
    assert {i.removeprefix("person/") for i in together["nodes"]["id"]} == {"ada", "ben", "cyd", "dan", "eve"}
    assert {frozenset((a[7:], b[7:])) for a, b, _ in edges(together)} == {
        frozenset(pair.split())
        for pair in ("ada ben", "ada cyd", "ben cyd", "ben eve", "ada dan", "eve cyd", "eve dan", "cyd dan")
    }
    assert set(together["edges"]["weight"]) == {1}
    assert edges(server.get("/api/map/code.json").json) == {
        ("paper/alpha", "repo/github.com/ada/alphanet", "hasRepository"),
        ("paper/beta", "repo/github.com/lab/mono", "hasRepository"),
        ("paper/gamma", "repo/github.com/lab/mono", "hasRepository"),
        ("paper/epsilon", "repo/github.com/ada/alphanet", "mentionsRepository"),
    }
    shared = edges(server.get("/api/map/datasets.json").json)
    assert {t for _, t, _ in shared} == {"dataset/countset", "dataset/imagenet"}, "CIFAR-10 stands on one paper"
    assert ("paper/alpha", "dataset/countset", "introducesDataset") in shared and len(shared) == 6


@pytest.mark.parametrize(
    ("parameters", "papers"),
    [
        ({"year_from": "2023"}, {"gamma", "delta", "epsilon", "zeta"}),
        ({"year_to": "2021"}, {"alpha"}),
        ({"venue": "venue/iclr"}, {"alpha", "beta", "zeta"}),
        ({"venue": "ICML"}, {"gamma", "delta"}),
        ({"topic": "topic/theory"}, {"beta", "gamma", "zeta"}),
        ({"topic": "topic/vision"}, {"alpha", "beta", "delta"}),
        ({"has_code": "1"}, {"alpha", "beta", "gamma", "epsilon"}),
        ({"role": "introduced"}, {"alpha"}),
        (
            {"role": "used", "min_confidence": "0.95"},
            {"alpha", "gamma"},
        ),  # gamma: the added method, which no claim doubts
        ({"year_from": "2022", "venue": "ICLR", "topic": "topic/theory"}, {"beta", "zeta"}),
    ],
)
def test_filters_of_a_map(server: Server, parameters: dict[str, str], papers: set[str]) -> None:
    found = server.get("/api/map/all.json", parameters).json
    assert {s.removeprefix("paper/") for s, _, _ in edges(found)} == papers


def test_kinds_and_limit_of_a_map(server: Server) -> None:
    found = server.get("/api/map/all.json", {"kinds": "paper,topic"}).json
    assert set(found["nodes"]["kind"]) == {"paper", "topic"} and {t for _, _, t in edges(found)} == {"subject", "addressesTask"}
    cut = server.get("/api/map/all.json", {"limit": "5"}).json
    assert len(cut["nodes"]["id"]) == 5 and cut["total"]["nodes"] > 5
    assert "5" in cut["cut"] and str(cut["total"]["nodes"]) in cut["cut"]
    empty = server.get("/api/map/code.json", {"year_to": "1999"}).json
    assert empty["nodes"]["id"] == [] and "repository" in empty["empty"]


def test_around_an_entity(server: Server) -> None:
    one = server.get("/api/map/all.json", {"around": "method/betaflow", "hops": "1"}).json
    assert set(one["nodes"]["id"]) == {"method/betaflow", "paper/beta"}
    two = server.get("/api/map/all.json", {"around": "BetaFlow", "hops": "2"}).json
    assert {"person/ben", "person/eve", "dataset/countset", "repo/github.com/lab/mono"} < set(two["nodes"]["id"])
    whole = server.get("/api/map/all.json").json
    place = {i: (x, y) for i, x, y in zip(*(whole["nodes"][c] for c in ("id", "x", "y")), strict=True)}
    near = server.get("/api/neighbours/method/betaflow.json").json
    assert set(near["nodes"]["id"]) == {"method/betaflow", "paper/beta"}
    assert all(place[i] == (x, y) for i, x, y in zip(*(near["nodes"][c] for c in ("id", "x", "y")), strict=True))


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("alphanet", "method/alphanet"), ("alpha net", "method/alphanet"), ("alphanett", "method/alphanet"),
        ("ALPHAN", "method/alphanet"), ("imagenet-1k", "dataset/imagenet"), ("imgenet", "dataset/imagenet"),
        ("ada byte", "person/ada"), ("byte", "person/ada"), ("counts sheep", "paper/alpha"),
        ("10.1/alpha", "paper/alpha"), ("adma", "method/adam"), ("theory", "topic/theory"),
    ],
)  # fmt: skip
def test_search_finds_what_is_meant(server: Server, question: str, first: str) -> None:
    found = server.get("/api/search.json", {"q": question}).json
    assert first in ids(found["items"])[:2], ids(found["items"])
    assert found["total"] == len(found["items"]) and found["took_ms"] >= 0


def test_search_says_how_it_understood_and_what_matched(server: Server) -> None:
    found = server.get("/api/search.json", {"q": "imgenet"}).json
    assert found["suggestion"] == "imagenet"
    assert server.get("/api/search.json", {"q": "imagenet"}).json["suggestion"] is None
    (item,) = [i for i in server.get("/api/search.json", {"q": "imagenet 1k"}).json["items"] if i["kind"] == "dataset"]
    assert (item["label"], item["matched"], item["note"]) == ("ImageNet", "ImageNet-1k", "3 papers")
    paper = server.get("/api/search.json", {"q": "sheep"}).json["items"][0]
    assert paper["year"] == 2021 and "Ada Byte" in paper["note"] and "ICLR 2021" in paper["note"]
    assert server.get("/api/search.json", {"q": "qqqqzzzz"}).json["items"] == []


def test_facets_count_what_was_found_and_filter_it(server: Server) -> None:
    everything = server.get("/api/search.json").json

    def counts(answer: dict[str, Any], facet: str) -> dict[Any, int]:
        return {v["value"]: v["count"] for v in answer["facets"][facet]}

    assert counts(everything, "kind") == {
        "paper": 8,
        "person": 8,
        "method": 7,
        "dataset": 3,
        "repository": 2,
        "topic": 6,
        "venue": 3,
    }
    papers = server.get("/api/search.json", {"kind": "paper"}).json
    assert papers["total"] == 8
    assert counts(papers, "year") == {2021: 1, 2022: 2, 2023: 4}
    assert counts(papers, "venue") == {"venue/iclr": 3, "venue/icml": 2, "venue/neurips": 1}
    assert counts(papers, "has_code") == {1: 4}
    coded = server.get("/api/search.json", {"kind": "paper", "has_code": "1", "year_from": "2023"}).json
    assert sorted(ids(coded["items"])) == ["paper/epsilon", "paper/gamma"]
    proposed = server.get("/api/search.json", {"kind": "method", "role": "proposed", "min_confidence": "0.9"}).json
    assert sorted(ids(proposed["items"])) == ["method/alphanet", "method/betaflow"]
    page = server.get("/api/search.json", {"kind": "paper", "limit": "3", "offset": "3"}).json
    assert ids(page["items"]) == ids(papers["items"])[3:6] and page["total"] == 8


def test_completion(server: Server) -> None:
    found = server.get("/api/complete.json", {"kind": "dataset", "q": "im"}).json
    assert found[0]["value"] == "dataset/imagenet" and found[0]["label"] == "ImageNet"
    assert all(v["value"].startswith("dataset/") for v in found)


def test_a_paper_with_its_authors_in_order_and_its_sentences(server: Server) -> None:
    found = server.get("/api/entity/paper/alpha.json").json
    group = {g["relation"]: g for g in found["groups"]}
    assert ids(group["creator"]["items"]) == ["person/ada", "person/ben", "person/cyd"]
    assert ids(group["introducesDataset"]["items"]) == ["dataset/countset"]
    (claim,) = [f for f in found["facts"] if f.get("entity", {}).get("id") == "method/alphanet"]
    assert claim["confidence"] == 0.97
    for mention in claim["evidence"]:
        assert mention["text"] == "AlphaNet"
        assert mention["paper"]["id"] == "paper/alpha" and mention["cue"] == "title" and mention["role"] == "proposed"
    assert any((m["before"], m["after"]) == ("We propose ", ".") for m in claim["evidence"])
    assert {link["href"] for link in found["links_out"]} >= {
        "https://openreview.net/forum?id=alpha",
        "https://doi.org/10.1/alpha",
    }
    values = {f["label"]: f["value"] for f in found["facts"]}
    assert "AlphaNet Counts Sheep" in values.values() and 2021 in values.values()


def test_a_person_and_what_stands_behind_the_name(server: Server) -> None:
    found = server.get("/api/entity/person/ada.json").json
    titles = {g["title"]: g for g in found["groups"]}
    assert ids(titles["Papers"]["items"]) == ["paper/gamma", "paper/alpha"], "the newest first"
    assert set(ids(titles["Co-authors"]["items"])) == {"person/ben", "person/cyd", "person/dan"}
    assert "identifier" in found["decided"][0]
    assert "https://orcid.org/0000-0001-2345-6789" in {link["href"] for link in found["links_out"]}
    assert "name" in server.get("/api/entity/person/fay.json").json["decided"][0]


def test_why_two_things_are_linked(server: Server) -> None:
    people = server.get("/api/link.json", {"a": "person/ada", "b": "person/ben"}).json
    assert people["count"] == 1 and people["years"] == [2021] and "together" in people["relation"]
    used = server.get("/api/link.json", {"a": "dataset/imagenet", "b": "paper/beta"}).json
    assert used["relation"].startswith("BetaFlow Meets AlphaNet uses")
    (mention,) = used["papers"][0]["mentions"]
    assert (mention["text"], mention["confidence"]) == ("ImageNet", 0.7)
    assert mention["before"].endswith("CountSet and ")
    both = server.get("/api/link.json", {"a": "method/alphanet", "b": "dataset/imagenet"}).json
    assert ids([p["paper"] for p in both["papers"]]) == ["paper/alpha", "paper/beta", "paper/gamma"]
    papers = server.get("/api/link.json", {"a": "paper/alpha", "b": "paper/beta"}).json
    assert {"dataset/countset", "method/alphanet", "person/ben"} <= set(ids(papers["shared"]))
    for lens in LENSES:  # whatever edge a map shows, it can be explained
        for a, b, _ in edges(server.get(f"/api/map/{lens}.json").json):
            assert server.get("/api/link.json", {"a": a, "b": b}).status == 200, (a, b)


def test_how_two_things_are_connected(server: Server) -> None:
    found = server.get("/api/paths.json", {"a": "person/eve", "b": "dataset/cifar"}).json
    path = found["paths"][0]
    assert [s["to"]["id"] for s in path["steps"]] == ["paper/delta", "dataset/cifar"]
    assert path["words"].startswith("Eve Fox wrote") and path["words"].endswith(".")
    assert [p["cost"] for p in found["paths"]] == sorted(p["cost"] for p in found["paths"])
    none = server.get("/api/paths.json", {"a": "person/fay", "b": "person/ada"}).json
    assert none["paths"] == [] and "Fay Gray" in none["why_none"]


def test_the_catalogue_runs_with_its_examples_names(server: Server) -> None:
    catalogue = server.get("/api/queries.json").json
    assert len(catalogue) > 60 and all(q["sparql"] and q["question"] for q in catalogue)
    answer = server.get("/api/query/coauthors.json", {"person": "Ada Byte"}).json
    named = {b["type"]: 0 for row in answer["results"]["bindings"] for b in row.values()}
    assert "uri" in named and answer["head"]["vars"]
    assert answer["entities"][f"{ID}person/ben"]["label"] == "Ben Code"
    assert server.get("/api/query/coauthors.csv", {"person": "person/ada"}).text.count("\r\n") == 4
    assert len(rdflib.Graph().parse(data=server.get("/api/query/paper-graph.ttl", {"paper": "paper/alpha"}).body)) > 5
    values = {"person": "Ada Byte", "paper": "paper/alpha", "method": "AlphaNet", "dataset": "ImageNet", "venue": "ICLR",
              "repository": "github.com/ada/alphanet", "topic": "Theory", "entity": "AlphaNet", "integer": "2022",
              "decimal": "0.5", "text": "star"}  # fmt: skip
    for query in catalogue:
        given = {p["name"]: values[p["type"]] for p in query["params"] if not p["optional"]}
        answer = server.get(f"/api/query/{query['name']}.json", given)
        assert answer.status == 200, (query["name"], answer.text)


def test_terms_for_the_editor(server: Server) -> None:
    terms = {t["prefixed"]: t for t in server.get("/api/terms.json").json}
    assert terms["kg:Method"]["kind"] == "class" and terms["kg:usesMethod"]["kind"] == "property"
    assert all(t["iri"].startswith("http") for t in terms.values()) and terms["kg:Method"]["comment"]


def test_twins_of_a_map(server: Server) -> None:
    found = server.get("/api/map/methods.json").json
    table = server.get("/api/map/methods.csv").text.splitlines()
    assert len(table) == 1 + found["total"]["edges"] and table[0].startswith("source,")
    turtle = rdflib.Graph().parse(data=server.get("/api/map/methods.ttl").body, format="turtle")
    assert (rdflib.URIRef(f"{ID}paper/alpha"), rdflib.URIRef("https://w3id.org/paperkg/ontology#proposesMethod"),
            rdflib.URIRef(f"{ID}method/alphanet")) in turtle  # fmt: skip
    gexf = ET.fromstring(server.get("/api/map/methods.gexf").body)
    assert len([e for e in gexf.iter() if e.tag.endswith("}node")]) == found["total"]["nodes"]
    bib = server.get("/api/map/methods.bib", {"venue": "ICLR"}).text
    assert "AlphaNet Counts Sheep" in bib and "Ada Byte and Ben Code and C. Delta" in bib
    for lens in LENSES:
        page = server.get(f"/api/map/{lens}.html")
        assert page.status == 200 and page.headers["content-type"].startswith("text/html")
        assert not re.search(r'(src|href)="https?://[^"]*\.(js|css)', page.text)


def test_twins_of_an_entity(server: Server) -> None:
    alpha = rdflib.URIRef(f"{ID}paper/alpha")
    for suffix, format in (("ttl", "turtle"), ("nt", "nt"), ("jsonld", "json-ld")):
        answer = server.get(f"/api/entity/paper/alpha.{suffix}")
        graph = rdflib.Graph().parse(data=answer.body, format=format)
        assert str(graph.value(alpha, rdflib.DCTERMS.title)) == "AlphaNet Counts Sheep"
    assert "person/ada" in server.get("/api/entity/paper/alpha.csv").text


def test_an_iri_leads_to_what_the_client_wants(server: Server) -> None:
    page = server.get("/id/method/alphanet", Accept="text/html,application/xhtml+xml,*/*;q=0.8")
    assert (page.status, page.headers["location"]) == (303, "/entity?id=method/alphanet")
    turtle = server.get("/id/method/alphanet", Accept="text/turtle")
    assert (turtle.status, turtle.headers["vary"]) == (200, "Accept")
    assert len(rdflib.Graph().parse(data=turtle.body, format="turtle")) >= 4
    data = server.get("/id/method/alphanet", Accept="application/json")
    assert (data.status, data.headers["location"]) == (303, "/api/entity/method/alphanet.json")
    assert server.get("/id/method/alphanet", Accept="image/png").status == 406
    for path in ("/id/repo/github.com/ada/alphanet", "/id/topic/vision/counting", "/id/event/iclr-2021"):
        assert server.get(path, Accept="application/n-triples").status == 200


def test_pages_without_a_bundle_say_so_or_show_the_explorer(server: Server) -> None:
    for path in ("/", "/map", "/entity", "/paths", "/link", "/ask", "/about"):
        page = server.get(path)
        assert page.status == 200 and page.headers["content-type"].startswith("text/html")
        assert "paperkg" in page.text.lower()

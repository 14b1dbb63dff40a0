"""The JSON-LD context loses nothing: compacted and expanded again, a graph has the triples of its Turtle."""

from __future__ import annotations

import json
import re
from typing import Any

import pyoxigraph as ox
import pytest
import rdflib
from small import store

from kg.export import export
from kg.shared import shared_folder
from kg.vocab import PREFIXES

jsonld = pytest.importorskip("pyld.jsonld", reason="needs PyLD, the reference JSON-LD processor")
CONTEXT: dict[str, Any] = json.loads((shared_folder("ontology") / "context.jsonld").read_text(encoding="utf-8"))
TERMS: dict[str, Any] = CONTEXT["@context"]


@pytest.fixture(scope="module")
def turtle(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    file = tmp_path_factory.mktemp("context") / "small.ttl"
    export(store(), file)
    return file.read_bytes()


@pytest.fixture(scope="module")
def compact(turtle: bytes) -> dict[str, Any]:
    lines = ox.serialize((q.triple for q in ox.parse(turtle, ox.RdfFormat.TURTLE)), format=ox.RdfFormat.N_TRIPLES)
    expanded = jsonld.from_rdf(lines.decode(), {"format": "application/n-quads"})
    # PyLD leaves out the context's own keywords; a file carries the whole context.
    return {**jsonld.compact(expanded, CONTEXT), **CONTEXT}


def triples(data: bytes | str, format: ox.RdfFormat) -> set[str]:
    return {str(q.triple) for q in ox.parse(data, format)}


def test_three_processors_read_back_the_triples_of_the_turtle(turtle: bytes, compact: dict[str, Any]) -> None:
    wanted = triples(turtle, ox.RdfFormat.TURTLE)
    text = json.dumps(compact, ensure_ascii=False)
    assert len(wanted) > 300
    assert triples(text, ox.RdfFormat.JSON_LD) == wanted
    assert triples(jsonld.to_rdf(compact, {"format": "application/n-quads"}), ox.RdfFormat.N_QUADS) == wanted
    # rdflib writes some numbers in another form unless told not to.
    rdflib.NORMALIZE_LITERALS, before = False, rdflib.NORMALIZE_LITERALS
    try:
        read = rdflib.Graph().parse(data=text, format="json-ld")
    finally:
        rdflib.NORMALIZE_LITERALS = before
    assert triples(read.serialize(format="nt"), ox.RdfFormat.N_TRIPLES) == wanted


def test_every_key_and_type_has_a_short_name(compact: dict[str, Any]) -> None:
    for node in compact["@graph"]:
        assert not [k for k in node if ":" in k], node
        kinds = node.get("type", [])
        for kind in [kinds] if isinstance(kinds, str) else kinds:
            assert kind in TERMS or kind in ("schema:Person", "schema:SoftwareApplication"), kind


def test_a_paper_reads_like_a_record(compact: dict[str, Any]) -> None:
    paper = next(n for n in compact["@graph"] if n["id"].endswith("paper/doi-10.1234/grape"))
    assert paper["title"] == "GRAPE:  Graphs pruned early"
    assert (paper["year"], paper["issued"], paper["doi"]) == ("2024", "2024-05-01", ["10.1234/grape"])
    assert len(paper["creator"]) == 2 and len(paper["authorship"]) == 3
    assert paper["hasRepository"] == ["https://w3id.org/paperkg/id/repo/github.com/ada/grape"]


def test_a_framed_paper_nests_its_authors_in_order(turtle: bytes, compact: dict[str, Any]) -> None:
    frame = {**CONTEXT, "type": "ScholarlyArticle", "title": {}, "authorship": {"@embed": "@always"}}
    framed = jsonld.frame(compact, frame)
    papers = framed.get("@graph", [framed])
    grape = next(p for p in papers if p["id"].endswith("/grape"))
    names = {int(a["position"]): a["nameAsPrinted"] for a in grape["authorship"]}
    assert [names[n] for n in sorted(names)] == ["Ada Lovelace", "Grace B. Hopper", "et al."]
    again = triples(jsonld.to_rdf({**framed, **CONTEXT}, {"format": "application/n-quads"}), ox.RdfFormat.N_QUADS)
    assert again and again <= triples(turtle, ox.RdfFormat.TURTLE)


def test_unknown_keys_fail_instead_of_becoming_triples() -> None:
    assert "@vocab" not in TERMS and TERMS["@version"] == 1.1 and TERMS["@protected"] is True
    with pytest.raises(jsonld.JsonLdError):
        jsonld.expand({"@context": [TERMS, {"title": "http://example.org/other"}], "title": "x"})


def test_every_term_is_one_of_the_vocabulary() -> None:
    ontology = rdflib.Graph().parse(shared_folder("ontology") / "kg.ttl")
    declared = {str(s) for s in ontology.subjects(rdflib.RDFS.isDefinedBy, None)}
    prefixes = {k: v for k, v in TERMS.items() if isinstance(v, str) and v.endswith(("#", "/"))}
    assert all(PREFIXES[k] == v for k, v in prefixes.items())
    for name, definition in TERMS.items():
        if name.startswith("@") or name in prefixes or name in ("id", "type"):
            continue
        iri = definition if isinstance(definition, str) else definition["@id"]
        prefix, _, local = iri.partition(":")
        assert re.fullmatch(r"\w+", local) and f"{prefixes[prefix]}{local}" in declared, f"{name}: {iri}"

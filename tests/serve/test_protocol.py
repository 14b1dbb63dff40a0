"""The SPARQL 1.1 Protocol, as its clients speak it."""

from __future__ import annotations

import json
import shutil
import subprocess
from urllib.parse import quote, urlencode

import pytest
import rdflib
from serving import ID, Server

PAPERS = "SELECT ?p WHERE { ?p a schema:ScholarlyArticle } ORDER BY ?p"
LABELS = "CONSTRUCT { ?m skos:prefLabel ?l } WHERE { ?m a kg:Method ; skos:prefLabel ?l }"


def test_all_three_ways_to_send_a_query_give_the_same_answer(server: Server) -> None:
    got = server.sparql(PAPERS)
    form = server.ask("POST", "/sparql", urlencode({"query": PAPERS}).encode(),
                      Content_Type="application/x-www-form-urlencoded")  # fmt: skip
    direct = server.ask("POST", "/sparql", PAPERS.encode(), Content_Type="application/sparql-query; charset=utf-8")
    assert [a.status for a in (got, form, direct)] == [200] * 3
    assert got.body == form.body == direct.body
    assert got.headers["content-type"] == "application/sparql-results+json"
    assert [row["p"]["value"] for row in got.json["results"]["bindings"]][:2] == [f"{ID}paper/alpha", f"{ID}paper/beta"]


@pytest.mark.parametrize(
    ("accept", "type", "begin"),
    [
        ("application/sparql-results+json", "application/sparql-results+json", b'{"head"'),
        ("application/sparql-results+xml", "application/sparql-results+xml", b"<?xml"),
        ("text/csv", "text/csv; charset=utf-8", b"p\r\n"),
        ("text/tab-separated-values", "text/tab-separated-values; charset=utf-8", b"?p\n"),
        ("application/json;q=0.3, application/xml", "application/sparql-results+xml", b"<?xml"),
        ("text/html, */*;q=0.1", "application/sparql-results+json", b'{"head"'),
    ],
)
def test_rows_come_as_the_client_wishes(server: Server, accept: str, type: str, begin: bytes) -> None:
    answer = server.sparql(PAPERS, Accept=accept)
    assert (answer.status, answer.headers["content-type"]) == (200, type)
    assert answer.body.startswith(begin)


@pytest.mark.parametrize(
    ("accept", "type", "format"),
    [
        ("text/turtle", "text/turtle; charset=utf-8", "turtle"),
        ("application/n-triples", "application/n-triples; charset=utf-8", "nt"),
        ("application/rdf+xml", "application/rdf+xml", "xml"),
        ("application/ld+json", "application/ld+json", "json-ld"),
        ("", "text/turtle; charset=utf-8", "turtle"),
    ],
)
def test_triples_come_as_the_client_wishes(server: Server, accept: str, type: str, format: str) -> None:
    answer = server.sparql(LABELS, Accept=accept)
    assert (answer.status, answer.headers["content-type"]) == (200, type)
    assert len(rdflib.Graph().parse(data=answer.body, format=format)) == 7


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status"),
    [
        ("GET", "/sparql?query=SELECT", None, {}, 400),
        ("GET", f"/sparql?query={quote(PAPERS)}&query={quote(PAPERS)}", None, {}, 400),
        ("GET", "/sparql?update=CLEAR+ALL", None, {}, 400),
        ("GET", "/sparql?query=INSERT+DATA+%7B%7D", None, {}, 400),
        ("GET", f"/sparql?query={quote('SELECT * { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }')}", None, {}, 400),
        ("GET", f"/sparql?query={quote('LOAD <file:///etc/passwd>')}", None, {}, 400),
        ("GET", "/sparql?query=%ff", None, {}, 400),
        ("GET", f"/sparql?query={quote(PAPERS)}", None, {"Accept": "image/png"}, 406),
        ("GET", f"/sparql?query={quote(LABELS)}", None, {"Accept": "text/csv"}, 406),
        ("PUT", "/sparql", b"", {}, 405),
        ("DELETE", "/sparql", None, {}, 405),
        ("POST", "/sparql", b"x" * (2**20 + 1), {"Content_Type": "application/sparql-query"}, 413),
        ("POST", "/sparql", b"ASK {}", {"Content_Type": "application/sparql-update"}, 415),
        ("POST", "/sparql", b"ASK {}", {}, 415),
        ("POST", "/sparql", b"ASK {}", {"Content_Type": "application/sparql-query; charset=latin-1"}, 415),
        ("POST", "/sparql", b"\xff\xfe", {"Content_Type": "application/sparql-query"}, 400),
        ("POST", "/sparql", b"", {"Content_Type": "application/x-www-form-urlencoded"}, 400),
    ],
)  # fmt: skip
def test_what_the_protocol_forbids_has_its_status_and_says_what_to_do(
    server: Server, method: str, path: str, body: bytes | None, headers: dict[str, str], status: int
) -> None:
    answer = server.ask(method, path, body, **headers)
    assert answer.status == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    error = answer.json["error"]
    assert error["code"] == status and error["message"]


def test_data_sets_of_the_protocol_restrict_the_query(server: Server) -> None:
    evidence = f"{ID}graph/evidence"
    count = "SELECT (COUNT(*) AS ?n) { ?a kg:confidence ?c }"

    def number(**parameters: str) -> int:
        answer = server.get("/sparql", {"query": count, **{k.replace("_", "-"): v for k, v in parameters.items()}})
        return int(answer.json["results"]["bindings"][0]["n"]["value"])

    everything = number()
    assert everything == 23
    assert number(default_graph_uri=evidence) == everything
    assert number(default_graph_uri="http://example.org/none") == 0
    assert number(named_graph_uri=evidence) == 0, "with named graphs only, the default graph is empty"
    titles = server.get("/sparql", {"query": "ASK { ?p dcterms:title ?t }", "default-graph-uri": evidence})
    assert titles.json["boolean"] is False
    named = server.get(
        "/sparql", {"query": f"ASK {{ GRAPH <{evidence}> {{ ?a kg:confidence ?c }} }}", "named-graph-uri": evidence}
    )
    assert named.json["boolean"] is True
    inside = f"SELECT (COUNT(*) AS ?n) FROM <{evidence}> {{ ?p dcterms:title ?t }}"
    assert server.sparql(inside).json["results"]["bindings"][0]["n"]["value"] == "0"


def test_the_service_describes_itself(server: Server) -> None:
    graph = rdflib.Graph().parse(data=server.get("/sparql", Accept="text/turtle").body, format="turtle")
    sd = rdflib.Namespace("http://www.w3.org/ns/sparql-service-description#")
    (service,) = graph.subjects(rdflib.RDF.type, sd.Service)
    assert str(graph.value(service, sd.endpoint)) == f"{server.url}/sparql"
    assert (service, sd.supportedLanguage, sd.SPARQL11Query) in graph
    assert server.get("/sparql", Accept="application/json").json["languages"] == ["SPARQL 1.1 Query"]
    page = server.get("/sparql", Accept="text/html,application/xhtml+xml")
    assert (page.status, page.headers["location"]) == (303, "/ask")
    assert server.get("/sparql", Accept="image/png").status == 406


def test_csv_of_the_protocol_is_the_w3cs_and_the_interface_defuses_formulas(server: Server) -> None:
    query = "SELECT ?l { ?m a kg:Method ; skos:prefLabel ?l FILTER(STRENDS(?l, 'A0')) BIND(1 AS ?x) }"
    assert "=cmd" in server.sparql(query, Accept="text/csv").text
    assert server.sparql("SELECT ('=1+1' AS ?f) {}", Accept="text/csv").text == "f\r\n=1+1\r\n"
    table = server.get("/api/query/entity-statements.csv", {"entity": "method/nasty"}).text
    assert "\n=" not in table and ",=" not in table


def test_head_has_no_body(server: Server) -> None:
    answer = server.ask("HEAD", f"/sparql?query={quote(PAPERS)}")
    assert (answer.status, answer.body) == (200, b"")


def test_curl(server: Server) -> None:
    if not shutil.which("curl"):
        pytest.skip("needs curl")
    command = ["curl", "-sf", "-H", "Accept: text/csv", "--data-urlencode", f"query={PAPERS}", f"{server.url}/sparql"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[1] == f"{ID}paper/alpha"


def test_sparqlwrapper(server: Server) -> None:
    wrapper = pytest.importorskip("SPARQLWrapper")
    for method in (wrapper.GET, wrapper.POST):
        for direct in (wrapper.URLENCODED, wrapper.POSTDIRECTLY):
            if method == wrapper.GET and direct == wrapper.POSTDIRECTLY:
                continue
            client = wrapper.SPARQLWrapper(f"{server.url}/sparql")
            client.setQuery(PAPERS)
            client.setMethod(method)
            client.setRequestMethod(direct)
            for form in (wrapper.JSON, wrapper.XML, wrapper.CSV, wrapper.TSV):
                client.setReturnFormat(form)
                found = client.query().convert()
                assert "paper/alpha" in (json.dumps(found) if form == wrapper.JSON else
                                         found.toxml() if form == wrapper.XML else found.decode())  # fmt: skip
    client.setQuery(LABELS)
    for form in (wrapper.TURTLE, wrapper.JSONLD, wrapper.RDFXML):
        client.setReturnFormat(form)
        found = client.query().convert()
        graph = found if isinstance(found, rdflib.Graph) else rdflib.Graph().parse(data=found, format="turtle")
        assert len(graph) == 7
    client.setQuery("SELECT nonsense")
    with pytest.raises(wrapper.SPARQLExceptions.QueryBadFormed):
        client.query()


def test_rdflib_reads_the_endpoint_as_a_store(server: Server) -> None:
    from rdflib.plugins.stores.sparqlstore import SPARQLStore

    graph = rdflib.Graph(SPARQLStore(f"{server.url}/sparql"))
    alpha = rdflib.URIRef(f"{ID}paper/alpha")
    assert str(graph.value(alpha, rdflib.DCTERMS.title)) == "AlphaNet Counts Sheep"
    assert len(list(graph.query("SELECT ?m { ?m a <https://w3id.org/paperkg/ontology#Method> }"))) == 7
    post = rdflib.Graph(SPARQLStore(f"{server.url}/sparql", method="POST"))
    assert len(list(post.triples((alpha, rdflib.DCTERMS.creator, None)))) == 3

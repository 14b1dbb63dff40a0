"""Each constraint of the shapes finds a fault planted for it, and pySHACL finds the same faults."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pyoxigraph as ox
import pytest
import rdflib
from msgspec.structs import replace
from pyshacl import validate as pyshacl_validate
from rdflib import RDF, SH, XSD
from small import lines, papers, quads, store

from kg.graph.validate import KEPT, validate
from kg.graph.validate_report import Breach, Outcome, summary_rows, to_json, to_turtle
from kg.graph.validate_sample import _breaches, _term, check_sample
from kg.graph.validate_shapes import Check, UnknownConstraint, compile_shapes, focus_pattern
from kg.model import Extraction
from kg.shared import shared_folder
from kg.vocab import DCTERMS, FOAF, ID, KG, OA, OWL, PREFIXES, SCHEMA, SKOS, SOA

Quads = set[ox.Quad]
SHAPES = rdflib.Graph().parse(shared_folder("ontology") / "shapes.ttl")
CHECKS = compile_shapes(SHAPES)
CORE = [c for c in CHECKS if not c.component.endswith("SPARQLConstraintComponent")]
SPARQL = [c for c in CHECKS if c.component.endswith("SPARQLConstraintComponent")]
NO_NUMBER = "no such value"
STRAY = ox.NamedNode("http://example.org/stray")


def name(check: Check) -> str:
    parts = (check.shape, check.path, check.component)
    return " ".join(re.sub(r"ConstraintComponent|[<>^()]|\S*[#/](?=\w)", "", p) for p in parts)


def triple(s: str, p: str, o: str | ox.Literal | ox.NamedNode | ox.BlankNode) -> ox.Quad:
    return ox.Quad(ox.NamedNode(s), ox.NamedNode(p), ox.NamedNode(o) if isinstance(o, str) else o)


def integer(value: int) -> ox.Literal:
    return ox.Literal(str(value), datatype=ox.NamedNode(str(XSD.integer)))


# ---------------------------------------------------------------- faults against Core constraints


def focus_of(check: Check, statements: Quads) -> ox.NamedNode:
    """A node the shape is about, of those with the most to say."""
    query = f"SELECT DISTINCT ?this {{ {focus_pattern(SHAPES, rdflib.URIRef(check.shape))} }}"
    nodes = [row[0] for row in store(statements).query(query, prefixes=PREFIXES)]
    assert nodes, f"{check.shape} is about nothing in the small graph"
    return max(nodes, key=lambda n: (sum(q.subject == n for q in statements), n.value))


def step(check: Check) -> tuple[list[str], bool]:
    """The properties of a path, and whether it runs backwards."""
    path = check.path
    found = re.findall(r"<([^>]+)>", path) or [path]
    return found, path.startswith("^")


def values_of(check: Check, focus: ox.NamedNode, statements: Quads) -> Quads:
    predicates, backwards = step(check)
    return {
        q for q in statements
        if q.predicate.value in predicates and (q.object if backwards else q.subject) == focus
    }  # fmt: skip


def bad_values(check: Check, focus: ox.NamedNode, statements: Quads) -> list[object]:
    """Values that the constraint must refuse."""
    kind = check.component.rsplit("#", 1)[-1].removesuffix("ConstraintComponent")
    node = next(
        p
        for p in SHAPES.objects(rdflib.URIRef(check.shape), SH.property)
        if check.message == str(SHAPES.value(p, SH.message))
    )
    if kind == "Datatype":
        wanted = SHAPES.value(node, SH.datatype)
        if wanted == XSD.string:
            return [integer(7), STRAY]
        return [ox.Literal("x"), ox.Literal(NO_NUMBER, datatype=ox.NamedNode(str(wanted)))]
    if kind == "NodeKind":
        return [ox.BlankNode("b")] + ([ox.Literal("x")] if SHAPES.value(node, SH.nodeKind) == SH.IRI else [])
    if kind == "Disjoint":
        other = str(SHAPES.value(node, SH.disjoint))
        return [next(q.object for q in statements if q.subject == focus and q.predicate.value == other)]
    return {
        "Class": [STRAY],
        "In": [ox.Literal("never heard of"), STRAY],
        "Pattern": [ox.Literal("?")],
        "MinLength": [ox.Literal("")],
        "MinInclusive": [integer(-1)],
        "MaxInclusive": [integer(9999)],
        "LessThan": [integer(10**6)],
    }[kind]


def core_faults(check: Check, statements: Quads) -> Iterator[tuple[Quads, Quads]]:
    """(statements to add, statements to remove), each breaking one constraint."""
    focus = focus_of(check, statements)
    kind = check.component.rsplit("#", 1)[-1].removesuffix("ConstraintComponent")
    if not check.path:
        if kind == "Closed":
            yield {ox.Quad(focus, STRAY, ox.Literal("x"))}, set()
            return
        # Another node of the same kind, with an address that is wrong or missing.
        pattern = focus_pattern(SHAPES, rdflib.URIRef(check.shape))
        for node in [ox.BlankNode("b")] + ([STRAY] if kind == "Pattern" else []):
            if match := re.search(r"\?this a <([^>]+)>", pattern):
                yield {ox.Quad(node, ox.NamedNode(str(RDF.type)), ox.NamedNode(match[1]))}, set()
            elif match := re.search(r"\?any <([^>]+)> \?this", pattern):
                yield {ox.Quad(STRAY, ox.NamedNode(match[1]), node)}, set()
        return
    predicates, backwards = step(check)
    there = values_of(check, focus, statements)
    if kind in ("MinCount", "HasValue"):
        if predicates == [str(RDF.type)]:  # keep the type that makes it a node of this shape
            target = {str(t) for t in SHAPES.objects(rdflib.URIRef(check.shape), SH.targetClass)}
            there = {q for q in there if q.object.value not in target}
        yield set(), there
    elif kind == "MaxCount":
        more = [f"http://example.org/{n}" for n in range(3)]
        for p in predicates[:1]:
            yield (
                ({triple(m, p, focus.value) for m in more} if backwards else {triple(focus.value, p, m) for m in more}),
                set(),
            )
    else:
        for value in bad_values(check, focus, statements):
            yield {ox.Quad(focus, ox.NamedNode(predicates[0]), value)}, set()


@pytest.mark.parametrize("check", CORE, ids=name)
def test_planted_fault_against_core_constraint(check: Check) -> None:
    statements = quads()
    assert not list(store(statements).query(check.query, prefixes=PREFIXES)), "the small graph is without fault"
    planted = list(core_faults(check, statements))
    assert planted
    for added, removed in planted:
        assert added or removed
        found = list(store(statements - removed | added).query(check.query, prefixes=PREFIXES))
        assert found, f"not found: + {added} - {removed}"


# ---------------------------------------------------------------- faults against SPARQL constraints

GRAPE, FIGS = ID["paper/doi-10.1234/grape"], ID["paper/doi-10.1234/figs"]
FIRST, SECOND = ID["authorship/doi-10.1234/grape.1"], ID["authorship/doi-10.1234/grape.2"]
ADA = next(q.object.value for q in quads() if (q.subject.value, q.predicate.value) == (FIRST, SOA.hasAuthor))
METHOD = next(q.object.value for q in quads() if (q.subject.value, q.predicate.value) == (GRAPE, KG.proposesMethod))


def one(statements: Quads, **wanted: str) -> ox.Quad:
    """The first statement with these terms."""
    return min(
        (q for q in statements if all(getattr(q, k).value == v for k, v in wanted.items())), key=str
    )  # fmt: skip


def swapped(statements: Quads, predicate: str, value: ox.Literal | ox.NamedNode, **wanted: str) -> tuple[Quads, Quads]:
    old = one(statements, predicate=predicate, **wanted)
    return {ox.Quad(old.subject, old.predicate, value, old.graph_name)}, {old}


def all_of(statements: Quads, **wanted: str) -> Quads:
    return {q for q in statements if all(getattr(q, k).value == v for k, v in wanted.items())}


def sparql_faults(shape: str, s: Quads) -> list[tuple[Quads, Quads]]:
    """Faults that break one of the rules about several records."""
    lone = all_of(s, predicate=KG.repositoryStatedBy)
    sourced = next(q.subject.value for q in lone if q.object.value == "source")
    mapping = one(s, predicate=KG.matchReason).subject.value
    assertion = one(s, predicate=KG.evidence).subject.value
    selector = next(q for q in s if q.predicate.value == OA.exact and "abstract" in q.subject.value)
    of_title = next(q for q in s if q.predicate.value == OA.exact and ".title." in q.subject.value)
    address = ox.Literal("write to ada.l@analytical-society.example.org")
    cases: dict[str, list[tuple[Quads, Quads]]] = {
        "PositionsInOrder": [
            swapped(s, SOA.position, integer(5), subject=SECOND),
            swapped(s, SOA.position, integer(4), subject=FIRST),
        ],
        "OneAuthorAPosition": [swapped(s, SOA.position, integer(1), subject=SECOND)],
        "AuthorOnce": [swapped(s, SOA.hasAuthor, ox.NamedNode(ADA), subject=SECOND)],
        "AuthorshipsHaveCreators": [(set(), {one(s, subject=GRAPE, predicate=DCTERMS.creator)})],
        "CreatorsHaveAuthorships": [({triple(GRAPE, DCTERMS.creator, STRAY)}, set())],
        "BroaderMethodStated": [(set(), all_of(s, subject=GRAPE, predicate=KG.mentionsMethod))],
        "BroaderDatasetStated": [(set(), all_of(s, subject=GRAPE, predicate=KG.mentionsDataset))],
        "MethodHasRole": [({triple(GRAPE, KG.mentionsMethod, STRAY)}, set())],
        "DatasetHasRole": [({triple(GRAPE, KG.mentionsDataset, STRAY)}, set())],
        "OneRoleAMethod": [({triple(GRAPE, KG.usesMethod, METHOD)}, set())],
        "OneOrcidOnePerson": [({triple(ID["person/x"], OWL.sameAs, "https://orcid.org/0000-0001-2345-6789")}, set())],
        "OnePersonOneOrcid": [({triple(ADA, OWL.sameAs, "https://orcid.org/0000-0009-9999-9999")}, set())],
        "NotBothMethodAndDataset": [({triple(METHOD, str(RDF.type), SCHEMA.Dataset)}, set())],
        "RelatedBothWays": [(set(), {one(s, predicate=SKOS.related)})],
        "OneAddressOneRepository": [
            ({triple(ID["repo/other"], SCHEMA.codeRepository, "https://github.com/ada/grape")}, set())
        ],
        "NoTopicBelowItself": [({triple(ID["topic/graphs"], SKOS.broader, ID["topic/graphs/pruning"])}, set())],
        "AssertionHasEvidence": [
            (set(), all_of(s, subject=assertion, predicate=KG.evidence)),
            (set(), all_of(s, subject=sourced, predicate=KG.repositoryStatedBy)),
        ],
        "AssertionIsStated": [
            (set(), {one(s, subject=p, predicate=q)})
            for p, q in (
                (GRAPE, KG.proposesMethod), (GRAPE, KG.usesMethod), (FIGS, KG.introducesDataset),
                (GRAPE, KG.usesDataset), (GRAPE, KG.hasRepository), (GRAPE, KG.mentionsRepository),
            )
        ],
        "StatementHasAssertion": [
            ({triple(FIGS, p, STRAY)}, set())
            for p in (KG.proposesMethod, KG.usesMethod, KG.introducesDataset, KG.usesDataset, KG.hasRepository,
                      KG.mentionsRepository)
        ],
        "QuoteEqualsAbstract": [
            swapped(s, OA.exact, ox.Literal("something else"), subject=selector.subject.value),
            # One code point further: after the grapes, UTF-16 would count one more.
            swapped(s, OA.start, integer(_start(s, "PRISM", GRAPE) + 1), subject=_selector(s, "PRISM", GRAPE)),
        ],
        "QuoteEqualsTitle": [swapped(s, OA.exact, ox.Literal("grape"), subject=of_title.subject.value)],
        "PartHasText": [
            (set(), all_of(s, subject=GRAPE, predicate=DCTERMS.abstract)),
            (set(), all_of(s, subject=GRAPE, predicate=DCTERMS.title)),
        ],
        "EvidenceOfTheSamePaper": [swapped(s, str(RDF.subject), ox.NamedNode(ID["paper/x"]), subject=assertion)],
        "EvidenceOfTheSameThing": [swapped(s, str(RDF.object), ox.NamedNode(ID["method/x"]), subject=assertion)],
        "MatchHasMapping": [
            (set(), all_of(s, subject=one(s, predicate=KG.matchReason, object=f"one bearer of {how}").subject.value))
            for how in ("exact", "close", "broad", "narrow")
        ],
        "MappingLeadsOut": [
            swapped(s, str(RDF.object), ox.NamedNode(ID["method/x"]), subject=mapping),
            *((set(), all_of(s, predicate=p, object=f"https://things.example.org/{how}"))
              for p, how in ((SKOS.exactMatch, "exact"), (SKOS.closeMatch, "close"), (SKOS.broadMatch, "broad"),
                             (SKOS.narrowMatch, "narrow"), (SCHEMA.url, "page"))),
        ],
        "FileOfARecord": [(set(), all_of(s, subject=ID["source/list.jsonl"], predicate=SCHEMA.name))],
        "NoAddressOfAPerson": [
            ({triple(GRAPE, SCHEMA.keywords, address)}, set()),
            ({triple(FIRST, SOA.rawAffiliation, ox.Literal("{ada,grace}@society.org"))}, set()),
            ({triple(GRAPE, SCHEMA.url, "mailto:ada@society.org")}, set()),
            ({triple(ADA, DCTERMS.identifier, ox.Literal("openreview:ada@society.org"))}, set()),
        ],
    }  # fmt: skip
    return cases[shape]


def _selector(statements: Quads, text: str, paper: str) -> str:
    key = paper.rsplit("/paper/", 1)[1]
    return min(
        q.subject.value for q in statements
        if q.predicate.value == OA.exact and q.object.value == text and f"{key}.abstract" in q.subject.value
    )  # fmt: skip


def _start(statements: Quads, text: str, paper: str) -> int:
    return int(one(statements, subject=_selector(statements, text, paper), predicate=OA.start).object.value)


@pytest.mark.parametrize("check", SPARQL, ids=name)
def test_planted_fault_against_rule_about_several_records(check: Check) -> None:
    statements = quads()
    assert not list(store(statements).query(check.query, prefixes=PREFIXES))
    for added, removed in sparql_faults(check.shape.rsplit("#", 1)[-1], statements):
        assert added - statements or removed & statements
        found = list(store(statements - removed | added).query(check.query, prefixes=PREFIXES))
        assert found, f"not found: + {added} - {removed}"


def test_a_rejected_statement_keeps_its_assertion_and_breaks_no_rule() -> None:
    rejected = set(ox.parse(lines(review="rejected"), ox.RdfFormat.N_QUADS))
    (assertion,) = (q.subject for q in rejected if q.predicate.value == KG.reviewStatus)
    assert {q.predicate.value for q in rejected if q.subject == assertion} >= {KG.confidence, KG.evidence}
    assert validate(store(rejected), sample=0).breaches == []


def test_who_also_reads_the_ontology_finds_no_fault_more() -> None:
    """A processor that knows the subclasses takes a record or an assertion for a prov:Entity as well."""
    graph = rdflib.Graph()
    for quad in quads():
        graph.add((_node(quad.subject), rdflib.URIRef(quad.predicate.value), _node(quad.object)))
    ontology = rdflib.Graph().parse(shared_folder("ontology") / "kg.ttl")
    conforms, _, text = pyshacl_validate(graph, shacl_graph=SHAPES, ont_graph=ontology)
    assert conforms, text


def test_names_that_differ_in_capitals_are_one_venue_and_one_topic() -> None:
    made = papers()
    for n, (venue, topic) in enumerate([("PLOS ONE", "Deep Learning"), ("PLoS ONE", "Deep learning")]):
        paper = replace(
            made[0][0], key=f"text-{n}", ids=(), links=(), cites=(), venue=venue, topics=((topic, "Trees"),)
        )
        made.append((paper, Extraction()))
    statements = quads(made)
    assert validate(store(statements), sample=0).breaches == []
    names = {q.object.value for q in statements if q.predicate.value == SCHEMA.name}
    assert "PLOS ONE" in names and "PLoS ONE" not in names


def test_an_address_in_the_name_of_a_file_is_masked() -> None:
    (paper, found), *rest = papers()
    named = replace(paper.origins[0], file="ada@society.org.jsonl")
    statements = quads([(replace(paper, origins=(named,)), found), *rest])
    assert not [q for q in statements if "society.org" in f"{q.subject} {q.object}"]
    assert validate(store(statements), sample=0).breaches == []


def test_what_looks_like_an_address_but_is_none() -> None:
    harmless = ("Recall@10.5", "git@github.com:ada/grape.git", "https://medium.com/@ada/trees", "top@k", "@ada.l")
    added = {triple(GRAPE, SCHEMA.keywords, ox.Literal(t)) for t in harmless}
    assert validate(store(quads() | added), sample=0).conforms


def test_free_text_properties_are_all_searched_for_addresses() -> None:
    query = next(c.query for c in SPARQL if c.shape.endswith("NoAddressOfAPerson"))
    closed = {KG.repositoryKind, KG.repositoryStatedBy, KG.resolutionStatus, KG.reviewStatus, KG.configDigest, KG.modelVersion, KG.sha256,
              SCHEMA.softwareVersion, OA.exact, PREFIXES["prism"] + "doi", PREFIXES["fabio"] + "hasArXivId"}  # fmt: skip
    for quad in quads():
        if isinstance(quad.object, ox.Literal) and quad.object.datatype.value == str(XSD.string):
            predicate = quad.predicate.value
            short = next(f"{p}:{predicate[len(n) :]}" for p, n in PREFIXES.items() if predicate.startswith(n))
            assert predicate in closed or f"?this {short} ?value" in query, predicate


# ---------------------------------------------------------------- a second processor


def pyshacl(statements: Quads) -> set[Breach]:
    """What pySHACL, with Core and SPARQL constraints, says of all graphs together."""
    graph = rdflib.Graph()
    for quad in statements:
        graph.add((_node(quad.subject), rdflib.URIRef(quad.predicate.value), _node(quad.object)))
    _, results, _ = pyshacl_validate(graph, shacl_graph=SHAPES)
    return set(_breaches(results, CHECKS))


def _node(term: ox.NamedNode | ox.BlankNode | ox.Literal) -> rdflib.term.Node:
    return rdflib.BNode(term.value) if isinstance(term, ox.BlankNode) else _term(term)


def keys(breaches: set[Breach] | list[Breach]) -> set[tuple[str, str, str, str]]:
    return {(b.component.rsplit("#")[-1], b.focus, b.path, b.value) for b in breaches}


def test_the_small_graph_conforms() -> None:
    outcome = validate(store())
    assert (outcome.breaches, outcome.checks, outcome.whole) == ([], len(CHECKS), True)
    assert outcome.conforms and outcome.sampled > 50


@pytest.mark.parametrize("part", ["added", "removed"])
def test_pyshacl_finds_the_same_faults(part: str) -> None:
    statements = quads()
    faults = [f for c in CORE for f in core_faults(c, statements)]
    faults += [f for c in SPARQL for f in sparql_faults(c.shape.rsplit("#", 1)[-1], statements)]
    chosen = [(a, r) for a, r in faults if (part == "removed") == bool(r)]
    assert len(chosen) > 5
    # Blank nodes have no name to compare; with a number that is none, rdflib's arithmetic never ends.
    added = {q for a, _ in chosen for q in a if not _blank(q) and q.object.value != NO_NUMBER}
    broken = statements - {q for _, r in chosen for q in r} | added
    ours = validate(store(broken), sample=0)
    assert max(ours.numbers.values()) <= KEPT
    assert keys(ours.breaches) == keys(pyshacl(broken))


def _blank(quad: ox.Quad) -> bool:
    return any(isinstance(t, ox.BlankNode) for t in (quad.subject, quad.object))


def test_a_sample_finds_core_faults_and_merges_them() -> None:
    broken = quads() | {triple(FIRST, SOA.position, integer(0)), triple(ADA, FOAF.name, ox.Literal("Ada L."))}
    opened = store(broken)
    second, nodes, whole = check_sample(opened, SHAPES, CHECKS, 100)
    assert whole and nodes > 50 and second
    alone = validate(opened, sample=0)
    both = validate(opened, sample=100)
    assert alone.breaches == both.breaches and alone.counts == both.counts
    assert {b for b in alone.breaches if b.component.rsplit("#")[-1][:6] != "SPARQL"} == second
    assert not check_sample(opened, SHAPES, CHECKS, 1)[2]


# ---------------------------------------------------------------- reports


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    many = {triple(f"{ID}authorship/x.{n}", str(RDF.type), SOA.Authorship) for n in range(KEPT + 50)}
    warned = {triple(GRAPE, KG.usesMethod, METHOD)}
    return validate(store(quads() | many | warned), sample=0)


def test_every_breach_counts_and_some_are_shown(outcome: Outcome) -> None:
    missing = ("https://w3id.org/paperkg/shapes#Authorship", SOA.position, f"{SH}MinCountConstraintComponent")
    assert outcome.numbers[missing] == KEPT + 50
    assert sum((b.shape, b.path, b.component) == missing for b in outcome.breaches) == KEPT
    assert outcome.counts["Warning"] == 1 and not outcome.conforms
    rows = summary_rows(outcome)
    assert ("Violation", KEPT + 50, "An authorship has exactly one position, a whole number from 1.") in [
        r[:3] for r in rows
    ]
    assert rows[-1][0] == "Warning" and rows[-1][3:] == ("id:paper/doi-10.1234/grape", METHOD.replace(ID, "id:"))


def test_report_in_turtle_is_a_shacl_report(outcome: Outcome) -> None:
    graph = rdflib.Graph().parse(data=to_turtle(outcome), format="turtle")
    report = graph.value(None, RDF.type, SH.ValidationReport)
    assert graph.value(report, SH.conforms).toPython() is False
    results = list(graph.objects(report, SH.result))
    assert len(results) == len(outcome.breaches)
    for result in results:
        for need in (SH.focusNode, SH.resultSeverity, SH.sourceConstraintComponent, SH.sourceShape, SH.resultMessage):
            assert graph.value(result, need) is not None
    assert to_turtle(outcome) == to_turtle(outcome)


def test_report_in_json(outcome: Outcome) -> None:
    import json

    read = json.loads(to_json(outcome))
    assert read["conforms"] is False and read["counts"] == outcome.counts
    assert {r["shape"] for r in read["results"]} == {b.shape for b in outcome.breaches}


def test_warnings_alone_conform() -> None:
    outcome = validate(store(quads() | {triple(ADA, OWL.sameAs, "https://orcid.org/0000-0009-9999-9999")}), sample=0)
    assert outcome.conforms and outcome.counts == {"Violation": 0, "Warning": 1, "Info": 0}


def test_a_constraint_that_is_not_covered_is_an_error() -> None:
    shapes = rdflib.Graph().parse(
        data="""@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <http://example.org/> .
        ex:S a sh:NodeShape ; sh:targetClass ex:C ; sh:property [ sh:path ex:p ; sh:uniqueLang true ] .""",
        format="turtle",
    )
    with pytest.raises(UnknownConstraint, match="uniqueLang"):
        compile_shapes(shapes)


def test_every_rule_is_told_in_words() -> None:
    assert all(c.message.endswith((".", "joined.")) and len(c.message) > 15 for c in CHECKS)

"""Every serialisation is read back to the same graph by rdflib and by Oxigraph, whatever the records hold."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from small import papers, quads, store

from kg.export import export
from kg.graph.rdf import integer, ref, text, web
from kg.graph.validate import validate
from kg.model import Author, Extraction, Link, Named, Paper
from kg.resolve.resolve import resolve

# suffix -> rdflib's name, whether it keeps named graphs
FORMATS = {
    "ttl": ("turtle", False), "nt": ("nt", False), "nq": ("nquads", True), "trig": ("trig", True),
    "jsonld": ("json-ld", True), "rdf": ("xml", False),
}  # fmt: skip
HOSTILE = (
    "quote \" back\\slash \\n \"\" ''' <b>&amp;</b> ]]> ${x} {{y}} \t tab",
    "line\nfeed\r\ncarriage\rreturn\u0085next\u2028line\u2029paragraph\x0bvertical",
    "null \x00 bell \x07 escape \x1b[31m unit \x1f delete \x7f",
    "astral 🍇𝔊 combining e\u0301 zero\u200bwidth right\u202eleft bom \ufeff not \ufffe\uffff",
    "@prefix x: <y> . # comment ^^<z> @en",
    " outer blanks ",
)


def hostile() -> set[ox.Quad]:
    made = papers()
    for n, words in enumerate(HOSTILE):
        paper, _ = made[n % len(made)]
        named = Named(words.strip() or "x", "used", 0.9, (f"{words}!",), words)
        made.append(
            (
                replace(
                    paper,
                    key=f"text-{n}",
                    ids=(),
                    title=words,
                    abstract=f"{words} {words}",
                    authors=(Author(words.strip(), (words,)), Author("et al.")),
                    venue=words.strip(),
                    topics=((words, f"{words}2"),),
                    keywords=(words,),
                    url=f"https://example.org/{words}",
                    links=(Link(f"https://example.org/{words}"),),
                ),
                Extraction((named,)),
            )
        )
    return quads(made)


@pytest.fixture(scope="module")
def statements() -> set[ox.Quad]:
    return hostile()


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("packing", ["", ".gz"])
def test_both_engines_read_back_the_same_graph(
    suffix: str, packing: str, statements: set[ox.Quad], tmp_path: Path
) -> None:
    name, named = FORMATS[suffix]
    file = tmp_path / f"graph.{suffix}{packing}"
    export(store(statements), file)
    data = file.read_bytes()
    if packing:
        import gzip

        data = gzip.decompress(data)
    wanted = statements if named else {ox.Quad(*q.triple) for q in statements}
    by_oxigraph = set(ox.parse(data, ox.RdfFormat.from_extension(suffix)))
    assert by_oxigraph == wanted
    rdflib.NORMALIZE_LITERALS, before = False, rdflib.NORMALIZE_LITERALS
    try:
        dataset = rdflib.Dataset()
        dataset.parse(data=data, format=name)
    finally:
        rdflib.NORMALIZE_LITERALS = before
    by_rdflib = {
        ox.Quad(
            ox.NamedNode(str(s)),
            ox.NamedNode(str(p)),
            _term(o),
            ox.NamedNode(str(g)) if named and g and str(g).startswith("https:") else ox.DefaultGraph(),
        )
        for s, p, o, g in dataset.quads()
    }
    assert by_rdflib == wanted


def _term(term: rdflib.term.Node) -> ox.NamedNode | ox.Literal:
    if isinstance(term, rdflib.Literal):
        return ox.Literal(str(term), datatype=ox.NamedNode(str(term.datatype)) if term.datatype else None)
    return ox.NamedNode(str(term))


def test_hostile_records_break_no_rule(statements: set[ox.Quad]) -> None:
    outcome = validate(store(statements), sample=0)
    # The planted mentions have no place in the text; nothing else is wrong.
    assert {b.shape.rsplit("#")[-1] for b in outcome.breaches} <= {"AssertionHasEvidence"}


URLS = [
    ('https://a.example/x y{z}|\\^`"<>', "<https://a.example/x%20y%7Bz%7D%7C%5C%5E%60%22%3C%3E>"),
    ("https://a.example/?q=[1]&r=100%", "<https://a.example/?q=%5B1%5D&r=100%25>"),
    ("https://a.example/a#b#c", "<https://a.example/a#b%23c>"),
    ("https://a.example/grün", "<https://a.example/grün>"),
    ("https://[::1]/x", "<https://[::1]/x>"),
    ("see https://a.example/", '"see https://a.example/"'),
    ("https://[bad", '"https://[bad"'),
    ("www.a.example/x", '"www.a.example/x"'),
]


@pytest.mark.parametrize(("url", "term"), URLS)
def test_web_addresses_are_mended_or_kept_as_text(url: str, term: str) -> None:
    assert web(url) == term


@given(st.text(alphabet=st.characters(exclude_categories=[])))
@settings(max_examples=300, deadline=None)
def test_any_text_keeps_its_length_and_can_be_read(value: str) -> None:
    line = f"<http://a/s> <http://a/p> {text(value)} .\n"
    (quad,) = ox.parse(line.encode(), ox.RdfFormat.N_QUADS)
    assert len(quad.object.value) == len(value)
    xml = ox.serialize([quad.triple], format=ox.RdfFormat.RDF_XML)
    ((_, _, again),) = rdflib.Graph().parse(data=xml, format="xml")
    assert str(again) == quad.object.value


@given(st.text())
@settings(max_examples=300, deadline=None)
def test_any_address_can_be_read(value: str) -> None:
    for url in (value, f"https://a.example/{value}", f"https://{value}"):
        line = f"<http://a/s> {ref('http://a/p')} {web(url)} .\n"
        (quad,) = ox.parse(line.encode("utf-8", "surrogatepass"), ox.RdfFormat.N_QUADS)
        assert quad.predicate.value == "http://a/p"


def test_a_name_that_is_nobody_keeps_its_place() -> None:
    paper = Paper(key="text-1", title="T", authors=(Author("Ada Lovelace"), Author("et al."), Author("Emmy Noether")))
    made = [(paper, Extraction())]
    resolved = resolve([paper], [Extraction()])
    assert ("text-1", 2) not in resolved.people.of
    positions = {q.object.value for q in quads(made) if q.predicate.value.endswith("/position")}
    authors = [q for q in quads(made) if q.predicate.value.endswith("/hasAuthor")]
    assert positions == {"1", "2", "3"} and len(authors) == 2
    assert integer(1) == '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'

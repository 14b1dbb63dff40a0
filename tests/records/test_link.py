from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from kg.model import Author, Link, Origin, Paper
from kg.records import link

CLOTH = (
    "Small robots that fold laundry need to know where one shirt ends and the next begins. We mark the borders of "
    "clothes in a single picture with a network that was trained on baskets from forty homes, and test it on more."
)
BREAD = (
    "Bread rises at a speed that depends on flour, water and the mood of the baker. Our model predicts the time to "
    "the perfect crust from ten photographs and beats a panel of five bakers on a public set of loaves."
)
ADA, BO, CY = Author(name="Ada Lovelace"), Author(name="Bo Li"), Author(name="Cy Young")


def record(file="a.json", place="record 1", **fields) -> Paper:
    supplied = tuple(sorted(fields))
    return Paper(**fields, origins=(Origin(file=file, place=place, format="json", fields=supplied),))


def joined(*papers: Paper) -> bool:
    return len(link(papers).papers) == 1


BASE = dict(title="Borders of Clothes in a Single Picture", authors=(ADA, BO), abstract=CLOTH, venue="ICRA", year=2024)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (dict(ids=("doi:10.1/x",), title="A"), dict(ids=("doi:10.1/x",), abstract=CLOTH)),
        (BASE, {**BASE, "title": "BORDERS OF CLOTHES  IN A SINGLE PICTURE."}),
        (BASE, {**BASE, "title": "Borders of <i>Clothes</i> in a $\\text{Single}$ Picture", "abstract": ""}),
        (BASE, {**BASE, "authors": (Author(name="A. Lovelace"), Author(name="Li, Bo"))}),
        (BASE, {**BASE, "venue": "", "year": 2023}),
        (BASE, {**BASE, "authors": ()}),
        (
            BASE,
            {
                **BASE,
                "title": "Borders of Clothes in a Single Picture (Abstract Reprint)",
                "venue": "AAAI",
                "year": 2025,
            },
        ),
        (BASE, {**BASE, "title": "Where Clothes End: Borders in a Single Picture"}),
        (BASE, dict(abstract="Abstract: " + CLOTH + " Show more")),
        (BASE, dict(abstract=CLOTH.replace("forty homes", "fifty homes"), authors=(ADA, BO))),
    ],
    ids=[
        "identifier",
        "typing",
        "markup",
        "names",
        "preprint",
        "no-authors",
        "reprint",
        "new-title",
        "boilerplate",
        "edited",
    ],
)
def test_one_paper(one, other):
    assert joined(record(**one), record("b.json", **other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            dict(title="Hyperbolic Dough Networks", authors=(ADA, BO)),
            dict(title="Hyperbolic Dough Networks++", authors=(ADA, BO)),
        ),
        (
            dict(title="Folding Shirts at Scale, Part I", authors=(ADA, BO)),
            dict(title="Folding Shirts at Scale, Part II", authors=(ADA, BO)),
        ),
        (BASE, {**BASE, "abstract": BREAD, "venue": "NeurIPS", "year": 2025}),
        (BASE, {**BASE, "authors": (CY, Author(name="Dan Brown")), "abstract": BREAD}),
        ({**BASE, "ids": ("openreview:a1",)}, {**BASE, "ids": ("openreview:b2",), "abstract": BREAD}),
        (dict(title="Editorial"), dict(title="Editorial", venue="ICRA")),
        (
            dict(title="Fold", abstract=CLOTH, links=(Link(url="https://github.com/o/mono"),)),
            dict(title="Bake", abstract=BREAD, links=(Link(url="https://github.com/o/mono"),)),
        ),
        (dict(title="PRISM: a fold", authors=(ADA, BO)), dict(title="PRISM: a loaf", authors=(CY,))),
        (
            dict(title="First of Two", abstract="Abstract Unavailable"),
            dict(title="Second of Two", abstract="Abstract Unavailable"),
        ),
        (
            dict(ids=("doi:10.1/v",), title="Borders of Clothes", authors=(ADA, BO)),
            dict(ids=("doi:10.1/v",), title="Time to the Perfect Crust", authors=(CY, Author(name="Dan Brown"))),
        ),
    ],
    ids=[
        "plus-plus",
        "part",
        "extended-abstract",
        "homonym",
        "other-id",
        "editorial",
        "monorepo",
        "one-name",
        "placeholder",
        "volume-doi",
    ],
)
def test_two_papers(one, other):
    assert not joined(record(**one), record("b.json", **other))


def test_reading_twice_changes_nothing():
    papers = [
        record(**BASE),
        record(place="record 2", abstract=BREAD),
        record(place="record 3", title="A Title of its Own"),
    ]
    once, twice = link(papers), link(papers + papers)
    assert once.papers == twice.papers and twice.merged == 3


def test_the_order_of_the_input_does_not_matter():
    papers = [
        record("a", **BASE),
        record("b", **{**BASE, "abstract": "", "ids": ("arxiv:2101.00001",), "year": 2023, "venue": ""}),
        record("c", ids=("arxiv:2101.00001", "doi:10.1/x"), title="Borders of Clothes, in a Single Picture"),
        record("d", abstract=BREAD, authors=(CY,)),
        record("e", title="Time to the Perfect Crust", authors=(CY,)),
        record("f", title="Something Else Entirely Here", authors=(CY, BO)),
    ]
    expected = link(papers)
    for seed in range(10):
        mixed = papers[:]
        random.Random(seed).shuffle(mixed)
        assert link(mixed) == expected


def test_keys_and_their_order():
    found = link(
        [record(abstract=BREAD), record(ids=("openreview:abc",), title="T"), record(ids=("dblp:conf/x/Y",), title="U")]
    ).papers
    keys = [p.key for p in found]
    assert keys == sorted(keys)
    assert {"openreview-abc", "dblp-conf/x/Y"} < set(keys) and any(k.startswith("text-") for k in keys)


def test_key_without_identifier_comes_from_the_abstract_whatever_its_layout():
    first, second = (
        link([record(abstract=BREAD)]).papers,
        link([record("z", abstract=BREAD.replace(" ", "\n  "))]).papers,
    )
    assert first[0].key == second[0].key


def test_two_papers_never_share_a_key():
    papers = [record(place=f"record {i}", title="Preface", venue=v) for i, v in enumerate(("ICRA", "ICML", "AAAI"))]
    assert len({p.key for p in link(papers).papers}) == 3


def test_fields_are_merged_and_origins_tell_who_supplied_what():
    full = record("full.json", **{**BASE, "keywords": ("laundry",)})
    thin = record(
        "thin.bib",
        ids=("doi:10.1/x",),
        title=BASE["title"],
        authors=(Author(name="Ada Lovelace", ids=("orcid:0000-0000-0000-0001",), affiliations=("Oxford",)), BO),
        keywords=("folding",),
        year=2024,
        url="https://example.org/x",
    )
    (paper,) = link([thin, full]).papers
    assert paper.key == "doi-10.1/x" and paper.abstract == CLOTH and paper.url == "https://example.org/x"
    assert paper.authors[0].ids == ("orcid:0000-0000-0000-0001",) and paper.authors[0].affiliations == ("Oxford",)
    assert set(paper.keywords) == {"laundry", "folding"}
    supplied = {o.file: set(o.fields) for o in paper.origins}
    assert "abstract" in supplied["full.json"] and "abstract" not in supplied["thin.bib"]
    assert "url" in supplied["thin.bib"] and "ids" in supplied["thin.bib"]


def test_disagreements_name_the_field_and_both_places():
    linked = link([record("a", **BASE), record("b", place="line 7", **{**BASE, "year": 2023})])
    (found,) = [d for d in linked.disagreements if d.field == "year"]
    assert {found.kept, found.others[0][0]} == {"2024", "2023"}
    assert {found.kept_from[0], found.others[0][1]} == {"a, record 1", "b, line 7"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", "Where Clothes End: Borders in a Single Picture"),
        ("authors", (BO, ADA)),
        ("authors", (ADA, BO, CY)),
        ("year", 2023),
        ("venue", "IROS"),
        ("date", "2024-06-01"),
        ("abstract", BREAD),
    ],
)
def test_every_disagreement_is_told(field, value):
    base = {**BASE, "ids": ("doi:10.1/x",), "date": "2024-05-03"}
    linked = link([record("a", **base), record("b", **{**base, field: value})])
    assert [d.field for d in linked.disagreements] == [field]


def test_spelling_and_shortening_are_no_disagreement():
    base = {**BASE, "ids": ("doi:10.1/x",), "date": "2024-05-03"}
    other = {
        **base,
        "title": BASE["title"].upper(),
        "authors": (Author(name="Lovelace, A."), Author(name="Li Bo")),
        "date": "2024-05",
        "venue": "IEEE International Conference on Robotics and Automation",
        "abstract": "Abstract: " + CLOTH,
    }
    assert link([record("a", **base), record("b", **other)]).disagreements == []


def test_disagreements_name_the_paper_by_its_final_key():
    same = [record("a", place=f"record {i}", title="Preface", venue=v, ids=("doi:10.1/v",), authors=(ADA,), year=y)
            for i, (v, y) in enumerate((("ICRA", 2020), ("ICRA", 2021)))]  # fmt: skip
    other = record("c", title="Time to the Perfect Crust", ids=("doi:10.1/v",), authors=(CY, BO), abstract=BREAD)
    linked = link([*same, other])
    assert {d.paper for d in linked.disagreements} <= {p.key for p in linked.papers if len(p.origins) > 1}
    assert linked.disagreements


def test_untitled_abstract_finds_its_title_by_the_authors():
    titles = [
        record("t", title="Time to the Perfect Crust", authors=(CY, BO)),
        record("t", title="Queues of Late Trains", authors=(CY, ADA)),
        record("t", title="Borders of Clothes", authors=(ADA, BO)),
    ]
    papers = link([*titles, record("s", abstract=BREAD, authors=(CY, BO))]).papers
    assert len(papers) == 3
    assert next(p for p in papers if p.abstract).title == "Time to the Perfect Crust"


def test_untitled_abstract_without_authors_finds_its_title_by_rare_words():
    filler = [record("t", place=f"line {i}", title=f"On the Theory of {w} Learning for {v} Models") for i, (w, v) in enumerate(
        (w, v) for w in ("Deep", "Robust", "Fair", "Causal", "Private") for v in ("Graph", "Speech", "Vision", "Language"))]  # fmt: skip
    right = record("t", title="Predicting the Perfect Crust: Photographs of Bread and Five Bakers")
    papers = link([*filler, right, record("s", abstract=BREAD)]).papers
    assert next(p for p in papers if p.abstract).title == right.title


def test_untitled_abstract_stays_alone_when_no_title_is_clearly_better():
    titles = [
        record("t", place="line 1", title="Predicting Bread and its Crust"),
        record("t", place="line 2", title="Bread and Crust Prediction"),
        record("t", place="line 3", title="Trains and Queues"),
    ]
    assert not any(p.title and p.abstract for p in link([*titles, record("s", abstract=BREAD)]).papers)


def test_authors_that_differ_forbid_a_title():
    title = record("t", title="Predicting the Perfect Crust: Photographs of Bread and Five Bakers", authors=(ADA, BO))
    assert not joined(title, record("s", abstract=BREAD, authors=(CY, Author(name="Dan Brown"))))


def test_input_is_not_changed():
    paper = record(**BASE)
    copy = replace(paper)
    link([paper, record("b", **BASE)])
    assert paper == copy


def test_seeds_with_the_list_of_titles(shared):
    import json

    from kg import sources

    data = shared / "data"
    read = sources.read([data / "seeds", data / "corpus/icml2025_titles_authors.json"])
    papers = link(p for p in read if isinstance(p, Paper)).papers
    gold = json.loads((data / "gold/seed_titles.json").read_text())
    ids = {r["abstract"]: r["id"] for r in map(json.loads, (data / "gold/seeds.gold.jsonl").open())}
    found = {ids[p.abstract]: p for p in papers if p.abstract in ids}
    assert len(found) == 39
    assert {k: found[k].title for k in gold} == gold
    first = [p for k, p in found.items() if k.startswith("seed000") and p.title]
    assert len(first) >= 16 and all(p.authors for p in first)


def test_one_text_about_two_names_is_two_papers():
    text = "We propose {}, a network that finds anomalies in time series. It beats strong baselines by far. " * 4
    papers = [Paper(abstract=text.format(*[name] * 4)) for name in ("FooANet", "FooBNet")]
    assert len(link(papers).papers) == 2

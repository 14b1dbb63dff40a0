"""The components work in anybody's pipeline and find there what `kg.extract` finds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import spacy
from spacy.tokens import DocBin

import kg
from kg.extract import spacy_components  # noqa: F401  (registers the factories, as the entry point does)

TEXTS = [
    "We propose FooNet, a network for depth estimation. FooNet beats ResNet-50 on the ImageNet dataset. "
    "Code: https://github.com/abel/foonet.",
    "Deep “BarNet”-based methods (BarNet) are trained on CIFAR-10/MNIST; we present BarNet, a new architecture.",
    "Nothing is named here.",
    "",
]


def expected(text: str, title: str = "") -> list[tuple[str, str, float, tuple[int, int]]]:
    found = kg.extract(text, title)
    rows = [
        (f"{kind}_{n.role.upper()}", n.name, n.confidence, (m.start, m.end))
        for kind, named in (("METHOD", found.methods), ("DATASET", found.datasets))
        for n in named
        for m in n.mentions
        if m.field == "abstract"
    ]
    rows += [
        ("REPOSITORY", r.url, r.confidence, (m.start, m.end))
        for r in found.repositories
        for m in r.mentions
        if m.field == "abstract"
    ]
    return sorted(rows, key=str)


def spans(doc: spacy.tokens.Doc) -> list[tuple[str, str, float, tuple[int, int]]]:
    return sorted(
        (
            (s.label_, s._.kg_name, s._.kg_confidence, tuple(s._.kg_offsets))
            for s in doc.spans["kg_names"]
        ),
        key=str,
    )  # fmt: skip


def pipelines() -> list[str]:
    return ["en", "xx", "de", "en_core_web_sm"]


def loaded(name: str) -> spacy.Language:
    if "_" not in name:
        nlp = spacy.blank(name)
    else:
        if not spacy.util.is_package(name):
            pytest.skip(f"needs the spaCy model {name}")
        nlp = spacy.load(name)
    nlp.add_pipe("kg_names")
    return nlp


@pytest.mark.parametrize("name", pipelines())
def test_any_pipeline_gives_what_extract_gives(name: str) -> None:
    nlp = loaded(name)
    found = 0
    for text, doc in zip(TEXTS, nlp.pipe(TEXTS), strict=True):
        assert spans(doc) == expected(text)
        assert doc._.kg == kg.extract(text)
        for span in doc.spans["kg_names"]:
            start, end = span._.kg_offsets
            assert span.start_char <= start < end <= span.end_char
            assert span._.kg_role and span._.kg_cue is not None
        found += len(doc.spans["kg_names"])
    assert found >= 6


def test_a_full_pipeline_with_more_components() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("kg_names", config={"spans_key": "mine", "min_confidence": 0.99})
    nlp.add_pipe("entity_ruler").add_patterns([{"label": "X", "pattern": "network"}])
    doc = nlp(TEXTS[0])
    assert all(s._.kg_confidence >= 0.99 for s in doc.spans["mine"] if s.label_ != "REPOSITORY")
    assert len(list(doc.sents)) >= 2 and [e.text for e in doc.ents] == ["network"]


def test_a_title_is_read_along() -> None:
    nlp = loaded("en")
    doc = nlp.make_doc(TEXTS[1])
    doc._.kg_title = "BarNet: A Network of Bars"
    doc = nlp(doc)
    assert doc._.kg == kg.extract(TEXTS[1], "BarNet: A Network of Bars")
    assert spans(doc) == expected(TEXTS[1], "BarNet: A Network of Bars")
    assert any(m.field == "title" for n in doc._.kg.methods for m in n.mentions)


def test_documents_go_to_other_processes_and_to_disk() -> None:
    nlp = loaded("en")
    docs = list(nlp.pipe(TEXTS, n_process=2, batch_size=2))
    assert [spans(d) for d in docs] == [expected(t) for t in TEXTS]
    data = DocBin(docs=docs, store_user_data=True).to_bytes()
    back = list(DocBin(store_user_data=True).from_bytes(data).get_docs(nlp.vocab))
    assert [spans(d) for d in back] == [expected(t) for t in TEXTS]
    assert back[0]._.kg == kg.extract(TEXTS[0])


def test_entry_points_make_the_names_known(tmp_path: Path) -> None:
    info = tmp_path / "kg_entry-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: kg-entry\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[spacy_factories]\n" + "".join(f"{k} = {v}\n" for k, v in ENTRIES.items()))
    code = f"""if True:
        import spacy
        nlp = spacy.blank("en")
        nlp.add_pipe("kg_names")
        doc = nlp({TEXTS[0]!r})
        print(sorted({{s._.kg_name for s in doc.spans["kg_names"]}}))
        nlp = spacy.blank("en")
        for name in {[n for n in ENTRIES if n != "kg_names"]!r}:
            nlp.add_pipe(name)
        print(sorted(n.name for n in nlp({TEXTS[0]!r})._.kg.methods))
    """
    root = str(Path(kg.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), root])}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    found = kg.extract(TEXTS[0])
    everything = [n.name for n in (*found.methods, *found.datasets)] + [r.url for r in found.repositories]
    assert run.stdout.splitlines() == [str(sorted(everything)), str(sorted(n.name for n in found.methods))], run.stderr


# The lines of pyproject.toml, [project.entry-points.spacy_factories].
ENTRIES = {
    "kg_repositories": "kg.extract.components:repositories",
    "kg_abbreviations": "kg.extract.components:abbreviations",
    "kg_candidates": "kg.extract.components:candidates",
    "kg_typing": "kg.extract.components:typing",
    "kg_entities": "kg.extract.components:entities",
    "kg_names": "kg.extract.spacy_components:names",
}

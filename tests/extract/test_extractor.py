"""The whole pipeline: what it finds, that its quotations are true, and that no text breaks it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
import spacy

from kg.errors import SettingsError
from kg.extract import Extractor
from kg.extract.components import BlankTokenizer
from kg.model import Extraction
from kg.settings import Settings

PROPOSED = {
    "seed000/04": {"STD-FD"}, "seed000/07": {"SAE-V"}, "seed000/09": {"SCISSOR"}, "seed000/10": {"CSBM"},
    "seed000/11": {"ECBMs"}, "seed000/12": {"GEFA"}, "seed000/13": {"SHIFT"}, "seed000/16": {"CafCor"},
    "seed003/02": {"CAROTS"}, "seed003/04": {"VAA"}, "seed003/06": {"CpSDE"}, "seed003/07": {"UEFL"},
    "seed003/12": {"StaB-ddG"}, "seed003/14": {"L-STEP"}, "seed003/15": {"COLDB", "CONDB"},
    "seed003/16": {"CIA-GCL"}, "seed003/18": {"IAL"}, "seed003/19": {"CoDy"},
}  # fmt: skip
KETTLE = (
    "Brewing tea is slow. We propose KettleNet, a fast network for brewing. KettleNet outperforms ResNet-50 "
    "on ImageNet and CIFAR-10. Code: https://github.com/ada/kettle."
)


@pytest.fixture(scope="module")
def extractor() -> Extractor:
    return Extractor()


def names(found: Extraction, kind: str, role: str) -> set[str]:
    return {x for e in getattr(found, kind) if e.role == role for x in (e.name, *e.aliases)}


def check_mentions(title: str, abstract: str, found: Extraction) -> None:
    fields = {"title": title, "abstract": abstract}
    for e in (*found.methods, *found.datasets):
        assert e.mentions and e.cue and 0 < e.confidence <= 1
        assert 0 <= e.evidence < len(e.mentions)
        places = [(m.field == "abstract", m.start) for m in e.mentions]
        assert places == sorted(places)
    for e in (*found.methods, *found.datasets, *found.repositories):
        for m in e.mentions:
            assert fields[m.field][m.start : m.end] == m.text


def test_methods_data_sets_and_code(extractor: Extractor) -> None:
    found = extractor.extract("KettleNet: Faster Tea", KETTLE)
    assert names(found, "methods", "proposed") == {"KettleNet"}
    assert names(found, "methods", "used") == {"ResNet-50"}
    assert names(found, "datasets", "used") == {"ImageNet", "CIFAR-10"}
    assert [r.url for r in found.repositories] == ["https://github.com/ada/kettle"]
    assert len(found.methods[0].mentions) == 3
    check_mentions("KettleNet: Faster Tea", KETTLE, found)


def test_macro_is_taken_from_the_title(extractor: Extractor) -> None:
    abstract = r"Tea gets cold. This paper introduces \alg, a principled method that keeps tea warm. \alg is fast."
    (method,) = extractor.extract("WarmTok: Keeping Tea Warm", abstract).methods
    assert (method.name, method.role) == ("WarmTok", "proposed")
    assert [m.text for m in method.mentions] == ["WarmTok", r"\alg", r"\alg"]


def test_name_spelled_by_markup(extractor: Extractor) -> None:
    abstract = (
        "Steeping is hard. We introduce **S**team-driven **W**ater **I**nfusion for **F**ast **T**ea (SWIFTEA), a method "
        "that steeps quickly. SWIFTEA beats all baselines."
    )
    found = extractor.extract("", abstract)
    (method,) = (m for m in found.methods if m.role == "proposed")
    assert method.name == "SWIFTEA"
    assert "Steam-driven Water Infusion for Fast Tea" in method.aliases
    check_mentions("", abstract, found)


def test_name_in_mathematics(extractor: Extractor) -> None:
    abstract = r"We present $\texttt{T$^2$Brew}$, a framework for tea. $\texttt{T$^2$Brew}$ improves taste."
    found = extractor.extract(r"$\texttt{T$^2$Brew}$: Tea Twice", abstract)
    assert "T^2Brew" in names(found, "methods", "proposed")
    check_mentions(r"$\texttt{T$^2$Brew}$: Tea Twice", abstract, found)


def test_short_and_long_form_are_one(extractor: Extractor) -> None:
    abstract = "We propose Adaptive Kettle Routing (AKRo) for tea. AKRo is fast, and Adaptive Kettle Routing scales."
    (method,) = extractor.extract("", abstract).methods
    assert method.name == "AKRo" and method.aliases == ("Adaptive Kettle Routing",)
    assert len(method.mentions) == 4


def test_introduced_data_set(extractor: Extractor) -> None:
    abstract = "We present TeaBench, a benchmark of 500 brewing tasks. We evaluate GPT-4 on TeaBench."
    found = extractor.extract("TeaBench: A Benchmark for Brewing", abstract)
    assert names(found, "datasets", "introduced") == {"TeaBench"}
    assert names(found, "methods", "used") == {"GPT-4"}


@pytest.mark.parametrize(
    "abstract",
    [
        "",
        " ",
        "\n\n",
        "title",
        "https://github.com/ada/kettle",
        "$x^2 + y^2 = z^2$ $$\\int_0^1 f$$ \\begin{equation} a \\end{equation}",
        "本文提出了一种新的方法，用于茶的冲泡。",
        "Мы предлагаем метод. Он работает.",
        "\u0000\ud800 \ufffe broken \u202e text",
        "(((((((((( [[[[[ {{{{{ $$$$$ ****",
        "word " * 50,
        "NoSentenceEnd " * 3_000,
    ],
)
def test_any_text(extractor: Extractor, abstract: str) -> None:
    check_mentions("", abstract, extractor.extract("", abstract))
    check_mentions(abstract, "", extractor.extract(abstract, ""))


@pytest.mark.parametrize(
    "piece", ["a", "A", "(", "$", "*", "Ab(", "aB-", "a.B", "https://a/", "{", "\\a", "A ", "(A) "]
)
def test_a_million_characters(extractor: Extractor, piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    check_mentions(text, text, extractor.extract(text, text))


def test_batches_do_not_change_results(extractor: Extractor, shared: Path) -> None:
    lines = (shared / "data" / "gold" / "seeds.gold.jsonl").read_text("utf-8").splitlines()
    items = [("", json.loads(line)["abstract"], ()) for line in lines]
    together = list(extractor.pipe(items))
    assert together == [extractor.extract(*item) for item in items]
    assert together == list(reversed(list(extractor.pipe(items[::-1]))))


def test_seed_papers(extractor: Extractor, shared: Path) -> None:
    lines = (shared / "data" / "gold" / "seeds.gold.jsonl").read_text("utf-8").splitlines()
    papers = {p["id"]: p for p in map(json.loads, lines)}
    for key, expected in PROPOSED.items():
        found = extractor.extract("", papers[key]["abstract"])
        assert expected <= names(found, "methods", "proposed"), key
        check_mentions("", papers[key]["abstract"], found)


_PRINT = (
    "import sys, msgspec; from kg.extract import Extractor; "
    "sys.stdout.buffer.write(msgspec.json.encode([Extractor().version, Extractor().extract('KettleNet: Faster Tea', sys.argv[1])]))"
)


def test_hash_seed_does_not_matter(extractor: Extractor) -> None:
    here = msgspec.json.encode([extractor.version, extractor.extract("KettleNet: Faster Tea", KETTLE)])
    for seed in ("0", "1"):
        command = [sys.executable, "-c", _PRINT, KETTLE]
        done = subprocess.run(
            command, capture_output=True, check=True, env={"PYTHONHASHSEED": seed, "PYTHONPATH": _path()}
        )
        assert done.stdout == here


def _path() -> str:
    return ":".join(p for p in (str(Path(__file__).resolve().parents[2]), *sys.path) if p)


def test_import_is_light() -> None:
    code = "import sys, kg.extract; sys.exit('spacy' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": _path()}).returncode == 0


def test_components_in_a_pipeline_of_ones_own() -> None:
    nlp = spacy.blank("en")
    for name in Settings().pipeline:
        nlp.add_pipe(name)
    doc = nlp(KETTLE)
    assert names(doc._.kg, "methods", "proposed") == {"KettleNet"}
    assert {(s.text, s.label_) for s in doc.spans["kg"]} >= {
        ("KettleNet", "METHOD_PROPOSED"),
        ("ImageNet", "DATASET_USED"),
    }
    (again,) = nlp.pipe([KETTLE])
    assert again._.kg == doc._.kg


def test_a_shorter_pipeline_finds_less() -> None:
    found = Extractor(Settings(pipeline=("kg_repositories",))).extract("", KETTLE)
    assert found.repositories and not found.methods


def test_unknown_component() -> None:
    with pytest.raises(SettingsError, match="kg_nonsense"):
        Extractor(Settings(pipeline=("kg_nonsense",)))


def test_version_follows_the_pipeline(extractor: Extractor) -> None:
    assert extractor.version == Extractor().version != Extractor(Settings(pipeline=("kg_repositories",))).version


def test_blank_tokenizer_keeps_the_text() -> None:
    tokenizer = BlankTokenizer(spacy.blank("en").vocab)
    for text in ("a  b\n\nc ", " a", "a", "", "\t \n", "x\u00a0y  "):
        assert tokenizer(text).text == text

"""The demo corpus: its files have the promised shapes, agree with each other, and make an interesting graph."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path

import pytest

import kg.errors

CORPUS = Path(kg.errors.__file__).parent / "demo" / "corpus"
ABSTRACTS, TOPICS = "icml2025_abstracts.txt", "icml2025_topics.txt"


def _blocks(name: str) -> list[str]:
    """The heading and the paragraphs of a text file; a paragraph is one line."""
    text = (CORPUS / name).read_text(encoding="utf-8")
    blocks = text.rstrip("\n").split("\n\n")
    assert text.endswith("\n") and all(block and "\n" not in block for block in blocks)
    return blocks


def _records() -> dict[tuple[str, int], dict]:
    """Both text files as {(file, number from 1): topic, authors, abstract}."""
    out = {(ABSTRACTS, n): {"abstract": text} for n, text in enumerate(_blocks(ABSTRACTS)[1:], 1)}
    rest = _blocks(TOPICS)[1:]
    assert len(rest) % 3 == 0
    for n, (topic, authors, abstract) in enumerate(zip(rest[::3], rest[1::3], rest[2::3], strict=True), 1):
        out[TOPICS, n] = {"topic": topic, "authors": authors.split(", "), "abstract": abstract}
    return out


@pytest.fixture(scope="module")
def records() -> dict[tuple[str, int], dict]:
    return _records()


@pytest.fixture(scope="module")
def facts() -> dict[tuple[str, int], dict]:
    lines = (CORPUS / "facts.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    table = {(row["file"], row["n"]): row for row in rows}
    assert len(table) == len(rows)
    return table


@pytest.fixture(scope="module")
def titles() -> dict[str, dict]:
    rows = json.loads((CORPUS / "icml2025_titles.json").read_text(encoding="utf-8"))
    table = {row["title"]: row for row in rows}
    assert len(table) == len(rows)
    return table


def _names(row: dict, kind: str) -> list[str]:
    return [name for entity in row[kind] for name in (entity["name"], *entity["aliases"])]


def _words(text: str) -> list[str]:
    """Lower-case words without markup; an address counts as one word, whatever it is made of."""
    return re.findall(r"[^\W_]+", re.sub(r"https?://\S+", " link ", text).replace("**", "").lower())


def _runs(text: str, length: int) -> set[tuple[str, ...]]:
    words = _words(text)
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


def test_counts_and_headings(records, facts, titles):
    files = Counter(file for file, _ in records)
    assert files == {ABSTRACTS: 15, TOPICS: 29}
    assert set(facts) == set(records)
    assert sorted(row["title"] for row in facts.values()) == sorted(titles)
    for name in (ABSTRACTS, TOPICS):
        assert len(_blocks(name)[0]) < 60 and not _blocks(name)[0].endswith(".")


def test_topic_and_author_lines(records):
    for (file, n), record in records.items():
        if file == TOPICS:
            assert re.fullmatch(r"[A-Z][^·]+ · [A-Z][^·]+", record["topic"]), n
            assert all(name == name.strip() and name for name in record["authors"]), n
            assert len(set(record["authors"])) == len(record["authors"]), n


def test_abstracts_have_the_length_of_conference_abstracts(records):
    for place, record in records.items():
        text = re.sub(r"https?://\S+", "", record["abstract"])
        sentences = [part for part in re.split(r"(?<=[.?!])\s+(?=[A-Z*\\])", text) if len(part.split()) > 2]
        assert 5 <= len(sentences) <= 9, (place, len(sentences))
        assert 110 <= len(text.split()) <= 200, (place, len(text.split()))


def test_quirks_of_real_lists_are_there(records):
    """Markup and a missing space, each where a reader of real lists meets them, and not all over the place."""
    texts = [record["abstract"] for record in records.values()]
    for quirk in (r"\*\*", r"\\emph\{", r"\]\(https://", r"[a-z]\.[A-Z][a-z]"):
        assert sum(bool(re.search(quirk, re.sub(r"(?<!\()https?://\S+", "", text))) for text in texts) == 1, quirk


def test_facts_have_the_agreed_shape_and_stand_verbatim(records, facts):
    keys = {"id", "file", "n", "title", "methods", "datasets", "optional_methods", "optional_datasets", "repositories"}
    for place, row in facts.items():
        assert set(row) == keys, place
        assert row["id"] == f"{row['file'].removeprefix('icml2025_').removesuffix('.txt')}/{row['n']}"
        abstract = records[place]["abstract"]
        for kind, roles in (("methods", {"proposed", "used"}), ("datasets", {"introduced", "used"})):
            names = _names(row, kind)
            assert len(set(names)) == len(names), place
            for entity in row[kind]:
                assert set(entity) == {"name", "aliases", "role"} and entity["role"] in roles, place
            for name in names:
                assert name in abstract and name == name.strip(), (place, name)
            optional = row[f"optional_{kind}"]
            assert len(set(optional)) == len(optional) and not set(optional) & set(names), place
            assert all(name in abstract for name in optional), place
        for url in row["repositories"]:
            assert url in abstract, (place, url)


def test_every_link_of_an_abstract_is_a_fact(records, facts):
    for place, record in records.items():
        links = {url.rstrip(".,;") for url in re.findall(r"https?://[^\s)\]]+", record["abstract"])}
        assert links == set(facts[place]["repositories"]), place


def test_authors_are_those_of_the_titles_file(records, facts, titles):
    for place, record in records.items():
        if "authors" in record:
            listed = titles[facts[place]["title"]]["author"].split(", ")
            assert len(record["authors"]) == len(listed), place
            assert record["authors"] == listed, place


def test_titles_file_has_the_shape_of_the_public_list(titles):
    for row in titles.values():
        assert set(row) == {"title", "author", "status", "site"}
        assert row["status"] in {"Poster", "Oral"}
        assert re.fullmatch(r"https://icml\.cc/virtual/2025/(poster|oral)/\d+", row["site"])


def test_there_is_something_to_see_in_the_graph(records, facts):
    together: defaultdict[tuple[str, str], int] = defaultdict(int)
    for record in records.values():
        for pair in combinations(sorted(record.get("authors", [])), 2):
            together[pair] += 1
    assert sum(n >= 2 for n in together.values()) >= 5

    def shared(kind: str) -> set[str]:
        return {
            name for name, n in Counter(name for row in facts.values() for name in _names(row, kind)).items() if n >= 2
        }

    assert {"ImageNet", "GSM8K", "D4RL", "MNIST", "CelebA"} <= shared("datasets")
    assert {"Monte Carlo Tree Search", "SageAttention", "flow matching"} <= shared("methods")
    parents = defaultdict(set)
    for record in records.values():
        if "topic" in record:
            area, child = record["topic"].split(" · ")
            parents[area].add(child)
    assert sum(len(children) >= 2 for children in parents.values()) >= 3
    urls = [url for row in facts.values() for url in row["repositories"]]
    assert len(set(urls)) == len(urls) >= 20
    assert any("huggingface.co" in url for url in urls) and any("github.io" in url for url in urls)


def test_no_mail_address(records):
    for path in CORPUS.iterdir():
        assert not re.search(r"\w@\w", path.read_text(encoding="utf-8")), path.name


def test_titles_and_authors_agree_with_the_conference(titles, shared):
    rows = json.loads((shared / "data/corpus/icml2025_titles_authors.json").read_text(encoding="utf-8"))
    listed = {row["title"]: row for row in rows}
    for title, row in titles.items():
        assert {key: listed[title][key] for key in row} == row


def test_wording_is_our_own(records, shared):
    """No run of eight words of a real abstract, but for long names, which are facts."""
    real: set[tuple[str, ...]] = set()
    for path in sorted((shared / "data/gold").glob("*.gold.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            real |= _runs(json.loads(line)["abstract"], 8)
    facts = [json.loads(line) for line in (CORPUS / "facts.jsonl").read_text(encoding="utf-8").splitlines()]
    known = set().union(
        *(
            _runs(" ".join(names), 8)
            for row in facts
            for entity in row["methods"]
            for names in ([*entity["aliases"], entity["name"]], [entity["name"], *entity["aliases"]])
        ),
    )
    for place, record in records.items():
        assert not (_runs(record["abstract"], 8) & real) - known, place

"""Links of every printed kind, repaired where that cannot be wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.extract.repositories import canonical, find_repositories
from kg.model import Link

GITHUB = "https://github.com/ada/engine"


@pytest.mark.parametrize(
    ("text", "url", "printed"),
    [
        (f"Code: {GITHUB}.", GITHUB, GITHUB),
        (f"({GITHUB})", GITHUB, GITHUB),
        (f"\\url{{{GITHUB}.}}", GITHUB, GITHUB),
        (f"\\href{{{GITHUB}}}{{here}}", GITHUB, GITHUB),
        (f"[{GITHUB}]({GITHUB}).", GITHUB, GITHUB),
        (f"[our code]({GITHUB}).", GITHUB, GITHUB),
        (f"at {GITHUB}/.", GITHUB, f"{GITHUB}/"),
        (f"at {GITHUB}.git", GITHUB, f"{GITHUB}.git"),
        (f"at {GITHUB}/tree/main/src", GITHUB, f"{GITHUB}/tree/main/src"),
        ("at https: //github.com/ada/engine.", GITHUB, "https: //github.com/ada/engine"),
        ("at https://github. com/ada/engine", GITHUB, "https://github. com/ada/engine"),
        ("at github.com/ ada/engine.", GITHUB, "github.com/ ada/engine"),
        ("at https://github.com/ada/ engine.", GITHUB, "https://github.com/ada/ engine"),
        ("at github.com/ada/engine and more", GITHUB, "github.com/ada/engine"),
        ("at www.github.com/ada/engine", GITHUB, "www.github.com/ada/engine"),
        (f"at {GITHUB}.However, this", GITHUB, GITHUB),
        (r"at https://github.com/ada/my\_engine", "https://github.com/ada/my_engine", r"https://github.com/ada/my\_engine"),
        ("at http://www.cs.example.edu/$\\sim$ada/x", "https://cs.example.edu/~ada/x", "http://www.cs.example.edu/$\\sim$ada/x"),
    ],
)  # fmt: skip
def test_printed_forms(text: str, url: str, printed: str) -> None:
    (found,) = find_repositories("", text)
    assert (found.url, found.as_printed) == (url, printed)
    (m,) = set(found.mentions[:1])
    assert text[m.start : m.end] == m.text == printed


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("https://github.com/a/b", "code"),
        ("https://gitlab.com/group/sub/name", "code"),
        ("https://gitee.com/a/b", "code"),
        ("https://bitbucket.org/a/b", "code"),
        ("https://anonymous.4open.science/r/Some-1234", "code"),
        ("https://huggingface.co/datasets/a/b", "data"),
        ("https://huggingface.co/a/b", "model"),
        ("https://huggingface.co/spaces/a/b", "other"),
        ("https://zenodo.org/records/12", "data"),
        ("https://ada.github.io/engine", "project-page"),
        ("https://sites.google.com/view/engine", "project-page"),
        ("https://bit.ly/3abc", "other"),
        ("https://aka.ms/engine", "other"),
    ],
)
def test_kinds(address: str, kind: str) -> None:
    (found,) = find_repositories("", f"Everything is at {address}.")
    assert (found.url, found.kind) == (address, kind)


@pytest.mark.parametrize(
    "text",
    [
        "Code will be released.",
        "See arxiv.org and https://arxiv.org/abs/2101.00001.",
        "A film is at https://youtu.be/abc.",
        "As in https://doi.org/10.1000/182.",
        "We use and/or notation, e.g. a/b.",
    ],
)
def test_not_a_repository(text: str) -> None:
    assert find_repositories("", text) == ()


def test_case_and_ending_do_not_make_two() -> None:
    text = "At https://github.com/Ada/Engine and again https://github.com/ada/engine.git."
    (found,) = find_repositories("", text)
    assert found.url == "https://github.com/Ada/Engine"
    assert len(found.mentions) == 2


def test_own_or_not() -> None:
    text = "Our code is at https://github.com/ada/engine. More work is in https://github.com/ada/awesome-engines."
    own, other = find_repositories("", text)
    assert own.own and not other.own
    assert own.cue and other.cue


def test_source_and_text_agree() -> None:
    links = [Link("https://github.com/Ada/Engine/", "code"), Link("https://ada.github.io", "project")]
    both, stated = find_repositories("", f"Code: {GITHUB}.", links)
    assert (both.stated_by, stated.stated_by) == ("both", "source")
    assert stated.mentions == () and stated.own


def test_canonical_is_stable() -> None:
    once = canonical("http://www.GitHub.com/Ada/Engine.git/")
    assert once == canonical(once) == "https://github.com/Ada/Engine"


@pytest.mark.parametrize("part", ["seeds", "dev", "train"])
def test_all_of_the_annotated_links(shared: Path, part: str) -> None:
    for line in (shared / "data" / "gold" / f"{part}.gold.jsonl").read_text("utf-8").splitlines():
        paper = json.loads(line)
        found = {r.as_printed.removesuffix("/") for r in find_repositories(paper["title"] or "", paper["abstract"])}
        assert found == {u.removesuffix("/") for u in paper["repositories"]}

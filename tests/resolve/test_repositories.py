"""Links that lead to one place are one repository; what only shares a place stays apart."""

from __future__ import annotations

import pytest

from kg.model import Repository
from kg.resolve.repositories import key_of, resolve_repositories

ENGINE = "https://github.com/ada/engine"


@pytest.mark.parametrize(
    "other",
    [
        "https://github.com/Ada/Engine",
        "http://www.github.com/ada/engine",
        "github.com/ada/engine.git",
        "https://github.com/ada/engine/",
        "https://github.com/ada/engine/tree/main/src",
        "https://github.com/ada/engine/blob/main/README.md",
        "https://github.com/ada/engine/src/main",
        "https://github.com/ada/engine?tab=readme-ov-file",
        "https://github.com/ada/engine#start",
        "https://m.github.com/ada/engine",
        "https://raw.githubusercontent.com/ada/engine/main/data.json",
    ],
)
def test_one_repository(other: str) -> None:
    assert key_of(other) == key_of(ENGINE)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (ENGINE, "https://github.com/ada/engine2"),
        (ENGINE, "https://gitlab.com/ada/engine"),
        ("https://gitlab.com/group/sub/one", "https://gitlab.com/group/sub/two"),
        ("https://huggingface.co/ada/engine", "https://huggingface.co/datasets/ada/engine"),
        ("https://zenodo.org/records/12", "https://zenodo.org/records/13"),
        ("https://ada.github.io/engine", "https://ada.github.io/other"),
        ("https://osf.io/ab1?view_only=1", "https://osf.io/ab1?view_only=2"),
    ],
)
def test_two_repositories(a: str, b: str) -> None:
    assert key_of(a) != key_of(b)


def test_hosts_that_lead_to_another() -> None:
    assert key_of("https://hf.co/ada/engine/tree/main") == key_of("https://huggingface.co/ada/engine")
    assert key_of("https://huggingface.co/datasets/ada/x/viewer") == key_of("hf.co/datasets/Ada/x")
    assert key_of("https://ada.github.io/engine/index.html") == key_of("https://ada.github.io/engine/")


def test_spellings_are_kept_and_the_commonest_shown() -> None:
    found = [
        (f"p{i}", (Repository(url, url),)) for i, url in enumerate([ENGINE, ENGINE, "https://github.com/Ada/Engine"])
    ]
    outcome = resolve_repositories(found)
    (entity,) = outcome.entities.values()
    assert entity.key == "github.com/ada/engine" and entity.url == ENGINE
    assert entity.spellings == tuple(sorted({ENGINE, "https://github.com/Ada/Engine"}))
    assert set(outcome.of.values()) == {entity.key}


def test_order_does_not_matter() -> None:
    found = [(f"p{i}", (Repository(u, u),)) for i, u in enumerate([ENGINE, "https://github.com/Ada/Engine"])]
    assert resolve_repositories(found) == resolve_repositories(found[::-1])


def test_a_monorepo_joins_no_papers() -> None:
    from handmade_papers import paper

    from kg.model import Extraction
    from kg.resolve.resolve import resolve

    mono = Repository("https://github.com/google-research/google-research", "x")
    resolved = resolve([paper("a"), paper("b")], [Extraction(repositories=(mono,))] * 2)
    assert len(resolved.papers) == 2 and len(resolved.repositories.entities) == 1

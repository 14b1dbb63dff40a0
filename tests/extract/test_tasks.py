"""Tasks by a list of names: what counts, where it stands, what lies above it."""

from __future__ import annotations

import pytest

from kg.extract.extractor import Extractor
from kg.extract.tasks import ABSTRACT_CONFIDENCE, TITLE_CONFIDENCE, find_tasks, task_named, tasks
from kg.extract.tokens import Tokens


def found(title: str, abstract: str) -> dict[str, float]:
    return {t.name: t.confidence for t in find_tasks(Tokens(title, abstract))}


@pytest.mark.parametrize(
    ("title", "task"),
    [
        ("A lean network for 3D Object Detection", "3D object detection"),
        ("Object-detection in the rain", "object detection"),
        ("Traffic flow predictions by phone", "traffic forecasting"),
        ("Asking charts: VQA without pixels", "visual question answering"),
        ("Recommender systems that forget", "recommendation"),
    ],
)
def test_a_title_names_a_task(title: str, task: str) -> None:
    assert found(title, "We look at the matter.") == {task: TITLE_CONFIDENCE}


def test_of_names_inside_each_other_the_longest() -> None:
    assert set(found("Few-shot class-incremental learning", "")) == {"class-incremental learning"}


def test_an_abstract_must_say_it_in_two_sentences() -> None:
    once = "We study segmentation. Machine translation is another matter."
    twice = "We study machine translation. Our decoder makes machine translation faster."
    same = "Machine translation is machine translation, whatever the language."
    assert found("On decoders", once) == {} == found("On decoders", same)
    assert found("On decoders", twice) == {"machine translation": ABSTRACT_CONFIDENCE}


def test_an_acronym_alone_in_an_abstract_is_not_enough() -> None:
    assert found("On things", "NER is old. NER is new.") == {}
    assert found("On things", "Named entity recognition (NER) is old. NER is new.") == {
        "named entity recognition": ABSTRACT_CONFIDENCE
    }


def test_a_name_does_not_cross_a_sentence() -> None:
    assert found("On machines", "It is a machine. Translation follows. It is a machine. Translation follows.") == {}


def test_places_are_slices_of_the_source() -> None:
    title, abstract = "**Image** captioning for $k$ readers", "Image captioning is fun. We like image captioning."
    (task,) = find_tasks(Tokens(title, abstract))
    assert task.role == "addressed" and len(task.mentions) == 3
    for m in task.mentions:
        assert {"title": title, "abstract": abstract}[m.field][m.start : m.end] == m.text


def test_a_keyword_may_be_a_task() -> None:
    assert task_named("Neural machine translation") == "machine translation"
    assert task_named("RAG") == "retrieval-augmented generation"
    assert task_named("our new thing") == "" == task_named("")


def test_what_ends_in_a_name_lies_below_it() -> None:
    every = tasks()
    assert every["3D object detection"].broader == "object detection"
    assert every["object detection"].broader == ""
    for task in every.values():
        assert not task.broader or task.broader in every
    forms = [f.casefold() for t in every.values() for f in (t.name, *t.others)]
    assert len(forms) == len(set(forms)), "one form, two tasks"


def test_the_pipeline_finds_them() -> None:
    extraction = Extractor().extract("Faster text-to-SQL", "We present QuickQuery, a parser.")
    assert [t.name for t in extraction.tasks] == ["text-to-SQL"]


@pytest.mark.parametrize("text", ["", " ", "$x$", "a" * 5000, "\n\n\n", "🙂" * 50])
def test_any_text_is_borne(text: str) -> None:
    assert find_tasks(Tokens(text, text)) == ()

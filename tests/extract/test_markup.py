"""Readable text and the way back to the source."""

from __future__ import annotations

import pytest

from kg.extract.markup import strip_markup


@pytest.mark.parametrize(
    ("source", "readable"),
    [
        (r"\textbf{Q}uick \textbf{R}outing", "Quick Routing"),
        ("**Q**uick **R**outing drif**T** (QRT)", "Quick Routing drifT (QRT)"),
        (r"named $\texttt{A$^2$Bee}$ here", "named A^2Bee here"),
        ("D$^3$elta is", "D^3elta is"),
        ("the $K^2$Net model", "the K^2Net model"),
        ("an <em>emphasised</em> word", "an emphasised word"),
        ("a <passage, answer> pair", "a <passage, answer> pair"),
        ("an esti\u00admate and a zero\u200bwidth", "an estimate and a zerowidth"),
        ("the esti- mation of pre- and post-training", "the estimation of pre- and post-training"),
        (r"as shown before \cite{smith2020} we", "as shown before  we"),
        ("bounds of [ ABCD21 ] hold", "bounds of  hold"),
        ("where $x$ and $n$-gram stay", "where $x$ and $n$-gram stay"),
        ("code at https://github.com/a/b_c.", "code at URL."),
        (r"50\% of \emph{all} cases", "50% of all cases"),
    ],
)
def test_readable(source: str, readable: str) -> None:
    assert strip_markup(source).text == readable


@pytest.mark.parametrize(
    ("source", "name", "quoted"),
    [
        ("We call it **FooBar** now", "FooBar", "FooBar"),
        (r"our \textsc{Foo}Net wins", "FooNet", r"\textsc{Foo}Net"),
        ("**S**low **C**ooking", "Slow Cooking", "**S**low **C**ooking"),
        ("named $\\text{M}^3\\text{HF}$ here", "M^3HF", "$\\text{M}^3\\text{HF}$"),
        ("plain Name here", "Name", "Name"),
    ],
)
def test_slices_lead_back_to_the_source(source: str, name: str, quoted: str) -> None:
    readable = strip_markup(source)
    at = readable.text.index(name)
    start, end = readable.span(at, at + len(name))
    assert source[start:end] == quoted


def test_unmarked_text_is_left_alone() -> None:
    text = "Nothing to see: 3 < 4, and so on."
    readable = strip_markup(text)
    assert readable.text == text
    assert readable.span(8, 10) == (8, 10)


def test_every_character_maps_back_to_itself() -> None:
    source = r"A \textbf{B}c **d** $\texttt{E$^2$f}$ g\_h <b>i</b> [ XYZ19 ] j- klm https://x.org/y."
    readable = strip_markup(source)
    for k, c in enumerate(readable.text):
        if readable.text[max(0, k - 3) : k + 3].find("URL") < 0:
            start, end = readable.span(k, k + 1)
            assert c in source[start:end]


def test_emphasis_is_remembered_in_readable_places() -> None:
    source = strip_markup(r"by \textbf{Brew\emph{Net}}, *slow pouring* and <i>tea</i>, $x$ {not this}")
    assert [source.text[a:b] for a, b in source.emphasised] == ["Net", "BrewNet", "slow pouring", "tea"]
    assert strip_markup("nothing here").emphasised == []

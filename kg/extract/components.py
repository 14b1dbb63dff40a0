"""The extraction steps as spaCy components, usable in any pipeline.

    nlp = spacy.blank("en")
    for name in ("kg_repositories", "kg_abbreviations", "kg_candidates", "kg_typing", "kg_entities", "kg_tasks"):
        nlp.add_pipe(name)
    doc = nlp("We propose FooNet …")
    doc._.kg.methods, doc.spans["kg"]

A `Doc` is one abstract unless `paper_doc` made it, which keeps title and abstract apart. Importing
this module registers the factories; spaCy also finds them by entry point where one is installed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import filter_spans
from spacy.vocab import Vocab

from kg.extract.abbreviations import find_abbreviations
from kg.extract.analysis import Analysis
from kg.extract.candidates import find_candidates
from kg.extract.classify import read_candidates
from kg.extract.entities import build_entities
from kg.extract.lexicon import load_lexicon
from kg.extract.model import load_model
from kg.extract.repositories import find_repositories
from kg.extract.tasks import find_tasks
from kg.model import Extraction, Link
from kg.settings import Settings

_STATE = "kg.extract"
SPANS_KEY = "kg"


def analysis_of(doc: Doc) -> Analysis:
    """The working state of a `Doc`, made on first use."""
    state = doc.user_data.get(_STATE)
    if state is None:
        state = doc.user_data[_STATE] = Analysis("", doc.text)
    return state


def _extraction(doc: Doc) -> Extraction:
    return analysis_of(doc).result()


Doc.set_extension("kg", getter=_extraction, force=True)


class BlankTokenizer:
    """Splits at white space only: the components read the text themselves, and this is ten times as fast."""

    _WORD = re.compile(r"(\S+|\s)( ?)")

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        pairs = self._WORD.findall(text)
        return Doc(self.vocab, words=[w for w, _ in pairs], spaces=[bool(s) for _, s in pairs])


def paper_doc(nlp: Language, title: str, abstract: str, links: Sequence[Link] = ()) -> Doc:
    """A `Doc` of one paper: title, a blank line, abstract, each only as far as names are looked for."""
    analysis = Analysis(title, abstract, links)
    text = "\n\n".join(x for x in (analysis.title, analysis.abstract) if x)
    doc = nlp.make_doc(text.encode("utf-8", "replace").decode())  # spaCy refuses half a surrogate pair
    doc.user_data[_STATE] = analysis
    return doc


@Language.factory("kg_repositories")
def repositories(nlp: Language, name: str):
    """Links to code, data, models and project pages."""

    def run(doc: Doc) -> Doc:
        a = analysis_of(doc)
        a.repositories = find_repositories(a.title, a.abstract, a.links)
        return doc

    return run


@Language.factory("kg_abbreviations")
def abbreviations(nlp: Language, name: str):
    """Pairs of short and long form."""

    def run(doc: Doc) -> Doc:
        a = analysis_of(doc)
        a.abbreviations = find_abbreviations(a.tokens)
        return doc

    return run


@Language.factory("kg_candidates")
def candidates(nlp: Language, name: str):
    """Everything that could be a name."""
    lexicon = load_lexicon()

    def run(doc: Doc) -> Doc:
        a = analysis_of(doc)
        a.candidates = find_candidates(a.tokens, a.abbreviations, lexicon)
        return doc

    return run


class Typing:
    """Decides which candidates are methods or data sets, a batch of papers at a time."""

    def __init__(self, min_confidence: float) -> None:
        self.model, self.min_confidence = load_model(), min_confidence

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], batch_size: int = 128) -> Iterator[Doc]:
        """Documents in order, with their readings."""
        source = iter(stream)
        while batch := list(islice(source, batch_size)):
            read_candidates(self.model, [analysis_of(doc) for doc in batch], self.min_confidence)
            yield from batch


@Language.factory("kg_typing", default_config={"min_confidence": Settings().min_confidence})
def typing(nlp: Language, name: str, min_confidence: float):
    """Type, role and confidence of the candidates; what is less sure than `min_confidence` is dropped."""
    return Typing(min_confidence)


@Language.factory("kg_entities", default_config={"spans_key": SPANS_KEY})
def entities(nlp: Language, name: str, spans_key: str | None):
    """Entities with all their mentions; also as `doc.spans[spans_key]` where tokens allow."""

    def run(doc: Doc) -> Doc:
        a = analysis_of(doc)
        a.methods, a.datasets = build_entities(a)
        if spans_key:
            found = []
            shift = {"title": 0, "abstract": len(a.title) + 2 if a.title else 0}
            for label, named in (("METHOD", a.methods), ("DATASET", a.datasets)):
                for entity in named:
                    for m in entity.mentions:
                        at = shift[m.field]
                        span = doc.char_span(
                            at + m.start, at + m.end, f"{label}_{entity.role.upper()}", alignment_mode="expand"
                        )
                        found += [span] if span is not None else []
            doc.spans[spans_key] = filter_spans(found)
        return doc

    return run


@Language.factory("kg_tasks")
def tasks(nlp: Language, name: str):
    """Tasks that the paper is about, by a list of names."""

    def run(doc: Doc) -> Doc:
        a = analysis_of(doc)
        a.tasks = find_tasks(a.tokens)
        return doc

    return run

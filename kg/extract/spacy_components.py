"""Everything the package finds in a text, as one component of anybody's spaCy pipeline.

    nlp = spacy.load("en_core_web_sm")        # or spacy.blank("en"), or any other
    nlp.add_pipe("kg_names")
    doc = nlp("We propose FooNet …")
    for span in doc.spans["kg_names"]:
        print(span.text, span.label_, span._.kg_confidence, span._.kg_cue)

The text of the `Doc` is the abstract; its title, if it has one, goes into `doc._.kg_title` before the
pipeline runs (`doc = nlp.make_doc(abstract); doc._.kg_title = …; doc = nlp(doc)`). The component reads
the text itself, so the pipeline's tokenizer and its other components make no difference to what is found:
it is what `kg.extract` finds. Documents go to other processes (`nlp.pipe(…, n_process=2)`) and to disk.

Labels of spans: METHOD_PROPOSED, METHOD_USED, DATASET_INTRODUCED, DATASET_USED, REPOSITORY. Extensions:

    doc._.kg              everything found, as a `kg.model.Extraction`
    doc._.kg_title        the title to read along; mentions in it have no span
    span._.kg_name        the name the span is a mention of (of a repository: its canonical URL)
    span._.kg_role        "proposed", "introduced" or "used"; of a repository its kind ("code", "data", …)
    span._.kg_confidence  probability that name and role are right, 0 to 1
    span._.kg_cue         what decided, for people
    span._.kg_offsets     (start, end) in doc.text, exact where a token is longer than the name
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from spacy.language import Language
from spacy.tokens import Doc, Span

from kg.extract import components
from kg.extract.analysis import Analysis
from kg.model import Extraction, Mention
from kg.settings import DEFAULT_PIPELINE, Settings

SPANS_KEY = "kg_names"
_FOUND = "kg_found"
_SPAN_EXTENSIONS = ("kg_name", "kg_role", "kg_confidence", "kg_cue", "kg_offsets")


def _extraction(doc: Doc) -> Extraction:
    found = getattr(doc._, _FOUND)
    if found is None:  # the single components leave their working state
        return components.analysis_of(doc).result()
    return msgspec.convert(found, Extraction)


Doc.set_extension(_FOUND, default=None, force=True)
Doc.set_extension("kg_title", default="", force=True)
Doc.set_extension("kg", getter=_extraction, force=True)
for _name in _SPAN_EXTENSIONS:
    Span.set_extension(_name, default=None, force=True)


class Names:
    """The steps of the extraction in order, a batch of documents at a time."""

    def __init__(self, nlp: Language, spans_key: str, min_confidence: float) -> None:
        self.spans_key = spans_key
        steps: list[Callable[[Doc], Doc]] = []
        for name in DEFAULT_PIPELINE:
            own = {"kg_typing": {"min_confidence": min_confidence}, "kg_entities": {"spans_key": None}}.get(name, {})
            steps.append(nlp.create_pipe(name, config=own))
        self.steps = steps

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Doc], batch_size: int = 128) -> Iterator[Doc]:
        """Documents in order, with their names."""
        for doc in self._through(stream, batch_size):
            # Working state cannot be sent to another process or saved; what was found can.
            found = doc.user_data.pop(components._STATE).result()
            setattr(doc._, _FOUND, msgspec.to_builtins(found))
            doc.spans[self.spans_key] = list(_spans(doc, found))
            yield doc

    def _through(self, stream: Iterable[Doc], batch_size: int) -> Iterator[Doc]:
        docs: Iterator[Doc] = map(_begun, stream)
        for step in self.steps:
            pipe: Any = getattr(step, "pipe", None)
            docs = pipe(docs, batch_size=batch_size) if pipe else map(step, docs)
        return docs


def _begun(doc: Doc) -> Doc:
    doc.user_data[components._STATE] = Analysis(doc._.kg_title, doc.text)
    return doc


def _spans(doc: Doc, found: Extraction) -> Iterator[Span]:
    """A span for each mention in the text, in text order."""
    for mention, label, values in sorted(_labelled(found), key=lambda m: (m[0].start, -m[0].end, m[1])):
        span = doc.char_span(mention.start, mention.end, label, alignment_mode="expand")
        if span is None:
            continue
        for name, value in zip(_SPAN_EXTENSIONS, (*values, (mention.start, mention.end)), strict=True):
            setattr(span._, name, value)
        yield span


def _labelled(found: Extraction) -> Iterator[tuple[Mention, str, tuple[str, str, float, str]]]:
    for kind, named in (("METHOD", found.methods), ("DATASET", found.datasets)):
        for n in named:
            values = (n.name, n.role, n.confidence, n.cue)
            yield from ((m, f"{kind}_{n.role.upper()}", values) for m in n.mentions if m.field == "abstract")
    for r in found.repositories:
        values = (r.url, r.kind, r.confidence, r.cue)
        yield from ((m, "REPOSITORY", values) for m in r.mentions if m.field == "abstract")


@Language.factory(
    "kg_names", default_config={"spans_key": SPANS_KEY, "min_confidence": Settings().min_confidence},
    assigns=["doc.spans"],
)  # fmt: skip
def names(nlp: Language, name: str, spans_key: str, min_confidence: float) -> Names:
    """Methods, data sets and repositories as `doc.spans[spans_key]`."""
    return Names(nlp, spans_key, min_confidence)

"""The pipeline as one object: title and abstract in, `Extraction` out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

import spacy
from spacy.vocab import Vocab

from kg.errors import SettingsError
from kg.extract import components
from kg.extract.lexicon import data_digest
from kg.model import Extraction, Link
from kg.settings import Settings
from kg.text import digest

# Raise with every change of code that can change a result.
CODE_VERSION = 6
_BATCH = 128


class Extractor:
    """Finds the methods, data sets and repositories that papers name.

    A pure function of title, abstract, links and settings: neither the order of papers nor the batch
    they come in changes a result. Make one per process; it is not meant to be sent to another.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        # A vocabulary without lexical attributes: nothing here asks for them, and making them is slow.
        self.nlp = spacy.blank("en", vocab=Vocab())
        self.nlp.tokenizer = components.BlankTokenizer(self.nlp.vocab)
        for name in self.settings.pipeline:
            if not self.nlp.has_factory(name):
                raise SettingsError(
                    f"no spaCy component is registered as {name!r}",
                    place="settings.pipeline",
                    hint="use names of kg/settings.py DEFAULT_PIPELINE, or import the module that registers it first",
                )
            self.nlp.add_pipe(name, config=self._config(name))

    def _config(self, name: str) -> dict[str, object]:
        if name == "kg_typing":
            return {"min_confidence": self.settings.min_confidence}
        # Spans on the Doc are for users of the components; here they would only cost time.
        return {"spans_key": None} if name == "kg_entities" else {}

    @cached_property
    def version(self) -> str:
        """Digest that changes whenever results can: code version, word lists, model, pipeline."""
        return digest(str(CODE_VERSION), data_digest(), str(self.settings.min_confidence), *self.settings.pipeline)

    def extract(self, title: str, abstract: str, links: Sequence[Link] = ()) -> Extraction:
        """What one paper names; never raises on any text."""
        return next(self.pipe([(title, abstract, links)]))

    def pipe(self, items: Iterable[tuple[str, str, Sequence[Link]]]) -> Iterator[Extraction]:
        """Extractions of `(title, abstract, links)` in the order given, worked on in small batches."""
        source = iter(items)
        while batch := list(islice(source, _BATCH)):
            with self.nlp.memory_zone():  # the vocabulary forgets each batch: memory stays flat
                docs = [components.paper_doc(self.nlp, *item) for item in batch]
                found = [components.analysis_of(doc).result() for doc in self.nlp.pipe(docs, batch_size=_BATCH)]
            yield from found

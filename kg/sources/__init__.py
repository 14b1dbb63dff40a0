"""Reading lists of papers: every format behind one protocol, detected by content, streaming.

`read` is the whole of it; `FORMATS` is the table of formats that feeds `--format`, the docs and the tests.
A package adds a format through the entry point group `paperkg.sources`, its name being the key and its
value an object with the attributes of `Format`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from kg.errors import SourceError
from kg.model import Paper, Rejected
from kg.sources import inputs as _inputs
from kg.sources.base import Format
from kg.sources.inputs import total_bytes
from kg.sources.part import Part
from kg.sources.table import FORMATS, supported

__all__ = ["FORMATS", "Format", "read", "supported", "total_bytes"]


def read(
    inputs: Sequence[str | Path],
    *,
    format: str | None = None,
    on_bytes: Callable[[int], None] | None = None,
) -> Iterator[Paper | Rejected]:
    """Every paper of the inputs in order, and a `Rejected` for each record that cannot be read.

    Args:
        inputs: files, folders (read in order of their names), archives, or "-" for standard input.
        format: key of a format in `FORMATS`; by default the content decides.
        on_bytes: called with the number of input bytes (compressed as they are) consumed since the last call.

    Raises:
        SourceError: an input is missing, empty, binary or of no known format. Missing inputs and an unknown
            `format` are told before anything is read. In a folder such files are rejected one by one instead.
    """
    if format is not None and format not in FORMATS:
        raise SourceError(f"there is no format {format!r}", hint="one of: " + ", ".join(FORMATS))
    if isinstance(inputs, (str, Path)):
        inputs = [inputs]
    return _read(list(_inputs.files(inputs)), format, on_bytes)


def _read(
    files: list[tuple[Path | None, bool]], key: str | None, on_bytes: Callable[[int], None] | None
) -> Iterator[Paper | Rejected]:
    for path, named in files:
        for part in _inputs.parts(path, on_bytes):
            if isinstance(part, Rejected):
                yield part
                continue
            try:
                form = FORMATS[key] if key else detect(part)
            except SourceError as error:
                if named and not part.inside:
                    raise
                yield Rejected(file=part.name, place="", reason=error.message)
                continue
            try:
                yield from _papers(part, form)
            except SourceError as error:  # found only while reading, such as a refused XML entity
                if named and not part.inside:
                    raise
                yield Rejected(file=part.name, place="", reason=error.message)


def _papers(part: Part, form: Format) -> Iterator[Paper | Rejected]:
    from kg.sources.finish import finish  # with its tables of patterns; importing this package stays quick

    last = "the beginning"
    for item in form.read(part):
        last = item.origins[0].place if isinstance(item, Paper) else item.place
        yield finish(item) if isinstance(item, Paper) else item
    if part.damage:
        yield Rejected(file=part.name, place=f"after {last}", reason=part.damage)


def detect(part: Part) -> Format:
    """The format whose content test is surest; raises SourceError when none knows the content."""
    if not part.head.strip():
        raise SourceError(part.damage or "the file is empty", place=part.name, hint="check how the file was made")
    scores = [(form.sniff(part), part.suffix in form.suffixes, -i, form) for i, form in enumerate(FORMATS.values())]
    score, _, _, form = max(scores, key=lambda s: s[:3])
    if score <= 0:
        what = "is binary data of no known kind" if part.binary else "is no list of papers in a format I know"
        raise SourceError(
            f"{what}; supported are: {supported()}", place=part.name, hint="name the format with --format"
        )
    return form

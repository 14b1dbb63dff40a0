"""Builds a graph folder from input files, or adds to it."""

from __future__ import annotations

import gc
import hashlib
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import msgspec

from kg._version import __version__
from kg.engine import extract_all
from kg.errors import GraphError, SourceError
from kg.extract import Extractor
from kg.model import Extraction, Paper, Rejected
from kg.pipeline.folder import FORMAT, Folder, Input, Manifest, write_atomically
from kg.pipeline.former import former_people
from kg.pipeline.parts import Extracted, merge_rejected, read_records, write_records
from kg.pipeline.patch import CannotPatch, Shared, changed, patch, pieces, read_pieces, save_pieces
from kg.pipeline.report import Report, count
from kg.pipeline.write import make
from kg.records import link
from kg.records.disagreement import FILE as DISAGREEMENTS
from kg.records.disagreement import write as write_disagreements
from kg.records.keys import FILE as KEYS
from kg.records.keys import Known, read_known
from kg.resolve.outward import Row, match_lists, read_lists
from kg.resolve.overrides import Overrides, read_overrides
from kg.resolve.people.memory import FILE as PEOPLE
from kg.resolve.people.memory import read_memory
from kg.resolve.resolve import Resolved, resolve
from kg.settings import Settings
from kg.sources import read, total_bytes
from kg.text import digest
from kg.view.atlas import make_small_atlas

_BATCH = 2000  # papers between two safe points of extraction


class Progress(Protocol):
    """How a build tells how far it is; see `kg.cli.progress`."""

    def step(self, name: str, total: int | None) -> None:
        """A step begins; `total` in its own units (bytes, papers) where known."""

    def advance(self, amount: int) -> None:
        """So much more of the step is done."""


class Silent:
    """Progress that nobody watches."""

    def step(self, name: str, total: int | None) -> None: ...

    def advance(self, amount: int) -> None: ...


def build(
    inputs: Sequence[str | Path],
    folder: str | Path = "graph",
    *,
    format: str | None = None,
    workers: int | None = None,
    fresh: bool = False,
    strict: bool = False,
    limit: int | None = None,
    settings: Settings | None = None,
    progress: Progress | None = None,
    extract: Callable[..., Iterator[Extraction]] = extract_all,
) -> Report:
    """Reads files, folders or "-" and adds their papers to the graph in `folder`.

    The corrections in the folder's `overrides.toml` and the links in its `links*.csv` and `links*.tsv` are applied
    to the whole graph. Without inputs that is all: the graph is made again of what it holds.

    Args:
        format: key of a source format instead of detection. workers: extraction processes (None: all cores).
        fresh: forget what the folder holds first (`overrides.toml` stays). strict: the first record that
            cannot be read is an error and nothing is written. limit: read at most so many records.
        extract: the engine, a function such as `kg.engine.extract_all`.

    Raises:
        SourceError: an input cannot be read at all. GraphError: the folder cannot be written or is in use.
        SettingsError: a correction is malformed or names what the graph does not hold; it stays as it was.
    """
    target = Folder(Path(folder))
    if not inputs and (fresh or target.manifest(older=True) is None):
        raise GraphError(
            "there is nothing to build from",
            place=str(target.path),
            hint="kg build INPUT... -g DIR; without INPUT a graph that exists is built again with its corrections",
        )
    settings = settings or Settings()
    progress = progress or Silent()
    report = Report()
    with target.locked(), _disk_errors(target.path):
        overrides = read_overrides(target.overrides)
        outward, outward_digest = read_lists(target.lists)
        target.sweep()
        before = None if fresh else target.manifest(older=True)
        with _timed(report, "read"):
            papers = _read(inputs, format, strict, limit, report, progress)
            part = write_records(target.records, papers) if papers else None
            sums = _checksums(inputs)
        del papers
        parts = tuple(sorted({*(before.parts if before else ()), *([part] if part else ())}))
        known = {(i.name, i.sha256) for i in before.inputs} if before else set()
        files = tuple(Input(n, s) for n, s in sorted(known | sums))
        extractor_version = Extractor(settings).version
        name = digest(
            *parts,
            *(f"{i.name} {i.sha256}" for i in files),
            settings.digest(),
            extractor_version,
            __version__,
            *([overrides.digest] if overrides.digest else []),
            *([f"links {outward_digest}"] if outward_digest else []),
        )
        if before and before.graph == name and (target.graphs / name / "complete").exists():
            merge_rejected(target.rejected, report.rejected)
            report.changed, report.counts = False, before.counts
            return report
        graph = target.graphs / name
        base = target.graphs / before.graph if before and before.graph else None
        shutil.rmtree(graph, ignore_errors=True)
        graph.mkdir(parents=True)
        maker = _Make(target, parts, files, settings, overrides, extractor_version, workers, report, progress)
        maker.extract, maker.outward = extract, outward
        maker.graph(graph, base)
        with _timed(report, "map"):
            make_small_atlas(graph, lambda: progress.step("map", None))
        (graph / "complete").touch()
        manifest = Manifest(
            FORMAT, __version__, settings.digest(), extractor_version, parts, files, name, report.counts
        )
        if fresh:
            target.rejected.unlink(missing_ok=True)
        merge_rejected(target.rejected, report.rejected)
        write_atomically(target.manifest_file, msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
        target.sweep()
    return report


def _read(
    inputs: Sequence[str | Path],
    format: str | None,
    strict: bool,
    limit: int | None,
    report: Report,
    progress: Progress,
) -> list[Paper]:
    progress.step("read", total_bytes(inputs) or None)
    papers = []
    for record in read(inputs, format=format, on_bytes=progress.advance):
        if isinstance(record, Rejected):
            if strict:
                raise SourceError(
                    record.reason, place=f"{record.file}, {record.place}", hint="leave out --strict to skip it"
                )
            report.rejected.append(record)
        else:
            papers.append(record)
            if limit and len(papers) >= limit:
                break
    report.read = len(papers)
    return papers


class _Make:
    """Makes one graph of the parts in a folder."""

    def __init__(
        self,
        target: Folder,
        parts: tuple[str, ...],
        files: tuple[Input, ...],
        settings: Settings,
        overrides: Overrides,
        version: str,
        workers: int | None,
        report: Report,
        progress: Progress,
    ) -> None:
        self.target, self.parts, self.settings, self.overrides = target, parts, settings, overrides
        self.version, self.workers, self.report, self.progress = version, workers, report, progress
        self.extract: Callable[..., Iterator[Extraction]] = extract_all
        self.outward: Sequence[Row] = ()
        self.sums: dict[str, str] = {}
        for file in files:
            self.sums[file.name] = f"{self.sums.get(file.name, '')} {file.sha256}".strip()

    def graph(self, graph: Path, base: Path | None) -> None:
        """Makes the store and index from those in `base`, or, where that cannot be, from nothing."""
        resolved = self._resolve(graph, base)
        write_disagreements(graph / DISAGREEMENTS, self.report.disagreements)
        self.report.counts = count(resolved, self.settings.min_confidence)
        given: dict[str, Any] = {"version": __version__, "model": self.version, "inputs": self.sums}
        with _timed(self.report, "compare"):
            self.progress.step("compare", None)
            old = read_pieces(base) if base and (base / "complete").exists() else None
            if base and (base / "store").exists():
                resolved.former = former_people(base, old.people.keys() if old else None, resolved.people)
            shared = Shared(old is not None)
            new = pieces(resolved, self.settings, shared, **given)
            save_pieces(graph, new)
            change = changed(old, new)
        if base and change:
            try:
                with _timed(self.report, "patch"):
                    self.progress.step("patch", None)
                    patch(base, graph, change, resolved, self.settings, shared, model=self.version)
                return
            except CannotPatch:
                for part in ("store", "index.sqlite"):
                    _remove(graph / part)
        held = [resolved]
        del change, new, old, shared, resolved  # nobody but `make` holds on to what it uses up
        make(graph, held.pop(), self.settings, self._step, self.progress.advance, **given)

    @contextmanager
    def _step(self, name: str, total: int | None) -> Iterator[None]:
        with _timed(self.report, name):
            self.progress.step(name, total)
            yield

    def _resolve(self, graph: Path, base: Path | None) -> Resolved:
        with _timed(self.report, "link"):
            self.progress.step("link", None)
            known = read_known(base / KEYS) if base else Known()
            linked = link(read_records(self.target.records, self.parts), known)
            write_atomically(graph / KEYS, msgspec.msgpack.encode(known))
            del known
            self.report.merged, self.report.disagreements = linked.merged, linked.disagreements
        with _timed(self.report, "extract"):
            extractions = self._extract(linked.papers)
        with _timed(self.report, "resolve"):
            self.progress.step("resolve", None)
            known_people = read_memory(base / PEOPLE) if base else None
            resolved = resolve(linked.papers, extractions, self.overrides, known_people)
            if resolved.people.memory is not None:
                write_atomically(graph / PEOPLE, resolved.people.memory.encode())
                resolved.people.memory = None
            self.report.corrections = list(resolved.applied)
            self.report.outward = linked_out = match_lists(self.outward, resolved)
            return msgspec.structs.replace(resolved, outward=linked_out.links)

    def _extract(self, papers: Sequence[Paper]) -> list[Extraction]:
        known = Extracted(self.target.extracted, f"{self.version}-{self.settings.digest()}")
        keys = [known.key(p) for p in papers]
        missing = {key: paper for key, paper in zip(keys, papers, strict=True) if key not in known}
        self.progress.step("extract", len(missing))
        items = ((p.title, p.abstract, p.links) for p in missing.values())
        found = zip(missing, self.extract(items, self.settings, workers=self.workers, count=len(missing)), strict=True)
        with ThreadPoolExecutor(1) as beside:  # while other processes extract, this one decodes
            before = beside.submit(known.get, keys)
            now: dict[str, Extraction] = {}
            while batch := list(islice(found, _BATCH)):
                known.add(batch)
                now.update(batch)
                self.report.extracted += len(batch)
                self.progress.advance(len(batch))
            all_found = before.result() | now
        return [all_found[key] for key in keys]


def _remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def _checksums(inputs: Sequence[str | Path]) -> set[tuple[str, str]]:
    """(base name, SHA-256) of every regular file among the inputs and in input folders."""
    found = set()
    for given in inputs:
        path = Path(given)
        files = sorted(f for f in path.rglob("*") if f.is_file()) if path.is_dir() else [path]
        for file in files:
            if file.is_file():
                with open(file, "rb") as data:
                    found.add((file.name, hashlib.file_digest(data, "sha256").hexdigest()))
    return found


@contextmanager
def _timed(report: Report, step: str) -> Iterator[None]:
    start = time.perf_counter()
    # Millions of records are born and none refers back to itself: searching them for cycles again and again is
    # in vain. Extraction goes through other people's code, which may need it.
    paused = step != "extract" and gc.isenabled()
    if paused:
        gc.disable()
    try:
        yield
    finally:
        if paused:
            gc.enable()
        report.seconds[step] = report.seconds.get(step, 0.0) + time.perf_counter() - start


@contextmanager
def _disk_errors(path: Path) -> Iterator[None]:
    """A full or failing disk is a message about the folder, and the graph stays as it was."""
    try:
        yield
    except sqlite3.OperationalError as error:  # its way to say that a disk is full or fails
        raise _disk_error(str(error), path) from None
    except OSError as error:
        raise _disk_error(error.strerror or str(error), Path(error.filename or path)) from None


def _disk_error(reason: str, path: Path) -> GraphError:
    return GraphError(
        f"writing the graph failed: {reason}; the graph is as it was before",
        place=str(path),
        hint="make room or choose another -g DIR, then run the command again: finished extraction is kept",
    )

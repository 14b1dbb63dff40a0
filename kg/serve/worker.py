"""The process that runs queries: it can be killed, and nothing else suffers.

    python -m kg.serve.worker MEMORY_MB

reads one job a line from standard input (JSON), says on standard output that it took it, writes the answer
to the file the job names, and says (JSON, one line) how it went. It opens stores read-only and ends when its input does.
"""

from __future__ import annotations

import io
import resource
import signal
import sys
import traceback
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import pyoxigraph as ox

from kg.errors import EndpointError, KgError
from kg.query.bind import names_graphs, refuse_unsafe
from kg.serve.counting import Counting, TooMuch
from kg.serve.documents import Document, write_document
from kg.serve.endpoint import Endpoint
from kg.serve.negotiate import ROWS, TRIPLES, TYPES, choose
from kg.store.oxigraph import OxigraphStore
from kg.store.remote import RemoteStore
from kg.store.results import Result
from kg.vocab import PREFIXES

READY, TAKEN = b"ready\n", b"taken\n"  # what a worker says when it may be asked, and when it has read a job
_GRACE = 5  # seconds of CPU beyond the time limit; then the kernel ends a worker that nobody watches any more
_FORMATS = {
    "ttl": ox.RdfFormat.TURTLE, "nt": ox.RdfFormat.N_TRIPLES, "rdf": ox.RdfFormat.RDF_XML,
    "jsonld": ox.RdfFormat.JSON_LD,
}  # fmt: skip


class Job(msgspec.Struct, frozen=True, omit_defaults=True):
    """One query to run.

    Attributes:
        store: folder of the store. query: SPARQL text. accept: the client's wishes.
        default_graphs, named_graphs: as in the protocol. prefixes: bind the usual ones.
        into: the file for the answer. rows, size: its limits. seconds: what the query may take.
        plain: the unnamed graph alone is asked. document: makes this instead of answering a query.
        endpoint: asked instead of the store, which is then not there.
    """

    store: str
    query: str
    into: str
    accept: str = ""
    default_graphs: tuple[str, ...] = ()
    named_graphs: tuple[str, ...] = ()
    rows: int = 100_000
    size: int = 0
    seconds: float = 30.0
    plain: bool = False
    document: Document | None = None
    endpoint: Endpoint | None = None


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a job went: HTTP status, media type of the answer, or a message and a hint."""

    status: int = 200
    type: str = ""
    message: str = ""
    hint: str = ""


class _Stores:
    """The store last used stays open; a rebuilt graph is another folder."""

    def __init__(self) -> None:
        self._open: dict[str, OxigraphStore | RemoteStore] = {}

    def open(self, job: Job) -> OxigraphStore | RemoteStore:
        if job.store not in self._open:
            self._open.clear()
            store = job.endpoint.open(job.seconds) if job.endpoint else OxigraphStore.open(Path(job.store))
            self._open[job.store] = store
        return self._open[job.store]


def run(job: Job, stores: _Stores) -> Outcome:
    """Runs one job and writes its answer."""
    try:
        if job.document is not None:
            with open(job.into, "wb") as out:
                return Outcome(type=write_document(Path(job.store).parent, stores.open(job), job.document, out))
        refuse_unsafe(job.query)
        if job.endpoint:  # what does not parse is told here, and troubles no other server
            OxigraphStore(ox.Store()).query(job.query, prefixes=PREFIXES)
        result = stores.open(job).query(
            job.query,
            prefixes=PREFIXES,
            union=not job.plain and not names_graphs(job.query),
            default_graphs=job.default_graphs,
            named_graphs=job.named_graphs,
        )
        offered = TRIPLES if result.kind == "triples" else ROWS
        format = choose(job.accept, offered)
        if format is None:
            return Outcome(406, message="the answer cannot be written in a format that the client takes",
                           hint=f"Accept: {', '.join(offered)}")  # fmt: skip
        with open(job.into, "wb") as out:
            _write(result, out, format, job)
        return Outcome(type=TYPES[format])
    except TooMuch as error:
        return Outcome(413, message=str(error), hint="a LIMIT, or narrower patterns; kg serve --rows raises the limit")
    except EndpointError as error:
        return Outcome(502, message=f"the endpoint behind this server: {error.message}", hint=error.hint)
    except KgError as error:
        return Outcome(400, message=error.message, hint=error.hint)
    except MemoryError:
        return Outcome(503, message="the query needs more memory than it may have", hint="narrower patterns")
    except Exception as error:  # the process lives on; what it was stands in the server's output
        traceback.print_exc()
        return Outcome(500, message=f"the query failed: {error}")


def _write(result: Result, out: BinaryIO, format: str, job: Job) -> None:
    if result.kind == "triples":
        triples = set()
        for s, p, o in result:
            triples.add(ox.Triple(s, p, o))  # type: ignore[arg-type]
            if len(triples) > job.rows:
                raise TooMuch(f"the answer has more than {job.rows:,} triples")
        ox.serialize(sorted(triples, key=str), out, _FORMATS[format], prefixes=None if format == "nt" else PREFIXES)
        return
    counting = Counting(out, format if result.kind == "rows" else "", job.rows, job.size)
    result.write(counting, format)  # type: ignore[arg-type]


def _limit_memory(megabytes: int) -> None:
    """Bounds what this process may allocate, where the system can (Linux)."""
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_DATA, (megabytes * 2**20,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_time(seconds: float) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    total = int(used.ru_utime + used.ru_stime + seconds) + _GRACE
    resource.setrlimit(resource.RLIMIT_CPU, (total, resource.RLIM_INFINITY))


def main() -> None:
    """Serves jobs until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends its workers itself
    _limit_memory(int(sys.argv[1]))
    stores = _Stores()
    answers = io.FileIO(1, "w", closefd=False)
    answers.write(READY)
    for line in sys.stdin.buffer:
        answers.write(TAKEN)
        job = msgspec.json.decode(line, type=Job)
        _limit_time(job.seconds)
        outcome: Any = run(job, stores)
        answers.write(msgspec.json.encode(outcome) + b"\n")


if __name__ == "__main__":
    main()

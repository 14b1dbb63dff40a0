"""The SPARQL 1.1 Protocol for queries (https://www.w3.org/TR/sparql11-protocol/)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from kg.serve.description import DESCRIPTIONS, describe
from kg.serve.negotiate import TYPES, choose
from kg.serve.pool import Answer, Pool, Refused
from kg.serve.worker import Job

_FORM, _DIRECT = "application/x-www-form-urlencoded", "application/sparql-query"
_CHUNK = 2**18


async def endpoint(request: Request) -> Response:
    """`/sparql`."""
    given = await _parameters(request)
    if "update" in given:
        raise Refused(400, "this endpoint reads only: it takes no updates", "kg build adds papers")
    queries = given.get("query", [])
    if not queries and request.method in ("GET", "HEAD"):
        if choose(request.headers.get("accept", ""), {**DESCRIPTIONS, "text/html": "html"}) == "html":
            return RedirectResponse("/ask", 303, headers={"Vary": "Accept"})
        return _description(request)
    if len(queries) != 1:
        raise Refused(400, "a request carries exactly one query", "?query=SELECT…, or a body of type " + _DIRECT)
    return await answer(
        request,
        queries[0],
        given.get("default-graph-uri", []),
        given.get("named-graph-uri", []),
        accept=request.headers.get("accept", ""),
    )


async def answer(
    request: Request,
    query: str,
    default: list[str] | None = None,
    named: list[str] | None = None,
    *,
    accept: str,
    plain: bool = False,
) -> Response:
    """Runs a query and streams its answer; a client that goes away takes its query with it."""
    found = await ask(request, query, default, named, accept=accept, plain=plain)
    return streamed(found, {"Vary": "Accept"})


def streamed(found: Answer, headers: dict[str, str]) -> Response:
    """An answer, piece by piece from its file."""
    headers = {**headers, "Content-Length": str(found.size)}
    return StreamingResponse(_pieces(found), headers=headers, media_type=found.type)


async def ask(
    request: Request,
    query: str,
    default: list[str] | None = None,
    named: list[str] | None = None,
    *,
    accept: str,
    plain: bool = False,
) -> Answer:
    """Runs a query for a request; `plain`: the unnamed graph alone is asked.

    Raises:
        Refused: it was not answered.
    """
    limits = request.app.state.limits
    snapshot = request.app.state.graphs.current()
    store = str(snapshot.folder / "store")

    def job(into: str) -> Job:
        return Job(store, query, into, accept, tuple(default or ()), tuple(named or ()), limits.rows, limits.bytes,
                   limits.timeout, plain, endpoint=snapshot.endpoint)  # fmt: skip

    return await in_process(request, job)


async def in_process(request: Request, job: Callable[[str], Job]) -> Answer:
    """Runs a job in a query process, and ends it when the client goes away.

    Raises:
        Refused: there was no answer.
    """
    pool: Pool = request.app.state.pool
    running = asyncio.ensure_future(pool.run(job))
    leaving = asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait({running, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not running.done():
            running.cancel()
            with contextlib.suppress(asyncio.CancelledError, Refused):
                (await running).file.close()
            raise Refused(499, "the client has gone")
        return running.result()
    finally:
        leaving.cancel()


async def _left(request: Request) -> None:
    """Waits until the client closes the connection."""
    with contextlib.suppress(ClientDisconnect):
        await request.body()
        while (await request.receive())["type"] != "http.disconnect":
            pass


async def _pieces(answer: Answer) -> AsyncIterator[bytes]:
    try:
        while piece := await run_in_threadpool(answer.file.read, _CHUNK):
            yield piece
    finally:
        answer.file.close()


async def _parameters(request: Request) -> dict[str, list[str]]:
    """The parameters of a request: of its address, of its form; a query sent directly stands under "query".

    Raises:
        Refused: it is not put as the protocol has it.
    """
    given = _decoded(request.scope["query_string"])
    if request.method in ("GET", "HEAD"):
        return given
    media, *details = (p.strip().lower() for p in request.headers.get("content-type", "").split(";"))
    try:
        body = await request.body()
    except ClientDisconnect:  # gone, or so slow that it was given up
        raise Refused(408, "the request did not arrive in time", "send it at once") from None
    if media not in (_FORM, _DIRECT):
        raise Refused(415, f"a query cannot be sent as {media or 'no type'!r}", f"use {_DIRECT} or {_FORM}")
    if any(d.startswith("charset=") and d.strip('"') not in ("charset=utf-8", 'charset="utf-8') for d in details):
        raise Refused(415, "queries are read in UTF-8 only", "charset=utf-8")
    if media == _FORM:
        if "query" in given:
            raise Refused(400, "the query stands in the form or in the address, not in both")
        for name, values in _decoded(body).items():
            given.setdefault(name, []).extend(values)
        return given
    if "query" in given:
        raise Refused(400, "the query stands in the body or in the address, not in both")
    try:
        return {**given, "query": [body.decode("utf-8")]}
    except UnicodeDecodeError:
        raise Refused(400, "the query is not UTF-8") from None


def _decoded(text: bytes) -> dict[str, list[str]]:
    try:
        return parse_qs(text.decode("utf-8"), keep_blank_values=True, errors="strict", max_num_fields=200)
    except ValueError as error:  # UnicodeDecodeError is one
        raise Refused(400, f"the parameters cannot be read: {error}") from None


def _description(request: Request) -> Response:
    format = choose(request.headers.get("accept", ""), DESCRIPTIONS)
    if format is None:
        raise Refused(406, "the description comes as RDF or JSON", f"Accept: {', '.join(DESCRIPTIONS)}")
    body = describe(str(request.url.replace(query="", fragment="")), format)
    media = "application/json" if format == "json" else TYPES[format]
    return Response(body, media_type=media, headers={"Vary": "Accept"})

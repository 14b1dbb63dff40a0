"""The application: which address is answered by what."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable

from anyio.to_thread import current_default_thread_limiter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kg.errors import EndpointError, KgError
from kg.serve import api, pages, sparql
from kg.serve.guard import Guard, TooLong, error_body
from kg.serve.limits import Limits
from kg.serve.pool import Pool, Refused
from kg.serve.snapshot import Graphs

_THREADS = 12  # requests answered at once beside the queries; each thread has its own connections to the index


def make_app(
    graphs: Graphs, limits: Limits, hosts: Iterable[str] = ("127.0.0.1", "localhost", "::1"), name: str = "graph"
) -> Guard:
    """The ASGI application for a graph, guarded.

    Args:
        name: of the graph, for people.
        hosts: names under which the server may be asked; "*" allows any address, but no other name.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = _THREADS
        app.state.drawing = asyncio.Lock()
        await app.state.pool.start()
        yield
        await app.state.pool.stop()

    app = Starlette(
        routes=[
            Route("/sparql", sparql.endpoint, methods=["GET", "POST"]),
            *api.routes(),
            *pages.routes(),
        ],
        exception_handlers={
            Refused: _told, KgError: _told, HTTPException: _told, TooLong: _told, Exception: _broken,
        },
        lifespan=lifespan,
    )  # fmt: skip
    app.state.graphs, app.state.limits, app.state.pool, app.state.name = graphs, limits, Pool(limits), name
    return Guard(app, limits, hosts)


async def _told(request: Request, error: Exception) -> Response:
    """An error a client can act on."""
    headers: dict[str, str] = {}
    if isinstance(error, HTTPException):
        code, message, hint = error.status_code, error.detail, ""
        headers.update(error.headers or {})
        if code == 404:
            message, hint = "there is nothing at this address", "/ is the explorer, /sparql the endpoint"
        elif code == 405:
            message, hint = f"{request.method} is not possible here", headers.get("Allow", headers.get("allow", ""))
    elif isinstance(error, TooLong):
        code, message, hint = 413, "the request is too long", f"at most {request.app.state.limits.body // 1024} kB"
    elif isinstance(error, Refused):
        code, message, hint = error.status, error.message, error.hint
    else:
        assert isinstance(error, KgError)
        code, message, hint = 502 if isinstance(error, EndpointError) else 400, error.message, error.hint
    if code == 503:
        headers["Retry-After"] = "5"
    return Response(error_body(code, message, hint), code, headers, "application/json")


async def _broken(request: Request, error: Exception) -> Response:
    """An error of this program; what it was stands in the server's own output."""
    body = error_body(500, "the server failed over this request", "its output says where; please report it")
    return Response(body, 500, media_type="application/json")

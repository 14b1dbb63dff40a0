"""The explorer's own files, and what an entity's IRI leads to."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

import kg
from kg.serve.negotiate import TRIPLES, choose
from kg.serve.pool import Refused
from kg.serve.sparql import answer
from kg.vocab import DCTERMS, ID

BUNDLE = Path(kg.__file__).resolve().parent / "web" / "dist"
APPLICATION = ("/", "/map", "/entity", "/paths", "/link", "/ask", "/about")
_MISSING = """<!doctype html><html lang="en"><meta charset="utf-8"><title>paperkg</title>
<h1>paperkg</h1>
<p>This installation has no explorer: it runs from a checkout whose front end was not built. With a Node installation,
<code>npm ci && npm run build</code> in <code>kg/web</code> builds it; the published wheel carries it.
<p>Everything else works: <a href="/sparql">/sparql</a>, <a href="/api/meta.json">/api/meta.json</a>,
<a href="/api/queries.json">/api/queries.json</a>, <a href="/api/search.json">/api/search.json</a>.
"""


class _Lasting(StaticFiles):
    """Files whose name changes with their content."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


def routes() -> list[Route | Mount]:
    """All addresses of this module."""
    found: list[Route | Mount] = [Route(path, page) for path in APPLICATION]
    found.append(Route("/id/{name:path}", by_iri))
    found.append(Route("/{name}", extra))
    found.append(Mount("/assets", _Lasting(directory=BUNDLE / "assets", check_dir=False)))
    return found


async def page(request: Request) -> Response:
    """The page of the application; which part of it is shown it reads from the address."""
    index = BUNDLE / "index.html"
    if not index.is_file():
        return Response(_MISSING, media_type="text/html; charset=utf-8")
    return FileResponse(index, headers={"Cache-Control": "no-cache"})


async def extra(request: Request) -> Response:
    """A file at the top of the bundle (an icon, the licences)."""
    name = request.path_params["name"]
    if BUNDLE.is_dir() and name in {f.name for f in BUNDLE.iterdir() if f.is_file()}:
        media = "text/plain; charset=utf-8" if name.endswith(".txt") else None
        return FileResponse(BUNDLE / name, media_type=media)
    raise Refused(404, "there is nothing at this address", "/ is the explorer, /sparql the endpoint")


async def by_iri(request: Request) -> Response:
    """An entity's IRI: its page for a browser, its statements for a program (https://www.w3.org/TR/cooluris/)."""
    tail = raw_tail(request, "/id/")
    offered = {m: f for m, f in TRIPLES.items() if m != "application/json"}  # first, so programs without wishes get it
    offered |= {"text/html": "html", "application/json": "json"}
    format = choose(request.headers.get("accept", ""), offered)
    if format is None:
        raise Refused(406, "an entity comes as a page, JSON or RDF", f"Accept: {', '.join(offered)}")
    moved = await run_in_threadpool(_replacement, request, tail)
    if moved:
        return RedirectResponse(f"/id/{moved}", 301, headers={"Vary": "Accept"})
    if format == "html":
        return RedirectResponse(f"/entity?id={quote(tail, safe='/')}", 303, headers={"Vary": "Accept"})
    if format == "json":
        return RedirectResponse(f"/api/entity/{quote(tail, safe='/%')}.json", 303, headers={"Vary": "Accept"})
    return await statements(request, tail, request.headers.get("accept", ""))


async def statements(request: Request, tail: str, accept: str) -> Response:
    """The statements about an entity of this graph.

    Raises:
        Refused: 404, there are none.
    """
    iri = checked_iri(tail)
    snapshot = request.app.state.graphs.current()
    if not await run_in_threadpool(lambda: snapshot.about(iri)):
        raise Refused(404, f"nothing in this graph has the id {tail[:200]!r}", "search finds by any name")
    return await answer(request, f"DESCRIBE <{iri}>", accept=accept)


def checked_iri(tail: str) -> str:
    """The IRI of an entity, which cannot be anything but one IRI in a query.

    Raises:
        Refused: 400.
    """
    if any(c in '<>"{}|^`\\' or c <= " " for c in tail):
        raise Refused(400, "this is no IRI of an entity")
    return ID + tail


def raw_tail(request: Request, prefix: str) -> str:
    """What follows a prefix in the address, as it was sent (an IRI's own percent signs stay)."""
    raw: bytes = request.scope.get("raw_path") or request.scope["path"].encode()
    return raw.split(b"?")[0].decode("latin-1").removeprefix(prefix)


def _replacement(request: Request, tail: str) -> str:
    """The entity that took the place of one that was merged away."""
    try:
        about = request.app.state.graphs.current().about(checked_iri(tail))
    except ValueError:
        raise Refused(400, "this is no IRI of an entity") from None
    return next((str(o.value).removeprefix(ID) for p, o in about if p == DCTERMS.isReplacedBy), "")

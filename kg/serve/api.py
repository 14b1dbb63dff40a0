"""The application programming interface: `/api/…`, JSON for the explorer, with twins in other formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kg._version import __version__
from kg.links.lenses import LENSES
from kg.query.bind import bind
from kg.query.catalogue import NamedQuery, load_catalogue
from kg.query.index import KINDS
from kg.query.lookup import Match
from kg.query.run import bindings_of
from kg.serve import maps, reasons, search, twins
from kg.serve.ask import ROLES, choice_of, lens_of, whole
from kg.serve.documents import Way
from kg.serve.entities import describe
from kg.serve.negotiate import ROWS
from kg.serve.pages import raw_tail, statements
from kg.serve.pool import Refused
from kg.serve.snapshot import Snapshot, describe_counts
from kg.serve.sparql import answer, ask, in_process, streamed
from kg.serve.terms import terms
from kg.serve.things import by_id, by_name, entity
from kg.serve.worker import Job
from kg.vocab import ID, PREFIXES

Given = Mapping[str, str]
_HOPS = 4
_FORMATS = {"csv": "text/csv", "tsv": "text/tab-separated-values", "xml": "application/sparql-results+xml",
            "ttl": "text/turtle", "nt": "application/n-triples", "jsonld": "application/ld+json"}  # fmt: skip
_NAMED = 500  # IRIs of an answer that are described beside it


def routes() -> list[Route]:
    """All addresses of this module."""
    plain: dict[str, Callable[[Snapshot, Given], Any]] = {
        "search": search.search, "complete": search.complete, "link": _link, "terms": lambda s, g: terms(),
        "queries": lambda s, g: _catalogue(),
    }  # fmt: skip
    return [
        Route("/api/meta.json", meta),
        *(Route(f"/api/{name}.json", _json(function)) for name, function in plain.items()),
        Route("/api/paths.json", paths),
        Route("/api/search.csv", search_table),
        Route("/api/map/{lens}.{suffix}", picture),
        Route("/api/neighbours/{name:path}", neighbours),
        Route("/api/entity/{name:path}", one),
        Route("/api/query/{name}.{suffix}", named),
    ]


def _json(function: Callable[[Snapshot, Given], Any]) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        return await _answered(request, function)

    return endpoint


async def _answered(request: Request, function: Callable[[Snapshot, Given], Any]) -> Response:
    """Answers with what a function makes of the current graph; the answer is kept, and named by an ETag."""
    snapshot: Snapshot = request.app.state.graphs.current()
    address = f"{request.url.path}?{request.url.query}"
    tag = f'"{snapshot.name}-{__version__}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(None, 304, headers)
    body = snapshot.answers.get(address)
    if body is None:
        given = dict(request.query_params)
        body = await run_in_threadpool(lambda: msgspec.json.encode(function(snapshot, given)))
        snapshot.answers.put(address, body)
    return Response(body, headers=headers, media_type="application/json")


async def meta(request: Request) -> Response:
    """What is served, in a few numbers."""
    state = request.app.state
    return await _answered(request, partial(_meta, limits=state.limits, folder=state.name))


def _meta(snapshot: Snapshot, given: Given, *, limits: Any, folder: str) -> dict[str, Any]:
    network = snapshot.network
    years = network.year[network.year > 0]
    counts = {kind: int((network.kind[1:] == i).sum()) for i, kind in enumerate(KINDS)}
    venues = snapshot.db.execute(
        "SELECT v.tail, v.label, COUNT(*) AS n FROM thing p JOIN thing v ON v.label = p.venue AND v.kind = 'venue' "
        "WHERE p.kind = 'paper' GROUP BY v.id ORDER BY n DESC, v.id LIMIT 200"
    )
    lenses = []
    for name, lens in LENSES.items():
        size = len(snapshot.columns(name)["node"])
        empty = {} if size else {"empty": lens.empty}
        lenses.append(
            {"name": name, "title": lens.title, "node": lens.node, "edge": lens.edge, "size_hint": size, **empty}
        )
    return {
        "version": __version__,
        "graph": {
            "path": folder,
            "built": datetime.fromtimestamp(snapshot.built, UTC).isoformat(timespec="seconds"),
            "counts": {**describe_counts(snapshot.counts), **counts},
        },
        "lenses": lenses,
        "kinds": list(KINDS),
        "roles": list(ROLES),
        "years": [int(years.min()), int(years.max())] if len(years) else None,
        "venues": [{"id": tail, "label": label, "count": n} for tail, label, n in venues],
        "prefixes": {prefix: str(namespace) for prefix, namespace in PREFIXES.items()},
        "limits": {"timeout_s": limits.timeout, "rows": limits.rows},
    }


async def picture(request: Request) -> Response:
    """`/api/map/{lens}.json` and its twins."""
    lens, suffix = lens_of(request.path_params["lens"]), request.path_params["suffix"]
    if "around" in request.query_params:
        return await _picture(request, lens, suffix)
    async with request.app.state.drawing:  # a whole map takes 100 MB for a second: one at a time
        return await _picture(request, lens, suffix)


async def _picture(request: Request, lens: str, suffix: str) -> Response:
    if suffix == "json":
        return await _answered(request, lambda s, g: maps.to_json(s, _drawn(s, lens, g)))
    if suffix not in (*twins.MAPS, *twins.DOCUMENTS):
        raise Refused(404, f"a map has no form {suffix[:20]!r}", f"json, {', '.join((*twins.MAPS, *twins.DOCUMENTS))}")
    snapshot: Snapshot = request.app.state.graphs.current()
    given = dict(request.query_params)
    if suffix in twins.DOCUMENTS:
        wanted = await run_in_threadpool(lambda: twins.document(snapshot, _drawn(snapshot, lens, given), suffix, given))
        store, seconds = str(snapshot.folder / "store"), request.app.state.limits.timeout
        found = await in_process(
            request, lambda into: Job(store, "", into, seconds=seconds, document=wanted, endpoint=snapshot.endpoint)
        )
        return streamed(found, twins.headers(f"{lens}.{suffix}"))

    def write() -> bytes:
        return twins.MAPS[suffix](snapshot, _drawn(snapshot, lens, given), given)

    body = await run_in_threadpool(write)
    return Response(body, headers=twins.headers(f"{lens}.{suffix}"), media_type=twins.MEDIA[suffix])


def _drawn(snapshot: Snapshot, lens: str, given: Given) -> maps.Picture:
    choice = choice_of(snapshot, given)
    limit = whole(given, "limit", maps.DRAWN, 1, maps.DRAWN) or maps.DRAWN
    if start := given.get("around", ""):
        hops = whole(given, "hops", 1, 0, _HOPS)
        return maps.around(snapshot, lens, choice, by_name(snapshot, start), 1 if hops is None else hops, limit)
    return maps.draw(snapshot, lens, choice, limit)


async def neighbours(request: Request) -> Response:
    """`/api/neighbours/{type}/{key}.json`."""
    names = _names(request, "/api/neighbours/", "json")

    def around(snapshot: Snapshot, given: Given) -> Any:
        hops, limit = whole(given, "hops", 1, 0, _HOPS), whole(given, "limit", 200, 1, 5000) or 200
        found = by_id(snapshot, *names)
        choice = choice_of(snapshot, given)
        return maps.to_json(
            snapshot, maps.around(snapshot, "all", choice, found, 1 if hops is None else hops, limit, fresh=False)
        )

    return await _answered(request, around)


async def one(request: Request) -> Response:
    """`/api/entity/{type}/{key}` with a suffix."""
    suffix = request.path_params["name"].rpartition(".")[2]
    if suffix == "json":
        names = _names(request, "/api/entity/", "json")
        return await _answered(request, lambda s, g: describe(s, by_id(s, *names)))
    if suffix in ("ttl", "nt", "jsonld"):
        return await statements(request, _names(request, "/api/entity/", suffix)[0], _FORMATS[suffix])
    if suffix == "csv":
        names = _names(request, "/api/entity/", "csv")
        snapshot: Snapshot = request.app.state.graphs.current()
        body = await run_in_threadpool(lambda: twins.entity_table(snapshot, by_id(snapshot, *names)))
        return Response(body, headers=twins.headers("entity.csv"), media_type=twins.MEDIA["csv"])
    raise Refused(404, f"an entity has no form {suffix[:20]!r}", "json, ttl, nt, jsonld, csv")


def _names(request: Request, prefix: str, suffix: str) -> tuple[str, str]:
    """The id in an address, as it was sent and decoded."""
    raw, decoded = raw_tail(request, prefix), request.path_params["name"]
    if not decoded.endswith(f".{suffix}"):
        raise Refused(404, "there is nothing at this address", f"{prefix}type/key.{suffix}")
    return raw.removesuffix(f".{suffix}"), decoded.removesuffix(f".{suffix}")


async def search_table(request: Request) -> Response:
    """`/api/search.csv`."""
    snapshot: Snapshot = request.app.state.graphs.current()
    given = {"limit": "200", **dict(request.query_params)}
    body = await run_in_threadpool(lambda: twins.search_table(search.search(snapshot, given)))
    return Response(body, headers=twins.headers("search.csv"), media_type=twins.MEDIA["csv"])


def _link(snapshot: Snapshot, given: Given) -> Any:
    return reasons.link(snapshot, *_two(snapshot, given))


async def paths(request: Request) -> Response:
    """`/api/paths.json`."""
    snapshot: Snapshot = request.app.state.graphs.current()
    given = dict(request.query_params)
    a, b = await run_in_threadpool(lambda: _two(snapshot, given))
    asked = reasons.asked_paths(a, b, whole(given, "k", 3, 1, 10) or 3)
    store, seconds = str(snapshot.folder / "store"), request.app.state.limits.timeout
    found = await in_process(
        request, lambda into: Job(store, "", into, seconds=seconds, document=asked, endpoint=snapshot.endpoint)
    )
    with found.file:
        ways = msgspec.json.decode(found.file.read(), type=list[Way])
    body = await run_in_threadpool(lambda: msgspec.json.encode(reasons.told_paths(snapshot, a, b, ways)))
    return Response(body, media_type="application/json")


def _two(snapshot: Snapshot, given: Given) -> tuple[Match, Match]:
    return by_name(snapshot, given.get("a", "")), by_name(snapshot, given.get("b", ""))


def _catalogue() -> list[dict[str, Any]]:
    return [
        {
            "name": q.name,
            "title": q.title,
            "question": q.question,
            "tags": list(q.tags),
            "params": [
                {"name": p.name, "type": p.type, "example": p.example, "optional": p.optional} for p in q.params
            ],
            "sparql": q.text,
        }
        for q in load_catalogue().values()
    ]


async def named(request: Request) -> Response:
    """`/api/query/{name}` with a suffix: a question of the catalogue, its parameters in the address."""
    name, suffix = request.path_params["name"], request.path_params["suffix"]
    query = load_catalogue().get(name)
    if query is None:
        raise Refused(404, f"no query is called {name[:80]!r}", "/api/queries.json lists them")
    snapshot: Snapshot = request.app.state.graphs.current()
    given = dict(request.query_params)
    text = await run_in_threadpool(lambda: bound(snapshot, query, given))
    if suffix == "json":
        return await _with_entities(request, snapshot, text, query.plain)
    if suffix not in _FORMATS:
        raise Refused(404, f"an answer has no form {suffix[:20]!r}", f"json, {', '.join(_FORMATS)}")
    if suffix == "csv":
        found = await ask(request, text, accept=_FORMATS["csv"], plain=query.plain)
        with found.file:
            body = await run_in_threadpool(lambda: twins.defused(found.file.read()))
        return Response(body, headers=twins.headers(f"{name}.csv"), media_type=twins.MEDIA["csv"])
    accept = "application/rdf+xml, application/sparql-results+xml" if suffix == "xml" else _FORMATS[suffix]
    return await answer(request, text, accept=accept, plain=query.plain)


def bound(snapshot: Snapshot, query: NamedQuery, given: Given) -> str:
    """The text of a query with its parameters in place."""
    values = {name: value for name, value in given.items() if value != ""}
    return bind(query.text, bindings_of(snapshot.lookup, query, values))


async def _with_entities(request: Request, snapshot: Snapshot, text: str, plain: bool) -> Response:
    """SPARQL's JSON results, with the entities they name beside them; triples come as JSON-LD."""
    found = await ask(request, text, accept=f"{next(iter(ROWS))}, application/ld+json", plain=plain)
    with found.file:
        data = await run_in_threadpool(found.file.read)
    if not found.type.startswith("application/sparql-results+json"):
        return Response(data, media_type=found.type)
    body = await run_in_threadpool(lambda: _described(snapshot, data))
    return Response(body, media_type="application/sparql-results+json")


def _described(snapshot: Snapshot, data: bytes) -> bytes:
    answer = msgspec.json.decode(data)
    iris: dict[str, None] = {}
    for row in answer.get("results", {}).get("bindings", ()):
        for term in row.values():
            if term["type"] == "uri" and term["value"].startswith(ID):
                iris[term["value"]] = None
    known = {iri: entity(found[0]) for iri in list(iris)[:_NAMED] if (found := snapshot.lookup.all(iri))}
    return msgspec.json.encode({"head": answer["head"], "entities": known, **answer})

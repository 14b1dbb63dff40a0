"""What stands before every page: who may ask, how large and how slow, and what a browser may do with it.

The server reads only, but what it reads may be private, and its queries cost time. So a page of another
site must neither read it nor make it work: the Host header is checked (a foreign name that leads here is
DNS rebinding), requests that a browser marks as coming from another site are refused, and no answer
carries a header that opens it to other origins. Following a link to a page stays possible.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import re
import socket
from collections.abc import Iterable
from typing import Any

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kg.serve.limits import Limits

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; worker-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
)
_HEADERS = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"x-frame-options": b"DENY",
}
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::\d{1,5})?")
_DRAIN_SECONDS, _DRAIN_BYTES = 3.0, 2**24
_COSTLY = ("/sparql", "/api/")


class Guard:
    """ASGI middleware with all of it."""

    def __init__(self, app: ASGIApp, limits: Limits, hosts: Iterable[str]) -> None:
        self._app, self._limits = app, limits
        self._hosts = {h.lower() for h in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        guarded = self._sender(send)
        if (fault := self._fault(scope)) is not None:
            if fault[0] == 413:  # a client that is cut off while it sends never reads why
                await _drained(receive)
            await _refuse(guarded, *fault)
            return
        await self._app(scope, self._receiver(receive), guarded)

    def _fault(self, scope: Scope) -> tuple[int, str, str] | None:
        """Status, message and hint for a request that is refused."""
        headers = scope["headers"]
        hosts = [v for k, v in headers if k == b"host"]
        if len(hosts) != 1 or not self._ours(hosts[0].decode("latin-1")):
            return 421, "this server does not answer to that name", f"use {' or '.join(sorted(self._hosts)[:3])}"
        given = {k.decode("latin-1"): v.decode("latin-1") for k, v in headers}
        path = scope["path"]
        costly = path.startswith(_COSTLY) or path == "/sparql"
        site = given.get("sec-fetch-site", "")
        if site in ("cross-site", "same-site") and (costly or given.get("sec-fetch-mode") != "navigate"):
            return 403, "pages of other sites may not ask this server", "open the address itself"
        origin = given.get("origin")
        if origin is not None and not self._same(origin, hosts[0].decode("latin-1")):
            return 403, "pages of other sites may not ask this server", "open the address itself"
        length = given.get("content-length", "0")
        if not length.isdigit() or int(length) > self._limits.body:
            return 413, f"a request may have {self._limits.body // 1024} kB", "a shorter query"
        return None

    def _ours(self, host: str) -> bool:
        found = _HOST.fullmatch(host.strip().lower())
        if not found:
            return False
        name = found[1].strip("[]")
        if name in self._hosts:
            return True
        if "*" not in self._hosts:
            return False
        try:  # listening on all addresses: an address is no name that others could point here
            ipaddress.ip_address(name)
        except ValueError:
            return name == socket.gethostname().lower()
        return True

    def _same(self, origin: str, host: str) -> bool:
        scheme, _, rest = origin.partition("://")
        return scheme in ("http", "https") and rest.lower() == host.strip().lower()

    def _receiver(self, receive: Receive) -> Receive:
        """Receives a body that comes neither too slowly nor too long; afterwards only the end of the connection."""
        size, whole = 0, False

        async def receiver() -> Message:
            nonlocal size, whole
            if whole:
                return await receive()
            try:
                async with asyncio.timeout(self._limits.patience):
                    message = await receive()
            except TimeoutError:
                whole = True
                return {"type": "http.disconnect"}
            size += len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if size > self._limits.body:
                raise TooLong
            return message

        return receiver

    def _sender(self, send: Send) -> Send:
        """Sends with the headers that every answer has."""

        async def sender(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {k.lower() for k, _ in message["headers"]}
                extra = [(k, v) for k, v in _HEADERS.items() if k not in names]
                if b"cache-control" not in names:
                    extra.append((b"cache-control", b"no-store"))
                message = {**message, "headers": [*message["headers"], *extra]}
            await send(message)

        return sender


class TooLong(Exception):
    """The body of a request is longer than the server takes."""


def error_body(code: int, message: str, hint: str = "") -> bytes:
    """An error as clients read it."""
    return msgspec.json.encode({"error": {"message": message, "hint": hint, "code": code}})


async def _drained(receive: Receive) -> None:
    """Reads what a client still sends, for a moment."""
    size = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            while size < _DRAIN_BYTES:
                message = await receive()
                size += len(message.get("body", b""))
                if not message.get("more_body"):
                    return


async def _refuse(send: Any, status: int, message: str, hint: str) -> None:
    body = error_body(status, message, hint)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()),
               (b"connection", b"close")]  # fmt: skip
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})

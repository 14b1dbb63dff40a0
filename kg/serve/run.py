"""Runs the application: the socket, the web server, and how slow a client may be."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import socket
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from kg.errors import KgError
from kg.serve.limits import Limits

_HEAD = 32 * 1024  # bytes of a request's address and headers
_KEEP = 15  # seconds an idle connection stays open


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        KgError: the port is taken, or the address is none of this machine's.
    """
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, proto)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(256)
        return bound
    except socket.gaierror:
        raise KgError(f"there is no address {host!r}", place="--host", hint="--host 127.0.0.1") from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise KgError(
                f"port {port} is in use, perhaps by another kg serve",
                place=f"{host}:{port}",
                hint=f"--port {port + 1 if port < 65535 else 8000}, or end the other program",
            ) from None
        hint = "a port above 1023" if error.errno == errno.EACCES else "--host 127.0.0.1"
        raise KgError(f"cannot listen: {error.strerror}", place=f"{host}:{port}", hint=hint) from None


def hosts_of(host: str) -> tuple[str, ...]:
    """Names under which a server on this address may be asked."""
    names = ("127.0.0.1", "localhost", "::1", host.lower())
    return (*names, "*") if host in ("0.0.0.0", "::", "") else names


def is_local(host: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def run(app: ASGIApp, bound: socket.socket, limits: Limits) -> None:
    """Serves until it is interrupted."""

    class Patient(H11Protocol):
        """Closes connections that take too long to say what they want, or to take what they asked for.

        uvicorn itself would wait for ever.
        """

        _deadline: Any = None
        _full: Any = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._wait()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.conn.their_state is h11.IDLE:
                self._wait()
            else:
                self._forget()

        def pause_writing(self) -> None:
            super().pause_writing()
            self._full = asyncio.get_running_loop().call_later(limits.patience, self.transport.abort)

        def resume_writing(self) -> None:
            super().resume_writing()
            self._full.cancel()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget()
            if self._full is not None:
                self._full.cancel()
            super().connection_lost(exc)

        def _wait(self) -> None:
            if self._deadline is None:  # a byte now and then gives no more time
                self._deadline = asyncio.get_running_loop().call_later(limits.patience, self._end)

        def _forget(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()
                self._deadline = None

        def _end(self) -> None:
            self._deadline = None
            if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
                self.transport.close()

    config = uvicorn.Config(
        app, http=Patient, ws="none", lifespan="on", log_level="warning", access_log=False, server_header=False,
        date_header=True, proxy_headers=False, h11_max_incomplete_event_size=_HEAD, timeout_keep_alive=_KEEP,
        limit_concurrency=limits.connections, timeout_graceful_shutdown=3,
    )  # fmt: skip
    uvicorn.Server(config).run(sockets=[bound])

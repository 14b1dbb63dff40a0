"""Requests to a SPARQL server: bounded retries where asking twice does no harm, and errors that say what to do.

Nothing here is imported, and no connection is opened, unless a user names an endpoint.
"""

from __future__ import annotations

import netrc
import os
import re
import time
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import requests
from requests.auth import HTTPBasicAuth, HTTPDigestAuth

from kg._version import __version__
from kg.errors import EndpointError, UsageError

PASSWORD = "KG_PASSWORD"  # the environment variable
_CONNECT = 10.0  # seconds until a connection must stand
_TRIES, _PAUSE, _LONGEST_PAUSE = 3, 0.5, 10.0
_BUSY = frozenset((429, 502, 503, 504))
_MOVED = frozenset((301, 302, 303, 307, 308))
_HOPS = 5
_LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))


class Connection:
    """A server, spoken to over one kept-alive connection.

    Attributes:
        url: the address, without a password; what messages name.
    """

    def __init__(self, url: str, *, user: str = "", timeout: float = 300.0) -> None:
        """Opens nothing yet.

        Args:
            user: sent when the server asks for a login, with the password from $KG_PASSWORD or ~/.netrc.
            timeout: seconds that the server may take before it answers, or between two pieces of its answer.

        Raises:
            UsageError: the address is none, holds a password, or there is no password for the user.
        """
        self.url = checked(url)
        self._timeout = timeout
        self._session = requests.Session()
        self._session.headers["User-Agent"] = f"paperkg/{__version__}"
        # Proxies of the environment are used, except to this machine; logins of ~/.netrc only with `user`.
        self._session.trust_env = urlsplit(url).hostname not in _LOOPBACK
        self._session.auth = _Nobody()
        self._login = (user, password_of(user, url)) if user else None

    def send(
        self,
        method: str,
        *,
        data: bytes | Path | Mapping[str, object] | None = None,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> requests.Response:
        """The server's answer, whole, to a request that may safely be sent twice; a path sends a file.

        Raises:
            EndpointError: the server is not reached, is too slow or says no; the hint tells what to try.
        """
        url = self.url
        for _ in range(_HOPS + 1):
            response = self._patiently(method, url, data, params, headers)
            if response.status_code == 401 and self._login and isinstance(self._session.auth, _Nobody):
                self._session.auth = _login(response, *self._login)
                response = self._patiently(method, url, data, params, headers)
            if response.status_code not in _MOVED:
                return self._accepted(response)
            url, params = self._moved(url, response), None
        raise self._error("the server redirects in a circle", "open the address in a browser to see where it leads")

    def close(self) -> None:
        """Closes the connection; the next request opens it again."""
        self._session.close()

    def _patiently(self, method: str, url: str, data: object, params: object, headers: object) -> requests.Response:
        """One request, tried again when the server is not there yet, busy, or drops the connection."""
        for left in reversed(range(_TRIES)):
            pause = _PAUSE * 2 ** (_TRIES - 1 - left)
            try:
                with open(data, "rb") if isinstance(data, Path) else nullcontext(data) as body:
                    response = self._session.request(
                        method, url, data=body, params=params, headers=headers,  # type: ignore[arg-type]
                        timeout=(_CONNECT, self._timeout), allow_redirects=False,
                    )  # fmt: skip
            except requests.exceptions.ReadTimeout:
                # Not again: the server may still be at work, and would do it twice.
                raise self._error(
                    f"no answer within {self._timeout:g} s", "a narrower question, or a longer --timeout"
                ) from None
            except requests.exceptions.SSLError as error:
                raise self._error(
                    f"no secure connection: {_why(error)}", "check the certificate and the name"
                ) from None
            except (requests.exceptions.ConnectionError, requests.exceptions.ChunkedEncodingError) as error:
                if not left:
                    raise self._error(*_unreached(error)) from None
            except (requests.exceptions.RequestException, ValueError) as error:
                raise self._error(_why(error), "check the address") from None
            else:
                if response.status_code not in _BUSY or not left:
                    return response
                given = response.headers.get("Retry-After", "")
                pause = min(float(given), _LONGEST_PAUSE) if given.isdigit() else pause
            time.sleep(pause)
        raise AssertionError("unreachable")

    def _moved(self, url: str, response: requests.Response) -> str:
        target = urljoin(url, response.headers.get("Location", ""))
        old, new = urlsplit(url), urlsplit(target)
        if new.scheme not in ("http", "https") or new.hostname != old.hostname or new.scheme < old.scheme:
            raise self._error(
                f"the server sends to another place: {_short(target)}", "name that address, if you trust it"
            )
        return target

    def _accepted(self, response: requests.Response) -> requests.Response:
        status, said = response.status_code, _said(response)
        if status < 300:
            return response
        if status == 400:
            raise self._error(f"the server does not understand the request: {said}", "kg query -e 'ASK {}' tests it")
        if status in (401, 403):
            hint = (
                f"a login with --user NAME, its password in ${PASSWORD} or ~/.netrc"
                if not self._login
                else "check the name, the password and what this user may do"
            )
            raise self._error(f"the server refuses access ({status}{said and ': ' + said})", hint)
        if status in (404, 405, 406, 415):
            raise self._error(
                f"no SPARQL service answers at this address ({status} {response.reason})",
                "the address of an endpoint often ends in /sparql or /query: see the server's documentation",
            )
        if status == 413:
            raise self._error("the request is too large for the server (413)", "smaller pieces: kg push --chunk N")
        if status in _BUSY:
            raise self._error(f"the server is busy or down ({status}{said and ': ' + said})", "the same command later")
        raise self._error(f"the server failed ({status}{said and ': ' + said})", "its log tells more")

    def _error(self, message: str, hint: str) -> EndpointError:
        return EndpointError(message, place=self.url, hint=hint)


class _Nobody(requests.auth.AuthBase):
    """No login; requests would else take one from ~/.netrc unasked."""

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        return request


def checked(url: str) -> str:
    """The address, if it is one of a web server.

    Raises:
        UsageError: it is not, or it holds a password.
    """
    try:
        parts = urlsplit(url)
        host, port, password = parts.hostname, parts.port, parts.username or parts.password
    except ValueError:
        host = port = password = None
        parts = urlsplit("")
    if password is not None:
        raise UsageError(
            "an address with a login in it ends up in logs and histories",
            hint=f"--user NAME, and the password in ${PASSWORD} or ~/.netrc",
        )
    if parts.scheme not in ("http", "https") or not host or port == 0:
        raise UsageError(f"{_short(url)!r} is no web address", hint="such as http://localhost:7878/query")
    return url


def password_of(user: str, url: str) -> str:
    """The password of a user of a server: from the environment, else from ~/.netrc.

    Raises:
        UsageError: neither has it.
    """
    if PASSWORD in os.environ:
        return os.environ[PASSWORD]
    try:
        found = netrc.netrc(os.environ.get("NETRC") or None).authenticators(urlsplit(url).hostname or "")
    except (OSError, netrc.NetrcParseError):
        found = None
    if found and found[0] == user and found[2]:
        return found[2]
    raise UsageError(
        f"there is no password for the user {user!r}", hint=f"set ${PASSWORD}, or add the host to ~/.netrc"
    )


def _login(response: requests.Response, user: str, password: str) -> requests.auth.AuthBase:
    # The password itself goes out only to a server that asks for nothing better.
    asked = response.headers.get("WWW-Authenticate", "").lower()
    return HTTPDigestAuth(user, password) if asked.startswith("digest") else HTTPBasicAuth(user, password)


def _unreached(error: Exception) -> tuple[str, str]:
    why = _why(error)
    if isinstance(error, requests.exceptions.ConnectTimeout):
        return "no connection within 10 s", "check the address, the firewall and that the server runs"
    if isinstance(error, requests.exceptions.ChunkedEncodingError) or "aborted" in why or "reset" in why:
        return "the server dropped the connection", "the server's log tells why; the same command tries again"
    return f"the server cannot be reached: {why}", "check the address and that the server runs"


def _why(error: BaseException) -> str:
    """The innermost reason of an error of requests, in a few words."""
    reason = getattr(error, "reason", None)
    if isinstance(reason, BaseException):
        return _why(reason)
    inner = next((a for a in error.args if isinstance(a, BaseException)), None)
    if inner is not None and not isinstance(error, OSError | requests.exceptions.SSLError):
        return _why(inner)
    if isinstance(error, requests.exceptions.RequestException) and inner is not None:
        return _why(inner)
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return _short(re.sub(r"^.*?(?:>|\)): ", "", str(error))) or type(error).__name__


def _said(response: requests.Response) -> str:
    """The beginning of what a server says of an error, without markup and control characters."""
    text = response.content[:4000].decode("utf-8", "replace")
    if "html" in response.headers.get("Content-Type", ""):
        text = re.sub(r"(?s)<(script|style)\b.*?</\1>|<[^>]*>", " ", text)
    return _short(text)


def _short(text: str) -> str:
    text = " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+", " ", text).split())
    return text if len(text) <= 300 else text[:299] + "…"

"""The hosts that the server answers to."""

from __future__ import annotations

import re
from collections.abc import Sequence

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from heed.app.errors import RequestError, quoted

PROBES = ("/healthz", "/readyz")  # monitors call the server by its address
MAX_DIGITS = 19  # of `Content-Length`: converting thousands of them takes long, or fails
MAX_PARAMETERS = 1_000  # of an address: each takes as long as a hundred characters
LENGTH = re.compile(rb"[0-9]{1,%d}" % MAX_DIGITS)
CLOSE = {"Connection": "close"}


class AllowedHosts:
    """Refuses requests for a host that is not allowed, or whose host or length is ambiguous."""

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._suffixes = tuple(host[1:] for host in hosts if host.startswith("*."))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] == "http":
            self.check(scope)
        await self._app(scope, receive, send)

    def check(self, scope: Scope) -> None:
        """Raise a `RequestError` if the host of a request is not allowed, or not certain."""
        _check_framing(scope)
        if "*" not in self._hosts and scope["path"] not in PROBES:
            self._check_host(Headers(scope=scope).get("host", ""))

    def _check_host(self, host: str) -> None:
        host = host.lower()
        name, _, port = host.rpartition(":")
        name = name if port.isdecimal() else host
        if name not in self._hosts and not name.endswith(self._suffixes):
            message = f"Host {quoted(name)} is not allowed (see HEED_ALLOWED_HOSTS)."
            raise RequestError("unknown_host", message)


def _check_framing(scope: Scope) -> None:
    if scope["query_string"].count(b"&") >= MAX_PARAMETERS:
        message = f"The address has more than {MAX_PARAMETERS:,} parameters."
        raise RequestError("bad_http", message, headers=CLOSE)
    names = [name for name, _ in scope["headers"]]
    for name, value in scope["headers"]:
        if name == b"content-length" and not LENGTH.fullmatch(value):
            message = f"`Content-Length` is not a number of at most {MAX_DIGITS} digits."
            raise RequestError("bad_http", message, headers=CLOSE)
    if b"transfer-encoding" in names and b"content-length" in names:
        message = "Send either `Transfer-Encoding` or `Content-Length`, not both."
        raise RequestError("bad_http", message, headers=CLOSE)
    if b"transfer-encoding" in names and scope["http_version"] == "1.0":  # RFC 9112, section 6.1
        raise RequestError("bad_http", "HTTP/1.0 has no `Transfer-Encoding`.", headers=CLOSE)
    if scope["http_version"] != "1.0" and names.count(b"host") != 1:
        raise RequestError("bad_http", "Send exactly one `Host` header.", headers=CLOSE)


def listed(names: str) -> tuple[str, ...]:
    """Return the names of a comma-separated setting; `none` is the empty list."""
    if names.strip().lower() == "none":
        return ()
    return tuple(part.strip().lower() for part in names.split(",") if part.strip())

"""The address of the site, for the absolute addresses in its pages."""

from __future__ import annotations

import re
from typing import Final

from starlette.requests import Request
from starlette.types import Scope

SCHEMES: Final = {"http": 80, "https": 443}
"""The schemes and their ports, which an address may leave out."""
HOST: Final = re.compile(r"(?:[a-z0-9_.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?", re.ASCII)
"""A name or an address, and its port, in lower case."""
LOOPBACK: Final = ("127.0.0.1", "[::1]")


def origin_of(request: Request) -> str:
    """Return the address of the site as the client sees it, behind trusted proxies too.

    It is empty if the host is not known to be the server's, so that no request decides where the
    links of a page lead: a cache might show the page to others.
    """
    settings = request.app.state.settings
    host = request.headers.get("host", "").lower()
    any_host = "*" in map(str.strip, settings.allowed_hosts.split(","))
    if not HOST.fullmatch(host) or (any_host and host not in _own_hosts(request.scope)):
        return ""
    return f"{scheme_of(request)}://{host}"


def scheme_of(request: Request) -> str:
    """Return the scheme by which the client has come, behind trusted proxies too."""
    scheme = request.url.scheme
    if not request.app.state.settings.trusted_proxies:
        return scheme
    forwarded = request.headers.get("x-forwarded-proto", scheme).rpartition(",")[2].strip()
    return forwarded if forwarded in SCHEMES else scheme


def _own_hosts(scope: Scope) -> set[str]:
    """Return the hosts that name the address and port to which the client has connected."""
    address, port = scope.get("server") or ("", None)
    address = f"[{address}]" if ":" in address else address
    names = {address, "localhost"} if address in LOOPBACK else {address}
    ports = {f":{port}", ""} if port == SCHEMES.get(scope["scheme"]) else {f":{port}"}
    return {name + end for name in names for end in ports}

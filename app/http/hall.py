"""The address at which other devices reach a page, for the QR code that a hall photographs."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final
from urllib.parse import quote

from starlette.requests import Request

from heed.app.errors import RequestError
from heed.app.http.origin import HOST, scheme_of

LONGEST: Final = 1000
"""Characters of a path with its query, quoted: a code of more is too fine for a camera in the hall.
A code can have at most 2,331 with its host."""
_KEPT: Final = "/?&=+%:;,@!$'()*~-._"
LOCAL_ONLY: Final = (
    "This server is reached from this machine alone, so no code leads to it. "
    "Start it with --host 0.0.0.0, and phones in the same network can open the page."
)
NO_NETWORK: Final = "This machine has no address in a network, so no code leads to it."
NO_PATH: Final = f"A code leads to a path of this site, of at most {LONGEST} characters."
OUTSIDE: Final = "192.0.2.1"
"""An address of documentation (RFC 5737), to which no packet is sent."""


def hall_address(request: Request, path: str) -> str:
    """Return the address of a path of this site as other devices reach it, or raise `not_found`."""
    quoted = quote(path, safe=_KEPT)
    if not path.startswith("/") or path.startswith("//") or len(quoted) > LONGEST:
        raise RequestError("not_found", NO_PATH)
    host = request.headers.get("host", "").lower()
    if not HOST.fullmatch(host):
        raise RequestError("not_found", NO_PATH)
    name, _, port = host.rpartition(":") if _has_port(host) else (host, "", "")
    if is_loopback(name):
        name = _in_network(request.app.state.settings.host)
    return f"{scheme_of(request)}://{name}{f':{port}' if port else ''}{quoted}"


def _has_port(host: str) -> bool:
    return host.rpartition(":")[2].isdecimal() and not host.endswith("]")


def is_loopback(name: str) -> bool:
    """Return whether a host is this machine."""
    try:
        return ipaddress.ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def _in_network(listening: str) -> str:
    """Return the address of this machine in its network, for a server that listens there."""
    if is_loopback(listening):
        raise RequestError("not_found", LOCAL_ONLY)
    try:
        anywhere = ipaddress.ip_address(listening).is_unspecified
    except ValueError:
        return listening
    found = _own_address() if anywhere else listening
    return f"[{found}]" if ":" in found else found


def _own_address() -> str:
    """Return the address from which packets would leave; connecting a UDP socket sends none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((OUTSIDE, 9))
        except OSError as error:
            raise RequestError("not_found", NO_NETWORK) from error
        address = str(probe.getsockname()[0])
    if is_loopback(address) or address in ("0.0.0.0", ""):  # noqa: S104 - compared only
        raise RequestError("not_found", NO_NETWORK)
    return address

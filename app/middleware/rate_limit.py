"""Who is let in, decided from the headers alone: no byte of a body has been read yet."""

from __future__ import annotations

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from heed.app.container import Service, service_of
from heed.app.errors import HeedError, RequestError, quoted
from heed.app.http.responses import error_answer

LOOKING_PATHS = {"/api/v1/caption", "/api/v1/ask"}
MODEL_PATHS = {"/api/v1/translate", "/api/v1/translate/batch", *LOOKING_PATHS}
PROBED = ("/healthz", "/readyz")  # by machines that call the server by its number
COUNTED = "/api/"
MOST_ADDRESSES = 20_000
LONGEST_ADDRESS = 100  # of characters; what is longer is none
OWN_NETWORK = 64  # bits: whoever has an address of IPv6 has as many as these leave


class AdmissionMiddleware:
    """Refuses what need not be looked at any closer."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._service = service
        self._hosts = names(service.settings.allowed_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] == "http":
            try:
                self._check(scope)
            except HeedError as error:
                await error_answer(Request(scope), error)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        path = scope["path"]
        given = [name for name, _ in scope["headers"]]
        if b"transfer-encoding" in given and b"content-length" in given:
            message = "The request says in two ways where it ends. Leave out `Content-Length`."
            raise RequestError("bad_http", message, headers={"Connection": "close"})
        if scope["http_version"] != "1.0" and given.count(b"host") != 1:
            message = "The request does not say once for which host it is. Send one `Host`."
            raise RequestError("bad_http", message, headers={"Connection": "close"})
        if path not in PROBED:
            _check_host(Headers(scope=scope).get("host", ""), self._hosts)
        if path.startswith(COUNTED):
            count(Request(scope))
        if path in MODEL_PATHS and scope["method"] == "POST":
            engine = self._service.looking if path in LOOKING_PATHS else self._service.engine
            engine.check_room()


def count(request: Request) -> None:
    """Count a call of whoever sent this, or refuse it."""
    proxies = service_of(request).settings.trusted_proxies
    rate: RateLimiter = request.app.state.rate
    rate.check(address(request.scope, request.headers, proxies))


class RateLimiter:
    """How often each address may ask: a bucket for each, filled at a steady rate."""

    def __init__(
        self, per_second: float, burst: int, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_second = per_second
        self._burst = burst
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def check(self, who: str) -> None:
        """Count a call, or refuse it."""
        if not self._per_second:
            return
        now = self._now()
        held, then = self._buckets.pop(who, (float(self._burst), now))
        held = min(held + (now - then) * self._per_second, float(self._burst))
        allowed = held >= 1
        self._buckets[who] = (held - allowed, now)
        if len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        if not allowed:
            seconds = math.ceil((1 - held) / self._per_second)
            message = f"This address asks too often. Try again in {seconds} s."
            raise RequestError("rate_limited", message, headers={"Retry-After": str(seconds)})


def address(scope: Scope, headers: Headers, proxies: int) -> str:
    """Where a request comes from, as far as our own proxies can be believed."""
    client = scope.get("client")
    found: str = client[0] if client else ""
    if proxies:
        # Each proxy adds whom it heard at the end; what stands before is anybody's invention.
        told = [part.strip() for part in ",".join(headers.getlist("x-forwarded-for")).split(",")]
        found = told[-proxies] if len(told) >= proxies else found
    return _counted_as(found[:LONGEST_ADDRESS])


@lru_cache(MOST_ADDRESSES)
def _counted_as(found: str) -> str:
    try:
        number = ipaddress.ip_address(found)
    except ValueError:
        return found
    if isinstance(number, ipaddress.IPv6Address) and number.ipv4_mapped is None:
        return str(ipaddress.ip_network((number, OWN_NETWORK), strict=False))
    return str(getattr(number, "ipv4_mapped", None) or number)


def names(listed: str) -> tuple[str, ...]:
    """The names in a setting that has commas between them; `none` stands for none."""
    if listed.strip().lower() == "none":
        return ()
    return tuple(part.strip().lower() for part in listed.split(",") if part.strip())


def _check_host(host: str, allowed: tuple[str, ...]) -> None:
    name = host.lower().rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host.lower()
    if name in allowed or "*" in allowed:
        return
    if not any(known.startswith("*.") and name.endswith(known[1:]) for known in allowed):
        raise RequestError("unknown_host", f"This server does not go by the name {quoted(name)}.")

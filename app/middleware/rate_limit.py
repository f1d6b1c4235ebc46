"""A limit on how many calls an address may make in a time."""

from __future__ import annotations

import ipaddress
import math
import time
from collections import OrderedDict
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from heed.app.errors import RequestError, retry_headers

LIMITED = "/api/"
MAX_ADDRESSES = 5_000
MAX_ADDRESS_CHARACTERS = 100
ROUNDING = 1e-3  # seconds
IPV6_PREFIX = 64  # bits: a subscriber has a network of addresses, not one


class RateLimit:
    """Counts the calls of the API."""

    def __init__(self, app: ASGIApp, limiter: RateLimiter) -> None:
        self._app = app
        self._limiter = limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] == "http" and scope["path"].startswith(LIMITED):
            await self._limiter.admit(scope)
        await self._app(scope, receive, send)


class RateLimiter:
    """A sliding window for each address, wide enough that a burst fits into it.

    The window is as long as the rate takes to allow a whole burst, in whole seconds: 30 calls at
    60 per minute are a window of 30 s. As many calls are allowed at once, and in the long run no
    more than the rate. After a burst at the start of a window nothing is allowed until its end.

    The number of windows is bounded: beyond it, the address whose last call is the oldest is
    forgotten. Refused calls count as calls here, so that no client can have itself forgotten while
    it goes on calling.
    """

    def __init__(self, per_minute: float, burst: int, trusted_proxies: int = 0) -> None:
        self._proxies = trusted_proxies
        self._enabled = per_minute > 0
        if self._enabled:
            # Importing it takes a tenth of a second, and few servers need it.
            from limits import RateLimitItemPerSecond
            from limits.storage import MemoryStorage
            from limits.strategies import SlidingWindowCounterRateLimiter

            seconds = max(1, math.ceil(60 * burst / per_minute))
            calls = max(burst, math.floor(per_minute * seconds / 60))
            self._limit = RateLimitItemPerSecond(calls, seconds)
            self._windows = SlidingWindowCounterRateLimiter(MemoryStorage())
            self._addresses: OrderedDict[str, None] = OrderedDict()  # by their last calls

    @property
    def addresses(self) -> int:
        """The number of addresses whose calls are counted."""
        return len(self._addresses) if self._enabled else 0

    async def admit(self, scope: Scope) -> None:
        """Count a call of the API, or raise `rate_limited`."""
        self.check(scope)

    def check(self, scope: Scope) -> None:
        """Count a call of the client, or raise `rate_limited`."""
        if self._enabled:
            self.count(client_address(scope, Headers(scope=scope), self._proxies))

    def count(self, address: str) -> None:
        """Count a call of an address, or raise `rate_limited`."""
        if not self._enabled:
            return
        self._addresses[address] = None
        self._addresses.move_to_end(address)
        if len(self._addresses) > MAX_ADDRESSES:
            oldest, _ = self._addresses.popitem(last=False)
            self._windows.clear(self._limit, oldest)
        if not self._windows.hit(self._limit, address):
            raise self._exceeded(self._windows.get_window_stats(self._limit, address).reset_time)

    def _exceeded(self, reset_time: float) -> RequestError:
        wait = reset_time - time.time()
        seconds = math.floor(max(wait, 0) + ROUNDING) + 1  # a little after, not at that time
        message = f"Too many requests from this address. Try again in {seconds} s."
        return RequestError("rate_limited", message, headers=retry_headers(seconds))


def check_rate(request: Request) -> None:
    """Count a page that runs a model as a call of the API, or raise `rate_limited`."""
    limiter: RateLimiter = request.app.state.rate_limiter
    limiter.check(request.scope)


def client_address(scope: Scope, headers: Headers, trusted_proxies: int) -> str:
    """Return the address of the client, as far as it is known to the trusted proxies."""
    client = scope.get("client")
    found: str = client[0] if client else ""
    if trusted_proxies:
        # Each proxy appends the address that called it; entries before those may be forged.
        forwarded = ",".join(headers.getlist("x-forwarded-for")).split(",")
        if len(forwarded) >= trusted_proxies:
            found = forwarded[-trusted_proxies].strip()
    return _normalized(found[:MAX_ADDRESS_CHARACTERS])


@lru_cache(MAX_ADDRESSES)
def _normalized(found: str) -> str:
    try:
        number = ipaddress.ip_address(found)
    except ValueError:
        return found
    if isinstance(number, ipaddress.IPv6Address) and number.ipv4_mapped is None:
        return str(ipaddress.ip_network((number, IPV6_PREFIX), strict=False))
    return str(getattr(number, "ipv4_mapped", None) or number)

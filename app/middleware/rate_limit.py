"""A limit on how many calls an address may make in a time."""

from __future__ import annotations

import ipaddress
import math
from collections import OrderedDict
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from heed.app.errors import RequestError, retry_headers

if TYPE_CHECKING:
    from limits import RateLimitItem

LIMITED = ("/api/", "/t/", "/embed/")
"""Prefixes of the paths whose requests count: the API, and the pages that load a saved trace."""
LIMITED_END = ("/preview.png", "/qr.svg", "/lesson.html", "/handout")
"""Ends of the paths of pictures and files that are made for each request."""
MAX_ADDRESSES = 5_000
MAX_ADDRESS_CHARACTERS = 100
ROUNDING = 1e-3  # seconds
IPV6_PREFIX = 64  # bits: a subscriber has a network of addresses, not one
WIDE_PREFIX = 48  # bits: the network of a site, such as a school, or of a generous provider
WIDE_CALLS = 16
"""Calls of a wide network, as a multiple of those of each address in it."""


class RateLimit:
    """Counts the requests that take work, before anything in them is parsed.

    These are the calls of the API, the pages with a saved trace, the pictures of links, and the
    pages of `page_paths` with a query, for which they run a model.
    """

    def __init__(self, app: ASGIApp, limiter: RateLimiter, page_paths: Collection[str]) -> None:
        self._app = app
        self._limiter = limiter
        self._page_paths = frozenset(page_paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] == "http" and self._counts(scope["path"], scope["query_string"]):
            await self._limiter.admit(scope)
        await self._app(scope, receive, send)

    def _counts(self, path: str, query: bytes) -> bool:
        if path in self._page_paths:
            return bool(query)
        return path.startswith(LIMITED) or path.endswith(LIMITED_END)


class RateLimiter:
    """A sliding window for each address, wide enough that a burst fits into it.

    The window is as long as the rate takes to allow a whole burst, in whole seconds: 30 calls at
    60 per minute are a window of 30 s. As many calls are allowed at once, and in the long run no
    more than the rate. After a burst at the start of a window nothing is allowed until its end.

    A network of IPv6 has a second window, of more calls, with its neighbours: the owner of a /48
    has 65,536 networks. A call that its own window refuses is not counted in that of others.

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
            self._wide_limit = RateLimitItemPerSecond(WIDE_CALLS * calls, seconds)
            self._storage = MemoryStorage()
            self._windows = SlidingWindowCounterRateLimiter(self._storage)
            self._addresses: OrderedDict[str, RateLimitItem] = OrderedDict()  # by their last calls

    @property
    def addresses(self) -> int:
        """The number of addresses and wide networks whose calls are counted."""
        return len(self._addresses) if self._enabled else 0

    async def admit(self, scope: Scope) -> None:
        """Count a call of the client, or raise `rate_limited`."""
        if self._enabled:
            await self._admit(self._client(scope), 1, 1)

    async def admit_batch(self, scope: Scope, size: int) -> None:
        """Count the further calls of an admitted batch of this size, or raise `rate_limited`.

        A batch that is larger than a burst takes the whole window.
        """
        if self._enabled:
            total = min(size, self._limit.amount)
            if total > 1:
                await self._admit(self._client(scope), total - 1, total)

    async def _admit(self, address: str, calls: int, total: int) -> None:
        self.count(address, calls, total)

    def count(self, address: str, calls: int = 1, total: int = 1) -> None:
        """Count calls of an address, or raise `rate_limited`; `total` is what it asks for again."""
        if not self._enabled:
            return
        for limit, name in self._windows_of(address):
            self._remember(name, limit)
            if not self._windows.hit(limit, name, cost=calls):
                window = self._storage.get_sliding_window(limit.key_for(name), limit.get_expiry())
                raise exceeded(seconds_until_room(limit, *window, calls=total))

    def _windows_of(self, address: str) -> Iterator[tuple[RateLimitItem, str]]:
        """Yield the windows that a call of an address is counted in, its own first."""
        yield self._limit, address
        if (network := wide_network(address)) is not None:
            yield self._wide_limit, network

    def _remember(self, name: str, limit: RateLimitItem) -> None:
        self._addresses[name] = limit
        self._addresses.move_to_end(name)
        if len(self._addresses) > MAX_ADDRESSES:
            oldest, limit_of_oldest = self._addresses.popitem(last=False)
            self._windows.clear(limit_of_oldest, oldest)

    def _client(self, scope: Scope) -> str:
        return client_address(scope, Headers(scope=scope), self._proxies)


def seconds_until_room(
    limit: RateLimitItem,
    previous: int,
    previous_left: float,
    current: int,
    current_left: float,
    *,
    calls: int,
) -> float:
    """Return the seconds until a window has room for calls.

    It counts the current span of its length, and of the previous one the share that it overlaps:
    `previous_left` seconds. `current_left` seconds are left until the current span counts no more.
    """
    length, room = limit.get_expiry(), limit.amount - calls + 1
    if current < room:
        wait = previous_left - (room - current) * length / previous if previous else 0.0
    else:
        wait = current_left - length + max(length - room * length / current, 0.0)
    return max(wait, 0.0)


def exceeded(wait: float) -> RequestError:
    """Return the error of a call before its time."""
    seconds = math.floor(wait + ROUNDING) + 1  # a little after, not at that time
    message = f"Too many requests from this address. Try again in {seconds} s."
    return RequestError("rate_limited", message, headers=retry_headers(seconds))


async def count_batch(request: Request, size: int) -> None:
    """Count a batch as as many calls as it has texts, or raise `rate_limited`."""
    limiter: RateLimiter = request.app.state.rate_limiter
    await limiter.admit_batch(request.scope, size)


def client_address(scope: Scope, headers: Headers, trusted_proxies: int) -> str:
    """Return the address of the client, as far as it is known to the trusted proxies.

    Of IPv6 it is the network that a subscriber has.
    """
    client = scope.get("client")
    address: str = client[0] if client else ""
    if trusted_proxies:
        # Each proxy appends the address that called it; entries before those may be forged.
        forwarded = ",".join(headers.getlist("x-forwarded-for")).split(",")
        if len(forwarded) >= trusted_proxies:
            reported = _normalized(forwarded[-trusted_proxies].strip()[:MAX_ADDRESS_CHARACTERS])
            if reported is not None:  # else any text would be an address of its own
                return reported
    return _normalized(address) or address


@lru_cache(MAX_ADDRESSES)
def _normalized(address: str) -> str | None:
    """Return an address in its usual form, or the network of IPv6; None for any other text."""
    try:
        number = ipaddress.ip_address(_without_port(address))
    except ValueError:
        return None
    if isinstance(number, ipaddress.IPv6Address) and number.ipv4_mapped is None:
        return str(ipaddress.IPv6Network((int(number), IPV6_PREFIX), strict=False))
    return str(getattr(number, "ipv4_mapped", None) or number)


def _without_port(address: str) -> str:
    """Return the address of `ADDRESS:PORT` or `[ADDRESS]:PORT`, which some proxies write."""
    address = address.strip('"')
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


@lru_cache(MAX_ADDRESSES)
def wide_network(address: str) -> str | None:
    """Return the wide network around a network of IPv6, as `client_address` returns it."""
    if not address.endswith(f"/{IPV6_PREFIX}"):
        return None
    try:
        return str(ipaddress.IPv6Network(address).supernet(new_prefix=WIDE_PREFIX))
    except ValueError:
        return None

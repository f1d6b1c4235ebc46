"""A rate limit that several servers count together, on Redis."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import Headers
from starlette.types import Scope

from heed.app.middleware.rate_limit import RateLimiter, client_address
from heed.app.shared import Shared


class SharedRateLimiter(RateLimiter):
    """Windows on the shared server; those of this server count while it does not answer."""

    def __init__(self, per_minute: float, burst: int, proxies: int, shared: Shared) -> None:
        super().__init__(per_minute, burst, proxies)
        self._shared = shared
        if self._enabled:
            from limits.aio.storage import RedisStorage
            from limits.aio.strategies import SlidingWindowCounterRateLimiter

            pool: Any = shared.client.connection_pool
            storage = RedisStorage(
                f"async+{shared.url}",
                implementation="redispy",
                key_prefix="heed:rate",
                connection_pool=pool,
            )
            self._shared_windows = SlidingWindowCounterRateLimiter(storage)

    async def admit(self, scope: Scope) -> None:
        """Count a call of the client, or raise `rate_limited`."""
        if not self._enabled:
            return
        address = client_address(scope, Headers(scope=scope), self._proxies)
        reset = await self._shared.ask(lambda: self._hit(address))
        if reset is None:
            self.count(address)
        elif reset:
            raise self._exceeded(reset)

    def check(self, scope: Scope) -> None:
        """Count a page that runs a model: refused by this server alone, counted by all."""
        if self._enabled:
            address = client_address(scope, Headers(scope=scope), self._proxies)
            self.count(address)
            self._shared.tell(lambda: self._hit(address))

    async def _hit(self, address: str) -> float:
        """Count a call; return 0, or the time at which the next one is allowed."""
        if await self._shared_windows.hit(self._limit, address):
            return 0.0
        return (await self._shared_windows.get_window_stats(self._limit, address)).reset_time

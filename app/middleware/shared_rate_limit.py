"""A rate limit that several servers count together, on Redis."""

from __future__ import annotations

from typing import Any

from heed.app.middleware.rate_limit import (
    ROUNDING,
    RateLimiter,
    exceeded,
    seconds_until_room,
)
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
            self._shared_storage = RedisStorage(
                f"async+{shared.url}",
                implementation="redispy",
                key_prefix="heed:rate",
                connection_pool=pool,
            )
            self._shared_windows = SlidingWindowCounterRateLimiter(self._shared_storage)

    async def _admit(self, address: str, calls: int, total: int) -> None:
        wait = await self._shared.ask(lambda: self._hit(address, calls, total))
        if wait is None:
            self.count(address, calls, total)
        elif wait:
            raise exceeded(wait)

    async def _hit(self, address: str, calls: int, total: int) -> float:
        """Count calls; return 0, or the seconds until there is room for `total`."""
        for limit, name in self._windows_of(address):
            if not await self._shared_windows.hit(limit, name, cost=calls):
                window = await self._shared_storage.get_sliding_window(
                    limit.key_for(name), limit.get_expiry()
                )
                return max(seconds_until_room(limit, *window, calls=total), ROUNDING)
        return 0.0

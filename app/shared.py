"""A Redis or Valkey server that several servers share: they ask it, and go on without it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from heed.app.errors import StartError

ANSWER_SECONDS = 0.25
PAUSE_SECONDS = 5.0
"""Seconds for which it is not asked after it did not answer."""

log = logging.getLogger("heed.shared")

Result = TypeVar("Result")


class Shared:
    """The connections to the shared server. Used only on the event loop."""

    def __init__(self, url: str, on_failure: Callable[[], None]) -> None:
        try:
            from redis.asyncio import Redis
            from redis.exceptions import RedisError
        except ImportError:
            hint = 'Install them with: pip install "heed-attention[redis]".'
            raise StartError(f"HEED_SHARED needs a client of Redis. {hint}") from None
        self.url = url.replace("valkey", "redis", 1)  # they speak the same protocol
        self._on_failure = on_failure
        self._paused_until = 0.0
        self._told: set[asyncio.Task[object]] = set()
        self._errors = (RedisError, OSError, TimeoutError)
        try:
            self.client = Redis.from_url(self.url)
        except ValueError:
            message = "HEED_SHARED is not a valid URL, such as redis://:PASSWORD@host:6379/0."
            raise StartError(message) from None

    async def ask(self, call: Callable[[], Awaitable[Result]]) -> Result | None:
        """Return the result of a call, or `None` if the server does not answer in time."""
        if time.monotonic() < self._paused_until:
            return None
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await call()
        except self._errors as error:
            self._on_failure()
            if time.monotonic() >= self._paused_until:
                reason = str(error) or type(error).__name__
                log.warning("the shared server does not answer: %s", reason)
            self._paused_until = time.monotonic() + PAUSE_SECONDS
            return None

    def tell(self, call: Callable[[], Awaitable[object]]) -> None:
        """Make a call in the background; nobody waits for its result."""
        task = asyncio.ensure_future(self.ask(call))
        self._told.add(task)
        task.add_done_callback(self._told.discard)

    async def close(self) -> None:
        """Close the connections."""
        await self.client.aclose()

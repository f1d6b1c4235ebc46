"""Turns: work that takes much memory beside the budget of work, one after another."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final, NamedTuple

from heed.app.errors import ServiceUnavailable
from heed.app.http.current_client import CURRENT_CLIENT
from heed.app.http.disconnect import OnDisconnect
from heed.app.inference.fairness import RoundRobin, evicted_by, next_of
from heed.app.inference.inference_thread import too_late
from heed.app.inference.jobs import AbandonedError

MOST_WAITING: Final = 40
"""Those of a class. Each has the body of its request in memory."""


class _Place(NamedTuple):
    client: str
    round: int
    reached: asyncio.Future[None]
    keeps_place: bool = False


class Turn:
    """Held by one at a time. A few others wait for it, further ones are refused.

    Clients take it in turns, and a request of a client with many in a full line leaves its place to
    one of another client. A request leaves the line at its deadline, and when its client leaves.
    """

    def __init__(self, work: str, deadline_seconds: float) -> None:
        """Begin with a turn that is free; `work` names in the plural what waits for it."""
        self._work, self._deadline_seconds = work, deadline_seconds
        self._line: list[_Place] = []
        self._rounds = RoundRobin()
        self._taken = False

    @asynccontextmanager
    async def held(self, began: float, on_disconnect: OnDisconnect) -> AsyncIterator[None]:
        """Hold the turn, for a client that waits since `began`; work beyond the deadline ends."""
        await self.take(began, on_disconnect)
        try:
            async with asyncio.timeout(self._left(began)):
                yield
        except TimeoutError:
            raise too_late(self._deadline_seconds) from None
        finally:
            self.pass_on()

    async def take(self, began: float, on_disconnect: OnDisconnect) -> None:
        """Take the turn when it comes; raise an error if it does not come in time."""
        client = CURRENT_CLIENT.get()
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        place = _Place(client, self._rounds.round_of(client, self._line), mine)
        if not self._taken:
            self._taken = True
            self._rounds.serve(place)
            return
        if len(self._line) >= MOST_WAITING:
            self._make_room(client)
        self._line.append(place)
        unregister = on_disconnect(partial(_fail, mine, AbandonedError()))
        late = too_late(self._deadline_seconds)
        timer = mine.get_loop().call_later(self._left(began), _fail, mine, late)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled() and mine.exception() is None:
                self.pass_on()
            raise
        finally:
            timer.cancel()
            unregister()
            with suppress(ValueError):
                self._line.remove(place)

    def _make_room(self, client: str) -> None:
        """Refuse the last request of a client with more places, or raise the error of this one."""
        message = f"Already {len(self._line)} {self._work} wait. Try again in a moment."
        evicted = evicted_by(client, self._line)
        if evicted is None:
            raise ServiceUnavailable(message)
        self._line.remove(evicted)
        _fail(evicted.reached, ServiceUnavailable(message))

    def _left(self, began: float) -> float:
        return max(began + self._deadline_seconds - time.monotonic(), 0.0)

    def pass_on(self) -> None:
        """Give the turn to the next in line."""
        while self._line:
            following = next_of(self._line)
            self._line.remove(following)
            if not following.reached.done():
                following.reached.set_result(None)
                self._rounds.serve(following)
                return
        self._taken = False


def _fail(waiting: asyncio.Future[None], error: Exception) -> None:
    if not waiting.done():
        waiting.set_exception(error)

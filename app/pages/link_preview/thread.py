"""Threads on which pictures are drawn, one after the other."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from heed.app.errors import ServiceUnavailable
from heed.app.http.disconnect import OnDisconnect
from heed.app.inference.inference_thread import shutting_down, too_late
from heed.app.inference.jobs import AbandonedError

MAX_WAITING: Final = 8
"""Previews of links, each of which has its trace in memory."""

Check = Callable[[], None]
"""Raises an error if nobody waits for a drawing any more."""
Draw = Callable[[Check], bytes]


class DrawingThread:
    """Draws for clients that wait. Nothing else waits for this thread.

    A drawing ends at its deadline, when its client leaves, and when the server stops: at once if it
    has not begun, else at its next check.
    """

    def __init__(
        self, drawings: str, deadline_seconds: float, most_waiting: int = MAX_WAITING
    ) -> None:
        """Start without a thread; `drawings` names in the plural what it draws."""
        self._deadline_seconds = deadline_seconds
        self._most_waiting = most_waiting
        self._thread = ThreadPoolExecutor(1, f"heed-{drawings}")
        self._ends: set[Callable[[BaseException], None]] = set()
        self._stopped = False

    async def run(
        self, draw: Draw, on_disconnect: OnDisconnect, began: float | None = None
    ) -> bytes:
        """Return the drawing, or raise the error that ended it.

        `began` is the time from which the client waits, if that was earlier.
        """
        if self._stopped:
            raise shutting_down()
        if len(self._ends) >= self._most_waiting:
            raise ServiceUnavailable("Many pictures are being drawn. Try again in a moment.")
        reasons: list[BaseException] = []

        def check() -> None:
            if reasons:
                raise reasons[0]

        loop = asyncio.get_running_loop()
        drawing = loop.run_in_executor(self._thread, draw, check)

        def end(reason: BaseException) -> None:
            reasons.append(reason)
            drawing.cancel()

        self._ends.add(end)
        unregister = on_disconnect(partial(end, AbandonedError()))
        waited = 0.0 if began is None else time.monotonic() - began
        late = too_late(self._deadline_seconds)
        timer = loop.call_later(self._deadline_seconds - waited, end, late)
        try:
            return await drawing
        except asyncio.CancelledError:
            check()
            raise
        finally:
            timer.cancel()
            unregister()
            self._ends.discard(end)
            reasons.append(AbandonedError())

    def stop(self) -> None:
        """End all drawings."""
        self._stopped = True
        for end in tuple(self._ends):
            end(shutting_down())

    def close(self) -> None:
        """Wait for the drawing that has begun."""
        self._thread.shutdown(cancel_futures=True)

"""A trace as a stream of events, one for each step of the model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from heed.app.http.sse import event
from heed.app.schemas import Detail
from heed.models.generation.protocol import Progress
from heed.models.trace import Output, TraceHeader
from heed.output.serialize import start_event, step_event

LeavesOut = Callable[[Output], bool]
"""Returns true for an output that is too large for an event."""
MOST_BYTES = 4 * 1024 * 1024
"""Of events that wait for a client; then the rest of the steps is left out."""


class EventSource:
    """Receives the steps on the inference thread and yields them as events on the event loop."""

    def __init__(self, detail: Detail, leaves_out: LeavesOut) -> None:
        self._detail = detail
        self._leaves_out = leaves_out
        self._loop = asyncio.get_running_loop()
        self._events: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._given = 0  # bytes; changed on the inference thread only
        self._taken = 0  # bytes; changed on the event loop only
        self._late = False

    # --- on the inference thread --------------------------------------------------------------

    def started(self, header: TraceHeader) -> None:
        """Send the event `start`: the input is valid and the model runs."""
        self._put(event("start", start_event(header, self._detail)))

    def progressed(self, progress: Progress) -> None:
        """Send the event `step`, unless the output is left out, or the client reads too slowly.

        Every event changes the one before, so none follows one that was left out.
        """
        self._late = self._late or self._given - self._taken > MOST_BYTES
        if self._late or self._leaves_out(progress.output):
            return
        self._put(event("step", step_event(progress.output, progress.since, self._detail)))

    def _put(self, data: bytes) -> None:
        self._given += len(data)
        self._loop.call_soon_threadsafe(self._events.put_nowait, data)

    # --- on the event loop --------------------------------------------------------------------

    def end(self) -> None:
        """End the stream."""
        self._events.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the events as they happen."""
        while (data := await self._events.get()) is not None:
            self._taken += len(data)
            yield data

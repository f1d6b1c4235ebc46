"""A trace as it grows, told as server-sent events (HTML Living Standard, section 9.2)."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator

import orjson

from heed.app.schemas import Detail, Wire
from heed.app.traces.serialize import Told, start_event, step_event
from heed.models.generation.pipeline import Progress
from heed.models.trace import TraceHeader

COMPRESSION = 2  # steps are small and many: what more of it gains is not worth the time
GZIP = 16  # of zlib: with the header and the end of a gzip file


def event(name: str, data: Wire | Told | bytes) -> bytes:
    """One event. JSON has no raw line breaks, so its data is one line."""
    body = data if isinstance(data, bytes) else to_json(data)
    return b"event: %s\ndata: %s\n\n" % (name.encode(), body)


def to_json(value: Wire | Told) -> bytes:
    """Anything of the wire contract as JSON."""
    plain = value.model_dump(by_alias=True) if isinstance(value, Wire) else value
    return orjson.dumps(plain, option=orjson.OPT_SERIALIZE_NUMPY)


async def gzip_stream(events: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The same as gzip, each event sent to its end as soon as it is there."""
    press = zlib.compressobj(COMPRESSION, zlib.DEFLATED, zlib.MAX_WBITS | GZIP)
    async for piece in events:
        yield press.compress(piece) + press.flush(zlib.Z_SYNC_FLUSH)
    yield press.flush()


class EventSource:
    """Told of the steps on the inference thread, gives them as events on the event loop."""

    def __init__(self, detail: Detail) -> None:
        self._detail = detail
        self._loop = asyncio.get_running_loop()
        self._events: asyncio.Queue[bytes | None] = asyncio.Queue()

    # --- on the inference thread --------------------------------------------------------------

    def started(self, opening: TraceHeader) -> None:
        """What was asked is good and is run from now on."""
        self._put(event("start", start_event(opening, self._detail)))

    def progressed(self, progress: Progress) -> None:
        """A step was taken."""
        self._put(event("step", step_event(progress.output, progress.since, self._detail)))

    def _put(self, data: bytes | None) -> None:
        self._loop.call_soon_threadsafe(self._events.put_nowait, data)

    # --- on the event loop --------------------------------------------------------------------

    def end(self) -> None:
        """No more events will come."""
        self._events.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The events, as they happen."""
        while (data := await self._events.get()) is not None:
            yield data

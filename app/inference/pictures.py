"""Uploaded pictures: decoded in processes of their own, which end with the request."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final

from heed.app.errors import FieldError, RequestError, ServiceUnavailable
from heed.app.http.disconnect import OnDisconnect
from heed.app.inference.inference_thread import shutting_down, too_late
from heed.app.inference.jobs import AbandonedError
from heed.app.inference.process_pool import PoolClosedError, ProcessEndedError, ProcessPool
from heed.app.inference.work import WorkBudget
from heed.models.errors import PictureError, PictureMemoryError
from heed.models.pictures.decode import MAX_MEMORY, Picture
from heed.models.pictures.parts import picture_of_parts, picture_parts

MAX_WAITING: Final = 16
PROCESSES: Final = 2
USUAL_MEMORY: Final = 20_000_000
"""Bytes that decoding usually takes at most. A picture that takes more is decoded alone, and in
memory that other large work would take."""
PROCESS_MEMORY: Final = MAX_MEMORY + 250_000_000
"""Address space of a process, with its libraries, the file, and buffers of known size."""
CPU_SECONDS: Final = 10

log = logging.getLogger("heed.pictures")


class PictureDecoder:
    """Decodes pictures within the limits of the settings."""

    def __init__(
        self, work: WorkBudget, *, max_bytes: int, max_pixels: int, deadline_seconds: float
    ) -> None:
        self._work = work
        self._max_bytes = max_bytes
        self._max_pixels = max_pixels
        self._deadline_seconds = deadline_seconds
        self._pool = ProcessPool(PROCESSES, memory_bytes=PROCESS_MEMORY, cpu_seconds=CPU_SECONDS)
        self._large = asyncio.Lock()
        self._slots = asyncio.Semaphore(PROCESSES)
        self._waiting = 0

    async def decoded(self, file: bytes, on_disconnect: OnDisconnect) -> Picture:
        """Decode the picture in a file, or raise a `HeedError`.

        If the client leaves, `AbandonedError` is raised, and the decoding ends.
        """
        if self._waiting >= MAX_WAITING:
            message = f"Already {self._waiting} pictures wait to be decoded. Try again in a moment."
            raise ServiceUnavailable(message)
        self._waiting += 1
        decoding = asyncio.ensure_future(self._decode(file))
        unregister = on_disconnect(lambda: _cancel(decoding))
        try:
            async with asyncio.timeout(self._deadline_seconds):
                await asyncio.wait([decoding])
        except TimeoutError:
            raise too_late(self._deadline_seconds) from None
        finally:
            self._waiting -= 1
            unregister()
            decoding.cancel()  # does nothing after its end
        if decoding.cancelled():
            raise AbandonedError
        return decoding.result()

    def stop(self) -> None:
        """End the decoding of all pictures; those that wait get 503."""
        self._pool.stop()

    def close(self) -> None:
        """Stop, and wait for the ends of the processes."""
        self._pool.close()

    async def _decode(self, file: bytes) -> Picture:
        await asyncio.to_thread(self._work.trim)  # what the uploads before this one left
        try:
            try:
                async with self._slots:
                    return await self._read(file, USUAL_MEMORY)
            except PictureMemoryError:
                size = self._work.heavy(MAX_MEMORY)
                async with self._large, self._work.reserved(size), self._alone():
                    return await self._read(file, MAX_MEMORY)
        except PictureError as error:
            kind = RequestError if error.code in RequestError.codes else FieldError
            raise kind(error.code, error.message, error.field) from None

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """Wait for the pictures that are being decoded; those that wait already come first."""
        async with AsyncExitStack() as slots:
            for _ in range(PROCESSES):
                await slots.enter_async_context(self._slots)
            yield

    async def _read(self, file: bytes, max_memory: int) -> Picture:
        """Read a picture in another process."""
        limits = self._max_bytes, self._max_pixels, max_memory
        try:
            parts = await self._pool.call(picture_parts, file, *limits)
        except PoolClosedError:
            raise shutting_down() from None
        except ProcessEndedError as error:
            log.warning("a picture of %d bytes cannot be decoded: %s", len(file), error)
            message = "The file cannot be decoded: it takes too long, or is damaged. Save it anew."
            raise PictureError("broken_picture", message) from None
        except OSError as error:
            log.error("no process decodes pictures: %s", error)  # noqa: TRY400 - says enough
            raise ServiceUnavailable("The server is short of memory or processes.") from None
        return picture_of_parts(parts)


def _cancel(decoding: asyncio.Future[Picture]) -> None:
    decoding.cancel()

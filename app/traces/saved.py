"""Saving traces and giving them back, off the event loop."""

from __future__ import annotations

import asyncio
import gzip
import logging
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeVar

import orjson

from heed.app.errors import HeedError, ServiceError, ServiceUnavailable
from heed.app.http.negotiation import JSON, NPZ
from heed.app.schemas import GridAxisOut, SavedOut, TraceOut
from heed.app.traces.store import PURGED_AT_ONCE, Receipt, Saved, Store, StoreUsage
from heed.app.traces.trace_import.importer import check_saved, imported_json, imported_npz

ARCHIVES: Final = (NPZ, "application/octet-stream")
MEDIA: Final = (JSON, *ARCHIVES)
MOST_WAITING = 16
PURGE_SECONDS = 3600.0

log = logging.getLogger("heed.store")

Result = TypeVar("Result")


class LoadedTrace(NamedTuple):
    """A saved trace, and what a page must know before it can show it."""

    content: bytes
    model: str
    of_picture: bool


class SavedTraces:
    """The store, with a thread that writes and one that reads.

    Whoever reads does not wait for those who write, and one large body is taken apart at a time.
    """

    def __init__(self, store: Store, max_trace_bytes: int) -> None:
        self._store = store
        self._max_trace_bytes = max_trace_bytes
        self._writer = ThreadPoolExecutor(1, "heed-saving")
        self._reader = ThreadPoolExecutor(1, "heed-saved")
        self._waiting = 0

    def check_room(self) -> None:
        """Raise the error that says so if too many wait to be saved."""
        if self._waiting >= MOST_WAITING:
            message = f"Already {self._waiting} traces wait to be saved. Try again in a moment."
            raise ServiceUnavailable(message)

    async def save(self, body: bytes, media: str) -> SavedOut:
        """Keep what the body holds, once it is found to be a trace."""
        self.check_room()
        self._waiting += 1
        try:
            receipt = await self._on(self._writer, lambda: self._save(body, media))
        finally:
            self._waiting -= 1
        return receipt_out(receipt)

    async def load(self, identity: str) -> Saved:
        """A saved trace, looked through again before it is given away."""
        saved, _ = await self._on(self._reader, lambda: self._load(identity))
        return saved

    async def looked_through(self, identity: str) -> LoadedTrace:
        """A saved trace, for a page that shows it."""

        def look() -> LoadedTrace:
            saved, trace = self._load(identity)
            return LoadedTrace(
                saved.content(), trace.model.id, isinstance(trace.source, GridAxisOut)
            )

        return await self._on(self._reader, look)

    def kept(self) -> StoreUsage:
        """How much is kept. It may wait for the disk."""
        try:
            return self._store.kept()
        except HeedError:
            return StoreUsage(0, 0)  # it is logged

    async def delete(self, identity: str, key: str) -> None:
        """Delete a trace, for whoever has its key."""
        await self._on(self._writer, lambda: self._store.delete(identity, key))

    async def purge(self) -> None:
        """For ever: delete those whose time is over, a few at a time."""
        while True:
            try:
                purged = await self._on(self._writer, self._store.purge)
            except HeedError:
                purged = 0  # it is logged; it may be better next time
            if purged:
                log.info("purged=%d", purged)
            await asyncio.sleep(0 if purged == PURGED_AT_ONCE else PURGE_SECONDS)

    def close(self) -> None:
        """Let what is being written be written, then close the file."""
        self._writer.shutdown()
        self._reader.shutdown()
        self._store.close()

    @staticmethod
    async def _on(thread: ThreadPoolExecutor, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(thread, work)

    # --- on the threads -----------------------------------------------------------------------

    def _save(self, body: bytes, media: str) -> Receipt:
        read = imported_json if media == JSON else imported_npz
        return self._store.save(read(body, self._max_trace_bytes))

    def _load(self, identity: str) -> tuple[Saved, TraceOut]:
        saved = self._store.load(identity)
        try:
            return saved, check_saved(saved.content())
        except (HeedError, orjson.JSONDecodeError, gzip.BadGzipFile, zlib.error, EOFError) as error:
            log.error("saved trace id=%s is damaged: %s", identity, error)  # noqa: TRY400
            message = "This saved trace is damaged and cannot be shown."
            raise ServiceError("trace_unreadable", message) from None


def receipt_out(receipt: Receipt) -> SavedOut:
    """What is told of a trace once, when it is saved."""
    expires = None
    if receipt.expires is not None:
        moment = datetime.fromtimestamp(receipt.expires, UTC)
        expires = moment.isoformat(timespec="seconds").replace("+00:00", "Z")
    return SavedOut(
        id=receipt.id,
        url=f"/t/{receipt.id}",
        embed=f"/embed/{receipt.id}",
        key=receipt.key,
        expires=expires,
    )

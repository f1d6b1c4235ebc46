"""Saving traces and loading them, off the event loop."""

from __future__ import annotations

import asyncio
import gzip
import logging
import time
import zlib
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeVar

import orjson

from heed.app.errors import HeedError, ServiceError, ServiceUnavailable
from heed.app.http.media_types import JSON, NPZ
from heed.app.http.request_body import PARSED, parsed_bytes
from heed.app.schemas import SavedOut
from heed.app.tasks import page_of
from heed.app.traces.store import Receipt, Saved, Store, StoreUsage
from heed.app.traces.trace_import import import_json, import_npz, load_saved

ARCHIVES: Final = (NPZ, "application/octet-stream")
MEDIA: Final = (JSON, *ARCHIVES)
MAX_WAITING = 16
MAX_LOADING = 64
MAX_REMEMBERED = 1_000
MAX_SECONDS = 10.0
"""In line; a client that has waited longer is refused, as no line may outlast the deadline."""
PURGE_SECONDS = 3600.0

log = logging.getLogger("heed.store")

Result = TypeVar("Result")

Admission = Callable[[int], AbstractContextManager[None]]
"""Waits for so many bytes of memory, in which JSON is parsed."""


class LoadedSaved(NamedTuple):
    """A saved trace, and its JSON unless only the packed one is wanted."""

    saved: Saved
    content: bytes


class LoadedTrace(NamedTuple):
    """A saved trace, with what a page must know to show it."""

    content: bytes
    """Its JSON; empty if that is larger than a page contains."""
    page: str
    """The kind of page: `text`, or that of a kind of model: `picture`, `see`, `story`, `read`, …"""


class SavedTraces:
    """The store, with a thread that writes and one that reads.

    Reading does not wait for writing, but for memory: one large trace is parsed at a time.
    """

    def __init__(self, store: Store, max_trace_bytes: int, admit: Admission) -> None:
        self._store = store
        self._max_trace_bytes = max_trace_bytes
        self._admit = admit
        self._writer = ThreadPoolExecutor(1, "heed-saving")
        self._reader = ThreadPoolExecutor(1, "heed-saved")
        self._waiting = 0
        self._loading = 0
        self._pages: OrderedDict[str, str] = OrderedDict()
        """The kinds of page of traces that this process has validated, by their digests.

        The last one comes last.
        """

    def check_room(self) -> None:
        """Raise `overloaded` if too many traces wait to be saved."""
        if self._waiting >= MAX_WAITING:
            message = f"Already {self._waiting} traces wait to be saved. Try again in a moment."
            raise ServiceUnavailable(message)

    async def save(self, body: bytes, media: str) -> SavedOut:
        """Validate the trace in a body and save it."""
        self.check_room()
        self._waiting += 1
        try:
            receipt = await self._on(self._writer, _in_time(lambda: self._save(body, media)))
        finally:
            self._waiting -= 1
        return receipt_out(receipt)

    async def load(self, identity: str, *, unpacked: bool = True) -> LoadedSaved:
        """Load a saved trace; one that this process has not seen lately is validated again."""

        def load() -> LoadedSaved:
            saved, content, _ = self._loaded(identity)
            return LoadedSaved(saved, content if unpacked else b"")

        return await self._read(load)

    async def load_for_page(self, identity: str, most_bytes: int) -> LoadedTrace:
        """Load a saved trace for a page that shows it, and contains it if it is not larger."""

        def load() -> LoadedTrace:
            _, content, page = self._loaded(identity)
            return LoadedTrace(content if len(content) <= most_bytes else b"", page)

        return await self._read(load)

    def usage(self) -> StoreUsage:
        """Return how much is saved. It may wait for the disk."""
        try:
            return self._store.usage()
        except HeedError:
            return StoreUsage(0, 0)  # the store has logged it

    async def delete(self, identity: str, key: str) -> None:
        """Delete a trace, given its key."""
        await self._on(self._writer, lambda: self._store.delete(identity, key))

    async def purge(self) -> None:
        """Delete expired traces, a few at a time, for ever."""
        while True:
            try:
                purged = await self._on(self._writer, self._store.purge)
            except HeedError:
                purged = 0  # the store has logged it; try again next time
            if purged:
                log.info("purged=%d", purged)
            await asyncio.sleep(0 if purged else PURGE_SECONDS)  # one at a time on a full disk

    def close(self) -> None:
        """Finish what is being written, then close the file."""
        self._writer.shutdown()
        self._reader.shutdown()
        self._store.close()

    async def _read(self, load: Callable[[], Result]) -> Result:
        if self._loading >= MAX_LOADING:
            message = f"Already {self._loading} saved traces are being loaded. Try again soon."
            raise ServiceUnavailable(message)
        self._loading += 1
        try:
            return await self._on(self._reader, _in_time(load))
        finally:
            self._loading -= 1

    @staticmethod
    async def _on(thread: ThreadPoolExecutor, work: Callable[[], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(thread, work)

    # --- on the threads -----------------------------------------------------------------------

    def _save(self, body: bytes, media: str) -> Receipt:
        read, limit = (import_json if media == JSON else import_npz), self._max_trace_bytes
        with self._admit(parsed_bytes(body) if media == JSON else PARSED * limit):
            content = read(body, limit)
        return self._store.save(content)

    def _loaded(self, identity: str) -> tuple[Saved, bytes, str]:
        """Return a trace, its JSON, and the kind of its page; validate it unless that was done."""
        saved = self._store.load(identity)
        page = self._pages.get(saved.digest)
        content = None if page is None else _intact(saved)
        if page is None or content is None:
            return self._validated(saved, identity)
        self._pages.move_to_end(saved.digest)
        return saved, content, page

    def _validated(self, saved: Saved, identity: str) -> tuple[Saved, bytes, str]:
        """Return a trace in the present schema, its JSON, and the kind of its page."""
        try:
            content = saved.content()
            with self._admit(parsed_bytes(content)):
                loaded = load_saved(content)
                content, page, upgraded = (
                    loaded.content,
                    page_of(loaded.trace).name,
                    loaded.upgraded,
                )
                del loaded
        except ServiceUnavailable:  # there is no memory for it now
            raise
        except (HeedError, orjson.JSONDecodeError, gzip.BadGzipFile, zlib.error, EOFError) as error:
            log.error("saved trace id=%s is damaged: %s", identity, error)  # noqa: TRY400
            message = "This saved trace is damaged and cannot be shown."
            raise ServiceError("trace_unreadable", message) from None
        if upgraded:
            return Saved.pack(content), content, page
        self._pages[saved.digest] = page
        self._pages.move_to_end(saved.digest)
        if len(self._pages) > MAX_REMEMBERED:
            self._pages.popitem(last=False)
        return saved, content, page


def _in_time(work: Callable[[], Result]) -> Callable[[], Result]:
    """Return work that is refused if it begins too late."""
    last = time.monotonic() + MAX_SECONDS

    def begin() -> Result:
        if time.monotonic() > last:
            raise ServiceUnavailable("Many traces wait in line. Try again in a moment.")
        return work()

    return begin


def _intact(saved: Saved) -> bytes | None:
    """Return the content if it still has its digest; validating it holds the interpreter."""
    try:
        return saved.content()
    except (gzip.BadGzipFile, zlib.error, EOFError):
        return None


def receipt_out(receipt: Receipt) -> SavedOut:
    """Return the receipt of a saved trace as the API gives it."""
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

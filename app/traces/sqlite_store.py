"""Saved traces, in one SQLite file.

One connection, opened when first needed and guarded by a lock: any thread may call, and so may
another process, since SQLite locks the file itself. When `save` returns, the trace is on the disk
(`synchronous=FULL`) and survives a killed process or a power cut. Deleted traces are overwritten.
On a full disk, a reserve beside the file has the room that deleting takes.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from heed.app.traces.database import (
    free_bytes,
    is_full,
    is_read_only,
    log_bytes,
    open_database,
    open_read_only,
    used_bytes,
)
from heed.app.traces.reserve import PIECE, Reserve, room_for
from heed.app.traces.store import (
    PURGED_AT_ONCE,
    Row,
    Saved,
    Store,
    StoreUsage,
    disk_full,
    unavailable,
)

FILE = "traces.sqlite3"
RESERVE = "traces.reserve"

log = logging.getLogger("heed.store")

Result = TypeVar("Result")


class SQLiteStore(Store):
    """Saves, loads and deletes traces in a file of a folder."""

    def __init__(
        self,
        folder: Path,
        *,
        keep_days: float = 0.0,
        max_bytes: int,
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(keep_days=keep_days, max_bytes=max_bytes, now=now)
        with suppress(RuntimeError):  # a user without a home
            folder = folder.expanduser()
        self._path = folder / FILE
        self._reserve = Reserve(folder / RESERVE)
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def usage(self) -> StoreUsage:
        """Return how much is saved."""
        with self._reading() as connection:
            if not connection:
                return StoreUsage(0, 0)
            (traces,) = connection.execute("SELECT count(*) FROM traces").fetchone()
            return StoreUsage(traces, used_bytes(connection))

    def purge(self) -> int:
        """Delete a few expired traces; return how many."""
        with self._reading() as connection:
            if not connection:
                return 0
        return self._write(lambda writer, many: self._purge(writer, PURGED_AT_ONCE if many else 1))

    def close(self) -> None:
        """Close the file. It is opened again when needed."""
        with self._lock:
            self._disconnect()

    def _insert(self, row: Row) -> None:
        size = len(row.content)

        def insert(connection: sqlite3.Connection, plenty: bool) -> None:
            if plenty:
                self._purge(connection, PURGED_AT_ONCE)
                self._reserve.hold(room_for(size, log_bytes(self._path)))  # to delete it later
            elif free_bytes(connection) < size + PIECE:
                raise disk_full()  # the file would grow into the room of the reserve
            if used_bytes(connection) + size > self._max_bytes:
                raise self._no_room()
            connection.execute("INSERT INTO traces VALUES (?, ?, ?, ?, ?, ?)", row)

        self._write(insert)

    def _find(self, identity: str) -> Saved | None:
        with self._reading() as connection:
            row = self._columns(connection, "content, digest", identity)
        return Saved(*row) if row else None

    def _find_key_digest(self, identity: str) -> bytes | None:
        with self._reading() as connection:
            row = self._columns(connection, "key_digest", identity)
        return row[0] if row else None

    def _remove(self, identity: str) -> None:
        self._write(
            lambda writer, _: writer.execute("DELETE FROM traces WHERE id = ?", (identity,))
        )
        with self._lock, self._database_errors():
            self._empty_the_log()  # it is there, too

    # --- with the lock ------------------------------------------------------------------------

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        """Yield a connection, or `None` if nothing was ever saved: reading creates no file."""
        with self._lock, self._database_errors():
            if self._connection is None and not self._path.exists():
                yield None
                return
            try:
                connection, temporary = self._connect(), False
            except (sqlite3.Error, OSError) as error:
                if not is_read_only(error):
                    raise
                connection, temporary = open_read_only(self._path), True
            try:
                yield connection
            finally:
                if temporary:
                    connection.close()

    def _write(self, work: Callable[[sqlite3.Connection, bool], Result]) -> Result:
        """Run work in a transaction; if the disk is full, once more with the room of the reserve.

        The work gets false the second time, when it must not let the file grow.
        """
        with self._lock, self._database_errors():
            try:
                return self._transaction(lambda connection: work(connection, True))
            except (sqlite3.Error, OSError) as error:
                if not is_full(error) or not self._path.exists():
                    raise
                log.error("saved traces in=%s: %s", self._path, error)  # noqa: TRY400
                self._disconnect()
            with self._reserve.released():
                self._empty_the_log()  # what it has may take more room in the file
                try:
                    return self._transaction(lambda connection: work(connection, False))
                finally:
                    self._empty_the_log()

    def _empty_the_log(self) -> None:
        """Write the log to the file, and give its room back to the disk."""
        self._connect().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _transaction(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        connection = self._connect()
        connection.execute("BEGIN IMMEDIATE")
        try:
            result = work(connection)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return result

    @contextmanager
    def _database_errors(self) -> Iterator[None]:
        """Turn errors of the file or of SQLite into a `ServiceError`."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            log.error("saved traces in=%s: %s", self._path, error)  # noqa: TRY400 - says enough
            self._disconnect()  # the file may have been replaced
            raise (disk_full() if is_full(error) else unavailable()) from None

    def _connect(self) -> sqlite3.Connection:
        if self._connection is None:
            try:
                self._connection = open_database(self._path)
            except (sqlite3.Error, OSError) as error:  # of the shared memory beside the log
                if not is_full(error):
                    raise
                with self._reserve.released():
                    self._connection = open_database(self._path)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # --- within a transaction -----------------------------------------------------------------

    def _purge(self, connection: sqlite3.Connection, most: int) -> int:
        expired = "SELECT id FROM traces WHERE expires <= ? LIMIT ?"
        return connection.execute(
            f"DELETE FROM traces WHERE id IN ({expired})",  # noqa: S608 - no user input
            (self._now(), most),
        ).rowcount

    def _columns(
        self, connection: sqlite3.Connection | None, columns: str, identity: str
    ) -> tuple[bytes, str] | None:
        if connection is None:
            return None
        query = f"SELECT {columns} FROM traces WHERE id = ?"  # noqa: S608 - no user input
        row: tuple[bytes, str] | None = connection.execute(
            f"{query} AND ifnull(expires > ?, 1)", (identity, self._now())
        ).fetchone()
        return row

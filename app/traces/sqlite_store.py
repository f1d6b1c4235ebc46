"""Saved traces, in one SQLite file.

One connection, opened when first needed and guarded by a lock: any thread may call, and so may
another process, since SQLite locks the file itself. When `save` returns, the trace is on the disk
(`synchronous=FULL`) and survives a killed process or a power cut. Deleted traces are overwritten.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from heed.app.traces.database import (
    is_full,
    is_read_only,
    open_database,
    open_read_only,
    used_bytes,
)
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

log = logging.getLogger("heed.store")


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
        with self._writing() as writer:
            return self._purge(writer)

    def close(self) -> None:
        """Close the file. It is opened again when needed."""
        with self._lock:
            self._disconnect()

    def _insert(self, row: Row) -> None:
        with self._writing() as connection:
            self._purge(connection)
            if used_bytes(connection) + len(row.content) > self._max_bytes:
                raise self._no_room()
            connection.execute("INSERT INTO traces VALUES (?, ?, ?, ?, ?, ?)", row)

    def _find(self, identity: str) -> Saved | None:
        with self._reading() as connection:
            row = self._columns(connection, "content, digest", identity)
        return Saved(*row) if row else None

    def _find_key_digest(self, identity: str) -> bytes | None:
        with self._reading() as connection:
            row = self._columns(connection, "key_digest", identity)
        return row[0] if row else None

    def _remove(self, identity: str) -> None:
        with self._writing() as connection:
            connection.execute("DELETE FROM traces WHERE id = ?", (identity,))
        with self._reading() as open_connection:
            if open_connection:  # remove it from the write-ahead log, too
                open_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

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

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection within a transaction."""
        with self._lock, self._database_errors():
            connection = self._connect()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

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
            self._connection = open_database(self._path)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # --- within a transaction -----------------------------------------------------------------

    def _purge(self, connection: sqlite3.Connection) -> int:
        expired = "SELECT id FROM traces WHERE expires <= ? LIMIT ?"
        return connection.execute(
            f"DELETE FROM traces WHERE id IN ({expired})",  # noqa: S608 - no user input
            (self._now(), PURGED_AT_ONCE),
        ).rowcount

    def _columns(
        self, connection: sqlite3.Connection | None, columns: str, identity: str
    ) -> tuple[bytes, str] | None:
        if connection is None:
            return None
        found = f"SELECT {columns} FROM traces WHERE id = ?"  # noqa: S608 - no user input
        row: tuple[bytes, str] | None = connection.execute(
            f"{found} AND ifnull(expires > ?, 1)", (identity, self._now())
        ).fetchone()
        return row

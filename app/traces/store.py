"""Saved traces, in one SQLite file.

One connection, opened when first needed and guarded by a lock: any thread may call, and so may
another process, since SQLite locks the file itself. When `save` returns, the trace is on the disk
(`synchronous=FULL`) and survives a killed process or a power cut. Deleted traces are overwritten.
None of this may run on the event loop.
"""

from __future__ import annotations

import gzip
import hashlib
import hmac
import logging
import secrets
import sqlite3
import string
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

from heed.app.errors import RequestError, ServiceError, retry_headers
from heed.app.traces.database import (
    is_full,
    is_read_only,
    open_database,
    open_read_only,
    used_bytes,
)

FILE = "traces.sqlite3"
ALPHABET = string.ascii_letters + string.digits
ID_LENGTH = 22  # 131 bits, and a double click selects all of it
KEY_BYTES = 32
COMPRESSION = 6
DAY = 24 * 3600.0
PURGED_AT_ONCE = 20

log = logging.getLogger("heed.store")


@dataclass(frozen=True, slots=True)
class Receipt:
    """The id and key of a saved trace, given once, when it is saved."""

    id: str
    key: str
    expires: float | None
    """Seconds since 1970; `None` if the trace is kept until it is deleted."""


class StoreUsage(NamedTuple):
    """The number of saved traces, and the bytes that they take."""

    traces: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Saved:
    """The JSON of a saved trace in gzip, and the SHA-256 of the JSON."""

    packed: bytes
    digest: str

    @classmethod
    def pack(cls, content: bytes) -> Self:
        """Compress the JSON of a trace; the same JSON always gives the same bytes."""
        packed = gzip.compress(content, COMPRESSION, mtime=0)
        return cls(packed, hashlib.sha256(content).hexdigest())

    def content(self) -> bytes:
        """Return the JSON, or raise `BadGzipFile` if it is not what was saved."""
        content = gzip.decompress(self.packed)
        if hashlib.sha256(content).hexdigest() != self.digest:
            raise gzip.BadGzipFile("the digest does not match")
        return content


class Store:
    """Saves, loads and deletes traces."""

    def __init__(
        self,
        folder: Path,
        *,
        keep_days: float = 0.0,
        max_bytes: int,
        now: Callable[[], float] = time.time,
    ) -> None:
        with suppress(RuntimeError):  # a user without a home
            folder = folder.expanduser()
        self._path = folder / FILE
        self._keep_days = keep_days
        self._max_bytes = max_bytes
        self._now = now
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def save(self, content: bytes) -> Receipt:
        """Save the JSON of a trace; it is on the disk when this returns."""
        if not self._max_bytes:
            raise ServiceError("store_full", "This server does not save traces.")
        saved = Saved.pack(content)
        identity = "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))
        key = secrets.token_urlsafe(KEY_BYTES)
        now = self._now()
        expires = now + self._keep_days * DAY if self._keep_days else None
        row = (identity, now, expires, _key_digest(key), saved.digest, saved.packed)
        with self._writing() as connection:
            self._purge(connection)
            self._check_room(connection, len(saved.packed))
            connection.execute("INSERT INTO traces VALUES (?, ?, ?, ?, ?, ?)", row)
        return Receipt(identity, key, expires)

    def load(self, identity: str) -> Saved:
        """Load the trace with this id."""
        with self._reading() as connection:
            row = (
                connection
                and connection.execute(
                    "SELECT content, digest FROM traces WHERE id = ? AND ifnull(expires > ?, 1)",
                    (identity, self._now()),
                ).fetchone()
            )
        if not row:
            raise unknown_trace()
        return Saved(*row)

    def delete(self, identity: str, key: str) -> None:
        """Delete a trace, given its key."""
        with self._reading() as connection:
            known = self._key_digest_of(connection, identity)
        if not hmac.compare_digest(known, _key_digest(key)):
            message = "This key is not the key of this trace. Send the one from when it was saved."
            raise RequestError("wrong_key", message)
        with self._writing() as connection:
            connection.execute("DELETE FROM traces WHERE id = ?", (identity,))
        with self._reading() as open_connection:
            if open_connection:  # remove it from the write-ahead log, too
                open_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

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
            if is_full(error):
                message = "The disk of the server is full: the trace was not saved."
                raise ServiceError("store_full", message) from None
            message = "Saved traces are not available at the moment; the server's log says why."
            raise ServiceError("store_unavailable", message, headers=retry_headers()) from None

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

    def _check_room(self, connection: sqlite3.Connection, needed: int) -> None:
        if used_bytes(connection) + needed <= self._max_bytes:
            return
        used = f"The {self._max_bytes} bytes for saved traces are used up."
        message = f"{used} Delete some traces, or download this one as a file."
        raise ServiceError("store_full", message)

    def _key_digest_of(self, connection: sqlite3.Connection | None, identity: str) -> bytes:
        row = (
            connection
            and connection.execute(
                "SELECT key_digest FROM traces WHERE id = ? AND ifnull(expires > ?, 1)",
                (identity, self._now()),
            ).fetchone()
        )
        if not row:
            raise unknown_trace()
        digest: bytes = row[0]
        return digest


def unknown_trace() -> RequestError:
    """Return the error for a trace that does not exist, whether or not it ever did."""
    message = "There is no saved trace here. It was deleted, it expired, or the link is wrong."
    return RequestError("unknown_trace", message)


def _key_digest(key: str) -> bytes:
    # A plain digest is enough: the key is random and long, there is nothing to guess.
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()

"""Saved traces, in one SQLite file.

One connection, opened when first needed and guarded by a lock: any thread may call, and so may
another process, since SQLite locks the file itself. A trace that `save` has answered for is on the
disk (`synchronous=FULL`): neither a killed process nor a power cut takes it back. What is deleted
is overwritten. Nothing of this may run on the event loop.
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
from typing import NamedTuple

from heed.app.errors import RequestError, ServiceError, retry_headers
from heed.app.traces.database import is_for_reading, is_full, opened, opened_for_reading, size

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
    """What is told of a trace once, when it is saved."""

    id: str
    key: str
    expires: float | None
    """Seconds since 1970; nothing if it is kept until it is deleted."""


class StoreUsage(NamedTuple):
    """How much is kept."""

    traces: int
    taken: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A trace as it was saved: JSON, in gzip, and the SHA-256 of the JSON."""

    packed: bytes
    digest: str

    def content(self) -> bytes:
        """The JSON, or an error of gzip's if it is not what was saved."""
        content = gzip.decompress(self.packed)
        if hashlib.sha256(content).hexdigest() != self.digest:
            raise gzip.BadGzipFile("the digest is another")
        return content


class Store:
    """Keeps traces, gives them back, deletes them."""

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
        """Keep the JSON of a trace. Once this returns, it is safe."""
        if not self._max_bytes:
            raise ServiceError("store_full", "This server saves no traces.")
        packed = gzip.compress(content, COMPRESSION, mtime=0)
        digest = hashlib.sha256(content).hexdigest()
        identity = "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))
        key = secrets.token_urlsafe(KEY_BYTES)
        now = self._now()
        expires = now + self._keep_days * DAY if self._keep_days else None
        row = (identity, now, expires, _key_digest(key), digest, packed)
        with self._writing() as connection:
            self._purge(connection)
            self._check_room(connection, len(packed))
            connection.execute("INSERT INTO traces VALUES (?, ?, ?, ?, ?, ?)", row)
        return Receipt(identity, key, expires)

    def load(self, identity: str) -> Saved:
        """The trace of this id."""
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
        """Delete a trace, for whoever has its key."""
        with self._reading() as connection:
            known = self._key_digest_of(connection, identity)
        if not hmac.compare_digest(known, _key_digest(key)):
            message = "This key belongs to another trace. Send the one that saving this one gave."
            raise RequestError("wrong_key", message)
        with self._writing() as connection:
            connection.execute("DELETE FROM traces WHERE id = ?", (identity,))
        with self._reading() as open_connection:
            if open_connection:  # out of the log, too
                open_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def kept(self) -> StoreUsage:
        """How much is kept."""
        with self._reading() as connection:
            if not connection:
                return StoreUsage(0, 0)
            (traces,) = connection.execute("SELECT count(*) FROM traces").fetchone()
            return StoreUsage(traces, size(connection))

    def purge(self) -> int:
        """Delete a few of those whose time is over, and say how many."""
        with self._reading() as connection:
            if not connection:
                return 0
        with self._writing() as writing:
            return self._purge(writing)

    def close(self) -> None:
        """Close the file. It is opened again if it is needed again."""
        with self._lock:
            self._drop()

    # --- with the lock ------------------------------------------------------------------------

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        """The connection, or nothing where nothing was ever saved: looking makes no file."""
        with self._lock, self._told():
            if self._connection is None and not self._path.exists():
                yield None
                return
            try:
                connection, only_now = self._opened(), False
            except (sqlite3.Error, OSError) as error:
                if not is_for_reading(error):
                    raise
                connection, only_now = opened_for_reading(self._path), True
            try:
                yield connection
            finally:
                if only_now:
                    connection.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """The connection within a transaction: all of it is done, or nothing."""
        with self._lock, self._told():
            connection = self._opened()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What goes wrong with the file, as an error of ours."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            log.error("saved traces in=%s: %s", self._path, error)  # noqa: TRY400 - says enough
            self._drop()  # what was open may not be what lies there now
            if is_full(error):
                message = "The disk of the server is full. Nothing was saved, nothing is lost."
                raise ServiceError("store_full", message) from None
            message = (
                "Saved traces cannot be reached at the moment; the log of the server says why."
            )
            raise ServiceError("store_unavailable", message, headers=retry_headers()) from None

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = opened(self._path)
        return self._connection

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    # --- within a transaction -----------------------------------------------------------------

    def _purge(self, connection: sqlite3.Connection) -> int:
        over = "SELECT id FROM traces WHERE expires <= ? LIMIT ?"
        return connection.execute(
            f"DELETE FROM traces WHERE id IN ({over})",  # noqa: S608 - nothing of a user's in it
            (self._now(), PURGED_AT_ONCE),
        ).rowcount

    def _check_room(self, connection: sqlite3.Connection, wanted: int) -> None:
        if size(connection) + wanted <= self._max_bytes:
            return
        taken = f"All {self._max_bytes} bytes for saved traces are taken."
        message = f"{taken} Delete some, or save it as a file."
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
    """There is none, and nobody is told whether there ever was."""
    message = (
        "There is no saved trace here. It was deleted, its time is over, or the link is wrong."
    )
    return RequestError("unknown_trace", message)


def _key_digest(key: str) -> bytes:
    # A plain digest is enough: the key is random and long, there is nothing to guess.
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()

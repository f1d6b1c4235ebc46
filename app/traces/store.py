"""Saved traces: their ids and keys, expiry and quota, whatever database keeps them.

When `save` returns, the trace is on the disk of the database. None of this may run on the event
loop.
"""

from __future__ import annotations

import gzip
import hashlib
import hmac
import secrets
import string
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Self

from heed.app.errors import RequestError, ServiceError, retry_headers

ALPHABET = string.ascii_letters + string.digits
ID_LENGTH = 22  # 131 bits, and a double click selects all of it
KEY_BYTES = 32
COMPRESSION = 6
DAY = 24 * 3600.0
PURGED_AT_ONCE = 20


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


class Row(NamedTuple):
    """A trace as the database keeps it."""

    id: str
    created: float
    expires: float | None
    key_digest: bytes
    digest: str
    content: bytes


class Store(ABC):
    """Saves, loads and deletes traces. Any thread may call."""

    def __init__(
        self,
        *,
        keep_days: float = 0.0,
        max_bytes: int,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._keep_days = keep_days
        self._max_bytes = max_bytes
        self._now = now

    def save(self, content: bytes) -> Receipt:
        """Save the JSON of a trace; it is on the disk when this returns."""
        if not self._max_bytes:
            raise ServiceError("store_full", "This server does not save traces.")
        saved = Saved.pack(content)
        identity = "".join(secrets.choice(ALPHABET) for _ in range(ID_LENGTH))
        key = secrets.token_urlsafe(KEY_BYTES)
        now = self._now()
        expires = now + self._keep_days * DAY if self._keep_days else None
        self._insert(Row(identity, now, expires, _key_digest(key), saved.digest, saved.packed))
        return Receipt(identity, key, expires)

    def restore(self, row: Row) -> bool:
        """Add a trace of another store, unless it has expired or is here; return whether."""
        expired = row.expires is not None and row.expires <= self._now()
        if expired or self._find_key_digest(row.id) is not None:
            return False
        self._insert(row)
        return True

    def load(self, identity: str) -> Saved:
        """Load the trace with this id."""
        saved = self._find(identity)
        if saved is None:
            raise unknown_trace()
        return saved

    def delete(self, identity: str, key: str) -> None:
        """Delete a trace, given its key."""
        known = self._find_key_digest(identity)
        if known is None:
            raise unknown_trace()
        if not hmac.compare_digest(known, _key_digest(key)):
            message = "This key is not the key of this trace. Send the one from when it was saved."
            raise RequestError("wrong_key", message)
        self._remove(identity)

    @abstractmethod
    def usage(self) -> StoreUsage:
        """Return how much is saved."""

    @abstractmethod
    def purge(self) -> int:
        """Delete a few expired traces; return how many."""

    @abstractmethod
    def close(self) -> None:
        """Close the connections. They are opened again when needed."""

    @abstractmethod
    def _insert(self, row: Row) -> None:
        """Delete a few expired traces, then insert one, or raise `store_full`."""

    @abstractmethod
    def _find(self, identity: str) -> Saved | None:
        """Return the trace with this id, unless it has expired."""

    @abstractmethod
    def _find_key_digest(self, identity: str) -> bytes | None:
        """Return the digest of the key of a trace, unless it has expired."""

    @abstractmethod
    def _remove(self, identity: str) -> None:
        """Delete the trace with this id."""

    def _no_room(self) -> ServiceError:
        used = f"The {self._max_bytes} bytes for saved traces are used up."
        message = f"{used} Delete some traces, or download this one as a file."
        return ServiceError("store_full", message)


def unknown_trace() -> RequestError:
    """Return the error for a trace that does not exist, whether or not it ever did."""
    message = "There is no saved trace here. It was deleted, it expired, or the link is wrong."
    return RequestError("unknown_trace", message)


def unavailable() -> ServiceError:
    """Return the error for a database that does not answer."""
    message = "Saved traces are not available at the moment; the server's log says why."
    return ServiceError("store_unavailable", message, headers=retry_headers())


def disk_full() -> ServiceError:
    """Return the error for a database that has no room on its disk."""
    return ServiceError("store_full", "The disk of the server is full: nothing was changed.")


def _key_digest(key: str) -> bytes:
    # A plain digest is enough: the key is random and long, there is nothing to guess.
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()

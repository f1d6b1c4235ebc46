"""Saved traces in a PostgreSQL database, which several servers may share.

When `save` returns, PostgreSQL has the trace on its disk (`synchronous_commit`). A row of
`heed_usage` counts traces and bytes in the transaction that changes them, so that the quota is
exact however many servers save. A server of PostgreSQL that is gone, stopped or slow costs a call a
few seconds; the calls of the next second are refused at once.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Double,
    Integer,
    LargeBinary,
    MetaData,
    Select,
    Table,
    Text,
    create_engine,
    delete,
    func,
    insert,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from heed.app.errors import ServiceError, StartError
from heed.app.traces.store import (
    PURGED_AT_ONCE,
    Row,
    Saved,
    Store,
    StoreUsage,
    disk_full,
    unavailable,
)

CONNECT_SECONDS = 2
ANSWER_SECONDS = 3.0
PAUSE_SECONDS = 1.0
"""Seconds for which calls are refused at once after PostgreSQL did not answer."""
POOL = 4  # a thread that writes, one that reads, metrics
DISK_FULL = "53100"  # SQLSTATE
LOCK = 0x68656564  # "heed", of the migration
ROW_BYTES = 200  # of a trace without its content

tables = MetaData()
traces = Table(
    "heed_traces",
    tables,
    Column("id", Text, primary_key=True),
    Column("created", Double, nullable=False),
    Column("expires", Double),
    Column("key_digest", LargeBinary, nullable=False),
    Column("digest", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
)
counted = Table(
    "heed_usage",
    tables,
    Column("traces", BigInteger, nullable=False),
    Column("bytes", BigInteger, nullable=False),
)
schema = Table("heed_schema", tables, Column("version", Integer, nullable=False))

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE heed_traces (
            id text PRIMARY KEY,
            created double precision NOT NULL,
            expires double precision,
            key_digest bytea NOT NULL,
            digest text NOT NULL,
            content bytea NOT NULL
        )""",
        "ALTER TABLE heed_traces ALTER COLUMN content SET STORAGE EXTERNAL",  # it is compressed
        "CREATE INDEX heed_traces_by_expiry ON heed_traces (expires) WHERE expires IS NOT NULL",
        "CREATE TABLE heed_usage (traces bigint NOT NULL, bytes bigint NOT NULL)",
        "INSERT INTO heed_usage VALUES (0, 0)",
    ),
)
"""The statements that bring a database from each version to the next; `heed_schema` counts them."""

log = logging.getLogger("heed.store")


class PostgreSQLStore(Store):
    """Saves, loads and deletes traces in a database."""

    def __init__(
        self,
        url: str,
        *,
        keep_days: float = 0.0,
        max_bytes: int,
        now: Callable[[], float] = time.time,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        super().__init__(keep_days=keep_days, max_bytes=max_bytes, now=now)
        self._answer_seconds = answer_seconds
        milliseconds = int(answer_seconds * 1000)
        options = f"-c statement_timeout={milliseconds} -c synchronous_commit=on"
        try:
            self._engine = create_engine(
                url,
                pool_size=POOL,
                max_overflow=0,
                pool_timeout=answer_seconds,
                connect_args={"connect_timeout": CONNECT_SECONDS, "options": options},
            )
        except (ArgumentError, ImportError, ValueError):
            message = "HEED_STORE is not a valid URL, such as postgresql+psycopg://user@host/name."
            raise StartError(message) from None
        self._migrated = False
        self._paused_until = 0.0

    def usage(self) -> StoreUsage:
        """Return how much is saved."""
        with self._transaction() as connection:
            return StoreUsage(*connection.execute(select(counted)).one())

    def purge(self) -> int:
        """Delete a few expired traces; return how many."""
        with self._transaction() as connection:
            return self._purge(connection)

    def all_rows(self) -> Iterator[Row]:
        """Yield every trace that has not expired, for a backup."""
        with self._transaction() as connection:
            identities = connection.scalars(select(traces.c.id).order_by(traces.c.id)).all()
        for identity in identities:
            with self._transaction() as connection:
                row = connection.execute(self._valid(select(traces), identity)).one_or_none()
            if row is not None:
                yield Row._make(row)

    def close(self) -> None:
        """Close the connections. They are opened again when needed."""
        self._engine.dispose()

    def _insert(self, row: Row) -> None:
        size = len(row.content) + ROW_BYTES
        with self._transaction() as connection:
            self._purge(connection)
            more = {"traces": counted.c.traces + 1, "bytes": counted.c.bytes + size}
            fits = counted.c.bytes + size <= self._max_bytes
            if not connection.execute(update(counted).where(fits).values(more)).rowcount:
                raise self._no_room()
            connection.execute(insert(traces).values(row._asdict()))

    def _find(self, identity: str) -> Saved | None:
        row = self._row(select(traces.c.content, traces.c.digest), identity)
        return None if row is None else Saved(row[0], row[1])

    def _find_key_digest(self, identity: str) -> bytes | None:
        row = self._row(select(traces.c.key_digest), identity)
        return None if row is None else row[0]

    def _remove(self, identity: str) -> None:
        with self._transaction() as connection:
            self._delete(connection, select(traces.c.id).where(traces.c.id == identity))

    def _row(self, columns: Select[Any], identity: str) -> Sequence[Any] | None:
        if not (identity.isascii() and identity.isalnum()):
            return None  # PostgreSQL's text holds no NUL
        with self._transaction() as connection:
            return connection.execute(self._valid(columns, identity)).one_or_none()

    def _valid(
        self, columns: Select[tuple[bytes, str]], identity: str
    ) -> Select[tuple[bytes, str]]:
        valid = or_(traces.c.expires.is_(None), traces.c.expires > self._now())
        return columns.where(traces.c.id == identity, valid)

    # --- within a transaction -----------------------------------------------------------------

    def _purge(self, connection: Connection) -> int:
        expired = select(traces.c.id).where(traces.c.expires <= self._now()).limit(PURGED_AT_ONCE)
        return self._delete(connection, expired.with_for_update(skip_locked=True))

    def _delete(self, connection: Connection, identities: Select[tuple[str]]) -> int:
        size = func.octet_length(traces.c.content) + ROW_BYTES
        gone = delete(traces).where(traces.c.id.in_(identities)).returning(size)
        sizes = connection.scalars(gone).all()
        if sizes:
            less = {
                "traces": counted.c.traces - len(sizes),
                "bytes": counted.c.bytes - sum(sizes),
            }
            connection.execute(update(counted).values(less))
        return len(sizes)

    # --- connections --------------------------------------------------------------------------

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Yield a connection in a transaction of a migrated database, or raise a `ServiceError`."""
        if time.monotonic() < self._paused_until:
            raise unavailable()
        try:
            with (
                self._connected() as connection,
                _deadline(connection, self._answer_seconds),
                connection.begin(),
            ):
                if not self._migrated:
                    _migrate(connection)
                yield connection
            self._migrated = True
        except (SQLAlchemyError, OSError) as error:
            raise self._failed(error) from None

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        """Yield a connection that answers: those of the pool are lost when PostgreSQL restarts."""
        connection = self._engine.connect()
        try:
            try:
                with _deadline(connection, self._answer_seconds) as stopped, connection.begin():
                    connection.execute(text("SELECT 1"))
            except DBAPIError as error:
                if stopped.is_set() or not error.connection_invalidated:
                    raise
                connection.close()
                connection = self._engine.connect()
            yield connection
        finally:
            connection.close()

    def _failed(self, error: Exception) -> ServiceError:
        """Log an error of the database, and return the one for the client."""
        cause = getattr(error, "orig", None) or error
        log.error("saved traces in PostgreSQL: %s", " ".join(str(cause).split()))
        if getattr(cause, "sqlstate", None) == DISK_FULL:
            return disk_full()
        self._paused_until = time.monotonic() + PAUSE_SECONDS
        return unavailable()


@contextmanager
def _deadline(connection: Connection, seconds: float) -> Iterator[threading.Event]:
    """Cut the connection if the block takes too long: a stopped server sends nothing at all.

    PostgreSQL's `statement_timeout` ends only what a running server takes too long for.
    """
    passed = threading.Event()
    driver = connection.connection.driver_connection
    assert driver is not None  # noqa: S101 - it is connected
    handle = os.dup(driver.fileno())

    def cut() -> None:
        passed.set()
        with suppress(OSError), socket.socket(fileno=os.dup(handle)) as connection:
            connection.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(seconds + PAUSE_SECONDS, cut)
    timer.daemon = True
    timer.start()
    try:
        yield passed
    finally:
        timer.cancel()
        timer.join()
        os.close(handle)


def _migrate(connection: Connection) -> None:
    """Bring the database to the newest version, one server at a time."""
    connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
    connection.execute(text("CREATE TABLE IF NOT EXISTS heed_schema (version integer NOT NULL)"))
    version = connection.scalar(select(schema.c.version)) or 0
    if version > len(MIGRATIONS):
        raise SQLAlchemyError(f"the database has version {version}, of a newer Heed")
    if version == len(MIGRATIONS):
        return
    for statements in MIGRATIONS[version:]:
        for statement in statements:
            connection.execute(text(statement))
    connection.execute(delete(schema))
    connection.execute(insert(schema).values(version=len(MIGRATIONS)))

"""The SQLite file of the saved traces: its connections, its schema and its migrations."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

BUSY_SECONDS = 5.0
POLL_SECONDS = 0.01
LOG_BYTES = 4 * 1024 * 1024
BASE_CODE = 0xFF  # SQLite's codes carry finer distinctions in their upper bytes
FULL_ERRORS = {errno.ENOSPC, errno.EDQUOT}
READ_ONLY_ERRORS = {errno.EROFS, errno.EACCES, errno.EPERM}

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE traces (
            id TEXT PRIMARY KEY,
            created REAL NOT NULL,
            expires REAL,
            key_digest BLOB NOT NULL,
            digest TEXT NOT NULL,
            content BLOB NOT NULL
        ) STRICT""",
        "CREATE INDEX traces_by_expiry ON traces (expires) WHERE expires IS NOT NULL",
    ),
)
"""The statements that bring a file from each version to the next; `user_version` counts them."""


def open_database(path: Path) -> sqlite3.Connection:
    """Open the file, creating it and its folder if needed.

    Any thread may use the connection, but only one at a time.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        _use_write_ahead_log(connection)
        connection.execute("PRAGMA synchronous = FULL")  # WAL alone may lose the last writes
        connection.execute("PRAGMA secure_delete = ON").fetchall()
        connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}").fetchall()
        _migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead logging. SQLite does not wait by itself if another process does so."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & BASE_CODE == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > until:
                raise
            time.sleep(POLL_SECONDS)
        else:
            return


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open the file for reading, on a read-only disk as well.

    With a write-ahead log, readers need a shared-memory file beside it. If that cannot be created
    and there is no log, no process writes, and the file can be opened as immutable.
    """
    connection = _connect_uri(path, "ro")
    try:
        _version(connection)
    except sqlite3.OperationalError:
        connection.close()
        log = path.with_name(path.name + "-wal")
        if log.exists() and log.stat().st_size:
            raise  # its content must not be left out
        connection = _connect_uri(path, "ro&immutable=1")
        _version(connection)
    return connection


def _connect_uri(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(
        uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )


def copy_database(source: Path, target: Path) -> int:
    """Copy a file that may be in use to a new one; return how many traces it has."""
    with (
        _part(target) as part,
        closing(open_read_only(source)) as original,
        closing(sqlite3.connect(part)) as copy,
    ):
        original.backup(copy)
        return _finish(copy, part, target)


def write_database(target: Path, rows: Iterable[tuple[object, ...]]) -> int:
    """Write traces to a new file; return how many they are."""
    with _part(target) as part, closing(open_database(part)) as copy:
        copy.execute("BEGIN IMMEDIATE")
        copy.executemany("INSERT INTO traces VALUES (?, ?, ?, ?, ?, ?)", rows)
        copy.execute("COMMIT")
        return _finish(copy, part, target)


def read_database(path: Path) -> Iterator[tuple[str, float, float | None, bytes, str, bytes]]:
    """Yield every trace of a file that may be in use."""
    with closing(open_read_only(path)) as connection:
        _check_version(_version(connection))
        yield from connection.execute("SELECT * FROM traces ORDER BY id")


@contextmanager
def _part(target: Path) -> Iterator[Path]:
    """Yield the path at which a file is written until it is complete; remove what did not."""
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    try:
        yield part
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):
            part.with_name(part.name + ending).unlink(missing_ok=True)


def _finish(copy: sqlite3.Connection, part: Path, target: Path) -> int:
    """Check and close a copy, and give it its name; return how many traces it has."""
    copy.execute("PRAGMA journal_mode = DELETE").fetchall()  # one file, without a log
    (verdict,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise sqlite3.DatabaseError(f"the copy is damaged: {verdict}")
    (traces,) = copy.execute("SELECT count(*) FROM traces").fetchone()
    copy.close()
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    part.rename(target)
    return int(traces)


def used_bytes(connection: sqlite3.Connection) -> int:
    """Return the bytes of the file that are in use; deleted pages are free for new traces."""
    pages, free, page = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    used: int = (pages - free) * page
    return used


def log_bytes(path: Path) -> int:
    """Return the size of the write-ahead log of a file."""
    log = path.with_name(path.name + "-wal")
    return log.stat().st_size if log.exists() else 0


def free_bytes(connection: sqlite3.Connection) -> int:
    """Return the bytes of deleted pages, which new traces take before the file grows."""
    free, page = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("freelist_count", "page_size")
    )
    size: int = free * page
    return size


def is_full(error: sqlite3.Error | OSError) -> bool:
    """Return whether the disk is full."""
    if isinstance(error, OSError):
        return error.errno in FULL_ERRORS
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & BASE_CODE == sqlite3.SQLITE_FULL or code == sqlite3.SQLITE_IOERR_SHMSIZE


def is_read_only(error: sqlite3.Error | OSError) -> bool:
    """Return whether the disk, or the file, cannot be written."""
    if isinstance(error, OSError):
        return error.errno in READ_ONLY_ERRORS
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & BASE_CODE in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


def _migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to the newest version, in one transaction."""
    version = _version(connection)
    _check_version(version)
    if version == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = _version(connection)  # another process may have been faster
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _check_version(version: int) -> None:
    if version > len(MIGRATIONS):
        raise sqlite3.DatabaseError(f"the file has version {version}, of a newer Heed")


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version

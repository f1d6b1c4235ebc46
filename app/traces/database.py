"""The SQLite file of the saved traces: opened as it should be, and brought to the form of today."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

BUSY_SECONDS = 5.0
AGAIN_SECONDS = 0.01
LOG_BYTES = 4 * 1024 * 1024
BASE_CODE = 0xFF  # SQLite's codes carry finer distinctions in their upper bytes
NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
NO_WRITING = {errno.EROFS, errno.EACCES, errno.EPERM}

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
"""What brings a file from each version of its form to the next; `user_version` counts them."""


def opened(path: Path) -> sqlite3.Connection:
    """A connection to the file, which is made if it is not there, with its folder.

    Any thread may use it, but only one at a time.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        _keep_log(connection)
        connection.execute("PRAGMA synchronous = FULL")  # WAL alone may lose the last ones
        connection.execute("PRAGMA secure_delete = ON").fetchall()
        connection.execute(f"PRAGMA journal_size_limit = {LOG_BYTES}").fetchall()
        _migrate(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _keep_log(connection: sqlite3.Connection) -> None:
    """Have changes written to a log first. Of two that begin with it SQLite has none wait."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & BASE_CODE == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > until:
                raise
            time.sleep(AGAIN_SECONDS)
        else:
            return


def opened_for_reading(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, to a file on a disk that may not be written, too.

    SQLite wants a file beside that of a log to tell readers from writers. Where it cannot be made
    and there is no log, nobody writes, and the file can be read as one that never changes.
    """
    connection = _connected(path, "ro")
    try:
        _version(connection)
    except sqlite3.OperationalError:
        connection.close()
        log = path.with_name(path.name + "-wal")
        if log.exists() and log.stat().st_size:
            raise  # what stands in it must not be left out
        connection = _connected(path, "ro&immutable=1")
        _version(connection)
    return connection


def _connected(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(
        uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )


def copied(source: Path, target: Path) -> int:
    """Copy a file that may be in use to a new one, whole or not at all; how many traces it has."""
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    with closing(opened_for_reading(source)) as original, closing(sqlite3.connect(part)) as copy:
        original.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE").fetchall()  # one file, and no log beside it
        (found,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(f"the copy is damaged: {found}")
        (traces,) = copy.execute("SELECT count(*) FROM traces").fetchone()
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    part.rename(target)
    return int(traces)


def size(connection: sqlite3.Connection) -> int:
    """Bytes that are taken in the file; what was deleted is free for others."""
    pages, free, page = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    taken: int = (pages - free) * page
    return taken


def is_full(error: sqlite3.Error | OSError) -> bool:
    """Whether it went wrong for want of room."""
    if isinstance(error, OSError):
        return error.errno in NO_ROOM
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & BASE_CODE == sqlite3.SQLITE_FULL


def is_for_reading(error: sqlite3.Error | OSError) -> bool:
    """Whether it went wrong because the disk, or the file, may only be read."""
    if isinstance(error, OSError):
        return error.errno in NO_WRITING
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & BASE_CODE in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)


def _migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to the form of today, step by step, all of them or none."""
    version = _version(connection)
    if version > len(MIGRATIONS):
        raise sqlite3.DatabaseError(f"version {version} of the file is of a newer Heed")
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


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version

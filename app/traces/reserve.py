"""A file that keeps room on the disk: SQLite needs some to delete a trace, too."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PIECE = 256 * 1024
LEAST = 1024 * 1024


class Reserve:
    """The file. It has room for the log of a deletion, and for what is in the log already."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def hold(self, room: int) -> None:
        """Make the file at least this large, or raise `OSError`; it keeps what it could get."""
        with self._path.open("ab") as file:
            missing = room - file.tell()
            while missing > 0:  # random bytes: no file system can compress them
                missing -= file.write(os.urandom(min(missing, PIECE)))
                file.flush()

    @contextmanager
    def released(self) -> Iterator[None]:
        """Give the room to others, and take it back afterwards as far as it is still free."""
        room = self._path.stat().st_size if self._path.exists() else 0
        if room:
            os.truncate(self._path, 0)
        try:
            yield
        finally:
            with suppress(OSError):
                self.hold(room)


def room_for(trace_bytes: int, log_bytes: int) -> int:
    """Return the room that deleting a trace takes, once the log is written to the file."""
    logged = trace_bytes + log_bytes
    return max(LEAST, logged + logged // 32 + PIECE)

"""How connections are let in: all who wait, each time, and at the end all who still stand there.

uvloop lets in one connection each time around, however many wait, and between two of them it
answers everybody who is in: a crowd that asks without end keeps others out for as long as it asks.
And a listening socket that is closed resets whoever the system had taken in and the server had not.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Callable, Sequence

AT_ONCE = 256
PAUSE_SECONDS = 1.0
NO_ROOM = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}

log = logging.getLogger("heed")


class Acceptor:
    """Lets connections in from listening sockets, from now on until it is closed."""

    def __init__(
        self, sockets: Sequence[socket.socket], connection: Callable[[], asyncio.Protocol]
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._sockets = sockets
        self._connection = connection
        self._coming: set[asyncio.Task[object]] = set()
        for one in sockets:
            one.setblocking(False)
            self._watch(one)

    async def close(self) -> None:
        """Let in who stands before the door, and then nobody more."""
        for one in self._sockets:
            self._loop.remove_reader(one)
            self._let_in(one)
            one.close()
        if self._coming:
            await asyncio.wait(self._coming)

    def _watch(self, one: socket.socket) -> None:
        if one.fileno() != -1:
            self._loop.add_reader(one, self._let_in, one)

    def _let_in(self, one: socket.socket) -> None:
        for _ in range(AT_ONCE):
            try:
                line, _ = one.accept()
            except (BlockingIOError, InterruptedError):
                return
            except ConnectionAbortedError:
                continue
            except OSError as error:
                if error.errno not in NO_ROOM:
                    raise
                log.error("connections must wait: %s", error.strerror)  # noqa: TRY400 - says enough
                self._loop.remove_reader(one)
                self._loop.call_later(PAUSE_SECONDS, self._watch, one)
                return
            line.setblocking(False)
            coming = self._loop.connect_accepted_socket(self._connection, line)
            task: asyncio.Task[object] = self._loop.create_task(coming)
            self._coming.add(task)
            task.add_done_callback(self._coming.discard)

"""Accepting connections: all that are pending in each iteration of the event loop.

Where several processes accept on the same sockets, each takes one connection and leaves the next
ones to the others for a moment. Otherwise the first process that wakes takes all connections that
clients open at once, and keeps them, while the others are idle.

uvloop accepts one connection per iteration, however many are pending, and serves all open ones in
between: under constant load, new clients wait as long as the load lasts. Closing a listening socket
resets the connections in its backlog, so they are accepted before it is closed.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import Callable, Sequence

AT_ONCE = 256
PAUSE_SECONDS = 1.0
TURN_SECONDS = 0.002
OUT_OF_RESOURCES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}

log = logging.getLogger("heed")


class Acceptor:
    """Accepts connections on listening sockets until it is closed."""

    def __init__(
        self,
        sockets: Sequence[socket.socket],
        make_protocol: Callable[[], asyncio.Protocol],
        *,
        shared: bool = False,
    ) -> None:
        self._shared = shared  # with other processes
        self._loop = asyncio.get_running_loop()
        self._sockets = sockets
        self._make_protocol = make_protocol
        self._connecting: set[asyncio.Task[object]] = set()
        for listening in sockets:
            listening.setblocking(False)
            self._watch(listening)

    async def close(self) -> None:
        """Accept the pending connections, then close the sockets."""
        for listening in self._sockets:
            self._loop.remove_reader(listening)
            self._shared = False
            self._accept(listening)
            listening.close()
        if self._connecting:
            await asyncio.wait(self._connecting)

    def _watch(self, listener: socket.socket) -> None:
        if listener.fileno() != -1:
            self._loop.add_reader(listener, self._accept, listener)

    def _accept(self, listener: socket.socket) -> None:
        if self._shared:
            self._loop.remove_reader(listener)
            self._loop.call_later(TURN_SECONDS, self._watch, listener)
        for _ in range(1 if self._shared else AT_ONCE):
            try:
                connection, _ = listener.accept()
            except (BlockingIOError, InterruptedError):
                return
            except ConnectionAbortedError:
                continue
            except OSError as error:
                if error.errno not in OUT_OF_RESOURCES:
                    raise
                log.error("cannot accept connections: %s", error.strerror)  # noqa: TRY400 - says enough
                self._loop.remove_reader(listener)
                self._loop.call_later(PAUSE_SECONDS, self._watch, listener)
                return
            connection.setblocking(False)
            connecting = self._loop.connect_accepted_socket(self._make_protocol, connection)
            task: asyncio.Task[object] = self._loop.create_task(connecting)
            self._connecting.add(task)
            task.add_done_callback(self._connecting.discard)

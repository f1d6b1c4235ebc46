"""A connection that does not wait for ever: for the headers, for the body, or to be read.

uvicorn waits without end for what a client has begun to send, so that a few hundred clients that
never go on take every place there is (docs/decisions/0006-an-end-to-waiting.md).
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any, Literal, NamedTuple

import uvicorn
from fastapi import FastAPI
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from heed.app.errors import HeedError, RequestError, ServiceUnavailable
from heed.app.http.disconnect import LEAVING
from heed.app.http.encoding import to_json
from heed.app.http.media_types import JSON

MANY = 2  # times as many connections as may be open: from there on not even a refusal
NEWCOMER_SECONDS = 1.0  # to ask, when the server stops
MOST_UNREAD_BYTES = 64 * 1024  # of headers, and of all else of which nothing comes
MOST_AHEAD = 100  # requests that wait for the one before them, on one connection

Refused = Callable[[str], None]
"""Told the code of what is refused before the application hears of it."""


class Timeouts(NamedTuple):
    """How long a connection waits, and how many there may be."""

    header_seconds: float
    body_seconds: float
    body_bytes_per_second: int
    send_seconds: float
    connections: int


class Config(uvicorn.Config):
    """What uvicorn is told, and the bounds."""

    def __init__(self, app: FastAPI, bounds: Timeouts, refused: Refused, **options: Any) -> None:
        super().__init__(app, http=DeadlineProtocol, **options)
        self.bounds = bounds
        self.refused = refused


class DeadlineProtocol(HttpToolsProtocol):
    """uvicorn's connection, with a moment by which something must have come."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._bounds = config.bounds
        self._refused = config.refused
        self._due = math.inf
        self._timer: asyncio.TimerHandle | None = None
        self._timed = math.inf  # when the timer will run
        self._unread: asyncio.TimerHandle | None = None
        self._part: Literal["head", "body"] | None = None  # in the middle of which we are
        self._awaited: tuple[str, RequestResponseCycle | None] | None = None
        self._began = 0.0
        self._received = 0
        self._useless = 0  # bytes since the last that something came of
        self._left = False
        self._to_tell: set[Callable[[], None]] = set()  # when the client leaves

    # --- what asyncio tells -------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, unless there are too many who do."""
        super().connection_made(transport)
        count, most = len(self.connections), self._bounds.connections
        if count > most * MANY:
            self._refused("overloaded")
            transport.abort()
            return
        if count > most:
            self.app = self._too_many
        self._look()

    def data_received(self, data: bytes) -> None:
        """Go on with what came."""
        self._received += len(data)
        self._useless += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._useless > MOST_UNREAD_BYTES:
            self.send_400_response("")
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._due = math.inf
        for timer in (self._timer, self._unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)
        self._leave()

    def pause_writing(self) -> None:
        """Begin to wait for the client to read."""
        super().pause_writing()
        self._unread = self.loop.call_later(self._bounds.send_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has read."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()

    # --- what the parser tells ----------------------------------------------------------------

    def on_message_begin(self) -> None:
        """A request has begun."""
        super().on_message_begin()
        self.scope["extensions"] = {LEAVING: {"tell": self._when_left}}
        self._part = "head"

    def on_headers_complete(self) -> None:
        """All but its body is there."""
        if len(self.pipeline) >= MOST_AHEAD:
            raise ValueError("too many requests at once")  # the parser stops, as at any garbage
        super().on_headers_complete()
        self._part = "body"
        self._useless = 0

    def on_body(self, body: bytes) -> None:
        """More of the body is there."""
        super().on_body(body)
        self._useless = 0

    def on_message_complete(self) -> None:
        """All of it is there."""
        super().on_message_complete()
        self._part = None
        self._useless = 0

    # --- what uvicorn tells -------------------------------------------------------------------

    def on_response_complete(self) -> None:
        """Begin to wait for what is left of the request, or for the next one."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self._look()

    def shutdown(self) -> None:
        """Close once nothing is to be answered; who has just come may still say what for."""
        if self._current is None:
            self.loop.call_later(NEWCOMER_SECONDS, self._shutdown_newcomer)
        else:
            super().shutdown()

    def _shutdown_newcomer(self) -> None:
        if not self.transport.is_closing():
            super().shutdown()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's own words
        """Say in our own form that this is not HTTP, after the answer to what was."""
        if self._part != "body" and not self._answered:
            self.cycle.keep_alive = False
            self.flow.pause_reading()
            return
        message = "This is no request that can be read. Send it as HTTP/1.1."
        self._close(RequestError("bad_http", message))

    @property
    def _current(self) -> RequestResponseCycle | None:
        """The last request to come; nothing before the first, whatever uvicorn says."""
        return self.cycle

    @property
    def _answered(self) -> bool:
        """Whether all requests that came are answered."""
        return self._current is None or self._current.response_complete

    # --- waiting ------------------------------------------------------------------------------

    def _look(self) -> None:
        """Find out what is awaited, and by when it must be there."""
        phase = self._phase()
        awaited = None if phase is None else (phase, self._current)
        if awaited != self._awaited:
            self._awaited, self._began, self._received = awaited, self.loop.time(), 0
        self._wait_until(math.inf if phase is None else self._latest(phase))

    def _phase(self) -> str | None:
        if self._part == "body":
            return "rest" if self._answered else "body"
        if self._current is None or (self._part == "head" and self._answered):
            return "head"
        # Between two requests it is uvicorn that waits, longer; but not after the rest of a body
        # that was refused, or after an empty line.
        return "next" if self._answered and self.timeout_keep_alive_task is None else None

    def _latest(self, phase: str) -> float:
        bounds = self._bounds
        if phase == "head":
            return self._began + bounds.header_seconds
        if phase == "next":
            return self._began + self.timeout_keep_alive
        if phase == "rest":  # of a body that nobody reads any more
            return self._began + bounds.body_seconds
        whole = bounds.body_seconds + self._received / bounds.body_bytes_per_second
        return min(self.loop.time() + bounds.body_seconds, self._began + whole)

    def _wait_until(self, due: float) -> None:
        # A timer that runs too early looks again, which costs less than a new one for each piece.
        self._due = due
        if due < math.inf and (self._timer is None or self._timed > due):
            if self._timer is not None:
                self._timer.cancel()
            self._timer, self._timed = self.loop.call_at(due, self._on_timer), due

    def _on_timer(self) -> None:
        self._timer = None
        if self.transport.is_closing():
            return
        if self._due > self.loop.time():
            self._wait_until(self._due)
        elif self.flow.read_paused:  # it is we who do not read
            self._wait_until(self.loop.time() + self._bounds.body_seconds)
        else:
            self._overdue()

    def _overdue(self) -> None:
        if self._part is None:
            self.transport.close()  # nothing was asked: a browser that looked ahead, most likely
            return
        self._close(RequestError("request_timeout", "This came too slowly. Send it again."))

    # --- the end ------------------------------------------------------------------------------

    def _close(self, error: HeedError) -> None:
        """Say why, if there is still a way to say it, and close."""
        self._refused(error.code)
        cycle = self._current
        begun = self._part == "body" and cycle is not None and cycle.response_started
        if not begun and not self.pipeline:
            body = to_json(error.out())
            lines = [f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}".encode()]
            lines += [name + b": " + value for name, value in _headers(error, body)]
            self.transport.write(b"\r\n".join([*lines, b"", body]))
        if cycle is not None:  # the application is told that nobody is there any more
            cycle.disconnected = True
            cycle.message_event.set()
            self._leave()
        self.transport.close()

    def _when_left(self, told: Callable[[], None]) -> Callable[[], object]:
        """Have this called when the client has left; what is given back takes that back."""
        if self._left:
            self.loop.call_soon(told)
        self._to_tell.add(told)
        return partial(self._to_tell.discard, told)

    def _leave(self) -> None:
        self._left = True
        for told in list(self._to_tell):
            told()

    async def _too_many(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        self._refused("overloaded")
        message = f"{self._bounds.connections} connections are open. Try again in a moment."
        error = ServiceUnavailable(message)
        body = to_json(error.out())
        start = {"type": "http.response.start", "status": error.status}
        await send({**start, "headers": _headers(error, body)})
        await send({"type": "http.response.body", "body": body})


def _headers(error: HeedError, body: bytes) -> list[tuple[bytes, bytes]]:
    given = {
        "Content-Type": JSON,
        "Content-Length": str(len(body)),
        "Connection": "close",
        "X-Content-Type-Options": "nosniff",
        **error.headers,
    }
    return [(name.lower().encode(), value.encode()) for name, value in given.items()]

"""A connection that does not wait for ever: for the headers, for the body, or to be read.

uvicorn waits without end for what a client has begun to send, so that a few hundred clients that
never go on take every place there is (docs/decisions/0006-an-end-to-waiting.md).
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, NamedTuple

import h11
import uvicorn
from fastapi import FastAPI
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from app.errors import HeedError, RequestError, ServiceError
from app.events import to_json
from app.negotiation import JSON

MANY = 2  # times as many connections as may be open: from there on not even a refusal
RETRY_SECONDS = 2
NEWCOMER_SECONDS = 1.0  # to ask, when the server stops

Refused = Callable[[str], None]
"""Told the code of what is refused before the application hears of it."""


class Bounds(NamedTuple):
    """How long a connection waits, and how many there may be."""

    header_seconds: float
    body_seconds: float
    body_bytes_per_second: int
    send_seconds: float
    connections: int


class Config(uvicorn.Config):
    """What uvicorn is told, and the bounds."""

    def __init__(self, app: FastAPI, bounds: Bounds, refused: Refused, **options: Any) -> None:
        super().__init__(app, http=Connection, **options)
        self.bounds = bounds
        self.refused = refused


class Connection(H11Protocol):
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
        self._unread: asyncio.TimerHandle | None = None
        self._awaited: tuple[str, RequestResponseCycle | None] | None = None
        self._began = 0.0
        self._received = 0

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
        super().data_received(data)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._due = math.inf
        for timer in (self._timer, self._unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Begin to wait for the client to read."""
        super().pause_writing()
        self._unread = self.loop.call_later(self._bounds.send_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """The client has read."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()

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
        """Say in our own form that this is not HTTP."""
        message = "This is no request that can be read. Send it as HTTP/1.1."
        self._close(RequestError("bad_http", message))

    @property
    def _current(self) -> RequestResponseCycle | None:
        """The request of now, or the last one; nothing before the first, whatever uvicorn says."""
        return self.cycle

    # --- waiting ------------------------------------------------------------------------------

    def _look(self) -> None:
        """Find out what is awaited, and by when it must be there."""
        phase = self._phase()
        awaited = None if phase is None else (phase, self.cycle)
        if awaited != self._awaited:
            self._awaited, self._began, self._received = awaited, self.loop.time(), 0
        self._wait_until(math.inf if phase is None else self._latest(phase))

    def _phase(self) -> str | None:
        state = self.conn.their_state
        if state is h11.SEND_BODY:
            answered = self.conn.our_state not in (h11.IDLE, h11.SEND_RESPONSE, h11.SEND_BODY)
            return "rest" if answered else "body"
        # Between two requests it is uvicorn that waits, longer, until the next one has begun.
        if state is h11.IDLE and (self._current is None or self.conn.trailing_data[0]):
            return "head"
        return None

    def _latest(self, phase: str) -> float:
        bounds = self._bounds
        if phase == "head":
            return self._began + bounds.header_seconds
        if phase == "rest":  # of a body that nobody reads any more
            return self._began + bounds.body_seconds
        whole = bounds.body_seconds + self._received / bounds.body_bytes_per_second
        return min(self.loop.time() + bounds.body_seconds, self._began + whole)

    def _wait_until(self, due: float) -> None:
        # A timer that runs too early looks again, which costs less than a new one for each piece.
        self._due = due
        if due < math.inf and (self._timer is None or self._timer.when() > due):
            if self._timer is not None:
                self._timer.cancel()
            self._timer = self.loop.call_at(due, self._on_timer)

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
        if self._current is None and not self.conn.trailing_data[0]:
            self.transport.close()  # nothing was asked: a browser that looked ahead, most likely
            return
        self._close(RequestError("request_timeout", "This came too slowly. Send it again."))

    # --- the end ------------------------------------------------------------------------------

    def _close(self, error: HeedError) -> None:
        """Say why, if there is still a way to say it, and close."""
        self._refused(error.code)
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = to_json(error.out())
            headers = _headers(error, body)
            reason = HTTPStatus(error.status).phrase
            head = h11.Response(status_code=error.status, headers=headers, reason=reason)
            for event in (head, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        if self._current is not None:  # the application is told that nobody is there any more
            self._current.disconnected = True
            self._current.message_event.set()
        self.transport.close()

    async def _too_many(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        self._refused("overloaded")
        error = ServiceError(
            "overloaded",
            f"{self._bounds.connections} connections are open already. Try again in a moment.",
            headers={"Retry-After": str(RETRY_SECONDS)},
        )
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

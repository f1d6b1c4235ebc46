"""HTTP connections with deadlines for the headers, for the body, and for reading the response.

uvicorn waits without limit for the rest of a request, so a few hundred clients that stop sending
take up all connections (docs/decisions/0006-an-end-to-waiting.md).
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any, Literal, NamedTuple

import uvicorn
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from heed.app.errors import HeedError, RequestError, ServiceUnavailable
from heed.app.http.body_budget import Shares
from heed.app.http.disconnect import DISCONNECT
from heed.app.http.error_responses import raw_error, send_error
from heed.app.inference.inference_thread import shutting_down
from heed.app.middleware.rate_limit import client_address

MANY = 2  # times the limit of connections, beyond which they are dropped without a response
NEWCOMER_SECONDS = 1.0  # for an idle connection to send a request while the server stops
MAX_UNPARSED_BYTES = 64 * 1024  # without a complete header block or a part of a body
MAX_HEADERS = 100  # of a request: a short one takes twenty times its length as an object
FRAMING = {b"content-length", b"transfer-encoding"}  # headers of a request with a body
MAX_PIPELINED = 32  # requests that wait for the response to the one before
FRAMED = 4  # bytes of a chunk that make up for one byte of its size and extensions
MAX_DISCARDED_BYTES = 32 * 1024 * 1024  # of a body that was refused
WRITE_BUFFER_BYTES = 16 * 1024  # in a transport, beyond which the response waits
SLICE_BYTES = 64 * 1024  # of a response, written at once
CLOSING = {"Connection": "close", "X-Content-Type-Options": "nosniff"}  # headers of an error

OnRefusal = Callable[[str], None]
"""Receives the error code of a request that is refused before the application sees it."""


class Timeouts(NamedTuple):
    """The time limits of a connection, the limit of connections, and who opens them."""

    header_seconds: float
    body_seconds: float
    body_bytes_per_second: int
    upload_seconds: float
    send_seconds: float
    connections: int
    trusted_proxies: int


class Config(uvicorn.Config):
    """The configuration of uvicorn, with the timeouts."""

    def __init__(
        self,
        app: ASGIApp,
        timeouts: Timeouts,
        on_refusal: OnRefusal,
        **options: Any,
    ) -> None:
        super().__init__(app, http=DeadlineProtocol, **options)
        self.timeouts = timeouts
        self.shares = Shares(timeouts.connections + 1)  # so that the last one can be taken, too
        self.on_refusal = on_refusal


class DeadlineProtocol(HttpToolsProtocol):
    """A connection of uvicorn with a deadline for the next part of a request."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._timeouts = config.timeouts
        self._shares = config.shares
        self._counted: str | None = None  # the client whose connection this is
        self._on_refusal = config.on_refusal
        self._due = math.inf
        self._timer: asyncio.TimerHandle | None = None
        self._timer_due = math.inf
        self._send_timer: asyncio.TimerHandle | None = None
        self._part: Literal["head", "body"] | None = None  # of the request being received
        self._awaited: tuple[str, RequestResponseCycle | None] | None = None
        self._began = 0.0
        self._body_due = 0.0
        self._received = 0  # bytes of a body, without its framing
        self._credited = 0  # of these, the bytes that extended the deadline
        self._unparsed = 0  # bytes since the last complete part
        self._send_seconds = config.timeouts.send_seconds  # left to the response
        self._paused_at = 0.0
        self._running: RequestResponseCycle | None = None
        self._closes = False  # after the last response, though the client is still sending
        self._discarding = False
        self._disconnected = False
        self._stopping = False
        self._callbacks: set[Callable[[], None]] = set()  # for when the client disconnects

    # --- callbacks of asyncio -----------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the deadline of a request, unless there are too many connections."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=WRITE_BUFFER_BYTES)
        count, most = len(self.connections), self._timeouts.connections
        if count > most * MANY:
            self._on_refusal("overloaded")
            transport.abort()
            return
        if count > most:
            self.app = self._too_many
        elif not self._timeouts.trusted_proxies and not self._count():
            self._on_refusal("overloaded")
            transport.abort()
            return
        self._update_deadline()

    def data_received(self, data: bytes) -> None:
        """Parse the data and update the deadline."""
        self._unparsed += len(data)
        if self._discarding:
            if self._unparsed > MAX_DISCARDED_BYTES:
                self.transport.close()
            return
        super().data_received(data)
        if self.transport.is_closing() or self._discarding:
            return
        if self._unparsed > MAX_UNPARSED_BYTES:
            self.send_400_response("")
        self._update_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers."""
        self._due = math.inf
        for timer in (self._timer, self._send_timer):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)
        self._uncount()
        self._disconnect()
        self._forget()

    def pause_writing(self) -> None:
        """Start the timeout for reading the response, or continue it."""
        super().pause_writing()
        self._paused_at = self.loop.time()
        self._send_timer = self.loop.call_later(self._send_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the timeout for reading the response; the next pause has what is left of it.

        So a client that reads a little from time to time does not extend it.
        """
        super().resume_writing()
        if self._send_timer is not None:
            self._send_timer.cancel()
            self._send_seconds -= self.loop.time() - self._paused_at
        if self._all_answered:
            self._send_seconds = self._timeouts.send_seconds

    # --- callbacks of the parser --------------------------------------------------------------

    def on_message_begin(self) -> None:
        """Begin a request."""
        super().on_message_begin()
        self.scope["extensions"] = {DISCONNECT: {"register": self._when_disconnected}}
        self._part = "head"

    def on_header(self, name: bytes, value: bytes) -> None:
        """Receive a header, or a trailer of a chunked body."""
        if len(self.headers) >= MAX_HEADERS:
            raise ValueError("too many headers")  # the parser stops, as at invalid data
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """End the headers of a request."""
        if len(self.pipeline) >= MAX_PIPELINED:
            raise ValueError("too many requests at once")
        if self.parser.should_upgrade() and any(name in FRAMING for name, _ in self.headers):
            raise ValueError("a body after an upgrade")  # it would be read as the next request
        # Of the connections of a proxy, those count for a client that have a request of it.
        if self._timeouts.trusted_proxies and not self._counted and not self._count():
            self.app = self._too_many
        super().on_headers_complete()
        if self._stopping:
            self.cycle.keep_alive = False
        self._part = "body"
        self._unparsed = 0

    def on_body(self, body: bytes) -> None:
        """Receive a part of the body."""
        super().on_body(body)
        self._received += len(body)
        # A million chunks of a byte each would hold the event loop for seconds.
        self._unparsed = max(0, self._unparsed - len(body) - len(body) // FRAMED)
        if self.pipeline and len(self.cycle.body) > MAX_UNPARSED_BYTES:
            raise ValueError("a body that is too large to wait")

    def on_message_complete(self) -> None:
        """End a request."""
        super().on_message_complete()
        self._part = None
        self._unparsed = 0

    # --- callbacks of uvicorn -----------------------------------------------------------------

    def on_response_complete(self) -> None:
        """Start the deadline of the rest of the request, or of the next one."""
        if self._closes and self._all_answered:
            self._discard()
        super().on_response_complete()
        if self._timeouts.trusted_proxies and self._all_answered:
            self._uncount()
        if self.transport.is_closing():
            return
        if not self.flow.write_paused:
            self._send_seconds = self._timeouts.send_seconds
        self._update_deadline()

    def shutdown(self) -> None:
        """Close after the response to the next request, or if none arrives within a second.

        The client of an open connection may be sending one at this moment.
        """
        self._stopping = True
        if self._all_answered:
            self.loop.call_later(NEWCOMER_SECONDS, self._shutdown_idle)
        else:
            super().shutdown()

    def _shutdown_idle(self) -> None:
        if not self.transport.is_closing():
            super().shutdown()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's message
        """Respond with `bad_http`, after the responses to the requests before."""
        if self._part != "body" and not self._all_answered:
            self._closes = True
            if not self.cycle.response_started:
                self.cycle.keep_alive = False
            self.flow.pause_reading()
            return
        message = "Malformed HTTP request. Send it as HTTP/1.1."
        self._close(RequestError("bad_http", message))

    @property
    def _current(self) -> RequestResponseCycle | None:
        """The last request; `None` before the first, unlike the type that uvicorn declares."""
        return self.cycle

    @property
    def _all_answered(self) -> bool:
        """`True` if all requests have responses."""
        return self._current is None or self._current.response_complete

    # --- responses ----------------------------------------------------------------------------

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, partial(self._respond, cycle, app))

    async def _respond(
        self,
        cycle: RequestResponseCycle,
        app: ASGIApp,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        """Run the application, and write its response no faster than the client reads."""

        async def send_slices(message: Message) -> None:
            body = message.get("body", b"")
            for piece in _slices(message) if len(body) > SLICE_BYTES else (message,):
                if self._disconnected:
                    return
                await send(piece)
            if message["type"] == "http.response.start":
                self._keep_open(cycle)
            if self.flow.write_paused:
                await self.flow.drain()

        try:
            await app(scope, receive, send_slices)
        except asyncio.CancelledError:  # the server stops, and has waited long enough
            if not cycle.response_started and not self._disconnected:
                await send_error(shutting_down(), send, CLOSING)
        except Exception:
            if not self._disconnected:
                raise
        if cycle.response_started and not cycle.response_complete and not cycle.disconnected:
            cycle.disconnected = True  # uvicorn would log it
            self.transport.abort()

    def _keep_open(self, cycle: RequestResponseCycle) -> None:
        """Do not let uvicorn close while the client is still sending; see `_discard`."""
        if not cycle.keep_alive and (cycle.more_body or self._closes):
            cycle.keep_alive = self._closes = True

    # --- deadlines ----------------------------------------------------------------------------

    def _update_deadline(self) -> None:
        """Set the deadline of the part that is awaited."""
        if self._discarding:
            return
        phase = self._phase()
        awaited = None if phase is None else (phase, self._current)
        if awaited != self._awaited:
            self._awaited, self._began, self._received = awaited, self.loop.time(), 0
            self._body_due = self._began + self._timeouts.body_seconds
            self._credited = 0
        self._wait_until(math.inf if phase is None else self._deadline(phase))

    def _phase(self) -> str | None:
        if self._part == "body":
            return "rest" if self._all_answered else "body"
        if self._current is None or (self._part == "head" and self._all_answered):
            return "head"
        # Between two requests uvicorn has a timeout of its own; but not after the rest of a refused
        # body, or after an empty line.
        return "next" if self._all_answered and self.timeout_keep_alive_task is None else None

    def _deadline(self, phase: str) -> float:
        timeouts = self._timeouts
        if phase == "head":
            return self._began + timeouts.header_seconds
        if phase == "next":
            return self._began + self.timeout_keep_alive
        if phase == "rest":  # of a body that is no longer read
            return -math.inf if self._received > MAX_DISCARDED_BYTES else self._body_due
        # A client must send at the minimum rate all the time: bytes sent before at a higher one do
        # not count for later. The rate grows with the body, as memory that is held must cost
        # the client something.
        rate = max(timeouts.body_bytes_per_second, self._received / timeouts.upload_seconds)
        earned = self._body_due + (self._received - self._credited) / rate
        self._credited = self._received
        self._body_due = min(earned, self.loop.time() + timeouts.body_seconds)
        return self._body_due

    def _wait_until(self, due: float) -> None:
        # A timer that runs too early is set again, which costs less than a new one for each part.
        self._due = due
        if due < math.inf and (self._timer is None or self._timer_due > due):
            if self._timer is not None:
                self._timer.cancel()
            self._timer, self._timer_due = self.loop.call_at(due, self._on_timer), due

    def _on_timer(self) -> None:
        self._timer = None
        if self.transport.is_closing():
            return
        if self._due > self.loop.time():
            self._wait_until(self._due)
        elif self._discarding:
            self.transport.close()
        elif self.flow.read_paused:  # the server does not read
            self._body_due = self.loop.time() + self._timeouts.body_seconds
            self._wait_until(self._body_due)
        else:
            self._overdue()

    def _overdue(self) -> None:
        if self._part is None:
            self.transport.close()  # no request: most likely a connection opened ahead by a browser
            return
        self._close(
            RequestError("request_timeout", "The request arrived too slowly. Send it again.")
        )

    # --- closing ------------------------------------------------------------------------------

    def _close(self, error: HeedError) -> None:
        """Send the error, if no response has begun, and close."""
        self._on_refusal(error.code)
        cycle = self._current
        begun = self._part == "body" and cycle is not None and cycle.response_started
        if not begun and not self.pipeline:
            headers, body = raw_error(error, CLOSING)
            lines = [f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}".encode()]
            lines += [name + b": " + value for name, value in headers]
            self.transport.write(b"\r\n".join([*lines, b"", body]))
        self._disconnect()
        self._discard()

    def _discard(self) -> None:
        """End the response, and discard what the client still sends for a while.

        Closing a connection with unread data resets it, and the client may lose the response.
        """
        if self.transport.is_closing():
            return
        self._discarding = True
        self._unparsed = 0
        self.pipeline.clear()
        with suppress(OSError):  # the client has gone already
            self.transport.write_eof()
        self.flow.resume_reading()
        self._wait_until(self.loop.time() + self._timeouts.body_seconds)

    def _when_disconnected(self, callback: Callable[[], None]) -> Callable[[], object]:
        """Register a callback for when the client disconnects; return how to remove it."""
        if self._disconnected:
            self.loop.call_soon(callback)
        self._callbacks.add(callback)
        return partial(self._callbacks.discard, callback)

    def _disconnect(self) -> None:
        """Notify the application that the client has disconnected, or is treated so."""
        self._disconnected = True
        for cycle in (self._running, self._current):
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
        for callback in list(self._callbacks):
            callback()

    def _forget(self) -> None:
        """Drop what refers to the connection.

        In a reference cycle, what a client has sent would stay until Python's collector finds it.
        """
        self._timer = self._send_timer = self._running = self._awaited = None
        self.cycle = self.scope = None  # type: ignore[assignment]
        self.pipeline.clear()
        self._callbacks.clear()

    def _count(self) -> bool:
        """Count the connection for its client; return false if that has too many."""
        headers = Headers(raw=self.headers or [])  # none before a request
        client = client_address({"client": self.client}, headers, self._timeouts.trusted_proxies)
        if self._shares.grant(client):
            self._counted = client
        return self._counted is not None

    def _uncount(self) -> None:
        if self._counted is not None:
            self._shares.release(self._counted)
            self._counted = None

    async def _too_many(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        self._on_refusal("overloaded")
        message = f"{self._timeouts.connections} connections are open. Try again in a moment."
        await send_error(ServiceUnavailable(message), send, CLOSING)


def _slices(message: Message) -> Iterator[Message]:
    body = memoryview(message["body"])
    for start in range(0, len(body), SLICE_BYTES):
        end = start + SLICE_BYTES
        more = end < len(body) or message.get("more_body", False)
        yield {"type": message["type"], "body": body[start:end], "more_body": more}

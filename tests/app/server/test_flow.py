"""Bodies that arrive slowly, responses that are read slowly, and clients that leave: the protocol
of the server around small applications."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
import uvloop
from uvicorn.server import ServerState

from heed.app.http.body_budget import BodyBudget
from heed.app.middleware.body_limit import BodyLimitMiddleware, body_limit
from heed.app.server import protocol
from heed.app.server.protocol import Config, DeadlineProtocol, Timeouts
from tests.app.server.test_protocol import error_code
from tests.conftest import SECONDS

HEAD = b"POST /%d HTTP/1.1\r\nHost: x\r\n"
CHUNKED = HEAD % 0 + b"Transfer-Encoding: chunked\r\n\r\n"
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
LARGE = bytes(4 * 1024 * 1024)
KERNEL_BYTES = 64 * 1024  # of each socket buffer
PATIENT = Timeouts(
    header_seconds=SECONDS,
    body_seconds=SECONDS,
    body_bytes_per_second=1,
    upload_seconds=SECONDS,
    send_seconds=SECONDS,
    connections=100,
    trusted_proxies=0,
)
START = {"type": "http.response.start", "status": 200}
LONG_ENOUGH = 0.3
"""Seconds of a timeout that a test waits for."""


class Loopback:
    """The protocol around an application, on a socket of this machine."""

    def __init__(self, app: Any, timeouts: Timeouts) -> None:
        self.config = Config(app, timeouts, self.refused, log_config=None, access_log=False)
        self.refusals: list[str] = []
        self.connections: list[DeadlineProtocol] = []
        self.state = ServerState()
        self.listening = socket.socket()
        self.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)
        self.listening.bind(("127.0.0.1", 0))

    def refused(self, code: str) -> None:
        self.refusals.append(code)

    def make(self) -> DeadlineProtocol:
        made = DeadlineProtocol(self.config, self.state, {})
        self.connections.append(made)
        return made

    @asynccontextmanager
    async def connect(self) -> Any:
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, KERNEL_BYTES)
        client.setblocking(False)
        await asyncio.get_running_loop().sock_connect(client, self.listening.getsockname())
        reader, writer = await asyncio.open_connection(sock=client, limit=4096)
        try:
            yield reader, writer
        finally:
            writer.transport.abort()

    async def until(self, done: Callable[[], Any]) -> None:
        async with asyncio.timeout(SECONDS):
            while not done():
                await asyncio.sleep(0.005)


def play(
    app: Any, client: Callable[[Loopback], Awaitable[None]], timeouts: Timeouts = PATIENT
) -> None:
    """Run a client of an application."""

    async def run() -> None:
        served = Loopback(app, timeouts)
        server = await asyncio.get_running_loop().create_server(served.make, sock=served.listening)
        async with server, asyncio.timeout(SECONDS):
            await client(served)
            for each in served.connections:
                each.transport.abort()
            if served.state.tasks:
                await asyncio.wait(served.state.tasks)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())


async def respond(send: Any, body: bytes = b"{}") -> None:
    headers = [(b"content-length", str(len(body)).encode())]
    await send({**START, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def reads_body(_scope: Any, receive: Any, send: Any) -> None:
    while (message := await receive())["type"] == "http.request":
        if not message["more_body"]:
            return await respond(send)
    return None


async def refuses(_scope: Any, _receive: Any, send: Any) -> None:
    await respond(send, b"too large")


async def large(_scope: Any, _receive: Any, send: Any) -> None:
    await respond(send, bytes(LARGE))


async def drip(served: Loopback, begun: bytes, pieces: Iterator[bytes]) -> tuple[int, str]:
    """Send pieces slowly until the server answers; return its error."""
    async with served.connect() as (reader, writer):
        writer.write(begun)
        answer = asyncio.ensure_future(reader.read())
        for piece in pieces:
            writer.write(piece)
            await asyncio.wait([answer], timeout=0.01)
            if answer.done():
                return error_code(answer.result())
        raise AssertionError("the server read everything")


def endless(piece: bytes) -> Iterator[bytes]:
    for _ in range(10_000):
        yield piece


# --- bodies -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("begun", "piece", "more"),
    [
        (CHUNKED + b"5\r\nabcde\r\n4;", b"a", {}),
        (CHUNKED + b"5\r\nabcde\r\n0\r\nX-A: ", b"a", {}),
        (HEAD % 0 + b"Content-Length: 9000000\r\n\r\n" + bytes(1_000_000), b"", {}),
        (HEAD % 0 + b"Content-Length: 9000000\r\n\r\n" + bytes(1_000_000), b"a", {}),
        (
            HEAD % 0 + b"Content-Length: 90000000\r\n\r\n" + bytes(1_000_000),
            bytes(100),
            {"upload_seconds": 0.1},
        ),
    ],
    ids=["extensions", "trailers", "silence", "slow after fast", "too slow for its size"],
)
def test_only_content_at_the_minimum_rate_extends_the_deadline_of_a_body(
    begun: bytes, piece: bytes, more: dict[str, float]
) -> None:
    timeouts = PATIENT._replace(body_seconds=LONG_ENOUGH, body_bytes_per_second=1000, **more)

    async def client(served: Loopback) -> None:
        assert await drip(served, begun, endless(piece)) == (408, "request_timeout")
        assert served.refusals == ["request_timeout"]

    play(reads_body, client, timeouts)


def test_sizes_and_extensions_of_chunks_are_limited_by_the_content() -> None:
    async def client(served: Loopback) -> None:
        one = b"1;" + b"a" * 1000 + b"\r\nx\r\n"
        assert await drip(served, CHUNKED, endless(one)) == (400, "bad_http")
        assert await drip(served, CHUNKED, endless(b"1\r\nx\r\n" * 1000)) == (400, "bad_http")
        async with served.connect() as (reader, writer):
            usual = b"20\r\n" + b"x" * 32 + b"\r\n"
            writer.write(CHUNKED + usual * 15_000 + b"0\r\n\r\n")
            assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"

    play(reads_body, client)


@pytest.mark.parametrize("begun", [HEAD % 0, CHUNKED + b"1\r\na\r\n0\r\n"])
def test_the_number_of_headers_is_limited(begun: bytes) -> None:
    async def client(served: Loopback) -> None:
        async with served.connect() as (reader, writer):
            writer.write(begun + b"a:\r\n" * (protocol.MAX_HEADERS + 1))
            assert error_code(await reader.read()) == (400, "bad_http")

    play(reads_body, client)


@pytest.mark.parametrize("connection", [b"", b"Connection: close\r\n"])
def test_a_client_that_is_refused_early_gets_the_response_after_its_body(connection: bytes) -> None:
    async def client(served: Loopback) -> None:
        async with served.connect() as (reader, writer):
            length = b"Content-Length: %d\r\n\r\n" % len(LARGE)
            writer.write(HEAD % 0 + connection + length)
            for start in range(0, len(LARGE), KERNEL_BYTES):
                writer.write(LARGE[start : start + KERNEL_BYTES])
                await writer.drain()
            assert b"200 OK" in await reader.readline()
            assert b"too large" in await reader.readuntil(b"large")
            assert bool(connection) == reader.at_eof() or await reader.read(1) == b""

    play(refuses, client, PATIENT._replace(body_seconds=SECONDS if connection else LONG_ENOUGH))


def test_a_client_that_sends_invalid_data_gets_the_response_after_all_of_it() -> None:
    async def client(served: Loopback) -> None:
        async with served.connect() as (reader, writer):
            writer.write(b"nonsense\r\n\r\n" + LARGE)
            await writer.drain()
            assert error_code(await reader.read()) == (400, "bad_http")

    play(refuses, client)


@pytest.mark.parametrize("connection", [b"", b"Connection: close\r\n"])
def test_a_refused_body_is_discarded_to_a_limit(
    monkeypatch: pytest.MonkeyPatch, connection: bytes
) -> None:
    monkeypatch.setattr(protocol, "MAX_DISCARDED_BYTES", 100_000)

    async def client(served: Loopback) -> None:
        async with served.connect() as (_, writer):
            writer.write(HEAD % 0 + connection + b"Content-Length: 99999999999\r\n\r\n")
            with suppress(ConnectionError):
                for piece in endless(bytes(10_000)):
                    writer.write(piece)
                    await writer.drain()
                raise AssertionError("the server read everything")

    play(refuses, client)


# --- responses --------------------------------------------------------------------------------


def budgeted(app: Any) -> tuple[BodyBudget, BodyLimitMiddleware]:
    budget = BodyBudget(16 * len(LARGE))
    return budget, BodyLimitMiddleware(app, body_limit(len(LARGE)), {}, budget)


@pytest.mark.parametrize("requests", [1, 20])
def test_a_response_counts_until_it_is_read_and_waits_outside_the_transport(requests: int) -> None:
    budget, app = budgeted(large)

    async def client(served: Loopback) -> None:
        async with served.connect() as (reader, writer):
            writer.write(GET * requests)
            await served.until(
                lambda: served.connections and served.connections[0].flow.write_paused
            )
            queued = served.connections[0].transport.get_write_buffer_size()
            assert queued <= protocol.SLICE_BYTES + protocol.WRITE_BUFFER_BYTES
            assert budget.reserved == len(LARGE)  # not of those that wait behind it
            await reader.readuntil(b"\r\n\r\n")
            assert await reader.readexactly(len(LARGE)) == LARGE
            if requests == 1:
                await served.until(lambda: not budget.reserved)
        await served.until(lambda: not budget.reserved)

    play(app, client)


@pytest.mark.parametrize("stream", [False, True])
def test_a_client_that_reads_too_little_for_too_long_is_disconnected(stream: bool) -> None:
    async def endless_stream(_scope: Any, _receive: Any, send: Any) -> None:
        await send({**START, "headers": []})
        while served_by[0].connections[0] in served_by[0].state.connections:
            body = bytes(3 * protocol.SLICE_BYTES)
            await send({"type": "http.response.body", "body": body, "more_body": True})

    served_by: list[Loopback] = []
    budget, app = budgeted(endless_stream if stream else large)

    async def client(served: Loopback) -> None:
        served_by.append(served)
        async with served.connect() as (reader, writer):
            writer.write(GET)
            with suppress(ConnectionError):
                while await reader.read(4096):
                    await asyncio.sleep(0.005)
            await served.until(lambda: not served.state.connections)
            await served.until(lambda: not budget.reserved)

    play(app, client, PATIENT._replace(send_seconds=LONG_ENOUGH))


def test_each_response_has_its_own_time_to_be_read() -> None:
    async def client(served: Loopback) -> None:
        async with served.connect() as (reader, writer):
            for _ in range(3):
                writer.write(GET)
                await served.until(
                    lambda: served.connections and served.connections[0].flow.write_paused
                )
                (connection,) = served.connections
                connection._paused_at -= SECONDS / 2
                await reader.readuntil(b"\r\n\r\n")
                assert await reader.readexactly(len(LARGE)) == LARGE
                await served.until(lambda: served.connections[0]._send_seconds == SECONDS)

    play(large, client)


# --- clients that leave -----------------------------------------------------------------------


async def responds_late(scope: Any, receive: Any, send: Any) -> None:
    message = await receive()
    while message["type"] != "http.disconnect":
        message = await receive()
    await respond(send, bytes(100_000))
    raise RuntimeError("after the client has left")


@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("requests", [1, 2, 20])
def test_a_client_that_leaves_while_pipelining_is_no_defect(
    caplog: pytest.LogCaptureFixture, requests: int, reset: bool
) -> None:
    async def client(served: Loopback) -> None:
        async with served.connect() as (_, writer):
            if reset:
                writer.get_extra_info("socket").setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
                )
            writer.write(GET * requests)
            await served.until(lambda: served.state.tasks)
        await served.until(lambda: not served.state.tasks)
        assert not served.state.connections

    play(responds_late, client)
    assert not caplog.records


def test_a_response_that_was_begun_and_not_ended_closes_the_connection(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def cut(_scope: Any, _receive: Any, send: Any) -> None:
        await send({**START, "headers": []})
        await send({"type": "http.response.body", "body": b"one", "more_body": True})

    async def client(served: Loopback) -> None:
        async with served.connect() as (reader, writer):
            writer.write(GET)
            with suppress(ConnectionError):
                assert not (await reader.read()).endswith(b"0\r\n\r\n")

    play(cut, client)
    assert not caplog.records


@pytest.mark.parametrize("started", [False, True])
def test_requests_that_the_end_of_the_server_cancels_are_no_defects(
    caplog: pytest.LogCaptureFixture, started: bool
) -> None:
    async def hangs(_scope: Any, _receive: Any, send: Any) -> None:
        if started:
            await send({**START, "headers": []})
        await asyncio.sleep(SECONDS)

    async def client(served: Loopback) -> None:
        async with served.connect() as (reader, writer):
            writer.write(GET)
            await served.until(lambda: served.state.tasks)
            await asyncio.sleep(0)  # the task begins
            for task in served.state.tasks:
                task.cancel()
            answer = b"" if started else await reader.read()
            await served.until(lambda: not served.state.tasks)
        assert started or error_code(answer) == (503, "shutting_down")

    play(hangs, client)
    assert not caplog.records

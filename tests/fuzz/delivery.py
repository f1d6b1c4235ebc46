"""Ways to send a request and to take its answer: whole, slowly, without reading, leaving."""

from __future__ import annotations

import asyncio
import socket
import struct
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from tests.scale import amount

SECONDS = 120.0
SLOW_SECONDS = amount(1.0, 6.0)
PAUSE_SECONDS = 0.1


class Sent(Protocol):
    """A request on the wire."""

    @property
    def head(self) -> bytes:
        """Its headers."""

    @property
    def body(self) -> bytes | None:
        """Its body."""


@dataclass(frozen=True)
class Answer:
    """The status of a response, its body, and the seconds after the whole request was sent."""

    status: int
    body: bytes
    seconds: float


Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Manner = Callable[[Streams, Sent], Awaitable[Answer | None]]


async def whole(streams: Streams, request: Sent) -> Answer | None:
    """Send all, and read all."""
    reader, writer = streams
    with suppress(OSError):  # an early refusal
        writer.write(_closing(request) + (request.body or b""))
        await writer.drain()
    return await _answer(reader)


async def slowly(streams: Streams, request: Sent) -> Answer | None:
    """Send a little at a time, then the rest, and read all."""
    reader, writer = streams
    data = _closing(request) + (request.body or b"")
    size = max(1, len(data) // 50)
    until = time.monotonic() + SLOW_SECONDS
    with suppress(OSError):
        while data and time.monotonic() < until:
            writer.write(data[:size])
            data = data[size:]
            await writer.drain()
            await asyncio.sleep(PAUSE_SECONDS)
        writer.write(data)
        await writer.drain()
    return await _answer(reader)


async def dripping(streams: Streams, request: Sent) -> Answer | None:
    """Send the body as one chunk, hold it with the extension of another, and leave."""
    _, writer = streams
    body = request.body or b"{}"
    lines = [line for line in request.head.split(b"\r\n") if not line.startswith(b"Content-L")]
    lines[-2:] = [b"Transfer-Encoding: chunked", b"", b""]
    with suppress(OSError):
        writer.write(b"\r\n".join(lines) + f"{len(body):x}\r\n".encode() + body + b"\r\n1;")
        until = time.monotonic() + SLOW_SECONDS
        while time.monotonic() < until:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(PAUSE_SECONDS)
    return None


async def unread(streams: Streams, request: Sent) -> Answer | None:
    """Send all several times, read nothing for a while, and leave."""
    _, writer = streams
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(SLOW_SECONDS):
            for _ in range(3):
                writer.write(request.head + (request.body or b""))
                await writer.drain()
            await asyncio.sleep(SLOW_SECONDS)
    return None


async def leaving(streams: Streams, request: Sent) -> Answer | None:
    """Send all, and leave with a reset while the server works."""
    _, writer = streams
    with suppress(OSError):
        writer.write((request.head + (request.body or b"")) * 2)
        await asyncio.sleep(PAUSE_SECONDS)
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()
    return None


async def deliver(
    host: str, port: int, address: str, manner: Manner, request: Sent
) -> Answer | None:
    """Send a request from an address in some manner; return the answer, if there is one."""
    streams = await asyncio.open_connection(host, port, local_addr=(address, 0))
    # A socket's buffer would take a whole answer that nobody reads.
    streams[1].get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    try:
        async with asyncio.timeout(SECONDS):
            return await manner(streams, request)
    finally:
        streams[1].close()
        with suppress(OSError):
            await streams[1].wait_closed()


def _closing(request: Sent) -> bytes:
    return request.head[:-2] + b"Connection: close\r\n\r\n"


async def _answer(reader: asyncio.StreamReader) -> Answer | None:
    began = time.monotonic()
    received = bytearray()
    with suppress(OSError):
        while part := await reader.read(1 << 20):
            received += part
    head, _, body = bytes(received).partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 "):
        return None
    return Answer(int(head.split()[1]), body, time.monotonic() - began)

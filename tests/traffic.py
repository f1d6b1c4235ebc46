"""Many clients on one event loop, which leaves most of the machine to the server."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Self

from tests.conftest import SECONDS, wait_for
from tests.scale import percentile

JSON = "application/json"
TRANSLATE = "/api/v1/translate"
DATE = json.dumps({"text": "the 3rd of may 1979", "detail": "weights"}).encode()
SENTENCE = json.dumps(
    {
        "text": "A man in a green shirt is standing in front of a large white building.",
        "model": "en-fr-additive",
        "detail": "weights",
    }
).encode()


class Connection:
    """A connection that sends one request after the other."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self.body = b""

    async def send(self, path: str, body: bytes | None = None, kind: str = JSON) -> int:
        """Return the status of the response; raise an `OSError` if there is none."""
        if self._reader is None or self._writer is None:
            self._reader, self._writer = await asyncio.open_connection(self._host, self._port)
        method = "GET" if body is None else "POST"
        head = f"{method} {path} HTTP/1.1\r\nHost: {self._host}\r\n"
        if body is not None:
            head += f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        try:
            self._writer.write(head.encode() + b"\r\n" + (body or b""))
            response_head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            self.body = await self._reader.readexactly(_length(response_head))
        except (OSError, asyncio.IncompleteReadError) as error:
            await self.close()
            raise ConnectionResetError from error
        if "connection: close" in response_head:
            await self.close()
        return int(response_head.split()[1])

    async def close(self) -> None:
        """Close the connection."""
        writer, self._reader, self._writer = self._writer, None, None
        if writer is not None:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _length(head: str) -> int:
    return int(head.partition("content-length:")[2].split("\r\n")[0] or 0)


@dataclass
class Answers:
    """The statuses of responses, and their latencies."""

    seconds: dict[int, list[float]] = field(default_factory=dict)
    lost: int = 0
    took: float = 0.0

    def note(self, status: int, seconds: float) -> None:
        """Count a response."""
        self.seconds.setdefault(status, []).append(seconds)

    @property
    def statuses(self) -> dict[int, int]:
        """The number of responses of each status."""
        return {status: len(each) for status, each in sorted(self.seconds.items())}

    def rate(self, status: int = 200) -> float:
        """Return the number of responses per second."""
        return len(self.seconds.get(status, ())) / self.took

    def at(self, share: float, status: int = 200) -> float:
        """Return the latency that this share of the responses does not exceed."""
        return percentile(self.seconds.get(status) or [float("nan")], share)


def together(rounds: Sequence[Answers]) -> Answers:
    """Return the responses of several rounds as one."""
    joined = Answers(lost=sum(each.lost for each in rounds), took=sum(each.took for each in rounds))
    for each in rounds:
        for status, seconds in each.seconds.items():
            joined.seconds.setdefault(status, []).extend(seconds)
    return joined


async def timed(answers: Answers, request: Awaitable[int]) -> None:
    """Record the status and the latency of a request, or its loss."""
    began = time.perf_counter()
    try:
        status = await request
    except OSError:
        answers.lost += 1
    else:
        answers.note(status, time.perf_counter() - began)


async def steady(host: str, port: int, clients: int, seconds: float, body: bytes = DATE) -> Answers:
    """Run clients that each send the next request as soon as they have a response."""
    answers = Answers()
    end = time.perf_counter() + seconds

    async def client() -> None:
        async with Connection(host, port) as connection:
            while time.perf_counter() < end:
                await timed(answers, connection.send(TRANSLATE, body))

    began = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    answers.took = time.perf_counter() - began
    return answers


async def flood(
    host: str, port: int, rate: float, seconds: float, body: bytes = DATE, most: int = 400
) -> Answers:
    """Send requests at a fixed rate, whether or not the ones before are answered."""
    answers = Answers()
    free: list[Connection] = []
    running: set[asyncio.Task[None]] = set()

    async def one() -> None:
        connection = free.pop() if free else Connection(host, port)
        await timed(answers, connection.send(TRANSLATE, body))
        free.append(connection)

    began = time.perf_counter()
    sent = 0
    while (now := time.perf_counter() - began) < seconds:
        while sent < now * rate and len(running) < most:
            task = asyncio.ensure_future(one())
            running.add(task)
            task.add_done_callback(running.discard)
            sent += 1
        await asyncio.sleep(0.002)
    await asyncio.gather(*running)
    answers.took = time.perf_counter() - began
    for connection in free:
        await connection.close()
    return answers


class Load:
    """Clients in a thread that each send one request after the other on a kept connection.

    They end with the block.
    """

    def __init__(self, host: str, port: int, clients: int) -> None:
        self.answers = Answers()
        self._ended = False
        self._host, self._port, self._clients = host, port, clients
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()))
        self._thread.start()
        wait_for(lambda: self.count > clients)

    @property
    def count(self) -> int:
        """Responses so far."""
        return sum(self.answers.statuses.values())

    def more(self) -> None:
        """Wait for more answers of every client."""
        before = self.count
        wait_for(lambda: self.count > before + 3 * self._clients)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended = True
        self._thread.join(SECONDS)

    async def _run(self) -> None:
        await asyncio.gather(*(self._client() for _ in range(self._clients)))

    async def _client(self) -> None:
        async with Connection(self._host, self._port) as connection:
            while not self._ended:
                await timed(self.answers, connection.send(TRANSLATE, DATE))

"""Clients that begin a request and never finish it."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from tests.live import Live
from tests.scale import LONG, amount, open_files, report
from tests.traffic import TRANSLATE, Answers, steady

HALF_OPEN, HALF_SENT = 300, 100
PATIENCE = amount(1.5, 8.0)
WITHIN = PATIENCE + 2.0
SECONDS = amount(2.0, 12.0)
HEAD = f"POST {TRANSLATE} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".encode()
BODY = HEAD + b'Content-Length: 1000\r\n\r\n{"text": "'


async def begin(it: Live, sent: bytes) -> float:
    """Begin a request; return the seconds until the connection is closed."""
    reader, writer = await asyncio.open_connection(it.host, it.port)
    began = time.monotonic()
    writer.write(sent)
    with suppress(OSError):
        await reader.read()
    seconds = time.monotonic() - began
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return seconds


async def measure(it: Live) -> tuple[Answers, Answers, list[float]]:
    """Measure two usual clients, alone and then among all those that never finish."""
    await steady(it.host, it.port, 2, SECONDS / 4)
    alone = await steady(it.host, it.port, 2, SECONDS)
    others = [
        asyncio.ensure_future(begin(it, sent))
        for sent in [HEAD[: 20 + k % 60] for k in range(HALF_OPEN)] + [BODY] * HALF_SENT
    ]
    await asyncio.sleep(0.5)
    among = await steady(it.host, it.port, 2, SECONDS)
    return alone, among, await asyncio.gather(*others)


def test_clients_that_never_finish_are_closed_and_harm_no_other(it: Live) -> None:
    files = open_files(it.pid)
    alone, among, closed_after_seconds = asyncio.run(measure(it))
    report(
        closed_after=max(closed_after_seconds),
        p99_alone=alone.at(0.99),
        p99_among=among.at(0.99),
        p50_alone=alone.at(0.5),
        p50_among=among.at(0.5),
    )
    assert len(closed_after_seconds) == HALF_OPEN + HALF_SENT
    assert not alone.lost + among.lost
    assert set(among.statuses) == {200}
    if LONG:
        assert max(closed_after_seconds) < WITHIN
        assert among.at(0.99) < 1.5 * alone.at(0.99)
    assert open_files(it.pid) <= files + 10

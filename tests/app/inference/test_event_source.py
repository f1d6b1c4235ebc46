"""Events of a client that reads too slowly are left out, before they fill the memory."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from heed.app.inference import event_source
from heed.app.inference.event_source import EventSource
from heed.models.generation.protocol import Progress
from heed.models.trace import Output, TokenAxis, TraceStep

VECTOR = np.zeros(4, np.float32)
STEP = TraceStep(-1.0, (), VECTOR, VECTOR, VECTOR)
OUTPUT = Output(TokenAxis("", (), (), "mean"), (), (STEP,), -1.0, -1.0, "end")


async def steps_of(read: int, written: int, *, busy: bool = False) -> list[bytes]:
    """Return the events of so many steps, of which the client reads some while they are made.

    If the event loop is busy, it has taken none of them before the end.
    """
    source = EventSource("steps", lambda _output: False)
    events = aiter(source)
    found = []
    for step in range(written):
        source.progressed(Progress(0, OUTPUT))
        if not busy:
            await asyncio.sleep(0)
        if step < read:
            found.append(await anext(events))
    await asyncio.sleep(0)
    source.end()
    return found + [event async for event in events]


def test_a_client_that_reads_gets_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_source, "MOST_BYTES", 1)
    assert len(asyncio.run(steps_of(read=9, written=9))) == 9


@pytest.mark.parametrize("busy", [False, True])
def test_no_step_follows_one_that_was_left_out(monkeypatch: pytest.MonkeyPatch, busy: bool) -> None:
    first = len(asyncio.run(steps_of(1, 1))[0])
    monkeypatch.setattr(event_source, "MOST_BYTES", 2 * first)
    assert len(asyncio.run(steps_of(read=0, written=9, busy=busy))) == 3

"""A turn is held by one at a time, comes in order, and passes over those who left."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from heed.app.errors import ServiceError, ServiceUnavailable
from heed.app.http.current_client import CURRENT_CLIENT
from heed.app.inference import turn as turns
from heed.app.inference.jobs import AbandonedError
from heed.app.inference.turn import Turn
from tests.conftest import SECONDS


def stays(_leave: Callable[[], None]) -> Callable[[], object]:
    """Return what unregisters a client that never leaves."""
    return lambda: None


def test_turns_come_in_order_and_pass_over_those_who_leave() -> None:
    turn, order = Turn("audits", SECONDS), list[str]()
    leaving: list[Callable[[], None]] = []

    def leaves(leave: Callable[[], None]) -> Callable[[], object]:
        leaving.append(leave)
        return lambda: None

    async def hold(name: str, on_disconnect: Callable = stays) -> None:
        async with turn.held(time.monotonic(), on_disconnect):
            order.append(name)

    async def run() -> list[BaseException | None]:
        await turn.take(time.monotonic(), stays)
        waiting = [
            asyncio.create_task(hold("first")),
            asyncio.create_task(hold("left", leaves)),
            asyncio.create_task(hold("cancelled")),
            asyncio.create_task(hold("last")),
        ]
        await asyncio.sleep(0)
        leaving[0]()
        waiting[2].cancel()
        turn.pass_on()
        return await asyncio.gather(*waiting, return_exceptions=True)

    ended = asyncio.run(run())
    assert order == ["first", "last"]
    assert isinstance(ended[1], AbandonedError)
    assert isinstance(ended[2], asyncio.CancelledError)
    assert asyncio.run(turn.take(0.0, stays)) is None  # it is free again


def test_a_turn_that_comes_to_one_who_is_cancelled_passes_on() -> None:
    turn = Turn("audits", SECONDS)

    async def run() -> None:
        await turn.take(time.monotonic(), stays)
        cancelled, last = (
            asyncio.create_task(turn.take(time.monotonic(), stays)) for _ in range(2)
        )
        await asyncio.sleep(0)
        turn.pass_on()
        cancelled.cancel()
        await last

    asyncio.run(run())


def test_too_many_who_wait_and_those_who_wait_too_long_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "MOST_WAITING", 1)
    turn = Turn("audits", 0.0)

    async def run() -> None:
        await turn.take(time.monotonic(), stays)
        waiting = asyncio.create_task(turn.take(time.monotonic(), stays))
        await asyncio.sleep(0)
        with pytest.raises(ServiceUnavailable, match="1 audits wait"):
            await turn.take(time.monotonic(), stays)
        with pytest.raises(ServiceError) as late:
            await waiting
        assert late.value.code == "deadline_exceeded"

    asyncio.run(run())


def test_work_that_outlasts_the_deadline_ends_and_passes_the_turn_on() -> None:
    turn = Turn("audits", 0.0)

    async def run() -> None:
        with pytest.raises(ServiceError) as late:
            async with turn.held(time.monotonic(), stays):
                await asyncio.sleep(SECONDS)
        assert late.value.code == "deadline_exceeded"
        await turn.take(time.monotonic(), stays)

    asyncio.run(run())


def test_clients_take_turns_and_leave_each_other_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MOST_WAITING", 3)
    turn, order = Turn("audits", SECONDS), list[str]()

    async def hold(client: str) -> None:
        CURRENT_CLIENT.set(client)
        async with turn.held(time.monotonic(), stays):
            order.append(client)

    async def run() -> list[BaseException | None]:
        await turn.take(time.monotonic(), stays)
        waiting = []
        for client in ("many", "many", "many", "few"):
            waiting.append(asyncio.create_task(hold(client)))
            await asyncio.sleep(0)
        turn.pass_on()
        return await asyncio.gather(*waiting, return_exceptions=True)

    ended = asyncio.run(run())
    assert order == ["many", "few", "many"]
    assert isinstance(ended[2], ServiceUnavailable)

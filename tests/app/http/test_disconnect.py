"""Work for a client ends when the client leaves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request

from heed.app.http.disconnect import DISCONNECT, while_connected


def request(callbacks: set[Callable[[], None]]) -> Request:
    """A request of a client that leaves when the callbacks are called."""

    def register(callback: Callable[[], None]) -> Callable[[], None]:
        callbacks.add(callback)
        return lambda: callbacks.discard(callback)

    scope: dict[str, Any] = {"type": "http", "extensions": {DISCONNECT: {"register": register}}}
    return Request(scope)


def test_the_result_of_work_is_returned_and_nothing_is_left_registered() -> None:
    callbacks: set[Callable[[], None]] = set()
    assert asyncio.run(while_connected(request(callbacks), asyncio.sleep(0, "done"))) == "done"
    assert not callbacks


def test_work_is_cancelled_when_the_client_leaves() -> None:
    cancelled = []

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    async def main() -> None:
        callbacks: set[Callable[[], None]] = set()
        task = asyncio.ensure_future(while_connected(request(callbacks), work()))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for leave in tuple(callbacks):
            leave()
        with pytest.raises(ClientDisconnect):
            await task
        assert not callbacks

    asyncio.run(main())
    assert cancelled

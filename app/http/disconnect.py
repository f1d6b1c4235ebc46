"""Notice of a client that disconnects before its response is ready."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request

DISCONNECT = "heed.disconnect"
"""Key of the ASGI extension by which the server calls back when the client disconnects."""

Result = TypeVar("Result")

OnDisconnect = Callable[[Callable[[], None]], Callable[[], object]]
"""Registers a callback for when the client disconnects; returns a function that removes it."""


def on_disconnect(request: Request) -> OnDisconnect:
    """Return the function that registers callbacks. The body must have been read."""
    extension = request.scope.get("extensions", {}).get(DISCONNECT)
    if extension is not None:
        register: OnDisconnect = extension["register"]
        return register

    def watch(callback: Callable[[], None]) -> Callable[[], object]:
        async def wait() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            callback()

        return asyncio.ensure_future(wait()).cancel

    return watch


async def while_connected(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """Return the result of work, which is cancelled when the client disconnects."""
    task = asyncio.ensure_future(work)
    left = False

    def leave() -> None:
        nonlocal left
        left = True
        task.cancel()

    unregister = on_disconnect(request)(leave)
    try:
        return await task
    except asyncio.CancelledError:
        if left:
            raise ClientDisconnect from None
        raise
    finally:
        unregister()
        task.cancel()

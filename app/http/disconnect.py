"""Notice of a client that disconnects before its response is ready."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.requests import Request

DISCONNECT = "heed.disconnect"
"""Key of the ASGI extension by which the server calls back when the client disconnects."""

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

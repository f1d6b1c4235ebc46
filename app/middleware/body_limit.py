"""Limits for request bodies: the size of each, and the memory that all take together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heed.app.errors import HeedError
from heed.app.http.memory_budget import MemoryBudget
from heed.app.http.request_body import body_too_large


class BodyLimit(NamedTuple):
    """Size of the largest body of a path, and the error of a larger one."""

    max_bytes: int
    too_large: Callable[[], HeedError]


def body_limit(max_bytes: int) -> BodyLimit:
    """Return a limit with the usual error."""
    return BodyLimit(max_bytes, lambda: body_too_large(max_bytes))


class BodyLimitMiddleware:
    """Refuses a large body by its `Content-Length`, else as soon as it exceeds the limit."""

    def __init__(
        self,
        app: ASGIApp,
        default: BodyLimit,
        paths: Mapping[str, BodyLimit],
        memory: MemoryBudget,
    ) -> None:
        self._app = app
        self._default = default
        self._paths = paths
        self._memory = memory

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; its bytes are reserved until it is answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._paths.get(scope["path"], self._default)
        if _declared_length(scope) > limit.max_bytes:
            raise limit.too_large()
        reserved = 0

        async def receive_within_limit() -> Message:
            nonlocal reserved
            message = await receive()
            if size := len(message.get("body", b"")):
                if reserved + size > limit.max_bytes:
                    raise limit.too_large()
                self._memory.reserve(size)
                reserved += size
            return message

        try:
            await self._app(scope, receive_within_limit, send)
        finally:
            self._memory.release(reserved)


def _declared_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() else 0
    return 0

"""Limits for the size of each request body, and for the memory of all requests and responses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heed.app.errors import HeedError, ServiceUnavailable
from heed.app.http.body_budget import BodyBudget, Reservation, out_of_memory
from heed.app.http.request_body import body_too_large
from heed.app.middleware.rate_limit import client_address

SMALL_RESPONSE = 4 * 1024  # bytes, which are not counted


class BodyLimit(NamedTuple):
    """Size of the largest body of a path, and the error of a larger one."""

    max_bytes: int
    too_large: Callable[[], HeedError]


def body_limit(max_bytes: int) -> BodyLimit:
    """Return a limit with the usual error."""
    return BodyLimit(max_bytes, lambda: body_too_large(max_bytes))


class _StreamRefused(Exception):  # noqa: N818 - FastAPI would handle a `HeedError`
    """There is no memory for the next part of a response."""


class BodyLimitMiddleware:
    """Refuses a large body by its `Content-Length`, else as soon as it exceeds the limit.

    A response counts from the moment when it is ready until the client has read it. If no memory is
    left, it is refused before it starts; a stream that has started is cut.
    """

    def __init__(
        self,
        app: ASGIApp,
        default: BodyLimit,
        paths: Mapping[str, BodyLimit],
        budget: BodyBudget,
        trusted_proxies: int = 0,
    ) -> None:
        self._app = app
        self._default = default
        self._paths = paths
        self._budget = budget
        self._proxies = trusted_proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; its bytes are reserved until it is answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._paths.get(scope["path"], self._default)
        if _declared_length(scope) > limit.max_bytes:
            raise limit.too_large()
        held = Reservation(self._budget, partial(self._client, scope))
        start: Message | None = None
        refusal: ServiceUnavailable | None = None

        async def receive_within_limit() -> Message:
            message = await receive()
            if size := len(message.get("body", b"")):
                if held.received + size > limit.max_bytes:
                    raise limit.too_large()
                held.receive(size)
            return message

        async def send_within_budget(message: Message) -> None:
            nonlocal start, refusal
            if message["type"] == "http.response.start":
                start = message  # sent with the body, as it may be refused
                return
            body = message.get("body", b"")
            if len(body) > SMALL_RESPONSE:
                try:
                    held.begin_response(body)
                except ServiceUnavailable as error:
                    if message.get("more_body", False):
                        raise _StreamRefused from None
                    # Not raised here, where its traceback, in a cycle, would keep the response.
                    refusal = error.with_traceback(None)
                    return
            if start is not None:
                begun, start = start, None
                await send(begun)
            await send(message)
            held.end_response()

        try:
            await self._app(scope, receive_within_limit, send_within_budget)
        except _StreamRefused:
            raise out_of_memory() from None
        finally:
            held.close()
        if refusal is not None:
            raise refusal

    def _client(self, scope: Scope) -> str:
        return client_address(scope, Headers(scope=scope), self._proxies)


def _declared_length(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value)  # app/middleware/hosts.py has checked its digits
    return 0

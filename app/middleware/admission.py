"""Early refusal of requests for a model whose queue is full, before their body is read.

The client of each request is noted here, for all that is divided among clients.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from heed.app.http.current_client import CURRENT_CLIENT
from heed.app.middleware.rate_limit import client_address


class AdmissionMiddleware:
    """Notes the client of each request, and checks the queue of a path before a `POST`."""

    def __init__(
        self, app: ASGIApp, checks: Mapping[str, Callable[[], None]], trusted_proxies: int = 0
    ) -> None:
        self._app = app
        self._checks = checks
        self._proxies = trusted_proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, unless the check of its path raises an error."""
        if scope["type"] == "http":
            CURRENT_CLIENT.set(client_address(scope, Headers(scope=scope), self._proxies))
        if scope["type"] == "http" and scope["method"] == "POST":
            check = self._checks.get(scope["path"])
            if check is not None:
                check()
        await self._app(scope, receive, send)

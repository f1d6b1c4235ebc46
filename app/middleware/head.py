"""`HEAD` wherever there is `GET`."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send


class HeadMiddleware:
    """Handles `HEAD` as `GET`; the server leaves out the body."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}
        await self._app(scope, receive, send)

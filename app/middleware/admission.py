"""Early refusal of requests for a model whose queue is full, before their body is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.types import ASGIApp, Receive, Scope, Send


class AdmissionMiddleware:
    """Checks the queue of a path before a `POST` is passed on."""

    def __init__(self, app: ASGIApp, checks: Mapping[str, Callable[[], None]]) -> None:
        self._app = app
        self._checks = checks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, unless the check of its path raises an error."""
        if scope["type"] == "http" and scope["method"] == "POST":
            check = self._checks.get(scope["path"])
            if check is not None:
                check()
        await self._app(scope, receive, send)

"""Early refusal of requests for a model whose queue is full, before their body is read.

The client of each request is noted here, for all that is divided among clients.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from heed.app.errors import RequestError, ServiceError
from heed.app.http.current_client import CURRENT_CLIENT
from heed.app.http.error_responses import send_error
from heed.app.middleware.access_log import KnownRoute
from heed.app.middleware.hosts import AllowedHosts
from heed.app.middleware.rate_limit import client_address

Checks = Mapping[str, Callable[[], None]]
"""By path: raises an error if a request cannot be answered now."""
_REFUSAL: Final = "heed.refusal"
"""The key of the error in the scope of a request that is refused early."""


class AdmissionMiddleware:
    """Notes the client of each request, and checks the queue of a path before a `POST`."""

    def __init__(self, app: ASGIApp, checks: Checks, trusted_proxies: int = 0) -> None:
        self._app = app
        self._checks = checks
        self._proxies = trusted_proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, unless the check of its path raises an error."""
        if scope["type"] == "http":
            _admit(scope, self._checks, self._proxies)
        await self._app(scope, receive, send)


class EarlyRefusal:
    """Refuses requests for a model whose queue is full ahead of the application.

    Under overload these are most requests, and what they cost is lost to the inference thread
    (docs/decisions/0022-refused-ahead-of-the-application.md).
    """

    def __init__(
        self,
        app: ASGIApp,
        refuse: ASGIApp,
        checks: Checks,
        hosts: AllowedHosts,
        on_refusal: Callable[[str], None],
        trusted_proxies: int = 0,
    ) -> None:
        """`refuse` is `send_refusal` behind the middleware that every response passes."""
        self._app = app
        self._refuse = refuse
        self._checks = checks
        self._hosts = hosts
        self._on_refusal = on_refusal
        self._proxies = trusted_proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        refused = scope["type"] == "http" and scope["method"] == "POST" and self._refused(scope)
        await (self._refuse if refused else self._app)(scope, receive, send)

    def _refused(self, scope: Scope) -> bool:
        try:
            _admit(scope, self._checks, self._proxies)
        except ServiceError as error:
            # With its traceback it would be in a reference cycle, and stay with the request.
            refusal = error.with_traceback(None)
        else:
            return False
        try:
            self._hosts.check(scope)
        except RequestError:
            return False
        self._on_refusal(refusal.code)
        scope[_REFUSAL], scope["route"] = refusal, KnownRoute(scope["path"])
        return True


def _admit(scope: Scope, checks: Checks, trusted_proxies: int) -> None:
    """Note the client of a request, and raise a `ServiceError` if its queue has no room."""
    CURRENT_CLIENT.set(client_address(scope, Headers(scope=scope), trusted_proxies))
    check = checks.get(scope["path"]) if scope["method"] == "POST" else None
    if check is not None:
        check()


async def send_refusal(scope: Scope, _receive: Receive, send: Send) -> None:
    """Respond with the error for which a request is refused early."""
    await send_error(scope[_REFUSAL], send)

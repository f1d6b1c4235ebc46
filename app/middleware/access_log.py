"""An id, a line in the log and a count for every request; never its content."""

from __future__ import annotations

import logging
import random
import re
import time
from typing import NamedTuple

from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heed.app.observability.metrics import Metrics

HEADER = "X-Request-ID"
RAW_HEADER = HEADER.lower().encode()
VALID_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
METHODS = {"GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"}
QUIET = {"/healthz", "/readyz", "/metrics"}  # monitors call them every few seconds
CLIENT_CLOSED_REQUEST = 499  # as nginx logs it

log = logging.getLogger("heed.requests")


class KnownRoute(NamedTuple):
    """The route of a request that does not reach the router: one whose path has no parameters."""

    path: str


class AccessLog:
    """Logs and counts requests by their route, never with their path, query or body."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and log its response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status, received, sent = CLIENT_CLOSED_REQUEST, 0, 0
        identity = scope["request_id"] = _identity(scope)

        async def receive_counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message

        async def send_counted(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"].append((RAW_HEADER, identity.encode()))
            sent += len(message.get("body", b""))
            await send(message)

        self._metrics.in_flight += 1
        try:
            await self._app(scope, receive_counted, send_counted)
        finally:
            seconds = time.perf_counter() - began
            method = scope["method"] if scope["method"] in METHODS else "other"
            route = route_of(scope)
            self._metrics.in_flight -= 1
            self._metrics.answered(method, route, status, seconds)
            log.log(
                logging.DEBUG if route in QUIET else logging.INFO,
                "id=%s method=%s route=%s status=%d ms=%.1f in=%d out=%d",
                *(identity, method, route, status, 1000 * seconds, received, sent),
            )


def route_of(scope: Scope) -> str:
    """Return the route as declared in the code, such as `/t/{id}`: one of a few dozen."""
    if scope["path"].startswith("/static/"):
        return "/static"
    if (route := scope.get("route")) is None:  # the request was refused before the router ran
        routes = scope["app"].state.routes
        route = next((route for route in routes if route.matches(scope)[0] is Match.FULL), None)
    return "none" if route is None else str(route.path)


def _identity(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == RAW_HEADER and VALID_ID.fullmatch(value):
            return str(value, "ascii")
    return f"{random.getrandbits(64):016x}"

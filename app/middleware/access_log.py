"""A number for every request, a line in the log and a count for each, and never what was said."""

from __future__ import annotations

import logging
import random
import re
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heed.app.middleware.rate_limit import MODEL_PATHS
from heed.app.observability.metrics import Metrics

HEADER = "X-Request-ID"
RAW_HEADER = HEADER.lower().encode()
SANE = re.compile(rb"[A-Za-z0-9._-]{1,64}")
METHODS = {"GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"}
QUIET = {"/healthz", "/readyz", "/metrics"}  # asked every few seconds, by machines
LEFT = 499  # as nginx counts a client that did not wait for its answer

log = logging.getLogger("heed.requests")


class AccessLog:
    """Whatever is asked is counted and noted: its route, never its path, its query or its body."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and note what became of it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status, came, went = LEFT, 0, 0
        identity = scope["request_id"] = _identity(scope)

        async def receive_counting() -> Message:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            return message

        async def send_counting(message: Message) -> None:
            nonlocal status, went
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"].append((RAW_HEADER, identity.encode()))
            went += len(message.get("body", b""))
            await send(message)

        self._metrics.in_flight += 1
        try:
            await self._app(scope, receive_counting, send_counting)
        finally:
            seconds = time.perf_counter() - began
            method = scope["method"] if scope["method"] in METHODS else "other"
            route = route_of(scope)
            self._metrics.in_flight -= 1
            self._metrics.answered(method, route, status, seconds)
            log.log(
                logging.DEBUG if route in QUIET else logging.INFO,
                "id=%s method=%s route=%s status=%d ms=%.1f in=%d out=%d",
                *(identity, method, route, status, 1000 * seconds, came, went),
            )


def route_of(scope: Scope) -> str:
    """The route that a request took, as it is written in the code: no more than a few dozen."""
    route, path = scope.get("route"), scope["path"]
    if route is not None:
        return str(route.path)
    if path in MODEL_PATHS or path == "/openapi.json":
        return str(path)
    return "/static" if path.startswith("/static/") else "none"


def _identity(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == RAW_HEADER and SANE.fullmatch(value):
            return str(value, "ascii")
    return f"{random.getrandbits(64):016x}"

"""What holds for every answer: its headers, its size, and that each error has the one form."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heed.app.errors import log_internal_error
from heed.app.http.negotiation import EVENTS, takes_gzip
from heed.app.http.responses import FRAMED, error_answer, error_of
from heed.app.inference.jobs import AbandonedError
from heed.app.middleware.access_log import route_of

CONTENT_RULES = (
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",  # Plotly and Swagger UI write styles into elements
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
)
OF_ALL = {
    "Content-Security-Policy": "; ".join((*CONTENT_RULES, "frame-ancestors 'self'")),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-cache",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# No word of ancestors: even `*` would leave out a page that is opened as a file. And a page that
# asks of all it shows to agree to that (COEP) may show these.
OF_FRAMED = {
    "Content-Security-Policy": "; ".join(CONTENT_RULES),
    "Cross-Origin-Resource-Policy": "cross-origin",
}
# What browsers run or apply but never show as a page; there are sixty of them in an opening, and
# what is said of pages alone would be a tenth of their bytes.
PARTS = (b"text/javascript", b"text/css")
OF_PAGES = (b"content-security-policy", b"cross-origin-opener-policy", b"referrer-policy")

COMPRESSED_FROM_BYTES = 1024
NOT_COMPRESSED = ("font/woff2", "image/jpeg", "image/png", "image/webp", EVENTS)
COMPRESSION = 4  # most of what there is to gain, in a fraction of the time
COMPRESSED_ASIDE_FROM_BYTES = 16 * 1024  # on another thread: it takes longer than all else here


def _raw(headers: Mapping[str, str]) -> tuple[tuple[bytes, bytes], ...]:
    """Headers as they are sent."""
    return tuple((name.lower().encode(), value.encode()) for name, value in headers.items())


HEADERS, FRAMED_HEADERS = _raw(OF_ALL), _raw(OF_ALL | OF_FRAMED)


class SecurityHeaders:
    """Security headers on everything, and `HEAD` wherever there is `GET`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and put the headers on what comes back."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = dict(message["headers"])
                framed = scope["path"].startswith(FRAMED)
                part = given.get(b"content-type", b"").partition(b";")[0] in PARTS
                for name, value in FRAMED_HEADERS if framed else HEADERS:
                    if name not in given and not (part and name in OF_PAGES):
                        message["headers"].append((name, value))
            await send(message)

        if scope["method"] == "HEAD":  # the server leaves the body out by itself
            scope = {**scope, "method": "GET"}
        await self._app(scope, receive, send_with_headers)


class GZip(GZipMiddleware):
    """Answers compressed for whoever can read that; others are told that there is another form."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(
            app,
            minimum_size=COMPRESSED_FROM_BYTES,
            compresslevel=COMPRESSION,
            thread_minimum_size=COMPRESSED_ASIDE_FROM_BYTES,
            exclude_content_types=NOT_COMPRESSED,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and make the answer smaller."""
        if scope["type"] != "http" or takes_gzip(Headers(scope=scope)):
            await super().__call__(scope, receive, send)
            return

        async def send_varying(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_vary(message["headers"])
            await send(message)

        await self.app(scope, receive, send_varying)


def _add_vary(headers: list[tuple[bytes, bytes]]) -> None:
    """Say of an answer that would be compressed for others that it goes by what was accepted."""
    given = dict(headers)
    media = given.get(b"content-type", b"").partition(b";")[0].decode("latin-1")
    small = int(given.get(b"content-length", COMPRESSED_FROM_BYTES)) < COMPRESSED_FROM_BYTES
    if small or media in ("", *NOT_COMPRESSED) or b"content-encoding" in given:
        return
    vary = given.get(b"vary")
    if vary is None:
        headers.append((b"vary", b"Accept-Encoding"))
    elif b"accept-encoding" not in vary.lower():
        headers[headers.index((b"vary", vary))] = (b"vary", vary + b", Accept-Encoding")


class ErrorHandling:
    """Every error as an answer of the one form.

    Whatever nobody caught is logged under an id, and answered without a word of its inside.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and answer for what goes wrong."""
        started = False

        async def send_noticing(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, send_noticing)
        except (AbandonedError, ClientDisconnect):
            return  # nobody is there to read an answer
        except Exception as error:
            if scope["type"] != "http":
                raise
            told = None if started else error_of(Request(scope), error)
            if told is None:
                told = log_internal_error(
                    error, f"{route_of(scope)} request={scope.get('request_id')}"
                )
            if started:
                raise
            await error_answer(Request(scope), told)(scope, receive, send)

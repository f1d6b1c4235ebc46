"""Compressed responses."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heed.app.http.hall import is_loopback
from heed.app.http.media_types import EVENTS
from heed.app.http.negotiation import has_no_store, takes_gzip

MIN_BYTES = 1024
EXCLUDED = ("font/woff2", "image/jpeg", "image/png", "image/webp", EVENTS)
LEVEL = 4  # most of the gain in a fraction of the time
FORWARDED = ("x-forwarded-for", "forwarded", "via")  # headers that proxies add
THREAD_MIN_BYTES = 16 * 1024  # on another thread: it takes longer than the rest of the response


class GZip(GZipMiddleware):
    """gzip for clients that accept it, and `Vary` for the others.

    An answer that a client on this machine keeps nowhere, as while a person drags, is not
    compressed: that would take longer than to send it.
    """

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(
            app,
            minimum_size=MIN_BYTES,
            compresslevel=LEVEL,
            thread_minimum_size=THREAD_MIN_BYTES,
            exclude_content_types=EXCLUDED,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and compress its response."""
        if scope["type"] != "http" or _compresses(scope, Headers(scope=scope)):
            await super().__call__(scope, receive, send)
            return

        async def send_varying(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_vary(message["headers"])
            await send(message)

        await self.app(scope, receive, send_varying)


def _compresses(scope: Scope, headers: Headers) -> bool:
    """Return whether a response is compressed, unless it is small or of an excluded type."""
    host, _ = scope.get("client") or ("", 0)
    kept_by_nobody = has_no_store(headers) and not any(name in headers for name in FORWARDED)
    return takes_gzip(headers) and not (kept_by_nobody and is_loopback(host))


def _add_vary(headers: list[tuple[bytes, bytes]]) -> None:
    """Add `Vary` to a response that would be compressed for other clients."""
    given = dict(headers)
    media = given.get(b"content-type", b"").partition(b";")[0].decode("latin-1")
    small = int(given.get(b"content-length", MIN_BYTES)) < MIN_BYTES
    if small or media in ("", *EXCLUDED) or b"content-encoding" in given:
        return
    vary = given.get(b"vary")
    if vary is None:
        headers.append((b"vary", b"Accept-Encoding"))
    elif b"accept-encoding" not in vary.lower():
        headers[headers.index((b"vary", vary))] = (b"vary", vary + b", Accept-Encoding")

"""Compressed responses."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heed.app.http.media_types import EVENTS
from heed.app.http.negotiation import takes_gzip

MIN_BYTES = 1024
EXCLUDED = ("font/woff2", "image/jpeg", "image/png", "image/webp", EVENTS)
LEVEL = 4  # most of the gain in a fraction of the time
THREAD_MIN_BYTES = 16 * 1024  # on another thread: it takes longer than the rest of the response


class GZip(GZipMiddleware):
    """gzip for clients that accept it, and `Vary` for the others."""

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
        if scope["type"] != "http" or takes_gzip(Headers(scope=scope)):
            await super().__call__(scope, receive, send)
            return

        async def send_varying(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_vary(message["headers"])
            await send(message)

        await self.app(scope, receive, send_varying)


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

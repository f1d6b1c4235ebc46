"""Security headers of every response."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from heed.app.http.responses import EMBED_PATH

CONTENT_SECURITY_POLICY = (
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",  # Plotly and Swagger UI write styles into elements
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
)
SECURITY_HEADERS = {
    "Content-Security-Policy": "; ".join((*CONTENT_SECURITY_POLICY, "frame-ancestors 'self'")),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-cache",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
# Without `frame-ancestors`: even `*` would exclude a page that is opened as a file. A page that
# requires all its resources to agree to be embedded (COEP) may show these.
EMBED_HEADERS = {
    "Content-Security-Policy": "; ".join(CONTENT_SECURITY_POLICY),
    "Cross-Origin-Resource-Policy": "cross-origin",
}
# Browsers run or apply these but never show them as a page. A page loads sixty of them, and the
# headers that matter to pages alone would be a tenth of their bytes.
RESOURCES = (b"text/javascript", b"text/css")
PAGE_HEADERS = (b"content-security-policy", b"cross-origin-opener-policy", b"referrer-policy")


def _raw(headers: Mapping[str, str]) -> tuple[tuple[bytes, bytes], ...]:
    return tuple((name.lower().encode(), value.encode()) for name, value in headers.items())


RAW, RAW_EMBED = _raw(SECURITY_HEADERS), _raw(SECURITY_HEADERS | EMBED_HEADERS)


class SecurityHeaders:
    """Adds the security headers that a response does not set itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and add the headers to its response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(message["headers"], framed=scope["path"].startswith(EMBED_PATH))
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _add_headers(headers: list[tuple[bytes, bytes]], *, framed: bool) -> None:
    given = dict(headers)
    resource = given.get(b"content-type", b"").partition(b";")[0] in RESOURCES
    for name, value in RAW_EMBED if framed else RAW:
        if name not in given and not (resource and name in PAGE_HEADERS):
            headers.append((name, value))

"""Responses with an `ETag`: 304 for a client that has the content, gzip for one that accepts it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.datastructures import Headers
from starlette.responses import Response

from heed.app.http.negotiation import takes_gzip

Content = Callable[[], bytes]


def conditional_response(
    request_headers: Headers,
    digest: str,
    plain: Content,
    packed: Content | None,
    *,
    media: str,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the content with this digest, or 304. `packed` is its gzip, if that is smaller."""
    gzip = packed is not None and takes_gzip(request_headers)
    tag = f'"{digest}{"-gzip" if gzip else ""}"'
    given = {"ETag": tag, **(headers or {})}
    if packed is not None:
        given["Vary"] = "Accept-Encoding"
    if _matches(request_headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=given)
    if packed is not None and gzip:
        given["Content-Encoding"] = "gzip"
        return Response(packed(), headers=given, media_type=media)
    return Response(plain(), headers=given, media_type=media)


def _matches(if_none_match: str, tag: str) -> bool:
    """Compare `If-None-Match` with the tag (RFC 9110, section 13.1.2)."""
    tags = [one.strip().removeprefix("W/") for one in if_none_match.split(",")]
    return tag in tags or "*" in tags

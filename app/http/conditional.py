"""An answer that is sent to whoever does not have it yet, compressed for whoever can read that."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.datastructures import Headers
from starlette.responses import Response

from heed.app.http.negotiation import takes_gzip

Content = Callable[[], bytes]


def conditional_response(
    asked: Headers,
    digest: str,
    plain: Content,
    packed: Content | None,
    *,
    media: str,
    headers: Mapping[str, str] | None = None,
) -> Response:
    """The content that has this digest, or 304 to whoever names it; `packed` if it gets smaller."""
    gzip = packed is not None and takes_gzip(asked)
    tag = f'"{digest}{"-gzip" if gzip else ""}"'
    given = {"ETag": tag, **(headers or {})}
    if packed is not None:
        given["Vary"] = "Accept-Encoding"
    if _names(asked.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=given)
    if packed is not None and gzip:
        given["Content-Encoding"] = "gzip"
        return Response(packed(), headers=given, media_type=media)
    return Response(plain(), headers=given, media_type=media)


def _names(wanted: str, tag: str) -> bool:
    """Whether `If-None-Match` names this tag (RFC 9110, section 13.1.2)."""
    given = [one.strip().removeprefix("W/") for one in wanted.split(",")]
    return tag in given or "*" in given

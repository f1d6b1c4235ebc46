"""The response of a route that runs a model: the complete trace, or a stream of events."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol, TypeVar

from fastapi import Request
from starlette.responses import Response, StreamingResponse

from heed.app.http.disconnect import OnDisconnect, on_disconnect
from heed.app.http.media_types import EVENTS, JSON
from heed.app.http.negotiation import takes_gzip
from heed.app.http.responses import CACHE_HEADER
from heed.app.http.sse import gzip_stream

STREAM_HEADERS = {
    "Cache-Control": "no-cache",
    "X-Accel-Buffering": "no",
    "Vary": "Accept, Accept-Encoding",
}

Input_contra = TypeVar("Input_contra", contravariant=True)


class Result(Protocol):
    """A complete trace in the media type that the client prefers."""

    @property
    def content(self) -> bytes:
        """The encoded trace."""

    @property
    def hit(self) -> bool:
        """True if it came from the cache."""


class Inference(Protocol[Input_contra]):
    """A service that runs a model on an input."""

    async def answer(self, asked: Input_contra, gone: OnDisconnect, form: str = JSON, /) -> Result:
        """Return the complete trace."""

    async def events(self, asked: Input_contra, gone: OnDisconnect, /) -> AsyncIterator[bytes]:
        """Return the events of the trace. Errors before the first event are raised."""


async def trace_response(
    request: Request, media: str, inference: Inference[Input_contra], model_input: Input_contra
) -> Response:
    """Run the model and return its trace in this media type. The body must have been read."""
    if media != EVENTS:
        result = await inference.answer(model_input, on_disconnect(request), media)
        headers = {"Vary": "Accept", CACHE_HEADER: "hit" if result.hit else "miss"}
        return Response(result.content, headers=headers, media_type=media)
    events = await inference.events(model_input, on_disconnect(request))
    first = await anext(events)  # an error before it becomes a plain error response
    stream = _chain(first, events)
    headers = STREAM_HEADERS
    if takes_gzip(request.headers):
        stream, headers = gzip_stream(stream), headers | {"Content-Encoding": "gzip"}
    return StreamingResponse(stream, headers=headers, media_type=EVENTS)


async def _chain(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in rest:
        yield piece

"""The answer of a route that runs a model: the whole trace, or the trace as it grows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Protocol, TypeVar

from fastapi import Request
from starlette.responses import Response, StreamingResponse

from heed.app.errors import RequestError
from heed.app.http.negotiation import EVENTS, JSON, NPZ, preferred, takes_gzip
from heed.app.http.responses import json_answer
from heed.app.http.sse import gzip_stream
from heed.app.inference.cache import HEADER as CACHE
from heed.app.inference.engine import OnDisconnect
from heed.app.inference.execution import CachedAnswer
from heed.app.server.protocol import LEAVING

STREAM_HEADERS = {
    "Cache-Control": "no-cache",
    "X-Accel-Buffering": "no",
    "Vary": "Accept, Accept-Encoding",
}

Asked_contra = TypeVar("Asked_contra", contravariant=True)


class Answering(Protocol[Asked_contra]):
    """What answers whole, or with events."""

    async def one(self, asked: Asked_contra, gone: OnDisconnect, form: str = JSON) -> CachedAnswer:
        """The trace."""

    def events(self, asked: Asked_contra, gone: OnDisconnect) -> AsyncIterator[bytes]:
        """The trace as it grows. What fails before the first event is raised."""


def wanted(request: Request, *offers: str) -> str:
    """What of the offers the client would have; asked before its body is read."""
    accept = ", ".join(request.headers.getlist("accept"))
    found = preferred(accept, offers)
    if found is None:
        message = f"`Accept` allows nothing that this path can give: {' or '.join(offers)}."
        raise RequestError("not_acceptable", message)
    return found


async def reply(
    request: Request, form: str, answering: Answering[Asked_contra], asked: Asked_contra
) -> Response:
    """The answer in the form that was wanted. The body must have been read."""
    if form != EVENTS:
        known = await answering.one(asked, on_disconnect(request), form)
        headers = {"Vary": "Accept", CACHE: "hit" if known.hit else "miss"}
        if form == NPZ:
            return Response(known.content, headers=headers, media_type=NPZ)
        return json_answer(known.content, headers)
    events = answering.events(asked, on_disconnect(request))
    first = await anext(events)  # what fails before it is answered as a plain error
    stream = _chain(first, events)
    headers = STREAM_HEADERS
    if takes_gzip(request.headers):
        stream, headers = gzip_stream(stream), headers | {"Content-Encoding": "gzip"}
    return StreamingResponse(stream, headers=headers, media_type=EVENTS)


def on_disconnect(request: Request) -> OnDisconnect:
    """Tells when the client leaves. The body must have been read."""
    leaving = request.scope.get("extensions", {}).get(LEAVING)
    if leaving is not None:
        tell: OnDisconnect = leaving["tell"]
        return tell

    def gone(told: Callable[[], None]) -> Callable[[], object]:
        async def wait() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            told()

        return asyncio.ensure_future(wait()).cancel

    return gone


async def _chain(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in rest:
        yield piece

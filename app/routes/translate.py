"""Texts in, traces out."""

from __future__ import annotations

from collections.abc import AsyncIterator

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from app.answers import json_answer
from app.body import read_body
from app.errors import RequestError
from app.events import squeezed
from app.negotiation import EVENTS, JSON, preferred, takes_gzip
from app.openapi import (
    BATCH_CODES,
    BATCH_EXAMPLES,
    BODY_CODES,
    EVENT_STREAM,
    SERVICE_CODES,
    SHAPE_CODES,
    TRANSLATE_CODES,
    TRANSLATE_EXAMPLES,
    body_of,
    refusals,
)
from app.schemas import BatchIn, BatchOut, TraceOut, TranslateIn
from app.service import Parts

STREAM_HEADERS = {
    "Cache-Control": "no-cache",
    "X-Accel-Buffering": "no",
    "Vary": "Accept, Accept-Encoding",
}

router = APIRouter(prefix="/translate", tags=["translation"])


@router.post(
    "",
    summary="Translate a text",
    response_model=TraceOut,
    responses={
        200: EVENT_STREAM,
        **refusals(*TRANSLATE_CODES),
    },
    openapi_extra=body_of(TranslateIn, TRANSLATE_EXAMPLES),
)
async def translate(request: Request, parts: Parts) -> Response:
    """Run a model on a text and tell everything it looked at on the way.

    With a `target` the model writes that instead (forced decoding) and tells how surprised it is
    at each token of it.
    """
    wanted = _wanted(request, JSON, EVENTS)
    asked = await read_body(request, TranslateIn, parts.settings.max_body_bytes)
    if wanted == JSON:
        body = await parts.translation.one(asked, lambda: _gone(request))
        return json_answer(body, {"Vary": "Accept"})
    events = parts.translation.events(asked, lambda: _gone(request))
    first = await anext(events)  # what fails before it is answered as a plain error
    stream = _chain(first, events)
    headers = STREAM_HEADERS
    if takes_gzip(request.headers):
        stream, headers = squeezed(stream), headers | {"Content-Encoding": "gzip"}
    return StreamingResponse(stream, headers=headers, media_type=EVENTS)


@router.post(
    "/batch",
    summary="Translate several texts",
    response_model=BatchOut,
    responses=refusals(*BODY_CODES, *SHAPE_CODES, *BATCH_CODES, *SERVICE_CODES),
    openapi_extra=body_of(BatchIn, BATCH_EXAMPLES),
)
async def translate_batch(request: Request, parts: Parts) -> Response:
    """Run a model on several texts at once. A bad text fails alone: an error stands in its place.

    `limits.batch` of `GET /version` says how many there may be.
    """
    _wanted(request, JSON)
    asked = await read_body(request, BatchIn, parts.settings.max_body_bytes)
    return json_answer(await parts.translation.batch(asked, lambda: _gone(request)))


def _wanted(request: Request, *offers: str) -> str:
    accept = ", ".join(request.headers.getlist("accept"))
    wanted = preferred(accept, offers)
    if wanted is None:
        message = f"`Accept` allows nothing that this path can give: {' or '.join(offers)}."
        raise RequestError("not_acceptable", message)
    return wanted


async def _gone(request: Request) -> None:
    """Wait until the client has left. The body must have been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _chain(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in rest:
        yield piece

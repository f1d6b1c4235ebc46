"""Texts in, traces out."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.negotiation import EVENTS, JSON, NPZ
from heed.app.http.request_body import read_body
from heed.app.http.responses import json_answer
from heed.app.http.routing import API, routes
from heed.app.http.trace_responses import on_disconnect, reply, wanted
from heed.app.inference.limits import check_search
from heed.app.openapi.document import (
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
from heed.app.schemas import BatchIn, BatchOut, TraceOut, TranslateIn

router = routes(f"{API}/translate", "translation")


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
async def translate(request: Request, parts: ServiceDep) -> Response:
    """Run a model on a text and tell everything it looked at on the way.

    With a `target` the model writes that instead (forced decoding) and tells how surprised it is
    at each token of it.
    """
    form = wanted(request, JSON, EVENTS, NPZ)
    asked = await read_body(request, TranslateIn, parts.settings.max_body_bytes)
    check_search(asked.search, parts.settings)
    return await reply(request, form, parts.translation, asked)


@router.post(
    "/batch",
    summary="Translate several texts",
    response_model=BatchOut,
    responses=refusals(*BODY_CODES, *SHAPE_CODES, *BATCH_CODES, *SERVICE_CODES),
    openapi_extra=body_of(BatchIn, BATCH_EXAMPLES),
)
async def translate_batch(request: Request, parts: ServiceDep) -> Response:
    """Run a model on several texts at once. A bad text fails alone: an error stands in its place.

    `limits.batch` of `GET /version` says how many there may be.
    """
    wanted(request, JSON)
    asked = await read_body(request, BatchIn, parts.settings.max_body_bytes)
    check_search(asked.search, parts.settings)
    return json_answer(await parts.translation.batch(asked, on_disconnect(request)))

"""Translation: text to trace."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.disconnect import on_disconnect
from heed.app.http.media_types import JSON
from heed.app.http.negotiation import negotiate
from heed.app.http.paths import TRANSLATE
from heed.app.http.request_body import JSONRoute
from heed.app.http.responses import json_response
from heed.app.http.trace_responses import trace_response
from heed.app.inference.limits import check_search
from heed.app.middleware.rate_limit import count_batch
from heed.app.openapi.document import RUN, TARGET, TEXT, errors
from heed.app.openapi.examples import BATCH_EXAMPLES, TRANSLATE_EXAMPLES
from heed.app.routes.dependencies import TraceMediaType, trace_route
from heed.app.schemas import BatchIn, BatchOut, TranslateIn

router = APIRouter(prefix=TRANSLATE, tags=["translation"], route_class=JSONRoute)


@trace_route(router, "Translate a text", *TEXT, *TARGET)
async def translate(
    request: Request,
    service: ServiceDep,
    media: TraceMediaType,
    body: Annotated[TranslateIn, Body(openapi_examples=TRANSLATE_EXAMPLES)],
) -> Response:
    """Run a model on a text and return its trace.

    With a `target` the model writes that instead (forced decoding), and the trace contains its
    attention and the surprise of each target token.
    """
    check_search(body.search, service.settings)
    return await trace_response(request, media, service.translation, body)


@router.post(
    "/batch",
    summary="Translate several texts",
    response_model=BatchOut,
    responses=errors(*RUN, "empty_batch", "batch_too_large"),
)
async def translate_batch(
    request: Request,
    service: ServiceDep,
    body: Annotated[BatchIn, Body(openapi_examples=BATCH_EXAMPLES)],
) -> Response:
    """Run a model on several texts at once. An invalid text gets an error in place of its trace.

    Each text counts as a call against the rate limit. `limits.batch` of `GET /version` is the size
    of the largest batch.
    """
    negotiate(request, JSON)
    check_search(body.search, service.settings)
    await count_batch(request, len(body.texts))
    return json_response(await service.translation.batch(body, on_disconnect(request)))

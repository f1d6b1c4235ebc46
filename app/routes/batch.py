"""Batches of texts to translate."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.disconnect import on_disconnect
from heed.app.http.media_types import JSON
from heed.app.http.negotiation import negotiate
from heed.app.http.paths import BATCH
from heed.app.http.request_body import JSONRoute
from heed.app.http.responses import json_response
from heed.app.inference.limits import check_search
from heed.app.middleware.rate_limit import count_batch
from heed.app.openapi.document import RUN, errors
from heed.app.openapi.examples import BATCH_EXAMPLES
from heed.app.schemas import BatchIn, BatchOut

router = APIRouter(tags=["translation"], route_class=JSONRoute)


@router.post(
    BATCH,
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
    check_search(body.search, service.settings.max_beam)
    await count_batch(request, len(body.texts))
    return json_response(await service.batches.answer(body, on_disconnect(request)))

"""The timeline of a translation: when each operation of a model runs, measured here and now."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.disconnect import on_disconnect
from heed.app.http.media_types import JSON
from heed.app.http.negotiation import negotiate
from heed.app.http.paths import TIMELINE
from heed.app.http.request_body import JSONRoute
from heed.app.http.responses import json_response
from heed.app.inference.timelines import RUNS, TimelineInference
from heed.app.middleware.rate_limit import count_batch
from heed.app.openapi.document import RUN, errors, titled
from heed.app.schemas import TimelineIn, TimelineOut
from heed.app.tasks.translate import TRANSLATE

EXAMPLES = titled({"a Transformer": {"text": "The dog sleeps.", "model": "en-fr-transformer"}})

router = APIRouter(tags=["translation"], route_class=JSONRoute)


@router.post(
    TIMELINE,
    summary="Time the operations of a translation",
    response_model=TimelineOut,
    responses=errors(*RUN, *TRANSLATE.operation.codes),
)
async def translate_timeline(
    request: Request,
    service: ServiceDep,
    body: Annotated[TimelineIn, Body(openapi_examples=EXAMPLES)],
) -> Response:
    """Run a model three times, and return when each operation of the fastest run began and ended.

    Each run counts as a call against the rate limit; nothing is cached.
    """
    negotiate(request, JSON)
    await count_batch(request, RUNS)
    inference = TimelineInference(service.inferences[TRANSLATE.id])
    return json_response(await inference.answer(body, on_disconnect(request)))

"""A score of attention taken apart: what a cell of a map is made of."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Body, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.disconnect import on_disconnect
from heed.app.http.media_types import JSON
from heed.app.http.negotiation import negotiate
from heed.app.http.paths import SCORE
from heed.app.http.request_body import JSONRoute
from heed.app.http.responses import CACHE_HEADER
from heed.app.inference.scores import ScoreInference
from heed.app.middleware.rate_limit import count_batch
from heed.app.openapi.document import RUN, errors, titled
from heed.app.schemas import ScoreIn, ScoreOut
from heed.app.tasks.translate import TRANSLATE

EXAMPLES = titled(
    {
        "a Transformer": {
            "text": "The dog sleeps.",
            "model": "en-fr-transformer",
            "layer": 1,
            "head": 0,
            "row": 1,
            "column": 1,
        },
        "a recurrent network": {"text": "The dog sleeps.", "row": 1, "column": 1},
    }
)

router = APIRouter(tags=["translation"], route_class=JSONRoute)


@router.post(
    SCORE,
    summary="Take a score of the attention of a translation apart",
    response_model=ScoreOut,
    responses=errors(*RUN, *TRANSLATE.operation.codes, "scores_not_supported"),
)
async def translate_score(
    request: Request,
    service: ServiceDep,
    body: Annotated[ScoreIn, Body(openapi_examples=EXAMPLES)],
) -> Response:
    """Run a model, and return what the score of one cell is made of.

    The score of a Transformer is the sum of products of parts. In a recurrent network each word of
    the input is left out in turn, and what the changes do not add up to is the remainder. Each
    thousand of its steps counts as a call against the rate limit.
    """
    negotiate(request, JSON)
    inference = ScoreInference(service.inferences[TRANSLATE.id])
    answer = await inference.answer(body, partial(count_batch, request), on_disconnect(request))
    headers = {CACHE_HEADER: "hit" if answer.hit else "miss"}
    return Response(answer.content, headers=headers, media_type=JSON)

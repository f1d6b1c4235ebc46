"""A score of attention taken apart: what a cell of a map is made of."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.disconnect import on_disconnect
from heed.app.http.media_types import JSON
from heed.app.http.negotiation import negotiate
from heed.app.http.responses import CACHE_HEADER
from heed.app.inference.scores import ScoreInference
from heed.app.middleware.rate_limit import count_batch
from heed.app.openapi.document import RUN, errors
from heed.app.routes.dependencies import Given, derived_router
from heed.app.schemas import ScoreIn, ScoreOut
from heed.app.tasks.derived import Derived


async def _accepts_json(request: Request) -> None:
    negotiate(request, JSON)


def score_router(score: Derived[ScoreIn]) -> APIRouter:
    """Return the route of the scores of a task."""
    task = score.task

    async def run(request: Request, service: ServiceDep, given: Given) -> Response:
        inference = ScoreInference(score, service.inferences[task.id])
        count = partial(count_batch, request)
        answer = await inference.answer(*given, count, on_disconnect(request))
        headers = {CACHE_HEADER: "hit" if answer.hit else "miss"}
        return Response(answer.content, headers=headers, media_type=JSON)

    return derived_router(
        score,
        run,
        dependencies=[Depends(_accepts_json)],
        summary=f"Take a score of the attention of a model that {task.does} apart",
        description="Run a model, and return what the score of one cell is made of.\n\nThe score "
        "of a Transformer is the sum of products of parts. In a recurrent network each word of\n"
        "the input is left out in turn, or each word and cell that a captioner has read, and what\n"
        "the changes do not add up to is the remainder. Each thousand of its steps counts as a\n"
        "call against the rate limit.",
        response_model=ScoreOut,
        responses=errors(*RUN, *task.operation.codes, "wrong_task", "scores_not_supported"),
    )

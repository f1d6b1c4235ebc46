"""Questions about stories: story and question to trace."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.paths import STORY
from heed.app.http.request_body import JSONRoute
from heed.app.http.trace_responses import trace_response
from heed.app.openapi.document import QUESTION, RUN, STORY_FIELD, TRACE_RESPONSE, errors
from heed.app.openapi.examples import STORY_EXAMPLES
from heed.app.routes.dependencies import TraceMediaType
from heed.app.schemas import StoryIn, TraceOut

router = APIRouter(prefix=STORY, tags=["stories"], route_class=JSONRoute)


@router.post(
    "",
    summary="Ask a question about a story",
    response_model=TraceOut,
    responses={200: TRACE_RESPONSE, **errors(*RUN, *STORY_FIELD, *QUESTION)},
)
async def story(
    request: Request,
    service: ServiceDep,
    media: TraceMediaType,
    body: Annotated[StoryIn, Body(openapi_examples=STORY_EXAMPLES)],
) -> Response:
    """Run a memory network on a story and a question, and return its trace.

    The rows of its one map are the hops, the columns are the sentences. The first sentence is the
    empty one, which a question attends to that no sentence answers.
    """
    return await trace_response(request, media, service.stories, body)

"""Questions about stories: story and question to trace."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.paths import STORY
from heed.app.http.request_body import JSONRoute
from heed.app.http.trace_responses import trace_response
from heed.app.openapi.document import QUESTION, STORY_FIELD
from heed.app.openapi.examples import STORY_EXAMPLES
from heed.app.routes.dependencies import TraceMediaType, trace_route
from heed.app.schemas import StoryIn

router = APIRouter(prefix=STORY, tags=["stories"], route_class=JSONRoute)


@trace_route(router, "Ask a question about a story", *STORY_FIELD, *QUESTION)
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

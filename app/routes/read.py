"""Sentences read word by word: text to trace."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.paths import READ
from heed.app.http.request_body import JSONRoute
from heed.app.http.trace_responses import trace_response
from heed.app.openapi.document import TEXT
from heed.app.openapi.examples import READ_EXAMPLES
from heed.app.routes.dependencies import TraceMediaType, trace_route
from heed.app.schemas import ReadIn

router = APIRouter(prefix=READ, tags=["sentences"], route_class=JSONRoute)


@trace_route(router, "Read a sentence word by word", *TEXT)
async def read(
    request: Request,
    service: ServiceDep,
    media: TraceMediaType,
    body: Annotated[ReadIn, Body(openapi_examples=READ_EXAMPLES)],
) -> Response:
    """Run an LSTM with a memory tape on a sentence, and return its trace.

    The rows of its one map are the words and the end of the sentence, the columns are the start and
    the words before. A row has the weights by which its word was predicted; the alternatives of its
    step are the likeliest words in that place.
    """
    return await trace_response(request, media, service.readings, body)

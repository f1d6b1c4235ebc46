"""Digits read in glimpses: picture to trace."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.media_types import JSON, MULTIPART
from heed.app.http.multipart import read_picture_form
from heed.app.http.paths import GLIMPSE
from heed.app.http.request_body import JSONRequest, require_media_type
from heed.app.http.trace_responses import trace_response
from heed.app.http.validation_errors import validated
from heed.app.inference.glimpses import glimpse_file
from heed.app.inference.pictures import file_of_form
from heed.app.openapi.document import GLIMPSE_BODY, PICTURE
from heed.app.routes.dependencies import TraceMediaType, trace_route
from heed.app.schemas import GlimpseFile, GlimpseIn, RunOptions

router = APIRouter(prefix=GLIMPSE, tags=["pictures"])


async def given_file(request: Request, _media: TraceMediaType) -> GlimpseFile:
    """Return the picture in a body of JSON, or in a form."""
    if require_media_type(request, JSON, MULTIPART) == MULTIPART:
        form = await read_picture_form(request, RunOptions)
        options = form.options
        return GlimpseFile(model=options.model, detail=options.detail, file=file_of_form(form.file))
    body = await JSONRequest(request.scope, request.receive).json()
    return await asyncio.to_thread(glimpse_file, validated(body, GlimpseIn))


@trace_route(
    router, "Read a digit in glimpses", *PICTURE, "blank_picture", openapi_extra=GLIMPSE_BODY
)
async def glimpse(
    request: Request,
    service: ServiceDep,
    media: TraceMediaType,
    asked: Annotated[GlimpseFile, Depends(given_file)],
) -> Response:
    """Run a glimpse network on a picture of a digit, alone or in clutter, and return its trace.

    The rows of its one map are the glimpses, the columns are the cells of the picture: a weight is
    the share of the glimpse's pixels in a cell. The alternatives of a step are the belief after
    that glimpse. The places are the means of the policy, so the same picture gives the same trace.
    """
    return await trace_response(request, media, service.glimpses, asked)

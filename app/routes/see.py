"""Attention among the patches of a picture: picture to trace."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.multipart import PictureForm
from heed.app.http.paths import SEE
from heed.app.http.trace_responses import trace_response
from heed.app.openapi.document import PICTURE, form_body
from heed.app.routes.dependencies import TraceMediaType, picture_form, trace_route
from heed.app.schemas import SeeIn

router = APIRouter(prefix=SEE, tags=["pictures"])


@trace_route(router, "Look at a picture, patch by patch", *PICTURE, openapi_extra=form_body(SeeIn))
async def see(
    request: Request,
    service: ServiceDep,
    media: TraceMediaType,
    form: Annotated[PictureForm[SeeIn], Depends(picture_form(SeeIn))],
) -> Response:
    """Run a Vision Transformer on a picture and return its trace.

    The tokens of the `source` are the class token and the patches, row by row. There is a map of
    them to themselves for each layer and head, and one of kind `rollout`: how much the class token
    reads of each patch through all layers. The output is the likeliest class. With `layer` and
    `head` the trace has their map alone, with its scores, queries, keys and values.
    """
    model_input = await service.captioning.read(form.file, form.options, "see", media)
    return await trace_response(request, media, service.captioning, model_input)

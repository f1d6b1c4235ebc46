"""Captions: picture to trace."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.multipart import PictureForm
from heed.app.http.paths import CAPTION
from heed.app.http.trace_responses import trace_response
from heed.app.inference.limits import check_search
from heed.app.openapi.document import PICTURE, TARGET, form_body
from heed.app.routes.dependencies import TraceMediaType, picture_form, trace_route
from heed.app.schemas import CaptionIn

router = APIRouter(prefix=CAPTION, tags=["pictures"])


@trace_route(router, "Describe a picture", *PICTURE, *TARGET, openapi_extra=form_body(CaptionIn))
async def caption(
    request: Request,
    service: ServiceDep,
    media: TraceMediaType,
    form: Annotated[PictureForm[CaptionIn], Depends(picture_form(CaptionIn))],
) -> Response:
    """Run a captioning model on a picture and return its trace.

    With a `target` the model writes that instead (forced decoding), and the trace contains its
    attention for each word of it.
    """
    check_search(form.options.search, service.settings)
    model_input = await service.captioning.read(form.file, form.options, "caption", media)
    return await trace_response(request, media, service.captioning, model_input)

"""Visual question answering: picture and question to trace."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.multipart import PictureForm
from heed.app.http.paths import ASK
from heed.app.http.trace_responses import trace_response
from heed.app.inference.limits import check_search
from heed.app.openapi.document import PICTURE, QUESTION, TARGET, form_body
from heed.app.routes.dependencies import TraceMediaType, picture_form, trace_route
from heed.app.schemas import AskIn

router = APIRouter(prefix=ASK, tags=["pictures"])


@trace_route(
    router,
    "Ask a question about a picture",
    *PICTURE,
    *TARGET,
    *QUESTION,
    openapi_extra=form_body(AskIn),
)
async def ask(
    request: Request,
    service: ServiceDep,
    media: TraceMediaType,
    form: Annotated[PictureForm[AskIn], Depends(picture_form(AskIn))],
) -> Response:
    """Run a model on a picture and a question, and return its trace.

    One attention map is over the cells of the picture (`source`), one over the words of the
    `question`.
    """
    check_search(form.options.search, service.settings)
    model_input = await service.captioning.read(form.file, form.options, "ask", media)
    return await trace_response(request, media, service.captioning, model_input)

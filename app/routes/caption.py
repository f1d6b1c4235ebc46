"""Pictures in, traces out."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.negotiation import EVENTS, JSON, NPZ
from heed.app.http.routing import API, routes
from heed.app.http.trace_responses import reply, wanted
from heed.app.inference.limits import check_search
from heed.app.openapi.document import CAPTION_CODES, EVENT_STREAM, form_of, refusals
from heed.app.schemas import CaptionIn, TraceOut

router = routes(f"{API}/caption", "pictures")


@router.post(
    "",
    summary="Describe a picture",
    response_model=TraceOut,
    responses={
        200: EVENT_STREAM,
        **refusals(*CAPTION_CODES),
    },
    openapi_extra=form_of(CaptionIn),
)
async def caption(request: Request, parts: ServiceDep) -> Response:
    """Run a captioner on a picture and tell where it looked for each word of its caption.

    With a `target` the model writes that instead (forced decoding) and tells where it would look
    for each word of it.
    """
    form = wanted(request, JSON, EVENTS, NPZ)
    asked = await parts.captioning.read(request, "caption", form)
    check_search(asked.options.search, parts.settings)
    return await reply(request, form, parts.captioning, asked)

"""Pictures and questions in, traces out."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.negotiation import EVENTS, JSON, NPZ
from heed.app.http.routing import API, routes
from heed.app.http.trace_responses import reply, wanted
from heed.app.inference.limits import check_search
from heed.app.openapi.document import ASK_CODES, EVENT_STREAM, form_of, refusals
from heed.app.schemas import AskIn, TraceOut

router = routes(f"{API}/ask", "pictures")


@router.post(
    "",
    summary="Ask something about a picture",
    response_model=TraceOut,
    responses={
        200: EVENT_STREAM,
        **refusals(*ASK_CODES),
    },
    openapi_extra=form_of(AskIn),
)
async def ask(request: Request, parts: ServiceDep) -> Response:
    """Run a model on a picture and a question, and tell where it looked for its answer.

    One map is over the cells of the picture (`source`), one over the words of the `question`.
    """
    form = wanted(request, JSON, EVENTS, NPZ)
    asked = await parts.captioning.read(request, "ask", form)
    check_search(asked.options.search, parts.settings)
    return await reply(request, form, parts.captioning, asked)

"""The routes of audits: a request to the figures of its attention."""

from __future__ import annotations

from functools import partial
from typing import Final

from fastapi import APIRouter, Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.trace_responses import trace_response
from heed.app.inference.audits import AuditInput
from heed.app.middleware.rate_limit import count_batch
from heed.app.openapi.document import AUDIT_RESPONSE, RUN, errors
from heed.app.routes.dependencies import Given, TraceMediaType, derived_router
from heed.app.schemas import AnyFigureOut, AuditIn
from heed.app.tasks.derived import Derived

CODES: Final = "audit_too_large", "unknown_characters", "text_too_long", "wrong_task"


def audit_router(audit: Derived[AuditIn]) -> APIRouter:
    """Return the route of the audits of a task."""
    task = audit.task

    async def run(
        request: Request, service: ServiceDep, media: TraceMediaType, given: Given
    ) -> Response:
        counted = AuditInput(*given, partial(count_batch, request))
        return await trace_response(request, media, service.audits[task.id], counted)

    return derived_router(
        audit,
        run,
        summary=f"Audit the attention of a model that {task.does}",
        description="Run a model, then each of its steps again under edits of its attention, and "
        "return what the\nmap is worth: the effect of each cell, and every figure beside its "
        "baseline. `figure` asks for\nanother figure instead.\n\nAn audit takes as long as dozens "
        "of runs: each thousand of its steps counts as a call against\nthe rate limit, and other "
        "requests run between them.",
        response_model=AnyFigureOut,
        responses={
            200: AUDIT_RESPONSE,
            **errors(*RUN, *task.operation.codes, *CODES),
        },
    )

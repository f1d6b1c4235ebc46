"""Traces that are kept: saved, given back, deleted."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.errors import RequestError
from heed.app.http.conditional import conditional_response
from heed.app.http.negotiation import JSON
from heed.app.http.request_body import media_type, read_bytes
from heed.app.http.responses import json_answer
from heed.app.http.routing import API, routes
from heed.app.openapi.document import (
    KEY,
    SAVE_BODY,
    SAVE_CODES,
    STORE_CODES,
    refusals,
)
from heed.app.schemas import SavedOut, TraceOut
from heed.app.traces.saved import MEDIA

BEARER = "bearer"

router = routes(f"{API}/traces", "saved traces")


@router.post(
    "",
    summary="Save a trace",
    status_code=201,
    response_model=SavedOut,
    responses=refusals(*SAVE_CODES),
    openapi_extra=SAVE_BODY,
)
async def save_trace(request: Request, parts: ServiceDep) -> Response:
    """Keep a trace, so that it can be linked to: one of ours, or attention of any other model.

    The answer tells where it is, and the key that deletes it; the key is told this once.
    """
    media = media_type(request, *MEDIA)
    parts.saved.check_room()  # before its body is read
    body = await read_bytes(request, parts.settings.max_trace_bytes)
    saved = await parts.saved.save(body, media)
    location = request.url_for("read_trace", id=saved.id).path
    answer = json_answer(saved, {"Location": location, "Cache-Control": "no-store"})
    answer.status_code = 201
    return answer


@router.get(
    "/{id}",
    summary="Read a saved trace",
    response_model=TraceOut,
    responses={
        304: {"description": "It is what `If-None-Match` says."},
        **refusals("unknown_trace", "trace_unreadable", *STORE_CODES),
    },
)
async def read_trace(request: Request, parts: ServiceDep, id: str) -> Response:
    """The trace, as it was saved. It never changes, but it may be deleted: ask again each time."""
    saved = await parts.saved.load(id)
    return conditional_response(
        request.headers,
        saved.digest,
        saved.content,
        lambda: saved.packed,
        media=JSON,
        headers={"Cache-Control": "no-cache"},
    )


@router.delete(
    "/{id}",
    summary="Delete a saved trace",
    status_code=204,
    response_class=Response,
    responses=refusals("missing_key", "wrong_key", "unknown_trace", *STORE_CODES),
    openapi_extra=KEY,
)
async def delete_trace(request: Request, parts: ServiceDep, id: str) -> Response:
    """Delete a trace, with the key that saving it gave: `Authorization: Bearer KEY`."""
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != BEARER or not key.strip():
        message = "Deleting needs the key that saving gave. Send it as `Authorization: Bearer KEY`."
        raise RequestError("missing_key", message, headers={"WWW-Authenticate": "Bearer"})
    await parts.saved.delete(id, key.strip())
    return Response(status_code=204)

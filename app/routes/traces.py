"""Saved traces: save, read, delete."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.errors import RequestError
from heed.app.http.conditional import conditional_response
from heed.app.http.media_types import JSON
from heed.app.http.negotiation import takes_gzip
from heed.app.http.paths import TRACES
from heed.app.http.request_body import require_media_type
from heed.app.http.responses import json_response
from heed.app.openapi.document import BODY, FIELDS, SAVE_BODY, STORE, errors
from heed.app.schemas import SavedOut, TraceOut
from heed.app.traces.saved import MEDIA

router = APIRouter(prefix=TRACES, tags=["saved traces"])
bearer = HTTPBearer(
    auto_error=False, scheme_name="TraceKey", description="The `key` that saving returned."
)


@router.post(
    "",
    summary="Save a trace",
    status_code=201,
    response_model=SavedOut,
    responses=errors(
        *BODY, *FIELDS, "bad_npz", "invalid_trace", "overloaded", "store_full", *STORE
    ),
    openapi_extra=SAVE_BODY,
)
async def save_trace(request: Request, service: ServiceDep) -> Response:
    """Save a trace to link to it: one of this server, or attention weights of any other model.

    The response contains its address and the key that deletes it; the key is shown only once.
    """
    media = require_media_type(request, *MEDIA)
    service.saved.check_room()  # before the body is read
    saved = await service.saved.save(await request.body(), media)
    location = request.app.url_path_for("read_trace", id=saved.id)
    return json_response(saved, {"Location": location, "Cache-Control": "no-store"}, 201)


@router.get(
    "/{id}",
    summary="Read a saved trace",
    response_model=TraceOut,
    responses={
        304: {"description": "The content has not changed (`If-None-Match`)."},
        **errors("unknown_trace", "trace_unreadable", *STORE),
    },
)
async def read_trace(request: Request, service: ServiceDep, id: str) -> Response:
    """Return the trace as it was saved. It never changes, but it may be deleted: revalidate it."""
    gzip = takes_gzip(request.headers)
    saved, content = await service.saved.load(id, unpacked=not gzip)
    return conditional_response(
        request.headers,
        saved.digest,
        lambda: content,
        lambda: saved.packed,
        media=JSON,
        headers={"Cache-Control": "no-cache"},
    )


@router.delete(
    "/{id}",
    summary="Delete a saved trace",
    status_code=204,
    response_class=Response,
    responses=errors("missing_key", "wrong_key", "unknown_trace", *STORE),
)
async def delete_trace(
    service: ServiceDep,
    id: str,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)],
) -> Response:
    """Delete a trace with the key that saving it returned: `Authorization: Bearer KEY`."""
    key = credentials.credentials.strip() if credentials is not None else ""
    if not key:
        message = "Deleting needs the key of the trace. Send it as `Authorization: Bearer KEY`."
        raise RequestError("missing_key", message, headers={"WWW-Authenticate": "Bearer"})
    await service.saved.delete(id, key)
    return Response(status_code=204)

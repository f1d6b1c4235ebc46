"""Models, limits, and the JSON Schema of a trace."""

from __future__ import annotations

import asyncio

import orjson
from fastapi import APIRouter
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.media_types import JSON_SCHEMA
from heed.app.http.paths import API
from heed.app.http.responses import json_response
from heed.app.inference.catalogue import missing_out, models_out
from heed.app.inference.limits import limits_out
from heed.app.openapi.document import errors, trace_schema
from heed.app.schemas import BoundsOut, ModelsOut

router = APIRouter(prefix=API, tags=["catalogue"], responses=errors())


@router.get("/models", summary="List the models", response_model=ModelsOut)
async def models(service: ServiceDep) -> Response:
    """Return every model with its card: task, quality, size and limits. The best come first."""
    listed = models_out(service.catalogue, service.defaults)
    return json_response(ModelsOut(models=listed, missing=missing_out(service.catalogue)))


@router.get("/limits", summary="List the limits", response_model=BoundsOut)
async def limits(service: ServiceDep) -> Response:
    """Return every limit of this server with its unit and the setting that changes it."""
    return json_response(limits_out(service.settings))


@router.get(
    "/schema/trace",
    summary="Get the JSON Schema of a trace",
    response_class=Response,
    responses={200: {"content": {JSON_SCHEMA: {"schema": {"type": "object"}}}}},
)
async def schema() -> Response:
    """Return the JSON Schema of a trace, generated from the code that writes traces."""
    schema = await asyncio.to_thread(trace_schema)
    return Response(orjson.dumps(schema), media_type=JSON_SCHEMA)

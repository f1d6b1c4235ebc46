"""The models there are, the limits that hold, and the form of a trace."""

from __future__ import annotations

import orjson
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.responses import json_answer
from heed.app.http.routing import API, routes
from heed.app.inference.catalogue import models_out
from heed.app.inference.limits import limits_out
from heed.app.openapi.document import trace_schema
from heed.app.schemas import BoundsOut, ModelsOut

SCHEMA = "application/schema+json"

router = routes(API, "catalogue")


@router.get("/models", summary="List the models", response_model=ModelsOut)
async def models(parts: ServiceDep) -> Response:
    """Every model with its card: what it does, how well, and how much it takes. Best first."""
    return json_answer(ModelsOut(models=models_out(parts.zoo, parts.defaults)))


@router.get("/limits", summary="List the limits", response_model=BoundsOut)
async def limits(parts: ServiceDep) -> Response:
    """Every limit of this server, what it counts, and the setting that changes it."""
    return json_answer(limits_out(parts.settings))


@router.get(
    "/schema/trace",
    summary="The JSON Schema of a trace",
    response_class=Response,
    responses={200: {"content": {SCHEMA: {"schema": {"type": "object"}}}}},
)
async def schema() -> Response:
    """What a trace looks like, generated from the code that writes it."""
    return Response(orjson.dumps(trace_schema()), media_type=SCHEMA)

"""The models there are, and the form of a trace."""

from __future__ import annotations

import orjson
from fastapi import APIRouter
from starlette.responses import Response

from app.answers import json_answer
from app.catalogue import models_out
from app.openapi import trace_schema
from app.schemas import ModelsOut
from app.service import Parts

router = APIRouter(tags=["catalogue"])


@router.get("/models", summary="List the models", response_model=ModelsOut)
async def models(parts: Parts) -> Response:
    """Every model with its card: what it does, how well, and how much it takes. Best first."""
    return json_answer(ModelsOut(models=models_out(parts.zoo, parts.defaults)))


@router.get("/schema/trace", summary="The JSON Schema of a trace")
async def schema() -> Response:
    """What a trace looks like, generated from the code that writes it."""
    return Response(orjson.dumps(trace_schema()), media_type="application/schema+json")

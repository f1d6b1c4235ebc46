"""Health, readiness, metrics and version of the server."""

from __future__ import annotations

import asyncio
import platform
from importlib.metadata import version

from fastapi import APIRouter
from starlette.responses import PlainTextResponse, Response

from heed import __version__
from heed.app.container import ServiceDep
from heed.app.errors import RequestError
from heed.app.http.responses import json_response
from heed.app.observability.metrics import MEDIA
from heed.app.openapi.document import EVERY_PATH, errors
from heed.app.schemas import HealthOut, LimitsOut, VersionOut
from heed.models.trace import TRACE_SCHEMA

router = APIRouter(tags=["service"], responses=errors(common=EVERY_PATH))


@router.get("/healthz", summary="Check liveness", response_model=HealthOut)
async def healthz() -> Response:
    """Return `alive` as soon as the server listens."""
    return json_response(HealthOut(status="alive"))


@router.get(
    "/readyz",
    summary="Check readiness",
    response_model=HealthOut,
    responses=errors("not_ready", "shutting_down", "weights_unreadable", common=EVERY_PATH),
)
async def readyz(service: ServiceDep) -> Response:
    """Return `ready` as soon as the preloaded weights are in memory."""
    for engine in service.engines:
        engine.check_ready()
    return json_response(HealthOut(status="ready"))


@router.get(
    "/metrics",
    summary="Get metrics",
    response_class=PlainTextResponse,
    responses=errors("not_found", common=EVERY_PATH),
)
async def metrics(service: ServiceDep) -> Response:
    """Return metrics for Prometheus: requests, durations, errors, queues and memory."""
    if not service.settings.metrics:
        message = "Metrics are disabled on this server (see HEED_METRICS)."
        raise RequestError("not_found", message)
    return Response(await asyncio.to_thread(service.metrics.text), media_type=MEDIA)


@router.get("/version", name="version", summary="Get the version", response_model=VersionOut)
async def versions(service: ServiceDep) -> Response:
    """Return the versions of everything that affects a result, and the limits of the server."""
    settings = service.settings
    limits = LimitsOut(
        batch=settings.max_batch,
        body_bytes=settings.max_body_bytes,
        image_bytes=settings.max_image_bytes,
        sound_bytes=settings.max_sound_bytes,
        image_pixels=settings.max_image_pixels,
        queue=settings.queue_size,
        deadline_seconds=settings.deadline_seconds,
        trace_bytes=settings.max_trace_bytes,
        keep_days=settings.keep_days,
    )
    return json_response(
        VersionOut(
            name="heed",
            version=__version__,
            python=platform.python_version(),
            torch=version("torch"),
            schema_=TRACE_SCHEMA,
            limits=limits,
            models=list(service.catalogue.cards),
        )
    )

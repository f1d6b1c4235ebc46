"""Whether the server lives, is ready to answer, and what it runs."""

from __future__ import annotations

import asyncio
import platform
from importlib.metadata import version

from starlette.responses import PlainTextResponse, Response

from heed import __version__
from heed.app.container import ServiceDep
from heed.app.errors import RequestError
from heed.app.http.responses import json_answer
from heed.app.http.routing import routes
from heed.app.observability.metrics import MEDIA
from heed.app.openapi.document import refusals
from heed.app.schemas import HealthOut, LimitsOut, VersionOut
from heed.models.trace import TRACE_SCHEMA

router = routes("", "service")


@router.get("/healthz", summary="Is it alive?", response_model=HealthOut)
async def healthz() -> Response:
    """Alive, as soon as the server listens."""
    return json_answer(HealthOut(status="alive"))


@router.get(
    "/readyz",
    summary="Is it ready?",
    response_model=HealthOut,
    responses=refusals("not_ready", "shutting_down", "weights_unreadable"),
)
async def readyz(parts: ServiceDep) -> Response:
    """Ready, as soon as the weights that are read at start are in memory."""
    for engine in parts.engines:
        engine.check_ready()
    return json_answer(HealthOut(status="ready"))


@router.get(
    "/metrics",
    summary="How is it doing?",
    response_class=PlainTextResponse,
    responses=refusals("not_found"),
)
async def metrics(parts: ServiceDep) -> Response:
    """The figures that Prometheus reads: requests, times, refusals, the queue, memory."""
    if not parts.settings.metrics:
        raise RequestError("not_found", "This server tells no figures. Set HEED_METRICS to change.")
    return Response(await asyncio.to_thread(parts.metrics.text), media_type=MEDIA)


@router.get("/version", name="version", summary="What is running?", response_model=VersionOut)
async def versions(parts: ServiceDep) -> Response:
    """The versions of everything that decides an answer, and the limits of this server."""
    settings = parts.settings
    limits = LimitsOut(
        batch=settings.max_batch,
        body_bytes=settings.max_body_bytes,
        image_bytes=settings.max_image_bytes,
        image_pixels=settings.max_image_pixels,
        queue=settings.queue_size,
        deadline_seconds=settings.deadline_seconds,
        trace_bytes=settings.max_trace_bytes,
        keep_days=settings.keep_days,
    )
    return json_answer(
        VersionOut(
            name="heed",
            version=__version__,
            python=platform.python_version(),
            torch=version("torch"),
            schema_=TRACE_SCHEMA,
            limits=limits,
            models=list(parts.zoo.cards),
        )
    )

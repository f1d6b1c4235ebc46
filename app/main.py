"""The application: settings in, a FastAPI app out. Nothing is built on import."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from heed import __version__
from heed.app.container import Service
from heed.app.http.error_responses import add_exception_handlers
from heed.app.http.media_types import FILE, SOUND
from heed.app.http.multipart import image_file_too_large, max_form_bytes, sound_file_too_large
from heed.app.http.paths import BATCH, TIMELINE, TRACES
from heed.app.middleware.access_log import AccessLog
from heed.app.middleware.admission import AdmissionMiddleware, EarlyRefusal, send_refusal
from heed.app.middleware.body_limit import BodyLimit, BodyLimitMiddleware, body_limit
from heed.app.middleware.compression import GZip
from heed.app.middleware.error_handling import ErrorHandling
from heed.app.middleware.head import HeadMiddleware
from heed.app.middleware.hosts import AllowedHosts, listed
from heed.app.middleware.rate_limit import RateLimit, RateLimiter
from heed.app.middleware.security_headers import SecurityHeaders
from heed.app.middleware.shared_rate_limit import SharedRateLimiter
from heed.app.openapi.document import DESCRIPTION, TAGS, openapi_document
from heed.app.routes import (
    audits,
    batch,
    catalogue,
    health,
    kept_traces,
    lessons,
    pages,
    score,
    sharing,
    tasks,
    timeline,
    traces,
)
from heed.app.settings import Settings
from heed.app.shared import Shared
from heed.app.tasks import TASKS
from heed.app.tasks.audits import AUDITS
from heed.app.tasks.derived import Derived
from heed.app.tasks.scores import SCORES

DERIVED: Final[tuple[Derived[Any], ...]] = (*AUDITS, *SCORES)


def create_app(settings: Settings | None = None) -> FastAPI:
    """Create the application with these settings, or with those of the environment."""
    service = Service.build(settings or Settings.from_environment())
    limiter = rate_limiter(service.settings, service.shared)
    resources = (
        batch,
        timeline,
        kept_traces,
        traces,
        catalogue,
        health,
        pages,
        lessons,
        sharing,
    )
    routers = (
        *map(tasks.task_router, TASKS),
        *map(audits.audit_router, AUDITS),
        *map(score.score_router, SCORES),
        *(resource.router for resource in resources),
    )
    app = FastAPI(
        title="Heed",
        version=__version__,
        description=DESCRIPTION,
        openapi_tags=TAGS,
        lifespan=lifespan,
        openapi_url=None,  # app/routes/pages.py returns the document
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
        middleware=middleware(service, limiter),
    )
    app.state.service = service
    app.state.settings = service.settings
    app.state.routes = [route for router in routers for route in router.routes]
    app.state.templates = service.templates
    app.state.rate_limiter = limiter
    app.state.count_error = service.metrics.refused
    add_exception_handlers(app)
    for router in routers:
        app.include_router(router)
    app.mount("/static", service.assets, name="static")
    app.openapi = lambda: openapi_document(app)  # type: ignore[method-assign]
    return app


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Start the inference threads, delete expired traces while running, stop everything."""
    service: Service = app.state.service
    service.start()
    background = [
        asyncio.create_task(work) for work in (service.saved.purge(), service.metrics.publish())
    ]
    try:
        yield
    finally:
        for work in background:
            work.cancel()
        await service.close()


def middleware(service: Service, limiter: RateLimiter) -> list[Middleware]:
    """Return the middleware, the outermost first."""
    settings = service.settings
    return [
        *of_every_response(service),
        Middleware(GZip),
        Middleware(ErrorHandling),
        Middleware(AllowedHosts, hosts=listed(settings.allowed_hosts)),
        Middleware(RateLimit, limiter=limiter, page_paths=pages.MODEL_PATHS),
        Middleware(
            AdmissionMiddleware,
            checks=queue_checks(service),
            trusted_proxies=settings.trusted_proxies,
        ),
        Middleware(
            BodyLimitMiddleware,
            default=body_limit(settings.max_body_bytes),
            paths=body_limits(settings),
            budget=service.body_budget,
            trusted_proxies=settings.trusted_proxies,
        ),
    ]


def of_every_response(service: Service) -> list[Middleware]:
    """Return the middleware that refusals ahead of the application pass, too."""
    origins = listed(service.settings.cors_origins)
    cors = Middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=("GET", "POST", "DELETE"),
        allow_headers=("Accept", "Authorization", "Content-Type", "If-None-Match", "X-Request-ID"),
        expose_headers=("ETag", "Location", "Retry-After", "X-Request-ID"),
    )
    return [
        Middleware(SecurityHeaders),
        Middleware(HeadMiddleware),
        Middleware(AccessLog, metrics=service.metrics),
        *([cors] if origins else []),
    ]


def refusing_early(app: FastAPI) -> EarlyRefusal:
    """Return the application as it is served: behind refusals for full queues."""
    service: Service = app.state.service
    settings = service.settings
    refuse: ASGIApp = send_refusal
    for cls, args, kwargs in reversed(of_every_response(service)):
        refuse = cls(refuse, *args, **kwargs)
    return EarlyRefusal(
        app,
        refuse,
        queue_checks(service),
        AllowedHosts(app, listed(settings.allowed_hosts)),
        service.count_refusal,
        settings.trusted_proxies,
    )


def rate_limiter(settings: Settings, shared: Shared | None) -> RateLimiter:
    """Return the limiter that the API and the pages share."""
    limits = settings.rate_per_minute, settings.rate_burst, settings.trusted_proxies
    return RateLimiter(*limits) if shared is None else SharedRateLimiter(*limits, shared)


def queue_checks(service: Service) -> dict[str, Callable[[], None]]:
    """Return the check of the queue behind each path that runs a model."""
    checks = {task.path: service.inferences[task.id].engine.check_room for task in TASKS}
    checks |= {
        derived.path: service.inferences[derived.task.id].engine.check_room for derived in DERIVED
    }
    room = service.text_engine.check_room
    return {**checks, BATCH: room, TIMELINE: room}


def body_limits(settings: Settings) -> dict[str, BodyLimit]:
    """Return the limits of the paths that take other bodies than JSON requests."""
    image_bytes, sound_bytes = settings.max_image_bytes, settings.max_sound_bytes
    forms = {
        FILE: BodyLimit(max_form_bytes(image_bytes), lambda: image_file_too_large(image_bytes)),
        SOUND: BodyLimit(max_form_bytes(sound_bytes), lambda: sound_file_too_large(sound_bytes)),
    }
    limits = {task.path: forms[task.upload.name] for task in TASKS if task.upload}
    limits |= {
        derived.path: forms[derived.task.upload.name] for derived in DERIVED if derived.task.upload
    }
    return {**limits, TRACES: body_limit(settings.max_trace_bytes)}

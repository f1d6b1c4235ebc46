"""The application: its parts put together. Nothing is built when this is imported."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp

from heed import __version__
from heed.app.container import Service
from heed.app.http.request_body import MemoryBudget
from heed.app.http.routing import Ways
from heed.app.middleware.access_log import AccessLog
from heed.app.middleware.rate_limit import AdmissionMiddleware, RateLimiter, names
from heed.app.middleware.security_headers import ErrorHandling, GZip, SecurityHeaders
from heed.app.openapi.document import DESCRIPTION, describe
from heed.app.routes import ask, caption, catalogue, health, pages, traces, translate
from heed.app.settings import Settings


class Application(FastAPI):
    """FastAPI with our own layers around the routes, and no others.

    Of its own there are five, for telemetry, for debugging and for what is to be closed after a
    request. Nothing here needs them, and each is run through by every message of an answer.
    """

    __call__ = Starlette.__call__  # FastAPI's looks for telemetry first

    def build_middleware_stack(self) -> ASGIApp:
        """The layers, from the inside out."""
        stack: ASGIApp = Ways(self.router)
        for layer, arguments, options in reversed(self.user_middleware):
            stack = layer(stack, *arguments, **options)
        return stack


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    service: Service = app.state.service
    service.start()
    purging = asyncio.create_task(service.saved.purge())
    try:
        yield
    finally:
        purging.cancel()
        service.stop()
        for engine in service.engines:
            await engine.join()
        await asyncio.to_thread(service.captioning.close)
        await asyncio.to_thread(service.saved.close)


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application with these settings, or with those of the environment."""
    service = Service.build(settings or Settings.from_environment())
    app = Application(
        title="Heed",
        version=__version__,
        description=DESCRIPTION,
        lifespan=_lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        middleware=_middleware(service),
    )
    app.state.service = service
    app.state.room = MemoryBudget(service.settings.max_held_bytes)
    app.state.rate = RateLimiter(service.settings.rate_per_minute / 60, service.settings.rate_burst)
    _watch(service)
    for part in (catalogue, translate, caption, ask, traces, health, pages):
        app.router.routes += part.router.routes  # as they are: an included router is searched twice
    app.mount("/static", service.assets, name="static")
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    return app


def _middleware(service: Service) -> list[Middleware]:
    """What every request goes through, from the outside in."""
    origins = names(service.settings.cors_origins)
    sharing = Middleware(
        CORSMiddleware,
        allow_origins=origins,
        allow_methods=("GET", "POST", "DELETE"),
        allow_headers=("Accept", "Authorization", "Content-Type", "If-None-Match", "X-Request-ID"),
        expose_headers=("ETag", "Location", "Retry-After", "X-Request-ID"),
    )
    return [
        Middleware(SecurityHeaders),
        Middleware(AccessLog, metrics=service.metrics),
        *([sharing] if origins else []),
        Middleware(AdmissionMiddleware, service=service),
        Middleware(GZip),
        Middleware(ErrorHandling),
    ]


def _watch(service: Service) -> None:
    """What is looked up when Prometheus asks."""
    watch, saved = service.metrics.watch, service.saved
    watch(
        "queue_waiting",
        "Requests that wait for a model.",
        lambda: sum(engine.waiting for engine in service.engines),
    )
    watch(
        "queue_size",
        "Requests that may wait for one of the threads.",
        lambda: service.settings.queue_size,
    )
    watch("cache_bytes", "Bytes of answers that are kept.", lambda: service.cache.taken)
    watch("saved_traces", "Saved traces.", lambda: saved.usage().traces)
    watch("saved_bytes", "Bytes that saved traces take.", lambda: saved.usage().bytes)

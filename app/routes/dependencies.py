"""Dependencies that several routes share, and the route of what is derived from runs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Body, Depends, Request
from starlette.responses import Response

from heed.app.http.media_types import EVENTS, JSON, NPZ
from heed.app.http.multipart import read_options
from heed.app.http.negotiation import negotiate
from heed.app.http.request_body import JSONRoute
from heed.app.openapi.document import form_body, titled
from heed.app.tasks.derived import Derived


async def trace_media_type(request: Request) -> str:
    """Return the media type of a trace that the client prefers."""
    return negotiate(request, JSON, EVENTS, NPZ)


TraceMediaType = Annotated[str, Depends(trace_media_type)]


class Given(NamedTuple):
    """The options of a request, and its file if the task takes one."""

    options: Any
    file: bytes | None


def derived_router(
    derived: Derived[Any], run: Callable[..., Awaitable[Response]], **described: Any
) -> APIRouter:
    """Return the route of what is derived from the runs of a task, which `run` answers.

    It gets the options and the file as `given`. The rest are arguments of `APIRouter.post`.
    """
    task = derived.task
    run.__annotations__["given"] = Annotated[Given, Depends(_given_of(derived))]
    router = APIRouter(route_class=APIRouter().route_class if task.upload else JSONRoute)
    router.post(
        derived.path,
        name=f"{task.id}_{derived.name}",
        tags=[task.operation.tag],
        openapi_extra=form_body(derived.schema, task.upload.name) if task.upload else None,
        **described,
    )(run)
    return router


def _given_of(derived: Derived[Any]) -> Callable[..., Awaitable[Given]]:
    """Return the dependency that reads the requests of what is derived from runs."""
    if derived.task.upload is not None:
        name = derived.task.upload.name

        async def read_form(request: Request) -> Given:
            return Given(*await read_options(request, derived.schema, name))

        return read_form

    async def read(body: Any) -> Given:
        return Given(body, None)

    examples: Any = titled(derived.examples)
    read.__annotations__["body"] = Annotated[derived.schema, Body(openapi_examples=examples)]
    return read

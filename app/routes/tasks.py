"""The routes of all tasks: a request to its trace."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from heed.app.container import ServiceDep
from heed.app.http.media_types import JSON, MULTIPART
from heed.app.http.multipart import read_options
from heed.app.http.negotiation import has_no_store
from heed.app.http.request_body import JSONRequest, JSONRoute, require_media_type
from heed.app.http.trace_responses import trace_response
from heed.app.http.validation_errors import validated
from heed.app.openapi.document import RUN, TRACE_RESPONSE, errors, titled, upload_body
from heed.app.routes.dependencies import TraceMediaType
from heed.app.schemas import RunOptions, TraceOut
from heed.app.tasks.task import Encoded, Task, TaskInput, Upload

Read = Callable[..., Awaitable[TaskInput]]
"""A dependency that reads the body of a request."""


def task_router(task: Task[Any]) -> APIRouter:
    """Return the route of a task."""
    operation = task.operation

    async def run(
        request: Request, service: ServiceDep, media: TraceMediaType, given: TaskInput
    ) -> Response:
        given = given._replace(stores=not has_no_store(request.headers))
        return await trace_response(request, media, service.inferences[task.id], given)

    run.__annotations__["given"] = Annotated[TaskInput, Depends(_reads(task))]
    router = APIRouter(route_class=APIRouter().route_class if task.upload else JSONRoute)
    router.post(
        task.path,
        name=task.id,
        tags=[operation.tag],
        summary=operation.summary,
        description=operation.description,
        response_model=TraceOut,
        responses={200: TRACE_RESPONSE, **errors(*RUN, *operation.codes)},
        openapi_extra=upload_body(task) if task.upload else None,
    )(run)
    return router


def _reads(task: Task[Any]) -> Read:
    """Return the dependency that reads the requests of a task."""
    if task.upload is None:
        return _json(task)
    if task.encoded is None:
        return _form(task.schema, task.upload)
    return _form_or_json(task.schema, task.upload, task.encoded)


def _json(task: Task[Any]) -> Read:
    async def read(body: RunOptions) -> TaskInput:
        return TaskInput(body)

    examples = titled(task.operation.examples)
    read.__annotations__["body"] = Annotated[task.schema, Body(openapi_examples=examples)]
    return read


def _form(schema: type[RunOptions], upload: Upload) -> Read:
    async def read(request: Request, _media: TraceMediaType) -> TaskInput:
        return TaskInput(*await read_options(request, schema, upload.name))

    return read


def _form_or_json(schema: type[RunOptions], upload: Upload, encoded: Encoded[Any]) -> Read:
    async def read(request: Request, _media: TraceMediaType) -> TaskInput:
        if require_media_type(request, JSON, MULTIPART) == MULTIPART:
            return TaskInput(*await read_options(request, schema, upload.name))
        body = await JSONRequest(request.scope, request.receive).json()
        # On a thread: a million pixels take longer than the event loop may wait.
        return await run_in_threadpool(lambda: encoded.input(validated(body, encoded.schema)))

    return read

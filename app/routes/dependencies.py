"""Dependencies that several routes share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Request
from fastapi.types import DecoratedCallable
from pydantic import BaseModel

from heed.app.http.media_types import EVENTS, JSON, NPZ
from heed.app.http.multipart import FILE, PictureForm, read_picture_form
from heed.app.http.negotiation import negotiate
from heed.app.openapi.document import RUN, TRACE_RESPONSE, errors
from heed.app.schemas import TraceOut

Options = TypeVar("Options", bound=BaseModel)


async def trace_media_type(request: Request) -> str:
    """Return the media type of a trace that the client prefers."""
    return negotiate(request, JSON, EVENTS, NPZ)


TraceMediaType = Annotated[str, Depends(trace_media_type)]


def trace_route(
    router: APIRouter, summary: str, *codes: str, **options: Any
) -> Callable[[DecoratedCallable], DecoratedCallable]:
    """Return a decorator: a POST route of a router that runs a model and returns its trace.

    `codes` are those of its errors, beside those of every route that runs a model.
    """
    responses: dict[int | str, dict[str, Any]] = {200: TRACE_RESPONSE, **errors(*RUN, *codes)}
    return router.post("", summary=summary, response_model=TraceOut, responses=responses, **options)


def picture_form(
    schema: type[Options], file: str = FILE
) -> Callable[[Request, str], Awaitable[PictureForm[Options]]]:
    """Return a dependency that reads a form with a file and the fields of a schema."""

    async def read(request: Request, _media: TraceMediaType) -> PictureForm[Options]:
        return await read_picture_form(request, schema, file)

    return read

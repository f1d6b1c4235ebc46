"""Dependencies that several routes share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

from fastapi import Depends, Request
from pydantic import BaseModel

from heed.app.http.media_types import EVENTS, JSON, NPZ
from heed.app.http.multipart import PictureForm, read_picture_form
from heed.app.http.negotiation import negotiate

Options = TypeVar("Options", bound=BaseModel)


async def trace_media_type(request: Request) -> str:
    """Return the media type of a trace that the client prefers."""
    return negotiate(request, JSON, EVENTS, NPZ)


TraceMediaType = Annotated[str, Depends(trace_media_type)]


def picture_form(
    schema: type[Options],
) -> Callable[[Request, str], Awaitable[PictureForm[Options]]]:
    """Return a dependency that reads a form with an image file and the fields of a schema."""

    async def read(request: Request, _media: TraceMediaType) -> PictureForm[Options]:
        return await read_picture_form(request, schema)

    return read

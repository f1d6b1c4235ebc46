"""Dependencies that several routes share."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from heed.app.http.media_types import EVENTS, JSON, NPZ
from heed.app.http.negotiation import negotiate


async def trace_media_type(request: Request) -> str:
    """Return the media type of a trace that the client prefers."""
    return negotiate(request, JSON, EVENTS, NPZ)


TraceMediaType = Annotated[str, Depends(trace_media_type)]

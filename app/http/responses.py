"""Responses: JSON for programs, pages for people."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from fastapi import Request
from jinja2 import Environment
from starlette.responses import HTMLResponse, Response

from heed.app.http.encoding import to_json
from heed.app.http.media_types import JSON
from heed.app.schemas import Wire

CACHE_HEADER = "X-Cache"
"""`hit` if a result came from the cache, else `miss`."""
EMBED_PATH = "/embed/"
"""Prefix of the pages that other pages may show in a frame. No other page may be framed."""


def json_response(
    body: Wire | bytes, headers: Mapping[str, str] | None = None, status: int = 200
) -> Response:
    """Return JSON, from a model of the API or from encoded bytes."""
    content = body if isinstance(body, bytes) else to_json(body)
    return Response(content, status, headers, JSON)


def render_page(
    request: Request, template: str, context: Mapping[str, Any] | None = None, status: int = 200
) -> Response:
    """Return a page rendered from its template."""
    templates: Environment = request.app.state.templates
    return HTMLResponse(templates.get_template(template).render(context or {}), status)


async def page_response(
    request: Request, template: str, context: Mapping[str, Any] | None = None
) -> Response:
    """Return a page rendered off the event loop: a template takes long to compile at first."""
    return await asyncio.to_thread(render_page, request, template, context)

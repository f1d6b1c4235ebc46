"""What a person sees in a browser."""

from __future__ import annotations

from fastapi import Request
from starlette.responses import Response

from app.answers import page
from app.example import Shown
from app.routing import routes
from app.service import Parts, Service

router = routes(listed=False)

THEMES = ("light", "dark")
UNLISTED = {"X-Robots-Tag": "noindex"}
"""Whoever saves a trace gives its link to whom they like; no search engine does."""


@router.get("/")
async def home(request: Request, parts: Parts) -> Response:
    """The page; where the address asks for nothing, with the example that it opens on."""
    return _stage(request, example=None if request.query_params else parts.example.shown)


@router.get("/picture")
async def picture(request: Request) -> Response:
    """The page of pictures."""
    return _stage(request, template="picture.html")


@router.get("/t/{id}")
async def saved(request: Request, parts: Parts, id: str) -> Response:
    """The page with a saved trace on it."""
    answer = _stage(request, template=await _template_of(parts, id))
    answer.headers.update(UNLISTED)
    return answer


@router.get("/embed/{id}")
async def embedded(request: Request, parts: Parts, id: str) -> Response:
    """A saved trace and no more, for a frame in another page."""
    answer = _stage(request, id, await _template_of(parts, id))
    answer.headers.update(UNLISTED)
    return answer


@router.get("/docs")
async def docs(request: Request) -> Response:
    """The documentation of the API, drawn by Swagger UI from our own server."""
    return page(request, "docs.html")


async def _template_of(parts: Service, id: str) -> str:
    """The page that shows the saved trace: what was read says which."""
    return "picture.html" if await parts.saved.is_of_picture(id) else "index.html"


def _stage(
    request: Request,
    embedded: str | None = None,
    template: str = "index.html",
    example: Shown | None = None,
) -> Response:
    wished = request.query_params.get("theme")
    theme = wished if embedded and wished in THEMES else None
    view = request.query_params.get("view", "map")
    context = {"view": view, "embedded": embedded, "theme": theme, "example": example}
    return page(request, template, context)

"""What a person sees in a browser."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.answers import page

router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(request: Request) -> Response:
    """The page."""
    return page(request, "index.html", {"view": request.query_params.get("view", "map")})


@router.get("/docs")
async def docs(request: Request) -> Response:
    """The documentation of the API, drawn by Swagger UI from our own server."""
    return page(request, "docs.html")

"""What a person sees in a browser."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import Response

from heed.app.container import Service, ServiceDep
from heed.app.http.disconnect import on_disconnect
from heed.app.http.responses import page
from heed.app.middleware.rate_limit import count
from heed.app.pages.links import Link, Question, link_of
from heed.app.pages.shown import Shown

router = APIRouter(include_in_schema=False)

THEMES = ("light", "dark")
UNLISTED = {"X-Robots-Tag": "noindex"}
"""Whoever saves a trace gives its link to whom they like; no search engine does."""
OURS = ("same-origin", "none")


@router.get("/")
async def home(request: Request, parts: ServiceDep) -> Response:
    """The page, with the answer to what its address asks where that is at hand."""
    link = link_of(request.query_params)
    shown = await _answer(request, parts, link)
    return _stage(request, shown=shown, question=link.question)


@router.get("/picture")
async def picture(request: Request) -> Response:
    """The page of pictures."""
    return _stage(request, template="picture.html")


@router.get("/t/{id}")
async def saved(request: Request, parts: ServiceDep, id: str) -> Response:
    """The page with a saved trace on it."""
    return await _saved(request, parts, id)


@router.get("/embed/{id}")
async def embedded(request: Request, parts: ServiceDep, id: str) -> Response:
    """A saved trace and no more, for a frame in another page."""
    return await _saved(request, parts, id, embedded=id)


@router.get("/docs")
async def docs(request: Request) -> Response:
    """The documentation of the API, drawn by Swagger UI from our own server."""
    return page(request, "docs.html")


async def _answer(request: Request, parts: Service, link: Link) -> Shown | None:
    counted = partial(count, request)
    # Only our own form may have a person wait: a page elsewhere could send for many at once.
    if link.waits and request.headers.get("sec-fetch-site", "none") in OURS:
        return await parts.opening.awaited(link, counted, on_disconnect(request))
    return await parts.opening.at_once(link, counted)


async def _saved(
    request: Request, parts: Service, id: str, embedded: str | None = None
) -> Response:
    found = await parts.saved.load_for_page(id)
    template, shown = "picture.html", None
    if not found.of_picture:
        looks = link_of(request.query_params).looks
        template = "index.html"
        shown = await parts.opening.shown(found.content, found.model, looks)
    answer = _stage(request, template, embedded=embedded, shown=shown, saved=id)
    answer.headers.update(UNLISTED)
    return answer


def _stage(
    request: Request,
    template: str = "index.html",
    *,
    shown: Shown | None = None,
    question: Question | None = None,
    saved: str | None = None,
    embedded: str | None = None,
) -> Response:
    wished = request.query_params.get("theme")
    context = {
        "view": request.query_params.get("view", "map"),
        "embedded": embedded,
        "theme": wished if embedded and wished in THEMES else None,
        "shown": shown,
        "saved": saved,
        "question": question or (shown.question if shown else Question()),
    }
    return page(request, template, context)

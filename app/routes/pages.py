"""The pages."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from heed.app.container import Service, ServiceDep
from heed.app.errors import HeedError
from heed.app.http.disconnect import on_disconnect
from heed.app.http.responses import render_page
from heed.app.middleware.rate_limit import check_rate
from heed.app.pages.preload import Preloaded, preloaded

router = APIRouter(include_in_schema=False)

THEMES = ("light", "dark")
UNLISTED = {"X-Robots-Tag": "noindex"}
"""A link to a saved trace is known to those who were given it, not to search engines."""
TYPED = ("text", "model", "search")
"""Fields of a refused form that are shown again."""
SAME_SITE = ("same-origin", "none")


@router.get("/")
async def home(request: Request, service: ServiceDep) -> Response:
    """The page, with the trace that its query asks for if there is one soon."""
    query = _query(request)
    # Only the page's own form may wait: a page elsewhere could send for many at once.
    waits = "wait" in query and request.headers.get("sec-fetch-site", "none") in SAME_SITE
    try:
        found = await _preloaded(request, service, query, waits=waits)
    except HeedError as error:
        typed = {name: query[name] for name in TYPED if name in query}
        answer = _page(request, query=typed, error=error.out().error)
        if waits:
            request.app.state.count_error(error.code)
            answer.status_code = error.status
            answer.headers.update(error.headers)
        return answer
    return _page(request, query=query, preloaded=found)


@router.get("/picture")
async def picture(request: Request) -> Response:
    """The page of pictures."""
    return _page(request, "picture.html", query=_query(request))


@router.get("/t/{id}")
async def saved(request: Request, service: ServiceDep, id: str) -> Response:
    """The page with a saved trace."""
    return await _saved(request, service, id)


@router.get("/embed/{id}")
async def embedded(request: Request, service: ServiceDep, id: str) -> Response:
    """A saved trace alone, for a frame in another page."""
    theme = request.query_params.get("theme")
    return await _saved(request, service, id, embedded=id, theme=theme if theme in THEMES else None)


@router.get("/docs")
async def docs(request: Request) -> Response:
    """The documentation of the API in Swagger UI, without files from other servers."""
    return render_page(request, "docs.html")


def _query(request: Request) -> dict[str, str]:
    """The query; of several values the first, like in the script."""
    return dict(reversed(request.query_params.multi_items()))


async def _preloaded(
    request: Request, service: Service, query: dict[str, str], *, waits: bool
) -> Preloaded | None:
    asked = service.preloader.asked(query)
    counted = partial(check_rate, request)
    if waits:
        counted()
        answer = await service.translation.one(asked, on_disconnect(request))
        return await asyncio.to_thread(preloaded, answer.content, bounded=False)
    if asked == service.example.asked:
        return service.example.preloaded()
    found = await service.preloader.quick(asked, counted)
    return await asyncio.to_thread(preloaded, found) if found else None


async def _saved(request: Request, service: Service, id: str, **context: Any) -> Response:
    saved = await service.saved.load_for_page(id)
    template = "picture.html" if saved.of_picture else "index.html"
    found = await asyncio.to_thread(preloaded, saved.content)
    answer = _page(request, template, preloaded=found, saved=id, **context)
    answer.headers.update(UNLISTED)
    return answer


def _page(request: Request, template: str = "index.html", **context: Any) -> Response:
    return render_page(request, template, {"query": {}, **context})

"""The pages."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Mapping
from functools import partial
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from heed.app.container import Service, ServiceDep
from heed.app.errors import HeedError
from heed.app.http.conditional import conditional_response
from heed.app.http.disconnect import on_disconnect, while_connected
from heed.app.http.encoding import to_json
from heed.app.http.origin import origin_of
from heed.app.http.request_body import parsed_bytes
from heed.app.http.responses import json_response, page_response
from heed.app.pages.page_requests import PageRequests, query_of
from heed.app.pages.preload import MAX_BYTES, Preloaded, preloaded
from heed.app.pages.social import PATH
from heed.app.tasks import TASKS, pages
from heed.app.tasks.task import Page, Task

router = APIRouter(include_in_schema=False)

THEMES = ("light", "dark")
UNLISTED = {"X-Robots-Tag": "noindex"}
"""A link to a saved trace is known to those who were given it, not to search engines."""
TEMPLATES = {page.name: page.template for page in pages()}
ASKING = tuple(task for task in TASKS if task.query)
"""The tasks whose pages run a model if they have a query."""
MODEL_PATHS = frozenset(task.page.path for task in ASKING)
TYPED = ("model", "search", *(name for task in ASKING if task.query for name in task.query.inputs))
"""Fields of a refused form that are shown again."""
SAME_SITE = ("same-origin", "none")
KEPT = "public, max-age=3600"
"""How long a preview of a link may be kept."""


@router.get("/other")
async def other(request: Request) -> Response:
    """The gallery of other attentions."""
    return await page_response(request, "other.html", {})


@router.get("/t/{id}" + PATH)
async def saved_preview(request: Request, service: ServiceDep, id: str) -> Response:
    """The picture that a shared link to a saved trace shows."""
    saved, _ = await while_connected(request, service.saved.load(id, unpacked=False))
    content = await service.previews.of_saved(saved, on_disconnect(request))
    answer = _picture(request, content)
    answer.headers.update(UNLISTED)
    return answer


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
    return await page_response(request, "docs.html")


@router.get("/openapi.json")
async def openapi(request: Request) -> Response:
    """The OpenAPI document, which takes long to generate on first use."""
    return json_response(to_json(await asyncio.to_thread(request.app.openapi)))


def add_page(page: Page) -> None:
    """Add a page whose script sends the requests."""

    async def shown(request: Request, service: ServiceDep) -> Response:
        query, origin = query_of(request), origin_of(request)
        if renamed := _renamed(page.path, query):
            return renamed
        stop = service.lessons.stop_of(query)
        social = service.social.of_page(origin, page.path, {}, None)
        if stop:
            social = service.social.of_lesson(origin, stop, social)
        return await _page(request, page.template, query=query, stop=stop, social=social)

    router.add_api_route(page.path, shown)


def add_sample_preview(task: Task[Any]) -> None:
    """Add the picture of a page that opens on a sample."""

    async def previewed(request: Request, service: ServiceDep) -> Response:
        inference = service.inferences[task.id]
        content = await service.previews.of_sample(inference, on_disconnect(request))
        return _picture(request, content)

    router.add_api_route(task.page.prefix + PATH, previewed)


def add_asking_page(task: Task[Any]) -> None:
    """Add a page with the trace that its query asks for, and the picture of links to it."""

    async def shown(request: Request, service: ServiceDep) -> Response:
        return await _answered(request, service, service.pages[task.id])

    async def previewed(request: Request, service: ServiceDep) -> Response:
        page = service.pages[task.id]
        content = await service.previews.of_query(page, query_of(request), on_disconnect(request))
        return _picture(request, content)

    router.add_api_route(task.page.path, shown)
    router.add_api_route(task.page.prefix + PATH, previewed)


for asking in ASKING:
    add_asking_page(asking)
for page in pages():
    if page.path not in MODEL_PATHS:
        add_page(page)
for other_task in TASKS:
    if other_task.page.card and not other_task.query:
        add_sample_preview(other_task)


def _renamed(path: str, query: Mapping[str, str]) -> Response | None:
    """Return a redirect for a step of a lesson at the address that it had as a tour's."""
    if "tour" not in query:
        return None
    named = {"lesson" if name == "tour" else name: value for name, value in query.items()}
    return RedirectResponse(f"{path}?{urlencode(named)}", 308)


async def _answered(request: Request, service: Service, page: PageRequests) -> Response:
    """A page whose query is a request, with its trace if there is one soon."""
    shown = page.task.page
    query = query_of(request)
    if renamed := _renamed(shown.path, query):
        return renamed
    stop = service.lessons.stop_of(query)
    # Only the page's own form may wait: a page elsewhere could send for many at once.
    waits = "wait" in query and request.headers.get("sec-fetch-site", "none") in SAME_SITE
    try:
        ready = await _preloaded(request, service, page, query, waits=waits)
    except HeedError as error:
        typed = {name: query[name] for name in TYPED if name in query}
        answer = await _page(
            request, shown.template, query=typed, error=error.out().error, stop=stop
        )
        if waits:
            request.app.state.count_error(error.code)
            answer.status_code = error.status
            answer.headers.update(error.headers)
        return answer
    social = service.social.of_page(origin_of(request), shown.path, query, ready, page.query.names)
    if stop:
        social = service.social.of_lesson(origin_of(request), stop, social)
    return await _page(
        request, shown.template, query=query, preloaded=ready, stop=stop, social=social
    )


async def _preloaded(
    request: Request,
    service: Service,
    page: PageRequests,
    query: dict[str, str],
    *,
    waits: bool,
) -> Preloaded | None:
    asked = page.read(query)
    if query.get("edits") and not waits:
        return None  # the script reads the edits, and requests the trace under them
    if waits:
        # Prepare a trace for the page of a client that may have no script to request it.
        due = time.monotonic() + service.settings.deadline_seconds
        content = (await page.inference.answer(asked, on_disconnect(request))).content
        prepare = partial(preloaded, content, bounded=False)
        return await service.work.parse(parsed_bytes(content), prepare, due - time.monotonic())
    if asked == page.example.asked:
        return page.example.preloaded()
    ready = await page.quick(asked)
    return await asyncio.to_thread(preloaded, ready) if ready else None


async def _saved(request: Request, service: Service, id: str, **context: Any) -> Response:
    saved = await while_connected(request, service.saved.load_for_page(id, MAX_BYTES))
    template = TEMPLATES[saved.page]
    content = await asyncio.to_thread(preloaded, saved.content) if saved.content else None
    social = service.social.of_saved(origin_of(request), id, content)
    answer = await _page(request, template, preloaded=content, saved=id, social=social, **context)
    answer.headers.update(UNLISTED)
    return answer


def _picture(request: Request, content: bytes) -> Response:
    # A page elsewhere may show the picture of a link to this one.
    headers = {"Cache-Control": KEPT, "Cross-Origin-Resource-Policy": "cross-origin"}
    digest = hashlib.sha256(content).hexdigest()
    return conditional_response(
        request.headers, digest, lambda: content, None, media="image/png", headers=headers
    )


async def _page(request: Request, template: str = "index.html", **context: Any) -> Response:
    return await page_response(request, template, {"query": {}, **context})

"""The lessons: their list, and short addresses of their steps."""

from __future__ import annotations

import asyncio
from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from heed.app.container import Service, ServiceDep
from heed.app.errors import RequestError
from heed.app.http.disconnect import on_disconnect
from heed.app.http.responses import page_response
from heed.app.middleware.rate_limit import count_batch
from heed.app.pages.lesson_writer import LessonWriter
from heed.app.pages.lessons import GROW, TOOLS, Lesson
from heed.app.pages.own_lesson import MOST_BYTES, written
from heed.app.pages.page_requests import query_of
from heed.app.pages.watch import records
from heed.output.page.standalone import grow_file

router = APIRouter(include_in_schema=False)

NOT_MINE = (
    "A lesson of your own needs at least one line. Each begins with an address of this site, such "
    "as /?view=map, and goes on with a sentence; there is room for 24."
)
NO_LESSON = "There is no such lesson, or it has no such step."


@router.get("/learn")
async def lessons(request: Request, service: ServiceDep) -> Response:
    """All lessons, with a link to each step."""
    return await page_response(request, "learn.html", {"lessons": service.lessons.all})


def _add_tool(name: str) -> None:
    @router.get(TOOLS[name])
    async def tool(request: Request, service: ServiceDep) -> Response:
        """A page of lessons on which no model runs, perhaps as a step of a lesson."""
        return await _tool(request, service, f"{name}.html")


for _name in TOOLS:
    if _name != "watch":  # which has records
        _add_tool(_name)


@router.get(TOOLS["watch"])
async def watch(request: Request, service: ServiceDep) -> Response:
    """The attention of a model while it learned, perhaps as a step of a lesson."""
    return await _tool(request, service, "watch.html", recorded=await _records(service))


@router.get("/learn/mine")
async def mine(title: str = "", steps: str = "") -> Response:
    """The first step of a lesson of one's own, which is typed on the page of lessons."""
    short = len(title) + len(steps) <= MOST_BYTES
    first = await asyncio.to_thread(written, title, steps) if short else None
    if first is None:
        raise RequestError("not_found", NOT_MINE)
    return RedirectResponse(first, 303)


@router.get("/learn/{name}")
async def lesson(service: ServiceDep, name: str) -> Response:
    """The first step of a lesson."""
    return _step(service, name, "1")


@router.get("/learn/{name}/notes")
async def notes(request: Request, service: ServiceDep, name: str) -> Response:
    """The notes on a lesson for teachers."""
    return await page_response(request, "notes.html", {"lesson": _lesson(service, name)})


@router.get("/learn/{name}/handout")
async def handout(request: Request, service: ServiceDep, name: str) -> Response:
    """A lesson as a page to print."""
    lesson = _lesson(service, name)
    return HTMLResponse(await _writer(request, service).handout(lesson))


@router.get("/learn/{name}/lesson.html")
async def file(request: Request, service: ServiceDep, name: str) -> Response:
    """A lesson as one file that works without a server."""
    text: str | bytes
    if name == GROW:
        text = await asyncio.to_thread(grow_file)
    else:
        text = await _writer(request, service).file(_lesson(service, name))
    disposition = f'attachment; filename="{name}.html"'
    return HTMLResponse(text, headers={"Content-Disposition": disposition})


@router.get("/learn/{name}/{at}")
async def step(service: ServiceDep, name: str, at: str) -> Response:
    """A step of a lesson, at an address that stays when the state of the step changes."""
    return _step(service, name, at)


@router.get("/tour")
@router.get("/tour/{rest:path}")
async def tour(rest: str = "") -> Response:
    """The address that lessons had when they were tours."""
    return RedirectResponse(f"/learn/{rest}".rstrip("/"), 308)


async def _records(service: Service) -> tuple[object, ...]:
    return await asyncio.to_thread(records, *service.catalogue.folders)


async def _tool(request: Request, service: Service, template: str, **context: object) -> Response:
    query = query_of(request)
    stop = service.lessons.stop_of(query)
    return await page_response(request, template, {"query": query, "stop": stop, **context})


def _writer(request: Request, service: Service) -> LessonWriter:
    return LessonWriter(
        service.catalogue,
        service.inferences,
        service.audits,
        service.cache,
        service.lesson_turn,
        service.work,
        service.settings.deadline_seconds,
        on_disconnect(request),
        partial(count_batch, request),
    )


def _lesson(service: Service, name: str) -> Lesson:
    lesson = service.lessons.named(name)
    if lesson is None:
        raise RequestError("not_found", NO_LESSON)
    return lesson


def _step(service: Service, name: str, at: str) -> Response:
    stop = service.lessons.stop_of({"lesson": name, "at": at})
    if stop is None:
        raise RequestError("not_found", NO_LESSON)
    return RedirectResponse(stop.step.href)

"""The lessons: their list, and short addresses of their steps."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from heed.app.container import Service, ServiceDep
from heed.app.errors import RequestError
from heed.app.http.responses import page_response

router = APIRouter(include_in_schema=False)


@router.get("/learn")
async def lessons(request: Request, service: ServiceDep) -> Response:
    """All lessons, with a link to each step."""
    return await page_response(request, "learn.html", {"lessons": service.lessons.all})


@router.get("/learn/{name}")
async def lesson(service: ServiceDep, name: str) -> Response:
    """The first step of a lesson."""
    return _step(service, name, "1")


@router.get("/learn/{name}/{at}")
async def step(service: ServiceDep, name: str, at: str) -> Response:
    """A step of a lesson, at an address that stays when the state of the step changes."""
    return _step(service, name, at)


@router.get("/tour")
@router.get("/tour/{rest:path}")
async def tour(rest: str = "") -> Response:
    """The address that lessons had when they were tours."""
    return RedirectResponse(f"/learn/{rest}".rstrip("/"), 308)


def _step(service: Service, name: str, at: str) -> Response:
    stop = service.lessons.stop_of({"lesson": name, "at": at})
    if stop is None:
        raise RequestError("not_found", "There is no such lesson, or it has no such step.")
    return RedirectResponse(stop.step.href)

"""Answers: JSON for programs, a page for people, and errors in the form each of them reads."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import Request
from jinja2 import TemplateError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from heed.app.container import service_of
from heed.app.errors import HeedError, RequestError, ServiceError, quoted
from heed.app.http.negotiation import HTML, JSON, preferred
from heed.app.http.sse import to_json
from heed.app.schemas import Wire

FOR_PROGRAMS = ("/api/", "/static/", "/healthz", "/readyz", "/version", "/metrics", "/openapi.json")
FRAMED = "/embed/"
"""Where the pages are that other pages may show in a frame. No others may be."""
BARE_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>{status} {title}</title>'
    "<h1>{title}</h1><p>The page could not be drawn.</p></html>"
)

log = logging.getLogger("heed")


def json_answer(body: Wire | bytes, headers: Mapping[str, str] | None = None) -> Response:
    """JSON, from something of the wire contract or from bytes that are JSON already."""
    content = body if isinstance(body, bytes) else to_json(body)
    return Response(content, media_type=JSON, headers=headers)


def page(
    request: Request, template: str, context: Mapping[str, Any] | None = None, status: int = 200
) -> Response:
    """A page, drawn from its template."""
    html = service_of(request).templates.get_template(template).render(context or {})
    return HTMLResponse(html, status)


def error_answer(request: Request, error: HeedError) -> Response:
    """The error as JSON, or as a page if a person sees it."""
    service_of(request).metrics.refusals.labels(error.code).inc()
    if _for_a_person(request):
        return _error_page(request, error)
    return Response(to_json(error.out()), error.status, error.headers, JSON)


def _for_a_person(request: Request) -> bool:
    if request.scope["path"].startswith(FOR_PROGRAMS):
        return False
    return preferred(request.headers.get("accept"), (JSON, HTML)) == HTML


def _error_page(request: Request, error: HeedError) -> Response:
    title = HTTPStatus(error.status).phrase
    context = {
        "status": error.status,
        "title": title,
        "message": error.out().error.message,
        "embedded": request.scope["path"].startswith(FRAMED),
    }
    try:
        answer = page(request, "error.html", context, error.status)
    except TemplateError:
        log.exception("the error page cannot be drawn")
        answer = HTMLResponse(BARE_PAGE.format(status=error.status, title=title), error.status)
    answer.headers.update(error.headers)
    return answer


def error_of(request: Request, error: Exception) -> HeedError | None:
    """What is to be told of an error, if it is one of ours or of the framework's."""
    if isinstance(error, HeedError):
        return error
    return _of_framework(request, error) if isinstance(error, HTTPException) else None


def _of_framework(request: Request, error: HTTPException) -> HeedError:
    """No such path, no such method."""
    path, method = quoted(request.scope["path"]), request.scope["method"]
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        message = f"{path} does not answer {quoted(method)}. Use {headers.get('Allow', 'GET')}."
        return RequestError("method_not_allowed", message, headers=headers)
    if error.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
        message = f"There is nothing at {path}."
        if not _for_a_person(request):
            message += " See /docs for the calls there are."
        return RequestError("not_found", message)
    return ServiceError("internal_error", "Something broke on our side.")

"""Errors as responses: JSON for programs, a page for people. The exception handlers of the app."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from jinja2 import TemplateError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Send

from heed.app.errors import HeedError, RequestError, ServiceError, quoted
from heed.app.http.encoding import to_json
from heed.app.http.media_types import HTML, JSON
from heed.app.http.negotiation import preferred
from heed.app.http.responses import EMBED_PATH, render_page
from heed.app.http.validation_errors import validation_error

API_PATHS = ("/api/", "/static/", "/healthz", "/readyz", "/version", "/metrics", "/openapi.json")
"""Prefixes of paths that answer with JSON whatever `Accept` says."""
PLAIN_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>{status} {title}</title>'
    "<h1>{title}</h1><p>The error page could not be rendered.</p></html>"
)

log = logging.getLogger("heed")


def add_exception_handlers(app: FastAPI) -> None:
    """Register a handler for each kind of error that a route or a dependency may raise."""
    app.add_exception_handler(HeedError, handle_heed_error)
    app.add_exception_handler(RequestValidationError, handle_validation_error)
    app.add_exception_handler(HTTPException, handle_http_exception)


def error_response(request: Request, error: HeedError) -> Response:
    """Return the error as JSON, or as a page for a browser, and count it."""
    request.app.state.count_error(error.code)
    if _prefers_page(request):
        return _error_page(request, error)
    return Response(to_json(error.out()), error.status, error.headers, JSON)


def raw_error(
    error: HeedError, headers: Mapping[str, str] | None = None
) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Return the headers and the JSON of an error that the application does not see."""
    body = to_json(error.out())
    given = {
        "Content-Type": JSON,
        "Content-Length": str(len(body)),
        **(headers or {}),
        **error.headers,
    }
    return [(name.lower().encode(), value.encode()) for name, value in given.items()], body


async def send_error(
    error: HeedError, send: Send, headers: Mapping[str, str] | None = None
) -> None:
    """Respond with an error that the application does not see."""
    raw, body = raw_error(error, headers)
    await send({"type": "http.response.start", "status": error.status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


async def handle_heed_error(request: Request, error: Exception) -> Response:
    """Respond with an error of the application."""
    assert isinstance(error, HeedError)  # noqa: S101 - registered for this class
    return error_response(request, error)


async def handle_validation_error(request: Request, error: Exception) -> Response:
    """Respond with the first problem of a body that does not match its schema."""
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for this class
    body_field = request.scope["route"].body_field
    schema = body_field.field_info.annotation if body_field is not None else None
    return error_response(request, validation_error(error.errors(), schema))


async def handle_http_exception(request: Request, error: Exception) -> Response:
    """Respond with an error of the framework."""
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for this class
    return error_response(request, _framework_error(request, error))


def _framework_error(request: Request, error: HTTPException) -> HeedError:
    path, method = quoted(request.scope["path"]), request.scope["method"]
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = headers.get("Allow", "GET")
        message = f"{path} does not support {quoted(method)}. Use {allowed}."
        return RequestError("method_not_allowed", message, headers=headers)
    if error.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
        message = f"There is no {path} on this server."
        if not _prefers_page(request):
            message += " See /docs for the API."
        return RequestError("not_found", message)
    return ServiceError("internal_error", "Internal server error.")


def _prefers_page(request: Request) -> bool:
    if request.scope["path"].startswith(API_PATHS):
        return False
    return preferred(request.headers.get("accept"), (JSON, HTML)) == HTML


def _error_page(request: Request, error: HeedError) -> Response:
    title = HTTPStatus(error.status).phrase
    context = {
        "status": error.status,
        "title": title,
        "message": error.out().error.message,
        "embedded": request.scope["path"].startswith(EMBED_PATH),
    }
    try:
        response = render_page(request, "error.html", context, error.status)
    except TemplateError:
        log.exception("the error page cannot be rendered")
        response = HTMLResponse(PLAIN_PAGE.format(status=error.status, title=title), error.status)
    response.headers.update(error.headers)
    return response
